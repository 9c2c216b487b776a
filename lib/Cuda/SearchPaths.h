//===- SearchPaths.h - Where pieces of CUDA may lie -------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_CUDA_SEARCHPATHS_H
#define KERNELCLAW_LIB_CUDA_SEARCHPATHS_H

#include <string>
#include <vector>

namespace kclaw {

/// Library folders of toolkits and of NVIDIA's PyPI wheels, existing ones.
std::vector<std::string> cudaLibraryFolders();

} // namespace kclaw

#endif // KERNELCLAW_LIB_CUDA_SEARCHPATHS_H
