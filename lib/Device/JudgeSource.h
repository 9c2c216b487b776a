//===- JudgeSource.h - The judge's kernels as text --------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_DEVICE_JUDGESOURCE_H
#define KERNELCLAW_LIB_DEVICE_JUDGESOURCE_H

#include <string>

namespace kclaw {

/// device/Elements.h and Compare.h followed by device/Kernels.cu.
std::string judgeSource();

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_JUDGESOURCE_H
