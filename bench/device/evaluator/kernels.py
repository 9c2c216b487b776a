"""Hand-written candidates of evaluator/jobs.py: CUDA C++ and its plan.

Plain, right and of several speeds; none is meant to win. `@NAME@` is replaced.
"""

# c[m, n] = a[m, k] b[k, n], f32; m, n, k multiples of the tile. Sums of CHUNK
# terms are added to the total: one long sum errs more than the budget of data
# with spikes.
MATMUL = """
#define BM @BM@
#define BN @BN@
#define BK @BK@
#define TM @TM@
#define TN @TN@
#define CHUNK 256
constexpr int threads = BM / TM * (BN / TN);
extern "C" __global__ void __launch_bounds__(threads)
matmul(const float *__restrict__ a, const float *__restrict__ b,
       float *__restrict__ c, long long n, long long k) {
  __shared__ float as[BK][BM + 4];
  __shared__ float bs[BK][BN];
  const long long row0 = blockIdx.y * (long long)BM;
  const long long col0 = blockIdx.x * (long long)BN;
  const int tx = threadIdx.x % (BN / TN), ty = threadIdx.x / (BN / TN);
  float total[TM][TN] = {}, sum[TM][TN] = {};
  for (long long k0 = 0; k0 < k; k0 += BK) {
    for (int i = threadIdx.x; i < BM * BK; i += threads)
      as[i % BK][i / BK] = a[(row0 + i / BK) * k + k0 + i % BK];
    for (int i = threadIdx.x; i < BK * BN; i += threads)
      bs[i / BN][i % BN] = b[(k0 + i / BN) * n + col0 + i % BN];
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < BK; ++kk) {
      float x[TM], y[TN];
#pragma unroll
      for (int i = 0; i < TM; ++i) x[i] = as[kk][ty * TM + i];
#pragma unroll
      for (int j = 0; j < TN; ++j) y[j] = bs[kk][tx + j * (BN / TN)];
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) sum[i][j] += x[i] * y[j];
    }
    if ((k0 + BK) % CHUNK == 0 || k0 + BK >= k) {
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) {
          total[i][j] += sum[i][j];
          sum[i][j] = 0.f;
        }
    }
    __syncthreads();
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j)
      c[(row0 + ty * TM + i) * n + col0 + tx + j * (BN / TN)] = total[i][j];
}
"""

# y[n, co, h, w] = sum of x[n, ci, h + p - 1, w + q - 1] f[co, ci, p, q]; f32,
# padding 1, h and w multiples of 16, channels out of CO.
CONVOLUTION = """
#define CO @CO@
extern "C" __global__ void __launch_bounds__(256)
convolution(const float *__restrict__ x, const float *__restrict__ f,
            float *__restrict__ y, int channels, int outs, int h, int w) {
  __shared__ float tile[18][18];
  __shared__ float taps[CO][9];
  const int groups = outs / CO;
  const long long n = blockIdx.z / groups;
  const int co0 = blockIdx.z % groups * CO;
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  const int w0 = blockIdx.x * 16, h0 = blockIdx.y * 16;
  float sum[CO] = {};
  for (int ci = 0; ci < channels; ++ci) {
    const float *plane = x + (n * channels + ci) * h * w;
    for (int i = threadIdx.x; i < 18 * 18; i += 256) {
      int r = h0 + i / 18 - 1, c = w0 + i % 18 - 1;
      tile[i / 18][i % 18] =
          r >= 0 && r < h && c >= 0 && c < w ? plane[(long long)r * w + c] : 0.f;
    }
    for (int i = threadIdx.x; i < CO * 9; i += 256)
      taps[i / 9][i % 9] = f[((co0 + i / 9) * channels + ci) * 9ll + i % 9];
    __syncthreads();
    float v[9];
#pragma unroll
    for (int i = 0; i < 9; ++i) v[i] = tile[ty + i / 3][tx + i % 3];
#pragma unroll
    for (int o = 0; o < CO; ++o)
#pragma unroll
      for (int i = 0; i < 9; ++i) sum[o] += v[i] * taps[o][i];
    __syncthreads();
  }
  for (int o = 0; o < CO; ++o)
    y[((n * outs + co0 + o) * h + h0 + ty) * w + w0 + tx] = sum[o];
}
"""


def filled(text, values):
    for name, value in values.items():
        text = text.replace(f"@{name}@", str(value))
    return text


def plan(spec, source, entry, grid, block, args, title):
    """A plan of one kernel over a spec's arguments and results."""
    buffers = [{"name": t["name"], "kind": kind, "index": i}
               for kind, side in (("argument", "arguments"), ("result", "results"))
               for i, t in enumerate(spec[side])]
    step = {"kind": "kernel", "module": "m", "entry": entry, "grid": grid,
            "block": [block, 1, 1], "sharedBytes": 0, "args": args}
    return {"version": 1, "producer": "model", "title": title,
            "modules": [{"name": "m", "kind": "cuda", "source": source}],
            "tunables": [], "constraint": "", "prepare": [], "buffers": buffers,
            "resizable": False, "requirements": [], "steps": [step]}


def shape(tensor):
    return [dim["value"] for dim in tensor["dims"]]


def matmul_plans(spec):
    (m, k), (_, n) = map(shape, spec["arguments"])
    names = [t["name"] for t in spec["arguments"] + spec["results"]]
    for bm, bn, bk, tm, tn in ((64, 64, 16, 4, 4), (128, 64, 16, 8, 4),
                               (128, 128, 8, 8, 8), (128, 128, 16, 8, 8)):
        tiles = dict(BM=bm, BN=bn, BK=bk, TM=tm, TN=tn)
        yield plan(spec, filled(MATMUL, tiles), "matmul", [n // bn, m // bm, 1],
                   bm // tm * (bn // tn), names + [{"i64": n}, {"i64": k}],
                   f"tile {bm} x {bn} x {bk}, {tm} x {tn} a thread")


def convolution_plans(spec):
    given = {len(shape(t)) and shape(t)[-1] == 3: t for t in spec["arguments"]}
    f, x = given[True], given[False]
    images, channels, h, w = shape(x)
    outs = shape(f)[0]
    for co in (4, 8, 16, 32):
        yield plan(spec, filled(CONVOLUTION, {"CO": co}), "convolution",
                   [w // 16, h // 16, images * outs // co], 256,
                   [x["name"], f["name"], spec["results"][0]["name"]] +
                   [{"i32": size} for size in (channels, outs, h, w)],
                   f"16 x 16 pixels, {co} channels a thread")
