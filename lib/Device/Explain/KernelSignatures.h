//===- KernelSignatures.h - The kernels of a CUDA source --------*- C++ -*-===//
//
// A scan of the text, not a parser of C++: `__global__` functions with their
// parameters. Templates and kernels made by macros are not found.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_EXPLAIN_KERNELSIGNATURES_H
#define KERNELCLAW_LIB_DEVICE_EXPLAIN_KERNELSIGNATURES_H

#include <string>
#include <vector>

namespace kclaw {

struct KernelParameter {
  std::string type; ///< without const and restrict: "float *", "long long"
  std::string name; ///< may be empty
  bool isPointer() const { return type.find('*') != std::string::npos; }
};

struct KernelSignature {
  std::string name;
  std::vector<KernelParameter> parameters;
  size_t line = 0; ///< of `__global__`, from 1
};

std::vector<KernelSignature> findKernels(const std::string &source);

/// Comments and literals overwritten by spaces; lines stay where they are.
std::string withoutComments(std::string source);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_EXPLAIN_KERNELSIGNATURES_H
