// wgmma of 16-bit tiles in shared memory: GROUPS warpgroups lie one above the
// other, each has BLOCKS times 64 rows.
#define SUMS32 \
  "%0, %1, %2, %3, %4, %5, %6, %7, " \
  "%8, %9, %10, %11, %12, %13, %14, %15, " \
  "%16, %17, %18, %19, %20, %21, %22, %23, " \
  "%24, %25, %26, %27, %28, %29, %30, %31"
#define SUMS64 SUMS32 ", " \
  "%32, %33, %34, %35, %36, %37, %38, %39, " \
  "%40, %41, %42, %43, %44, %45, %46, %47, " \
  "%48, %49, %50, %51, %52, %53, %54, %55, " \
  "%56, %57, %58, %59, %60, %61, %62, %63"
#define SUMS128 SUMS64 ", " \
  "%64, %65, %66, %67, %68, %69, %70, %71, " \
  "%72, %73, %74, %75, %76, %77, %78, %79, " \
  "%80, %81, %82, %83, %84, %85, %86, %87, " \
  "%88, %89, %90, %91, %92, %93, %94, %95, " \
  "%96, %97, %98, %99, %100, %101, %102, %103, " \
  "%104, %105, %106, %107, %108, %109, %110, %111, " \
  "%112, %113, %114, %115, %116, %117, %118, %119, " \
  "%120, %121, %122, %123, %124, %125, %126, %127"
#define OWN8(D, I)                                                             \
  "+f"((D)[I]), "+f"((D)[I + 1]), "+f"((D)[I + 2]), "+f"((D)[I + 3]),          \
      "+f"((D)[I + 4]), "+f"((D)[I + 5]), "+f"((D)[I + 6]), "+f"((D)[I + 7])
#define OWN32(D, I) OWN8(D, I), OWN8(D, I + 8), OWN8(D, I + 16), OWN8(D, I + 24)
#define OWN64(D) OWN32(D, 0), OWN32(D, 32)
#define OWN128(D) OWN64(D), OWN32(D, 64), OWN32(D, 96)
#define WGMMA(N, TYPE, SUMS, A, B, KEEP, P, Q, ...)                            \
  asm volatile("{.reg .pred p; setp.ne.b32 p, " KEEP ", 0; "                   \
               "wgmma.mma_async.sync.aligned.m64n" N "k16.f32." TYPE "." TYPE  \
               " {" SUMS "}, " A ", " B ", p, 1, 1, " P ", " Q ";}"            \
               : __VA_ARGS__                                                   \
               : "l"(a), "l"(b), "r"(keep), "n"(TRANSPOSED_A),                 \
                 "n"(TRANSPOSED_B))
#define WGMMA_OF(TYPE)                                                         \
  if constexpr (BN == 64)                                                      \
    WGMMA("64", TYPE, SUMS32, "%32", "%33", "%34", "%35", "%36", OWN32(d, 0)); \
  else if constexpr (BN == 128)                                                \
    WGMMA("128", TYPE, SUMS64, "%64", "%65", "%66", "%67", "%68", OWN64(d));   \
  else                                                                         \
    WGMMA("256", TYPE, SUMS128, "%128", "%129", "%130", "%131", "%132",        \
          OWN128(d))

constexpr int GROUPS = WARPS / 4, BLOCKS = BM / (64 * GROUPS);
using GroupSums = float[BLOCKS][BN / 2];

// d += a b of 64 x BN x 16, by descriptors; keep 0: d = a b.
template <bool HALF, int TRANSPOSED_A, int TRANSPOSED_B>
void multiplyGroup(float *d, unsigned long long a, unsigned long long b,
                   int keep) {
  if constexpr (HALF) {
    WGMMA_OF("f16");
  } else {
    WGMMA_OF("bf16");
  }
}
inline void beginProducts() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
inline void commitProducts() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int LEFT> void waitProducts() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(LEFT) : "memory");
}

inline void placeSums(const GroupSums &sums, float *rows) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int m = warp / 4 * BLOCKS * 64 + warp % 4 * 16 + lane / 4;
#pragma unroll
  for (int i = 0; i < BLOCKS; ++i)
#pragma unroll
    for (int j = 0; j < BN / 4; ++j)
      storePack(rows + (m + i * 64 + j % 2 * 8) * PITCH + j / 2 * 8 +
                    lane % 4 * 2,
                Pack<float, 2>{{sums[i][2 * j], sums[i][2 * j + 1]}});
}
