//===- Fatbin.h - Cubin and PTX in one object -------------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_DEVICE_FATBIN_H
#define KERNELCLAW_LIB_DEVICE_FATBIN_H

#include "kernelclaw/Plan/Evaluation.h"

namespace kclaw {

/// The image's cubin and, when its `.target` has no suffix `a`, its PTX as one
/// fatbin: PTX of sm_90a runs on sm_90a only, where the cubin serves. An Error
/// when nvFatbin is missing or refuses the image.
Expected<std::vector<uint8_t>> makeFatbin(const ModuleImage &image);

/// Gives every image that has a cubin and no fatbin its fatbin. An image whose
/// fatbin cannot be made stays as it is, and its cubin is what is embedded.
void addFatbins(std::vector<ModuleImage> &images);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_FATBIN_H
