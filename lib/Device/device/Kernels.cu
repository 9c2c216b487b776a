//===- Kernels.cu - The judge's own kernels -------------------------------===//
//
// Compiled by NVRTC behind Elements.h and Compare.h when a worker starts. All sizes are 64
// bits. Launched with 256 threads a block; loops stride over the grid.
//
//===----------------------------------------------------------------------===//

__device__ inline kcl_u64 kclThread() {
  return (kcl_u64)blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ inline kcl_u64 kclThreads() {
  return (kcl_u64)gridDim.x * blockDim.x;
}

// Draws a buffer, or compares it with what would be drawn: one kernel, so that
// both compute the same bits.
extern "C" __global__ void kcl_generate(KclGenerate p) {
  kcl_u64 different = 0;
  for (kcl_u64 i = kclThread(); i < p.count; i += kclThreads()) {
    kcl_u64 bits = kclDraw(p, i);
    if (!p.verify) {
      kclStore(p.data, i, p.type, bits);
      continue;
    }
    int size = kclSize(p.type);
    kcl_u64 mask = size == 8 ? ~0ull : (1ull << (8 * size)) - 1;
    different += (bits & mask) != kclLoad(p.data, i, p.type);
  }
  if (different)
    atomicAdd(p.mismatches, different);
}

// Counts bytes that differ from `value`; result[1] is the first such offset.
extern "C" __global__ void kcl_check_bytes(const unsigned char *data,
                                           kcl_u64 bytes, int value,
                                           kcl_u64 *result) {
  for (kcl_u64 i = kclThread(); i < bytes; i += kclThreads())
    if (data[i] != (unsigned char)value) {
      atomicAdd(result, 1ull);
      atomicMin(result + 1, i);
    }
}

// Counts bytes that differ between two buffers.
extern "C" __global__ void kcl_count_different(const unsigned char *a,
                                               const unsigned char *b,
                                               kcl_u64 bytes,
                                               kcl_u64 *result) {
  kcl_u64 different = 0;
  for (kcl_u64 i = kclThread(); i < bytes; i += kclThreads())
    different += a[i] != b[i];
  if (different)
    atomicAdd(result, different);
}

// Reads a buffer: to push everything else out of the L2, or to see how long
// that takes. Eight packets of a thread are under way at once.
extern "C" __global__ void kcl_touch(const uint4 *data, kcl_u64 count,
                                     unsigned *sink) {
  unsigned sum = 0;
  kcl_u64 tile = 8 * (kcl_u64)blockDim.x;
  for (kcl_u64 at = blockIdx.x * tile; at < count; at += gridDim.x * tile) {
    uint4 value[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      kcl_u64 i = at + k * (kcl_u64)blockDim.x + threadIdx.x;
      value[k] = i < count ? data[i] : make_uint4(0, 0, 0, 0);
    }
#pragma unroll
    for (int k = 0; k < 8; ++k)
      sum ^= value[k].x ^ value[k].y ^ value[k].z ^ value[k].w;
  }
  if (sum == 0x9e3779b9u)
    *sink = sum;
}

__device__ inline double kclBlockSum(double value) {
  __shared__ double parts[256];
  parts[threadIdx.x] = value;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half)
      parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  double sum = parts[0];
  __syncthreads();
  return sum;
}

// Root mean square of each row of the rounded reference (kclRowScale), and the
// total.
extern "C" __global__ void kcl_row_scale(KclCompare p) {
  kcl_u64 rows = (p.count + p.rowLength - 1) / p.rowLength;
  double total = 0;
  for (kcl_u64 row = blockIdx.x; row < rows; row += gridDim.x) {
    kcl_u64 start = row * p.rowLength;
    kcl_u64 end = start + p.rowLength < p.count ? start + p.rowLength : p.count;
    double sum = 0;
    double nonZero = 0;
    for (kcl_u64 i = start + threadIdx.x; i < end; i += blockDim.x) {
      double want = kclRound(((const double *)p.want)[i], p.type);
      if (kclFinite(want) && want != 0) {
        sum += want * want;
        nonZero += 1;
      }
    }
    sum = kclBlockSum(sum);
    nonZero = kclBlockSum(nonZero);
    if (threadIdx.x == 0)
      p.rowScale[row] = kclRowScale(sum, (kcl_u64)nonZero);
    total += sum;
  }
  if (threadIdx.x == 0)
    atomicAdd(p.total, total);
}

// How far the reference is from `moved`, that of inputs moved by `step`: of each
// row, and of all.
extern "C" __global__ void kcl_row_spread(KclCompare p, const double *moved) {
  kcl_u64 rows = (p.count + p.rowLength - 1) / p.rowLength;
  KclSpread all = {};
  for (kcl_u64 row = blockIdx.x; row < rows; row += gridDim.x) {
    kcl_u64 start = row * p.rowLength;
    kcl_u64 end = start + p.rowLength < p.count ? start + p.rowLength : p.count;
    double sum2 = 0;
    double sum4 = 0;
    for (kcl_u64 i = start + threadIdx.x; i < end; i += blockDim.x) {
      double by = (moved[i] - ((const double *)p.want)[i]) / p.step;
      if (!kclFinite(by))
        continue;
      sum2 += by * by;
      sum4 += by * by * by * by;
    }
    sum2 = kclBlockSum(sum2);
    sum4 = kclBlockSum(sum4);
    if (threadIdx.x == 0)
      p.rowSpread[row] = kclRowSpread(sum2, sum4);
    all.sum2 += sum2;
    all.sum4 += sum4;
  }
  if (threadIdx.x == 0) {
    atomicAdd(&p.spread->sum2, all.sum2);
    atomicAdd(&p.spread->sum4, all.sum4);
  }
}

// Counts elements that still hold the poison.
extern "C" __global__ void kcl_count_poison(const void *data, kcl_u64 count,
                                            int type, int byte,
                                            kcl_u64 *result) {
  kcl_u64 left = 0;
  for (kcl_u64 i = kclThread(); i < count; i += kclThreads())
    left += kclIsPoison(kclLoad(data, i, type), type, byte);
  if (left)
    atomicAdd(result, left);
}

// One partial a block; the host merges them in order.
extern "C" __global__ void kcl_compare(KclCompare p) {
  __shared__ KclPartial parts[256];
  KclPartial part = {};
  part.worst = -1;
  double floor = kclScaleFloor(p);
  if (p.spread && kclThread() == 0)
    part.spread2 = p.spread->sum2;
  for (kcl_u64 i = kclThread(); i < p.count; i += kclThreads())
    kclCompareElement(p, i, floor, part);
  parts[threadIdx.x] = part;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half)
      kclMerge(parts[threadIdx.x], parts[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    p.partials[blockIdx.x] = parts[0];
}

// Marks the elements that match `p.want`, a perturbed reference.
extern "C" __global__ void kcl_excuse(KclCompare p, unsigned char *marks) {
  double floor = kclScaleFloor(p);
  for (kcl_u64 i = kclThread(); i < p.count; i += kclThreads())
    if (kclMatches(p, i, floor))
      marks[i] = 1;
}
