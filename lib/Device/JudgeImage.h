//===- JudgeImage.h - The judge's own kernels, compiled ---------*- C++ -*-===//
//
// NVRTC takes longer for them than everything else that a worker does at its
// start: they are kept under the user's cache directory, in a file for each
// source, architecture and NVRTC. The file holds all three, so that only what
// was made from the same is used, and a checksum. Without a cache directory,
// or with one that cannot be written, they are compiled each time.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_JUDGEIMAGE_H
#define KERNELCLAW_LIB_DEVICE_JUDGEIMAGE_H

#include "kernelclaw/Plan/Evaluation.h"

#include <optional>

namespace kclaw {

/// What decides what the compiler makes.
struct JudgeImageKey {
  std::string source;
  std::string arch;
  std::string nvrtcVersion;
};

/// The text of the file, and what it holds; nothing when it is damaged or was
/// made from something else.
std::string packJudgeImage(const JudgeImageKey &key, const ModuleImage &image);
std::optional<ModuleImage> unpackJudgeImage(const JudgeImageKey &key,
                                            const std::string &text);

/// From the cache, or compiled and put there. `fresh`: compiled in any case.
Expected<ModuleImage> judgeImage(const std::string &arch,
                                 const std::string &workerPath,
                                 bool fresh = false);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_JUDGEIMAGE_H
