#!/usr/bin/env python3
"""Plans that need one step feature each, for worker and embedded module.

    step_plans.py jobs [NAME...]     one kernelclaw-worker job a line
    step_plans.py reply NAME DIR     DIR/reply-1.txt for provider=replay
    step_plans.py check RESULTS      compares outcomes, prints a table
    step_plans.py win RUN            makes its evaluations twice as fast as stock
    step_plans.py args FILE ROWS [weight]   arguments of a module

Each computes y = relu(x) on f32[60, 256]; `prepare` y = relu(x * w) with a
weight w of 256. The names of the dimensions, d0 and d1, are the outliner's.
A name that begins with bad- breaks the contract of its step.
"""
import json
import os
import subprocess
import sys

ROWS, COLS = 60, 256

RELU = """
extern "C" __global__ void relu(const float *x, float *y, long long n%(flag)s) {
  %(early)s
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] < 0.0f ? 0.0f : x[i];
}
"""
FLAGGED = RELU % {"flag": ", const int *flag", "early": "if (*flag == 0) return;"}

# Copies, and says of each half of the rows whether it has negative elements.
FIND = """
extern "C" __global__ void find(const float *x, float *y, int *flags,
                                long long n) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = x[i];
  if (x[i] < 0.0f) atomicExch(&flags[i >= n / 2], 1);
}
extern "C" __global__ void wreck(float *y, const int *flag) {
  if (*flag == 0) return;
  y[threadIdx.x] = 7.0f;
}
"""

TMA = """
#include <cuda.h>
#include <cstdint>
extern "C" __global__ void tiles(const __grid_constant__ CUtensorMap map,
                                 float *y, int rows, int cols) {
  __shared__ alignas(128) float tile[8][32];
  __shared__ alignas(8) uint64_t barrier;
  uint32_t bar = uint32_t(__cvta_generic_to_shared(&barrier));
  uint32_t to = uint32_t(__cvta_generic_to_shared(&tile[0][0]));
  int col = blockIdx.x * 32, row = blockIdx.y * 8;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar));
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 ::"r"(bar), "r"(int(sizeof tile)));
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier"
        "::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
        ::"r"(to), "l"(&map), "r"(col), "r"(row), "r"(bar) : "memory");
  }
  asm volatile("{\\n.reg .pred p;\\nagain:\\n"
               "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\\n"
               "@!p bra again;\\n}" ::"r"(bar) : "memory");
  int r = threadIdx.x / 32, c = threadIdx.x % 32;
  float v = tile[r][c];
  if (row + r < rows && col + c < cols)
    y[(row + r) * cols + col + c] = v < 0.0f ? 0.0f : v;
}
"""

# Each block reads what its neighbour in the cluster loaded.
CLUSTER = """
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void pairs(const float *x, float *y, long long n) {
  __shared__ float part[256];
  cg::cluster_group cluster = cg::this_cluster();
  long long i = blockIdx.x * 256ll + threadIdx.x;
  part[threadIdx.x] = i < n ? x[i] : 0.0f;
  cluster.sync();
  long long j = (blockIdx.x ^ 1) * 256ll + threadIdx.x;
  const float *other = cluster.map_shared_rank(part, cluster.block_rank() ^ 1);
  float v = other[threadIdx.x];
  if (j < n) y[j] = v < 0.0f ? 0.0f : v;
  cluster.sync();
}
"""

# Every block waits for all others before it reads what another one wrote.
COOPERATIVE = """
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void both(const float *x, float *y, float *w,
                                long long n) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  w[i] = x[i];
  cg::this_grid().sync();
  float v = w[n - 1 - i];
  y[n - 1 - i] = v < 0.0f ? 0.0f : v;
}
"""

# 100 KiB: the whole tile of 100 rows at once.
SHARED = """
extern "C" __global__ void large(const float *x, float *y, int n) {
  extern __shared__ float tile[];
  int from = blockIdx.x * 25600;
  int count = n - from < 25600 ? n - from : 25600;
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    tile[i] = x[from + count - 1 - i];
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    float v = tile[count - 1 - i];
    y[from + i] = v < 0.0f ? 0.0f : v;
  }
}
"""

# The weight is stored from the last element to the first.
PREPARE = """
extern "C" __global__ void pack(const float *w, float *packed) {
  packed[255 - threadIdx.x] = w[threadIdx.x];
}
extern "C" __global__ void scale(const float *x, float *packed, float *y) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float v = x[i] * packed[255 - threadIdx.x];
  y[i] = v < 0.0f ? 0.0f : v;
}
extern "C" __global__ void spoil(float *packed) { packed[threadIdx.x] = 2.0f; }
"""

BUFFERS = [{"name": "x", "kind": "argument", "index": 0},
           {"name": "y", "kind": "result", "index": 0}]
WEIGHT = {"name": "w", "kind": "argument", "index": 1}
N = {"i64": "d0 * d1"}


def kernel(entry, args, grid="ceildiv(d0 * d1, 256)", block=256, **more):
    return dict({"kind": "kernel", "module": "main", "entry": entry,
                 "grid": grid, "block": block, "args": args}, **more)


def plan(source, steps, buffers=(), **more):
    return dict({"title": "a step's feature", "resizable": True,
                 "modules": [{"name": "main", "source": source}],
                 "buffers": BUFFERS + list(buffers), "steps": steps}, **more)


def workspace(name, size):
    return {"name": name, "kind": "workspace", "sizeBytes": size}


def repeat():
    """A row each round; two halves of it in the loop inside."""
    half = kernel("relu", [{"buffer": "x", "offset": "(row * d1 + half * 128) * 4"},
                           {"buffer": "y", "offset": "(row * d1 + half * 128) * 4"},
                           {"i64": "128 - half + half"}], grid=1, block=128)
    return plan(RELU % {"flag": "", "early": ""}, [
        {"kind": "repeat", "name": "row", "count": "d0", "steps": [
            {"kind": "repeat", "name": "half", "count": 2, "steps": [half]}]}])


def when():
    fix = kernel("relu", [{"buffer": "x", "offset": "half * d0 * d1 * 2"},
                          {"buffer": "y", "offset": "half * d0 * d1 * 2"},
                          {"i64": "d0 * d1 / 2"}])
    return plan(FIND + FLAGGED, [
        {"kind": "memset", "buffer": "flags", "bytes": 12},
        kernel("find", ["x", "y", "flags", N]),
        {"kind": "repeat", "name": "half", "count": 2, "steps": [
            {"kind": "when", "buffer": "flags", "offset": "half * 4",
             "steps": [fix]}]},
        {"kind": "when", "buffer": "flags", "offset": 8,
         "steps": [kernel("wreck", ["y"], grid=1)]}],
        [workspace("flags", 12)])


def without_flag():
    """The kernel inside takes no flag."""
    return plan(RELU % {"flag": "", "early": ""}, [
        {"kind": "memset", "buffer": "flags", "bytes": 4, "value": 1},
        {"kind": "when", "buffer": "flags",
         "steps": [kernel("relu", ["x", "y", N])]}], [workspace("flags", 4)])


def tensor_map(box=32):
    return plan(TMA, [kernel(
        "tiles", [{"tensorMap": "xs"}, "y", {"i32": "d0"}, {"i32": "d1"}],
        grid=["ceildiv(d1, 32)", "ceildiv(d0, 8)"])],
        tensorMaps=[{"name": "xs", "buffer": "x", "element": "f32",
                     "dims": ["d1", "d0"], "box": [box, 8],
                     "l2Promotion": 128}])


def map_for_a_number():
    made = tensor_map()
    made["steps"][0]["args"] = ["y", {"tensorMap": "xs"}, {"i32": 1}, {"i32": 1}]
    return made


def cluster():
    return plan(CLUSTER, [kernel("pairs", ["x", "y", N], cluster=2,
                                grid="ceildiv(d0 * d1, 512) * 2")])


def cooperative():
    return plan(COOPERATIVE, [kernel("both", ["x", "y", "copy", N],
                                     cooperative=True)],
                [workspace("copy", "d0 * d1 * 4")])


def shared():
    return plan(SHARED, [kernel("large", ["x", "y", {"i32": "d0 * d1"}],
                                grid="ceildiv(d0 * d1, 25600)",
                                sharedBytes=102400)])


def prepare(spoil=False):
    steps = [kernel("scale", ["x", "packed", "y"], grid="d0")]
    if spoil:
        steps.append(kernel("spoil", ["packed"], grid=1))
    return plan(PREPARE, steps,
                [WEIGHT, {"name": "packed", "kind": "persistent",
                          "sizeBytes": "d1 * 4"}],
                prepare=[kernel("pack", ["w", "packed"], grid=1)])


# LAZY leaves the comparison out, which is wrong.
TUNED = """
extern "C" __global__ void tuned(const float *x, float *y, int n) {
  for (int e = 0; e < PER_THREAD; ++e) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * PER_THREAD + e;
    if (COALESCED)
      i = (blockIdx.x * PER_THREAD + e) * blockDim.x + threadIdx.x;
    if (i < n) y[i] = LAZY || !(x[i] < 0.0f) ? x[i] : 0.0f;
  }
}
"""


def tunables(lazy=(0,), **more):
    return plan(TUNED, [kernel("tuned", ["x", "y", {"i32": "d0 * d1"}],
                               grid="ceildiv(d0 * d1, THREADS * PER_THREAD)",
                               block="THREADS")],
                tunables=[{"name": "THREADS", "values": [128, 64, 2048]},
                          {"name": "PER_THREAD", "values": [8, 1, 16]},
                          {"name": "COALESCED", "values": [0, 1]},
                          {"name": "LAZY", "values": list(lazy)}],
                constraint="PER_THREAD != 16", **more)


def broken_instances():
    """None compiles: the plan's own choice says why."""
    made = tunables()
    made["modules"][0]["source"] = "#error no instance\n"
    return made


PLANS = {
    "repeat": (repeat, "ok", ""),
    "when": (when, "ok", ""),
    "bad-when": (without_flag, "launch_error", "arguments"),
    "tensor-map": (tensor_map, "ok", ""),
    "bad-box": (lambda: tensor_map(33), "rejected", "plan"),
    "bad-map": (map_for_a_number, "launch_error", "arguments"),
    "cluster": (cluster, "ok", ""),
    "cooperative": (cooperative, "ok", ""),
    "shared": (shared, "ok", ""),
    "prepare": (prepare, "ok", ""),
    # Right in the first call, wrong in each later one.
    "tunables": (tunables, "ok", ""),
    "tunables-lazy": (lambda: tunables((1, 0)), "ok", ""),
    "bad-tunables": (broken_instances, "compile_error", "compile"),
    "bad-prepare": (lambda: prepare(spoil=True), "mismatch",
                    "persistent-written"),
}


def tensor(name, dims, role="input"):
    return {"name": name, "dtype": "f32", "alignmentBytes": 16, "role": role,
            "dims": [{"name": "d0" if size == ROWS else "d1", "value": size}
                     for size in dims],
            "domain": {"kind": "real", "scale": 1.0}}


def job(name, candidate):
    weights = "prepare" in name
    arguments = [tensor("x", [ROWS, COLS])]
    if weights:
        arguments.append(tensor("w", [COLS], "param"))

    def own(producer, element):
        source = ("extern \"C\" __global__ void k(const float *x, %s%s *y) {\n"
                  "  int i = blockIdx.x * 256 + threadIdx.x;\n"
                  "  %s v = x[i]; %s\n  y[i] = v < 0 ? 0 : v;\n}\n"
                  % ("const float *w, " if weights else "", element, element,
                     "v *= w[threadIdx.x];" if weights else ""))
        args = ["x", "w", "y"] if weights else ["x", "y"]
        return {"producer": producer,
                "modules": [{"name": "main", "source": source}],
                "buffers": BUFFERS + ([WEIGHT] if weights else []),
                "steps": [kernel("k", args, grid="d0")]}

    return {"id": name, "candidate": candidate,
            "spec": {"symbol": name, "arguments": arguments,
                     "results": [tensor("y", [ROWS, COLS])],
                     "canonicalText": name, "listing": "y = relu(x)",
                     "policy": "torch", "family": "pointwise",
                     "flops": ROWS * COLS, "bytes": 8.0 * ROWS * COLS,
                     "graph": {"values": [], "ops": [], "arguments": [],
                               "results": []}},
            "stock": own("stock", "float"),
            "reference": own("reference", "double"), "arch": "sm_90a",
            "seed": 7, "timeoutSeconds": 60, "maxTimingSeconds": 1}


def check(path):
    bad = 0
    for line in open(path):
        got = json.loads(line)
        _, outcome, rule = PLANS[got["jobId"]]
        good = (outcome in (None, got["outcome"]) and
                rule in (None, got["rule"]))
        bad += not good
        print(f"{got['jobId']}: {got['outcome']} {got['rule']} "
              f"{'' if good else 'UNEXPECTED '}{got['message'][:300]}")
        for row in got["tunableTable"]:
            order = [t["name"] for t in PLANS["tunables"][0]()["tunables"]]
            values = ", ".join(f"{k}={row['values'][k]}" for k in order)
            chosen = row["values"] == got["chosenTunables"]
            print(f"  {values}: {row['outcome']} rung {row['rung']} "
                  f"{row['medianMicroseconds']:.3f} us {row['reason'][:120]}"
                  f"{' CHOSEN' if chosen else ''}")
    return 1 if bad else 0


def win(folder):
    for where, _, files in os.walk(folder):
        if "evaluation.json" in files:
            path = os.path.join(where, "evaluation.json")
            evaluation = json.load(open(path))
            evaluation["speedup"] = 2.0
            json.dump(evaluation, open(path, "w"))


def write_arguments(path, rows, weight):
    arrays = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                          "../../Run/Inputs/arrays.py")
    values = ",".join(str(i * i % 7 - 3) for i in range(rows * COLS))
    specs = [f"arg0=f4:{rows}x{COLS}:{values}"]
    if weight:
        specs.append(f"arg1=f4:{COLS}")
    subprocess.run([sys.executable, arrays, "write", path] + specs, check=True)


def main(words):
    if words[:1] == ["jobs"]:
        for name in words[1:] or PLANS:
            print(json.dumps(job(name, PLANS[name][0]())))
        return 0
    if words[:1] == ["reply"] and len(words) == 3:
        os.makedirs(words[2], exist_ok=True)
        with open(os.path.join(words[2], "reply-1.txt"), "w") as file:
            file.write("```json\n%s\n```\n" % json.dumps(PLANS[words[1]][0]()))
        return 0
    if words[:1] == ["win"]:
        return win(words[1])
    if words[:1] == ["args"]:
        return write_arguments(words[1], int(words[2]), "weight" in words)
    if words[:1] == ["check"]:
        return check(words[1])
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
