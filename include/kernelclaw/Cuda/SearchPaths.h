//===- SearchPaths.h - Where pieces of CUDA may lie -------------*- C++ -*-===//
#ifndef KERNELCLAW_CUDA_SEARCHPATHS_H
#define KERNELCLAW_CUDA_SEARCHPATHS_H

#include <string>
#include <vector>

namespace kclaw {

/// Where to open one of CUDA's libraries: only what the environment's
/// `variable` names, when set; else its sonames by the loader's path, then in
/// the existing library folders of toolkits and of NVIDIA's PyPI wheels.
std::vector<std::string>
cudaLibraryCandidates(const char *variable,
                      const std::vector<std::string> &sonames);

} // namespace kclaw

#endif // KERNELCLAW_CUDA_SEARCHPATHS_H
