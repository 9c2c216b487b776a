//===- Problem.h - A spec at concrete sizes ---------------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_DEVICE_PROBLEM_H
#define KERNELCLAW_LIB_DEVICE_PROBLEM_H

#include "kernelclaw/Plan/Expr.h"
#include "kernelclaw/Spec/KernelSpec.h"

namespace kclaw {

struct ProblemTensor {
  DType dtype = DType::f32;
  std::vector<int64_t> shape;
  uint64_t count = 0;     ///< elements
  uint64_t bytes = 0;     ///< in its own dtype
  uint64_t rowLength = 1; ///< elements that share a scale of errors
  int64_t alignmentBytes = 16;
};

struct Problem {
  Bindings dims;
  std::vector<ProblemTensor> arguments;
  std::vector<ProblemTensor> results;
};

/// Static sizes, and of each dynamic one its `sample` (the last where it has
/// fewer, the largest size where it has none). Invalid when sizes conflict or a
/// tensor has more than 2^60 bytes.
Expected<Problem> instantiate(const KernelSpec &spec, size_t sample = 0);

/// Dynamic sizes from `sizes`, which has all of them.
Expected<Problem> instantiateAt(const KernelSpec &spec, const Bindings &sizes);

/// How many samples the dynamic dimensions have at most; 1 without any.
size_t sampleCount(const KernelSpec &spec);

/// Bytes of all results.
double resultBytes(const Problem &problem);

/// Trailing dimensions until 64 elements share a scale; tensors of one long
/// row are cut into rows of 4096.
uint64_t errorRowLength(const std::vector<int64_t> &shape);

/// The same for a result that a scan made along dimension `dim`: one row
/// reaches as far as the scan does, since its errors do (up to 2^26 elements).
uint64_t scannedRowLength(const std::vector<int64_t> &shape, int64_t dim);

/// "[3, 17]" of a flat index.
std::string position(const std::vector<int64_t> &shape, int64_t flatIndex);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_PROBLEM_H
