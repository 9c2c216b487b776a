"""Hand-made jobs: y = relu(x) and a row softmax on f32[ROWS, COLS].

Stock and reference are CUDA C++ too. profile_jobs.py and evaluator/jobs.py add
candidates.
"""
COLS = 4096
RELU = """
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) y[i] = %s;
}
"""
GOOD = "x[i] > 0.0f ? x[i] : (x[i] != x[i] ? x[i] : 0.0f)"
VECTOR = """
#include <cuda_fp16.h>
#include <cstdint>
#include "claw_spec.h"
extern "C" __global__ void k(const float *x, float *y, long long n) {
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i * 4 < n) {
    float4 v = reinterpret_cast<const float4 *>(x)[i];
    v.x = v.x < 0.f ? 0.f : v.x; v.y = v.y < 0.f ? 0.f : v.y; // NaN stays
    v.z = v.z < 0.f ? 0.f : v.z; v.w = v.w < 0.f ? 0.f : v.w;
    reinterpret_cast<float4 *>(y)[i] = v;
  }
}
"""
REFERENCE = """
extern "C" __global__ void k(const float *x, double *y, long long n) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;
       i += (long long)gridDim.x * blockDim.x)
    y[i] = x[i] > 0.0f || x[i] != x[i] ? (double)x[i] : 0.0;
}
"""
SOFTMAX = """
extern "C" __global__ void k(const float *x, %(out)s *y, long long cols) {
  __shared__ %(type)s part[256];
  const float *row = x + blockIdx.x * cols;
  %(type)s top = -1e300;
  for (long long i = threadIdx.x; i < cols; i += 256)
    top = row[i] > top ? (%(type)s)row[i] : top;
  part[threadIdx.x] = top;
  __syncthreads();
  for (int h = 128; h; h /= 2) {
    if (threadIdx.x < h && part[threadIdx.x + h] > part[threadIdx.x])
      part[threadIdx.x] = part[threadIdx.x + h];
    __syncthreads();
  }
  top = %(max)s;
  __syncthreads();
  %(type)s sum = 0;
  for (long long i = threadIdx.x; i < cols; i += 256)
    sum += %(exp)s((%(type)s)row[i] - top);
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int h = 128; h; h /= 2) {
    if (threadIdx.x < h) part[threadIdx.x] += part[threadIdx.x + h];
    __syncthreads();
  }
  sum = part[0];
  for (long long i = threadIdx.x; i < cols; i += 256)
    y[blockIdx.x * cols + i] = %(exp)s((%(type)s)row[i] - top) / sum;
}
"""
F32 = dict(out="float", type="float", exp="expf", max="part[0]")
F64 = dict(out="double", type="double", exp="exp", max="part[0]")


def tensor(name, rows, cols, dtype="f32"):
    return {"name": name, "dtype": dtype, "alignmentBytes": 16,
            "dims": [{"name": "rows", "value": rows},
                     {"name": "cols", "value": cols}],
            "role": "input", "domain": {"kind": "real", "scale": 1.0}}


def spec(rows, family="pointwise", cols=COLS):
    return {"symbol": "selftest", "arguments": [tensor("x", rows, cols)],
            "results": [tensor("y", rows, cols)], "canonicalText": family,
            "listing": "y = relu(x)", "policy": "torch", "family": family,
            "flops": rows * cols, "bytes": 8.0 * rows * cols,
            "graph": {"values": [], "ops": [], "arguments": [], "results": []}}


BUFFERS = [{"name": "x", "kind": "argument", "index": 0},
           {"name": "y", "kind": "result", "index": 0}]
N = {"i64": "rows * cols"}


def plan(source, producer="model", grid="ceildiv(rows * cols, 256)", block=256,
         args=None, shared=0, buffers=None, before=()):
    step = {"kind": "kernel", "module": "m", "entry": "k", "grid": grid,
            "block": block, "sharedBytes": shared,
            "args": ["x", "y", N] if args is None else args}
    return {"version": 1, "producer": producer, "title": "selftest",
            "modules": [{"name": "m", "kind": "cuda", "source": source}],
            "tunables": [], "constraint": "", "prepare": [],
            "buffers": BUFFERS + (buffers or []), "resizable": False,
            "requirements": [], "steps": list(before) + [step]}


def relu_job(name, candidate, rows, **extra):
    job = {"id": name, "spec": spec(rows), "candidate": candidate,
           "stock": plan(RELU % GOOD, "stock"),
           "reference": plan(REFERENCE, "reference", grid=4096),
           "arch": "sm_90a", "seed": 7, "timeoutSeconds": 30,
           "maxTimingSeconds": 1}
    job.update(extra)
    return job


def softmax_job(name, candidate, rows):
    cols = {"i64": "cols"}
    job = {"id": name, "spec": spec(rows, "softmax"), "candidate": candidate,
           "stock": plan(SOFTMAX % F32, "stock", "rows", args=["x", "y", cols]),
           "reference": plan(SOFTMAX % F64, "reference", "rows",
                             args=["x", "y", cols]),
           "arch": "sm_90a", "seed": 11, "timeoutSeconds": 30,
           "maxTimingSeconds": 1}
    return job
