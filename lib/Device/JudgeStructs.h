//===- JudgeStructs.h - The device headers for the host ---------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_DEVICE_JUDGESTRUCTS_H
#define KERNELCLAW_LIB_DEVICE_JUDGESTRUCTS_H

#include <math.h>

namespace kclaw {
#include "device/Elements.h"

#include "device/Compare.h"
} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_JUDGESTRUCTS_H
