// A TF32 GEMM of CUTLASS's SM90 templates: TMA with multicast over a cluster of
// two blocks, warp-specialised ping-pong, wgmma. A row-major, B column-major.
// `params` builds what `gemm` takes, from tensor maps that the host encoded.
#include <cuda/std/cstdint>
#include <cuda/std/type_traits>
namespace std { // names that these headers expect and NVRTC's lacks
using cuda::std::is_const_v;
using cuda::std::is_pointer_v;
using cuda::std::void_t;
}
#include "cute/tensor.hpp"
#include "cutlass/cutlass.h"
#include "cutlass/epilogue/collective/collective_builder.hpp"
#include "cutlass/epilogue/collective/default_epilogue.hpp"
#include "cutlass/gemm/collective/collective_builder.hpp"
#include "cutlass/gemm/dispatch_policy.hpp"
#include "cutlass/gemm/kernel/gemm_universal.hpp"
#include "cutlass/gemm/kernel/tile_scheduler.hpp"
#include "cutlass/numeric_types.h"

using namespace cute;
using RowMajor = cutlass::layout::RowMajor;
using Sm90 = cutlass::arch::Sm90;
using TensorOp = cutlass::arch::OpClassTensorOp;
using TileShape = Shape<_128, _128, _32>;
using ClusterShape = Shape<_2, _1, _1>;
using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
    Sm90, TensorOp, TileShape, ClusterShape,
    cutlass::epilogue::collective::EpilogueTileAuto, float, float, float,
    RowMajor, 4, float, RowMajor, 4,
    cutlass::epilogue::NoSmemWarpSpecialized>::CollectiveOp;
using Mainloop = typename cutlass::gemm::collective::CollectiveBuilder<
    Sm90, TensorOp, float, RowMajor, 4, float, cutlass::layout::ColumnMajor, 4,
    float, TileShape, ClusterShape, cutlass::gemm::collective::StageCount<4>,
    cutlass::gemm::KernelTmaWarpSpecializedPingpong>::CollectiveOp;
using Gemm =
    cutlass::gemm::kernel::GemmUniversal<Shape<int, int, int, int>, Mainloop,
                                         Epilogue>;
using Params = typename Gemm::Params;

// out: bytes of Params, dynamic shared memory and threads of a block.
extern "C" __global__ void info(int *out) {
  out[0] = sizeof(Params);
  out[1] = Gemm::SharedStorageSize;
  out[2] = Gemm::MaxThreadsPerBlock;
}

__device__ void copyMap(void *to, const char *from) {
  for (int i = 0; i < 128; ++i)
    static_cast<char *>(to)[i] = from[i];
}

// maps: of A and of B, 128 bytes each. grid: blocks to launch.
extern "C" __global__ void params(Params *out, const char *maps, float *c,
                                  int m, int n, int k, int multiprocessors,
                                  int *grid) {
  typename Gemm::Arguments arguments{};
  arguments.mode = cutlass::gemm::GemmUniversalMode::kGemm;
  arguments.problem_shape = make_shape(m, n, k, 1);
  arguments.epilogue.thread.alpha = 1.0f;
  arguments.epilogue.ptr_D = c;
  get<0>(arguments.epilogue.dC) = n;
  get<0>(arguments.epilogue.dD) = n;
  arguments.hw_info.sm_count = multiprocessors;
  Params p{};
  p.mode = arguments.mode;
  p.problem_shape = arguments.problem_shape;
  p.hw_info = arguments.hw_info;
  p.epilogue = Epilogue::to_underlying_arguments(
      p.problem_shape, arguments.epilogue, nullptr);
  p.scheduler = Gemm::TileScheduler::to_underlying_arguments(
      p.problem_shape, TileShape{}, ClusterShape{}, p.hw_info, arguments.scheduler,
      nullptr, 1);
  auto *a = p.mainloop.tma_load_a.get_tma_descriptor();
  auto *b = p.mainloop.tma_load_b.get_tma_descriptor();
  copyMap(const_cast<void *>(static_cast<const void *>(a)), maps);
  copyMap(const_cast<void *>(static_cast<const void *>(b)), maps + 128);
  *out = p;
  dim3 blocks = Gemm::get_grid_shape(p);
  grid[0] = blocks.x, grid[1] = blocks.y, grid[2] = blocks.z;
}

extern "C" __global__ void
__launch_bounds__(Gemm::MaxThreadsPerBlock, Gemm::MinBlocksPerMultiprocessor)
    gemm(const __grid_constant__ Params p) {
  extern __shared__ char shared[];
  Gemm{}(p, shared);
}
