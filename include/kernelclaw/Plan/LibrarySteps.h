//===- LibrarySteps.h - Matmul and convolution steps of plans ---*- C++ -*-===//
//
// What cuBLASLt and cuDNN do for a plan. The structs mirror kcl_matmul_step and
// kcl_convolution_step (Steps/kcl_steps.h), which say what is computed, with
// names of buffers for addresses and expressions for numbers. Part of Plan.h.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_PLAN_LIBRARYSTEPS_H
#define KERNELCLAW_PLAN_LIBRARYSTEPS_H

#include "kernelclaw/Plan/Expr.h"
#include "kernelclaw/Support/DType.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kclaw {

/// Types of operands, in the order of kcl_element from 1 on.
inline constexpr DType libraryTypes[] = {DType::f64,  DType::f32, DType::f16,
                                         DType::bf16, DType::i8,  DType::i32};
/// Value of a type as in kcl_element; 0: no library takes it.
constexpr int32_t libraryElement(DType dtype) {
  for (int32_t i = 0; DType type : libraryTypes)
    if (++i; type == dtype)
      return i;
  return 0;
}

/// A place in a buffer; no buffer: there is no such operand.
struct PlanPlace {
  std::string buffer;
  Expr offset{0}; ///< bytes
  bool present() const { return !buffer.empty(); }
};

/// Row-major matrices, one for each of the batch.
struct PlanMatrix {
  PlanPlace place;
  Expr ld{0};          ///< elements from a row to the next as stored
  Expr batchStride{0}; ///< elements to the next matrix; 0: one for all
  DType dtype = DType::f32;
  bool transposed = false; ///< stored as columns x rows; A and B only
};

/// How products are formed and summed; values as in kcl_compute.
enum class MatmulCompute { F32 = 1, Tf32 = 2, F64 = 3, I32 = 4 };
/// Values as in kcl_epilogue.
enum class MatmulEpilogue {
  None = 0,
  Bias = 1,
  Relu = 2,
  Gelu = 3,
  BiasRelu = 4,
  BiasGelu = 5
};
constexpr bool hasBias(MatmulEpilogue epilogue) {
  return epilogue == MatmulEpilogue::Bias ||
         epilogue == MatmulEpilogue::BiasRelu ||
         epilogue == MatmulEpilogue::BiasGelu;
}

/// D = epilogue(alpha * A * B + beta * C), A of m x k, B of k x n.
struct MatmulStep {
  PlanMatrix a, b, c, d; ///< c: with beta only
  Expr m, n, k, batch{1};
  double alpha = 1, beta = 0;
  MatmulCompute compute = MatmulCompute::F32;
  MatmulEpilogue epilogue = MatmulEpilogue::None;
  PlanPlace bias;        ///< n values of D's type
  std::string workspace; ///< a workspace for the library, or none
  /// The library's algorithm, as an evaluator recorded it
  /// (kcl_library_choice); empty: the library's own first choice.
  std::string choice;
};

/// One to three spatial dims; all lists have that length.
struct ConvolutionStep {
  PlanPlace input, weight, bias, output;
  DType dtype = DType::f32; ///< of all of them
  bool tf32 = false;        ///< f32 operands are rounded to tf32
  bool transposed = false;
  bool channelsLast = false;
  Expr batch, inChannels, outChannels, groups{1};
  std::vector<Expr> in, out, kernel, stride, dilation, padBefore, padAfter;
  std::string workspace;
  std::string choice;
};

/// The bytes that a library step touches of a buffer.
struct LibraryOperand {
  const char *name; ///< "a", "input"
  const PlanPlace *place;
  int64_t bytes;
  bool written;
};

/// A step at concrete sizes. Errors name the field: "a.ld: ...".
struct MatmulNumbers {
  struct Matrix {
    int64_t ld = 0, batchStride = 0;
  };
  int64_t m = 0, n = 0, k = 0, batch = 0;
  Matrix a, b, c, d;
  std::vector<LibraryOperand> operands; ///< pointing into the step
};
Expected<MatmulNumbers> evaluate(const MatmulStep &step,
                                 const Bindings &bindings);

struct ConvolutionNumbers {
  int64_t batch = 0, inChannels = 0, outChannels = 0, groups = 0;
  int64_t in[3] = {}, out[3] = {}, kernel[3] = {}, stride[3] = {},
          dilation[3] = {}, padBefore[3] = {}, padAfter[3] = {};
  std::vector<LibraryOperand> operands;
};
Expected<ConvolutionNumbers> evaluate(const ConvolutionStep &step,
                                      const Bindings &bindings);

} // namespace kclaw

#endif // KERNELCLAW_PLAN_LIBRARYSTEPS_H
