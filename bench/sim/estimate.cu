// Kernels whose times the simulator estimates and a GPU measures
// (estimate.py). a and b: 16 Mi floats each, a random in (0.1, 1); index: 4 Mi
// indices below 16 Mi; n: elements, or a count that the kernel names.
typedef unsigned int u32;
typedef unsigned long long u64;
#define KERNEL extern "C" __global__ void
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)
#define THREADS (gridDim.x * blockDim.x)

// Reads twice the L2, so that what came before is out of it.
KERNEL flush(const float4 *x, float *out, int n) {
  float sum = 0;
  for (int i = THREAD; i < n; i += 4 * THREADS) {
    float4 v[4];
    for (int k = 0; k < 4; ++k)
      v[k] = i + k * THREADS < n ? x[i + k * THREADS] : float4{0, 0, 0, 0};
    for (int k = 0; k < 4; ++k)
      sum += v[k].x;
  }
  if (sum == -1.0f)
    *out = sum;
}
// Keeps the stream busy until the launches behind it are enqueued.
KERNEL delay(u64 nanoseconds) {
  u64 begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - begin < nanoseconds);
}
// Cycles and nanoseconds of a busy multiprocessor: its clock.
KERNEL clocks(u64 *out) {
  u64 begin, now, first = clock64();
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - begin < 2000000);
  out[0] = clock64() - first;
  out[1] = now - begin;
}
KERNEL fill_index(u32 *index, int n) {
  int i = THREAD;
  u32 h = u32(i) * 2654435761u;
  h ^= h >> 15;
  h *= 2246822519u;
  h ^= h >> 13;
  if (i < n)
    index[i] = h % (16u << 20);
}

KERNEL empty() {}

// --- Streams -----------------------------------------------------------------
template <class T> __device__ void copy(const T *a, T *b, int n) {
  int i = THREAD;
  if (i < n)
    b[i] = a[i];
}
KERNEL copy4(const float *a, float *b, int n) { copy(a, b, n); }
KERNEL copy8(const float2 *a, float2 *b, int n) { copy(a, b, n); }
KERNEL copy16(const float4 *a, float4 *b, int n) { copy(a, b, n); }
KERNEL copy4_shifted(const float *a, float *b, int n) { copy(a + 1, b + 1, n); }
KERNEL copy16_stride_loop(const float4 *a, float4 *b, int n) {
  for (int i = THREAD; i < n; i += THREADS)
    b[i] = a[i];
}
KERNEL read_only(const float4 *a, float *b, int n) {
  float sum = 0;
  for (int i = THREAD; i < n; i += THREADS) {
    float4 v = a[i];
    sum += v.x + v.y + v.z + v.w;
  }
  if (sum == -1.0f)
    b[THREAD] = sum;
}
KERNEL write_only(float4 *b, int n) {
  int i = THREAD;
  if (i < n)
    b[i] = float4{1, 2, 3, 4};
}
KERNEL strided(const float *a, float *b, int n, int stride) {
  int i = THREAD;
  if (i < n)
    b[i] = a[i * stride];
}
KERNEL gather(const float *a, const u32 *index, float *b, int n, u32 mask) {
  int i = THREAD;
  if (i < n)
    b[i] = a[index[i] & mask];
}
// Loads of four rows in flight for each thread, few threads.
KERNEL copy16_four(const float4 *a, float4 *b, int n) {
  for (int i = THREAD; i < n; i += 4 * THREADS) {
    float4 v[4];
#pragma unroll
    for (int k = 0; k < 4; ++k)
      v[k] = a[i + k * THREADS];
#pragma unroll
    for (int k = 0; k < 4; ++k)
      b[i + k * THREADS] = v[k];
  }
}
KERNEL copy_async(const float4 *a, float4 *b, int n) {
  __shared__ float4 stage[4][256];
  int t = threadIdx.x, step = THREADS;
  auto fetch = [&](int i, int slot) {
    u32 to = u32(__cvta_generic_to_shared(&stage[slot][t]));
    if (i < n)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to),
                   "l"(a + i));
    asm volatile("cp.async.commit_group;");
  };
  int i = THREAD;
  for (int k = 0; k < 3; ++k)
    fetch(i + k * step, k);
  for (int k = 0; i < n; i += step, ++k) {
    fetch(i + 3 * step, (k + 3) & 3);
    asm volatile("cp.async.wait_group 3;" ::: "memory");
    b[i] = stage[k & 3][t];
  }
}

// --- Caches and latency ------------------------------------------------------
// The whole buffer again and again, by other blocks each time.
KERNEL reread(const float4 *a, float *b, int n, int times) {
  float sum = 0;
  for (int k = 0; k < times; ++k) {
    int i = (blockIdx.x + k * 37) % gridDim.x * blockDim.x + threadIdx.x;
    for (; i < n; i += THREADS) {
      float4 v = a[i];
      sum += v.x + v.y + v.z + v.w;
    }
  }
  if (sum == -1.0f)
    b[THREAD] = sum;
}
// Each block its own 16 KiB, again and again.
KERNEL reread_l1(const float4 *a, float *b, int times) {
  const float4 *mine = a + blockIdx.x * 1024;
  float sum = 0;
  for (int k = 0; k < times; ++k)
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) {
      float4 v = mine[i];
      sum += v.x + v.y + v.z + v.w;
    }
  if (sum == -1.0f)
    b[THREAD] = sum;
}
KERNEL broadcast(const float *a, float *b, int times) {
  float sum = 0;
  for (int k = 0; k < times; ++k)
    sum += a[k];
  b[THREAD] = sum;
}
// One thread follows n links, each 2 KiB * (an odd number) further.
KERNEL chase(const u32 *links, u32 *out, int n) {
  u32 at = 0;
  for (int k = 0; k < n; ++k)
    at = links[at];
  *out = at;
}
KERNEL fill_chase(u32 *links, u32 count, u32 stride) {
  u32 i = THREAD;
  if (i < count)
    links[u64(i) * 32] = (i + stride) % count * 32;
}
KERNEL chase_shared(u32 *out, int n) {
  __shared__ u32 links[1024];
  for (u32 i = threadIdx.x; i < 1024; i += blockDim.x)
    links[i] = (i + 33) & 1023;
  __syncthreads();
  u32 at = threadIdx.x;
  for (int k = 0; k < n; ++k)
    at = links[at];
  out[THREAD] = at;
}

// --- Arithmetic --------------------------------------------------------------
KERNEL heavy_math(const float *a, float *b, int n) {
  int i = THREAD;
  if (i >= n)
    return;
  float x = a[i];
  for (int k = 0; k < 4; ++k)
    x = tanhf(x) + expf(-x * x) + logf(1.5f + x * x) * 0.25f + sinf(x) / (1.0f + x * x);
  b[i] = x;
}
KERNEL gelu(const float *a, float *b, int n) {
  int i = THREAD;
  if (i < n)
    b[i] = 0.5f * a[i] * (1.0f + erff(a[i] * 0.70710678f));
}
template <class T> __device__ void fma_chain(const float *a, float *b, int n) {
  T x = a[THREAD], y = x + T(1), z = x + T(2), u = x + T(3);
  for (int k = 0; k < n; ++k) {
    x = x * T(0.99) + T(0.1);
    y = y * T(0.98) + T(0.1);
    z = z * T(0.97) + T(0.1);
    u = u * T(0.96) + T(0.1);
  }
  b[THREAD] = float(x + y + z + u);
}
KERNEL fma_f32(const float *a, float *b, int n) { fma_chain<float>(a, b, n); }
KERNEL fma_f64(const float *a, float *b, int n) { fma_chain<double>(a, b, n); }
// Every multiply-add waits for the one before it.
KERNEL fma_dependent(const float *a, float *b, int n) {
  float x = a[THREAD];
#pragma unroll 8
  for (int k = 0; k < n; ++k)
    x = x * 0.99f + 0.1f;
  b[THREAD] = x;
}
KERNEL integer_chain(const u32 *a, u32 *b, int n) {
  u32 x = a[THREAD], y = x + 7;
  for (int k = 0; k < n; ++k) {
    x = x * 1664525u + 1013904223u;
    y = (y ^ (y << 13)) + (x >> 17);
  }
  b[THREAD] = x ^ y;
}
KERNEL special(const float *a, float *b, int n) {
  float x = a[THREAD], y = x + 0.5f;
  for (int k = 0; k < n; ++k) {
    asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
    asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(y));
    x = x * 0.25f;
  }
  b[THREAD] = x + y;
}
KERNEL divergent(const float *a, float *b, int n) {
  float x = a[THREAD];
  int count = (threadIdx.x % 32) * n;
  for (int k = 0; k < count; ++k)
    x = x * 0.99f + 0.1f;
  b[THREAD] = x;
}

// --- Reductions --------------------------------------------------------------
__device__ float block_sum(float x) {
  __shared__ float part[32];
  for (int d = 16; d; d /= 2)
    x += __shfl_xor_sync(~0u, x, d);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = x;
  __syncthreads();
  x = threadIdx.x % 32 < blockDim.x / 32 ? part[threadIdx.x % 32] : 0.0f;
  for (int d = 16; d; d /= 2)
    x += __shfl_xor_sync(~0u, x, d);
  __syncthreads();
  return x;
}
KERNEL row_sum(const float *a, float *b, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += a[size_t(blockIdx.x) * n + i];
  sum = block_sum(sum);
  if (threadIdx.x == 0)
    b[blockIdx.x] = sum;
}
KERNEL warp_row_sum(const float *a, float *b, int n) {
  int row = THREAD / 32;
  float sum = 0;
  for (int i = threadIdx.x % 32; i < n; i += 32)
    sum += a[row * n + i];
  for (int d = 16; d; d /= 2)
    sum += __shfl_xor_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0)
    b[row] = sum;
}
KERNEL softmax(const float *a, float *b, int n) {
  const float *x = a + size_t(blockIdx.x) * n;
  float *y = b + size_t(blockIdx.x) * n, sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += __expf(x[i]);
  sum = 1.0f / block_sum(sum);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    y[i] = __expf(x[i]) * sum;
}
KERNEL barriers(float *b, int n) {
  __shared__ float x[1024];
  x[threadIdx.x] = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    __syncthreads();
    sum += x[threadIdx.x ^ 1];
  }
  b[THREAD] = sum;
}

// --- Shared memory -----------------------------------------------------------
template <int Pad>
__device__ void transpose(const float *a, float *b, int n) {
  __shared__ float tile[32][32 + Pad];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    tile[threadIdx.y + k][threadIdx.x] = a[(y + k) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    b[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}
KERNEL transpose_conflicts(const float *a, float *b, int n) {
  transpose<0>(a, b, n);
}
KERNEL transpose_padded(const float *a, float *b, int n) {
  transpose<1>(a, b, n);
}
KERNEL transpose_naive(const float *a, float *b, int n) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    b[x * n + y + k] = a[(y + k) * n + x];
}
// n loads of a word, lanes `stride` words apart.
KERNEL shared_loads(float *b, int n, int stride) {
  __shared__ float x[2048];
  for (int i = threadIdx.x; i < 2048; i += blockDim.x)
    x[i] = i;
  __syncthreads();
  float sum = 0;
  int at = threadIdx.x * stride;
  for (int k = 0; k < n; ++k)
    sum += x[(at + k) & 2047];
  b[THREAD] = sum;
}

// --- Atomics -----------------------------------------------------------------
KERNEL atomics_apart(float *b, int n) {
  int i = THREAD;
  if (i < n)
    atomicAdd(b + i, 1.0f);
}
KERNEL atomics_together(float *b) { atomicAdd(b, float(threadIdx.x & 1)); }
KERNEL atomics_random(float *b, const u32 *index, u32 mask) {
  atomicAdd(b + (index[THREAD] & mask), 1.0f);
}
KERNEL histogram(const u32 *index, u32 *b, int n) {
  __shared__ u32 bins[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    bins[i] = 0;
  __syncthreads();
  for (int i = THREAD; i < n; i += THREADS)
    atomicAdd(bins + (index[i] & 255), 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    atomicAdd(b + i, bins[i]);
}
KERNEL local_array(const float *a, float *b, int n) {
  float kept[64];
  u32 x = THREAD;
  for (int k = 0; k < 64; ++k)
    kept[k] = a[THREAD] + k;
  for (int k = 0; k < n; ++k) {
    x = x * 1664525u + 1013904223u;
    kept[x >> 26] += 1.0f;
  }
  float sum = 0;
  for (int k = 0; k < 64; ++k)
    sum += kept[(k + (x & 1)) & 63];
  b[THREAD] = sum;
}

// --- Matrix products ---------------------------------------------------------
KERNEL matmul_tiled(const float *a, const float *b, float *c, int n) {
  __shared__ float as[32][32], bs[32][32];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 32 + ty, column = blockIdx.x * 32 + tx;
  float sum = 0;
  for (int k = 0; k < n; k += 32) {
    as[ty][tx] = a[row * n + k + tx];
    bs[ty][tx] = b[(k + ty) * n + column];
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      sum = fmaf(as[ty][i], bs[i][tx], sum);
    __syncthreads();
  }
  c[row * n + column] = sum;
}
// 64 x 64 outputs a block of 256 threads, 4 x 4 each.
KERNEL matmul_blocked(const float *a, const float *b, float *c, int n) {
  __shared__ float as[16][68];
  __shared__ float bs[16][64];
  int t = threadIdx.x, tx = t % 16 * 4, ty = t / 16 * 4;
  int row = blockIdx.y * 64, column = blockIdx.x * 64;
  float sum[4][4] = {};
  for (int k = 0; k < n; k += 16) {
    float4 v = *(const float4 *)(a + (row + t / 4) * n + k + t % 4 * 4);
    as[t % 4 * 4][t / 4] = v.x;
    as[t % 4 * 4 + 1][t / 4] = v.y;
    as[t % 4 * 4 + 2][t / 4] = v.z;
    as[t % 4 * 4 + 3][t / 4] = v.w;
    *(float4 *)&bs[t / 16][tx] =
        *(const float4 *)(b + (k + t / 16) * n + column + tx);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      float4 x = *(const float4 *)&as[i][ty], y = *(const float4 *)&bs[i][tx];
      const float xs[] = {x.x, x.y, x.z, x.w}, ys[] = {y.x, y.y, y.z, y.w};
#pragma unroll
      for (int p = 0; p < 4; ++p)
#pragma unroll
        for (int q = 0; q < 4; ++q)
          sum[p][q] = fmaf(xs[p], ys[q], sum[p][q]);
    }
    __syncthreads();
  }
  for (int p = 0; p < 4; ++p)
    *(float4 *)(c + (row + ty + p) * n + column + tx) =
        float4{sum[p][0], sum[p][1], sum[p][2], sum[p][3]};
}
__device__ void mma(float (&d)[4], const u32 (&a)[4], u32 b0, u32 b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
__device__ void ldmatrix(u32 (&d)[4], const void *at) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
               : "r"(u32(__cvta_generic_to_shared(at))));
}
// C = A B^T of f16; 128 x 128 outputs a block of 256 threads, warps of 32 x 64;
// rows of 64 bytes in shared memory, chunks of 16 bytes swizzled.
KERNEL matmul_mma(const u32 *a, const u32 *b, float *c, int n) {
  __shared__ uint4 as[128][4], bs[128][4];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  int row = blockIdx.y * 128, column = blockIdx.x * 128;
  int wy = warp / 2 * 32, wx = warp % 2 * 64;
  float sum[2][8][4] = {};
  auto place = [](int r, int chunk) { return chunk ^ (r / 2 & 3); };
  for (int k = 0; k < n; k += 32) {
    for (int i = t; i < 512; i += 256) {
      int r = i / 4, q = i % 4;
      as[r][place(r, q)] =
          *(const uint4 *)(a + (size_t(row + r) * n + k) / 2 + q * 4);
      bs[r][place(r, q)] =
          *(const uint4 *)(b + (size_t(column + r) * n + k) / 2 + q * 4);
    }
    __syncthreads();
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      u32 x[2][4], y[4][4];
      for (int m = 0; m < 2; ++m) {
        int r = wy + m * 16 + lane % 16;
        ldmatrix(x[m], &as[r][place(r, half * 2 + lane / 16)]);
      }
      for (int m = 0; m < 4; ++m) {
        int r = wx + m * 16 + lane % 8 + lane / 16 * 8;
        ldmatrix(y[m], &bs[r][place(r, half * 2 + lane / 8 % 2)]);
      }
      for (int m = 0; m < 2; ++m)
        for (int q = 0; q < 8; ++q)
          mma(sum[m][q], x[m], y[q / 2][q % 2 * 2], y[q / 2][q % 2 * 2 + 1]);
    }
    __syncthreads();
  }
  for (int m = 0; m < 2; ++m)
    for (int q = 0; q < 8; ++q) {
      float *at = c + size_t(row + wy + m * 16 + lane / 4) * n + column + wx +
                  q * 8 + lane % 4 * 2;
      *(float2 *)at = float2{sum[m][q][0], sum[m][q][1]};
      *(float2 *)(at + 8 * n) = float2{sum[m][q][2], sum[m][q][3]};
    }
}
// The tensor cores alone: n steps of eight independent products.
KERNEL mma_rate(float *b, int n) {
  float sum[8][4] = {};
  u32 x[4] = {0x3c003c00u + threadIdx.x, 0x3c003c00, 0x3c003c00, 0x3c003c00};
  for (int k = 0; k < n; ++k)
#pragma unroll
    for (int q = 0; q < 8; ++q)
      mma(sum[q], x, 0x38003800, 0x34003400);
  float all = 0;
  for (int q = 0; q < 8; ++q)
    all += sum[q][0] + sum[q][1] + sum[q][2] + sum[q][3];
  b[THREAD] = all;
}
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
// The same through wgmma: n steps of 64 x 64 x 16 for each of the block's
// warpgroups, operands in shared memory.
KERNEL wgmma_rate(float *b, int n) {
  __shared__ alignas(1024) uint4 tile[512]; // A: 128 chunks, B: 128
  for (int i = threadIdx.x; i < 512; i += blockDim.x)
    tile[i] = uint4{0x3c003800, 0x34003c00, 0x3c003c00, 0x38003800};
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  u64 at = u64(__cvta_generic_to_shared(tile)) >> 4 & 0x3fff;
  u64 x = at | u64(8) << 16 | u64(16) << 32, y = x + 128;
  float d[32] = {};
  auto keep = [&] { // the accumulators are in their registers here
#pragma unroll
    for (int k = 0; k < 32; ++k)
      asm volatile("" : "+f"(d[k])::"memory");
  };
  keep();
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll 4
  for (int k = 0; k < n; ++k)
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
        "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,"
        "%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, %32, %33, "
        "1, 1, 1, 0, 0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]),
          "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]),
          "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]),
          "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]),
          "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]),
          "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]),
          "+f"(d[30]), "+f"(d[31])
        : "l"(x), "l"(y));
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  keep();
  float all = 0;
  for (int k = 0; k < 32; ++k)
    all += d[k];
  b[THREAD] = all;
}
#endif
