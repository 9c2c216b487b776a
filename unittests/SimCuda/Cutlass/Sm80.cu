// A full-precision f32 GEMM of CUTLASS's SM80 templates: three TF32 products a
// tile through cp.async and mma.sync. Row-major operands whose rows are
// multiples of four floats; Params are built in the kernel.
#include <cuda/std/cstdint>
#include <cuda/std/type_traits>
namespace std { // names that these headers expect and NVRTC's lacks
using cuda::std::is_const_v;
using cuda::std::is_pointer_v;
using cuda::std::void_t;
}
#include "cutlass/cutlass.h"
#include "cutlass/epilogue/thread/linear_combination.h"
#include "cutlass/gemm/kernel/default_gemm.h"
#include "cutlass/gemm/threadblock/threadblock_swizzle.h"

using RowMajor = cutlass::layout::RowMajor;
constexpr int alignment = 4, stages = 3;
using Gemm = cutlass::gemm::kernel::DefaultGemm<
    float, RowMajor, alignment, float, RowMajor, alignment, float, RowMajor,
    float, cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80,
    cutlass::gemm::GemmShape<128, 128, 16>,
    cutlass::gemm::GemmShape<64, 32, 16>, cutlass::gemm::GemmShape<16, 8, 8>,
    cutlass::epilogue::thread::LinearCombination<float, alignment, float,
                                                 float>,
    cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<8>, stages,
    false, cutlass::arch::OpMultiplyAddFastF32>::GemmKernel;

// out: dynamic shared memory and threads of a block.
extern "C" __global__ void info(int *out) {
  out[0] = sizeof(typename Gemm::SharedStorage);
  out[1] = Gemm::kThreadCount;
}

extern "C" __global__ void __launch_bounds__(Gemm::kThreadCount)
    gemm(float *a, float *b, float *c, int m, int n, int k) {
  extern __shared__ __align__(128) char shared[];
  cutlass::gemm::GemmCoord tiles(gridDim.x, gridDim.y, 1);
  typename Gemm::Params params({m, n, k}, tiles, {a, k}, {b, n}, {c, n}, {c, n},
                               {1.0f, 0.0f});
  params.swizzle_log_tile = 0;
  Gemm{}(params, *reinterpret_cast<typename Gemm::SharedStorage *>(shared));
}
