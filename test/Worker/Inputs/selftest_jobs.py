#!/usr/bin/env python3
"""Hand-made jobs for kernelclaw-worker with the outcome each must have.

    selftest_jobs.py jobs [--size=N] [--only=NAME]   one job a line
    selftest_jobs.py check RESULTS [--sim]           compares, prints a table

The problem is y = relu(x) on f32[ROWS, COLS], and a row softmax and a bf16
product for the rules that relu cannot show. Stock and reference are CUDA C++
too. Each bad candidate breaks one rule; nothing else is wrong with it.
"""
import json
import sys

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
    v.x = fmaxf(v.x, 0.f); v.y = fmaxf(v.y, 0.f);
    v.z = fmaxf(v.z, 0.f); v.w = fmaxf(v.w, 0.f);
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


# KB-02: a result cached under a fingerprint, in a device global.
CACHE_GLOBAL = """
__device__ float cached[1 << 26];
__device__ float seen;
""" + RELU % "(seen == x[0] ? cached[i] : (cached[i] = fmaxf(x[i], 0.f)))"
# KB-02 in an initialised global: counts its calls and does half the work after
# the 15 calls that are validated or warm up.
SKIP = """
__device__ int calls = 1;
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  int call = calls;
  if (i < n && (call < 15000000 || (i & 1))) y[i] = fmaxf(x[i], 0.f);
  if (i == 0) atomicAdd(&calls, 1000000);
}
"""
LOOP = """
extern "C" __global__ void k(const float *x, volatile float *y, long long n) {
  while (x[0] < 1e30f || x[0] >= 1e30f) y[0] = 1.0f;
}
"""


def cases(rows):
    cols = {"i64": "cols"}

    def relu(name, expr=GOOD, **kw):
        return relu_job(name, plan(RELU % expr, **kw), rows)

    return [
        # (job, outcome, rule or None for any)
        (relu("relu-scalar"), "ok", None),
        (relu_job("relu-vector", plan(VECTOR,
                                      grid="ceildiv(rows * cols, 1024)"),
                  rows), "ok", None),
        (softmax_job("softmax", plan(SOFTMAX % F32, grid="rows",
                                     args=["x", "y", cols]), rows), "ok", None),
        (softmax_job("softmax-half-precision",
                     plan((SOFTMAX % F32).replace(
                         "= expf((float)row[i] - top) / sum",
                         "= __half2float(__float2half("
                         "expf((float)row[i] - top) / sum))").replace(
                         "extern", "#include <cuda_fp16.h>\nextern", 1),
                          grid="rows", args=["x", "y", cols]), rows),
         "mismatch", "budget"),
        (relu("compile-error", "x[i] >"), "compile_error", "compile"),
        (relu_job("include-outside", plan(
            '#include "../../../../proc/self/environ"\n' + RELU % GOOD), rows),
         "compile_error", "include"),
        (relu("wrong-result", "x[i]"), "mismatch", "budget"),
        (relu("slightly-wrong", "fmaxf(x[i] * 1.00001f, 0.f)"),
         "mismatch", "budget"),
        (relu("tail-not-written", grid="ceildiv(rows * cols, 256) - 1"),
         "mismatch", "not-written"),
        (relu("half-not-written", grid="rows * cols / 256 / 2"),
         "mismatch", "not-written"),
        (relu("writes-past-end", GOOD + "; if (i == n - 1) y[n + 3] = 1.0f"),
         "fault", "guard-band"),
        (relu("writes-before-start", GOOD + "; if (i == 0) y[-2] = 1.0f"),
         "fault", "guard-band"),
        (relu("writes-input", GOOD +
              "; if (i == 77) const_cast<float *>(x)[i] = 3.0f"),
         "mismatch", "input-written"),
        # Both members are used: of .x alone the compiler makes a load of 4
        # bytes, which is aligned.
        (relu("misaligned",
              "[&] { float2 v = reinterpret_cast<const float2 *>(x + 1)[i / 2];"
              " return v.x + v.y; }()"),
         "fault", "misaligned-address"),
        (relu("illegal-address", "x[i + (1ll << 40)]"),
         "fault", "illegal-address"),
        (relu_job("hang", plan(LOOP, grid=1, block=1), rows,
                  timeoutSeconds=6), "timeout", "time-limit"),
        (relu("after-the-faults"), "ok", None),
        (relu_job("cache-in-globals", plan(CACHE_GLOBAL), rows),
         "rejected", "device-globals"),
        (relu_job("skips-later-calls", plan(SKIP), rows), "mismatch",
         "timed-run"),
        (relu_job("nondeterministic", plan(RELU % (
            "(clock64() & 63) == 5 ? 1.5f : fmaxf(x[i], 0.f)")), rows),
         "mismatch", None),
        (relu("too-many-threads", block=2048), "launch_error", "launch"),
        (relu("too-few-arguments", args=["x", "y"]),
         "launch_error", "arguments"),
        (relu_job("wrong-entry", dict(plan(RELU.replace("k(", "other(") % GOOD)),
                  rows), "launch_error", "load"),
        (relu_job("shared-48k-and-static", plan(RELU.replace(
                "long long i =", "__shared__ int one; extern __shared__ int "
                "many[]; if (threadIdx.x == 0) { one = 1; many[0] = one; }\n"
                "  long long i =") % GOOD, shared=49152), rows), "ok", None),
        (relu_job("shared-227k", plan(RELU.replace(
            "long long i =", "extern __shared__ int many[]; "
            "if (threadIdx.x == 0) many[0] = 1;\n  long long i =") % GOOD,
            shared=232448), rows), "ok", None),
        (relu("shared-228k", shared=233472), "launch_error", "load"),
        (relu_job("dirty-workspace", plan(
            RELU.replace("long long n", "long long n, float *w") %
            "(w[0] == w[0] ? w[0] : fmaxf(x[i], 0.f))",
            args=["x", "y", N, "w"],
            buffers=[{"name": "w", "kind": "workspace", "sizeBytes": 256}]),
            rows), "mismatch", "not-written"),
        (relu_job("memset-and-copy", plan(
            RELU.replace("long long n", "long long n, const float *w") %
            "(x[i] > w[0] ? x[i] : w[1])", args=["x", "y", N, "w"],
            buffers=[{"name": "w", "kind": "workspace", "sizeBytes": 256},
                     {"name": "v", "kind": "workspace", "sizeBytes": 256}],
            before=[{"kind": "memset", "buffer": "v", "bytes": 256},
                    {"kind": "copy", "source": "v", "target": "w",
                     "sourcePitch": 32, "targetPitch": 64, "rowBytes": 32,
                     "rows": 4}]), rows), "ok", None),
        (relu_job("too-large", plan(RELU % GOOD), 1 << 26), "rejected",
         "memory"),
    ]


# Where the simulator's checks say more, or say it earlier, than a GPU does.
ON_SIMULATOR = {
    "writes-past-end": ("fault", "out-of-bounds"),
    "misaligned": ("fault", "misaligned-address"),
    "illegal-address": ("fault", "out-of-bounds"),
    "hang": ("timeout", "instruction-budget"),
    "skips-later-calls": (None, None),
    "nondeterministic": (None, None),
    "dirty-workspace": ("fault", "uninitialised-read"),
    "too-large": ("rejected", "simulation-size"),
}


def main(words):
    rows = 4096
    only = None
    for word in words[1:]:
        if word.startswith("--size="):
            rows = int(word[7:])
        if word.startswith("--only="):
            only = word[7:]
    table = cases(rows)
    if words[:1] == ["jobs"]:
        for job, _, _ in table:
            if only in (None, job["id"]):
                print(json.dumps(job))
        if only is None:
            print('{"id": "malformed", "spec": 3}')
        return 0
    if words[:1] != ["check"]:
        print(__doc__)
        return 2
    expected = {job["id"]: (outcome, rule) for job, outcome, rule in table}
    expected["malformed"] = ("rejected", "job")
    if "--sim" in words:
        expected.update(ON_SIMULATOR)
    bad = 0
    seen = 0
    print(f"{'job':24} {'outcome':14} {'rule':18} {'speedup':>7} "
          f"{'us':>8} {'stock':>8} {'copy':>8} verdict")
    for line in open(words[1]):
        got = json.loads(line)
        outcome, rule = expected[got["jobId"]]
        seen += 1
        good = ((outcome is None or got["outcome"] == outcome) and
                (rule is None or got["rule"] == rule))
        bad += not good
        time = [got[key]["medianMicroseconds"] if got.get(key) else 0
                for key in ("time", "stockTime", "copyTime")]
        print(f"{got['jobId']:24} {got['outcome']:14} {got['rule']:18} "
              f"{got['speedup']:7.2f} {time[0]:8.1f} {time[1]:8.1f} "
              f"{time[2]:8.1f} "
              + ("as expected" if good else f"UNEXPECTED, want {outcome} {rule}"))
        if not good or got["outcome"] not in ("ok",):
            print("    " + got["message"][:400].replace("\n", "\n    "))
    missing = len(expected) - seen
    print(f"{seen} answers, {missing} missing, {bad} unexpected")
    return 1 if bad or missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
