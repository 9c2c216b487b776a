#!/usr/bin/env python3
"""Jobs for the rules about numbers, with the outcome each must have.

    number_jobs.py jobs [--only=NAME]   one job a line
    number_jobs.py check RESULTS        compares, prints a line each

Stock, reference and candidates are CUDA C++; a candidate is wrong in one way.
"""
import json
import sys


def tensor(name, sizes, dtype="f32", align=16, **domain):
    return {"name": name, "dtype": dtype, "alignmentBytes": align,
            "dims": [{"name": n, "value": v} for n, v in sizes],
            "role": "input", "domain": {"kind": "real", "scale": 1.0, **domain}}


def graph(values, ops, arguments, results):
    return {"values": [{"dtype": t, "shape": s} for t, s in values],
            "ops": ops, "arguments": arguments, "results": results}


NO_GRAPH = graph([], [], [], [])


def plan(source, producer, grid, args, count, inputs):
    names = "xzw"[:inputs]
    buffers = [{"name": n, "kind": "argument", "index": i}
               for i, n in enumerate(names)]
    return {"version": 1, "producer": producer, "title": producer,
            "modules": [{"name": "m", "kind": "cuda", "source": source}],
            "tunables": [], "constraint": "", "prepare": [],
            "buffers": buffers + [{"name": "y", "kind": "result", "index": 0}],
            "resizable": False, "requirements": [],
            "steps": [{"kind": "kernel", "module": "m", "entry": "k",
                       "grid": grid, "block": 256, "sharedBytes": 0,
                       "args": [*names, "y", *({"i64": a} for a in args)]}]}


def job(name, arguments, result, family, sources, grid, args, graph=NO_GRAPH,
        policy="torch"):
    """sources: candidate, stock, reference."""
    spec = {"symbol": name, "arguments": arguments, "results": [result],
            "canonicalText": name, "listing": name, "policy": policy,
            "family": family, "flops": 1000, "bytes": 0, "graph": graph,
            "specHash": family + name.split("-")[0]}
    plans = [plan(source, producer, grid, args, 0, len(arguments))
             for source, producer in zip(sources,
                                         ("model", "stock", "reference"))]
    return {"id": name, "spec": spec, "candidate": plans[0], "stock": plans[1],
            "reference": plans[2], "arch": "sm_90a", "seed": 7,
            "timeoutSeconds": 60, "maxTimingSeconds": 1}


ELEMENTS = """
extern "C" __global__ void k(const %(in)s *x, %(out)s *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n) y[i] = %(expr)s;
}
"""


def elementwise(name, candidate, stock, reference, count=16384, dtype="f32",
                out=None, family="pointwise", align=16, vector=None, **kw):
    types = {"f32": "float", "i64": "long long", "bool": "bool"}
    c_in, c_out = types[dtype], types[out or dtype]
    wide = "double" if (out or dtype) == "f32" else c_out

    def source(expr, result):
        return ELEMENTS % {"in": c_in, "out": result, "expr": expr}

    sizes = [("n", count)]
    kind = {} if dtype == "f32" else {"kind": "integer"}
    return job(name, [tensor("x", sizes, dtype, align, **kind)],
               tensor("y", sizes, out or dtype, align), family,
               [vector or source(candidate, c_out), source(stock, c_out),
                source(reference, wide)],
               "ceildiv(n, 256)", ["n"], **kw)


RELU = "x[i] > 0.f || x[i] != x[i] ? x[i] : 0.f"


def relu(name, expr, **kw):
    return elementwise(name, expr, RELU, RELU, **kw)


# PT-08: one thread a row.
ARGMAX = """
extern "C" __global__ void k(const float *x, long long *y, long long rows,
                             long long cols) {
  long long row = blockIdx.x * 256ll + threadIdx.x;
  if (row >= rows) return;
  long long best = 0;
  for (long long i = 1; i < cols; ++i) {
    float v = x[row * cols + i], top = x[row * cols + best];
    if (%s) best = i;
  }
  y[row] = best;
}
"""
FIRST = "v > top || (v != v && top == top)"
LAST = "v >= top || v != v"
SKIPS_NAN = "v > top || (v == v && top != top)"


def argmax(name, rule, with_graph=True):
    sizes = [("rows", 512), ("cols", 64)]
    shown = graph([("f32", [512, 64]), ("i64", [512])],
                  [{"name": "aten.argmax", "results": [1],
                    "operands": [{"values": [0]}, {"literal": 1},
                                 {"literal": False}]}], [0], [1])
    return job(name, [tensor("x", sizes)], tensor("y", sizes[:1], "i64"),
               "reduction", [ARGMAX % rule, ARGMAX % FIRST, ARGMAX % FIRST],
               "ceildiv(rows, 256)", ["rows", "cols"],
               graph=shown if with_graph else NO_GRAPH)


# A dot product a row, and whether it is positive.
DOT = """
#include <cuda_bf16.h>
extern "C" __global__ void k(const float *x, const float *z, bool *y,
                             long long rows, long long cols) {
  long long row = blockIdx.x * 256ll + threadIdx.x;
  if (row >= rows) return;
  %s sum = 0;
  for (long long i = 0; i < cols; ++i) {
    long long at = row * cols + %s;
    sum += (%s)x[at] * (%s)z[at];
  }
  y[row] = sum > %s;
}
"""


def sign(name, order="i", accumulate="float", operand="float", bound="0"):
    sizes = [("rows", 4096), ("cols", 16)]
    return job(name, [tensor("x", sizes), tensor("z", sizes)],
               tensor("y", sizes[:1], "bool"), "contraction",
               [DOT % (accumulate, order, operand, operand, bound),
                DOT % ("float", "i", "float", "float", "0"),
                DOT % ("double", "i", "double", "double", "0")],
               "ceildiv(rows, 256)", ["rows", "cols"])


SUM = """
extern "C" __global__ void k(const float *x, %s *y, long long rows,
                             long long cols) {
  long long row = blockIdx.x * 256ll + threadIdx.x;
  if (row >= rows) return;
  %s sum = 0;
  for (long long i = 0; i < cols; ++i) {
    float v = x[row * cols + i];
    sum += %s;
  }
  y[row] = sum / cols;
}
"""


def mean(name, term):
    sizes = [("rows", 256), ("cols", 256)]
    return job(name, [tensor("x", sizes)], tensor("y", sizes[:1]), "reduction",
               [SUM % ("float", "float", term), SUM % ("float", "float", "v"),
                SUM % ("double", "double", "v")],
               "ceildiv(rows, 256)", ["rows", "cols"])


SECOND = """
extern "C" __global__ void k(const float *x, const float *z, %s *y,
                             long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n) y[i] = x[i] * 2;
}
"""


def ignores(name):
    sizes = [("n", 4096)]
    return job(name, [tensor("x", sizes), tensor("z", sizes)],
               tensor("y", sizes), "pointwise",
               [SECOND % "float", SECOND % "float", SECOND % "double"],
               "ceildiv(n, 256)", ["n"])


# KB-08: four elements at a time, with and without a look at the tail.
PACKETS = """
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (4 * i + %s < n || (%s)) {
    if (4 * i >= n) return;
    float4 v = reinterpret_cast<const float4 *>(x)[i];
    reinterpret_cast<float4 *>(y)[i] = make_float4(R(v.x), R(v.y), R(v.z),
                                                   R(v.w));
  } else %s
    for (long long j = 4 * i; j < n; ++j) y[j] = R(x[j]);
}
""".replace("R(", "relu(").replace(
    "extern", "__device__ float relu(float v) {\n"
    "  return v > 0.f || v != v ? v : 0.f;\n}\nextern", 1)
EXP = "expf(x[i])"


def cases():
    return [
        # (job, outcome, rule, what else must hold)
        (relu("relu-honest", RELU), "ok", "", {"precisionClass": "f32"}),
        (relu("relu-fmaxf", "fmaxf(x[i], 0.f)"), "mismatch", "nan-lost", {}),
        (relu("relu-half-of-infinity", "x[i] > 1e30f ? 1e30f : " + RELU),
         "mismatch", "infinity-lost", {}),
        (elementwise("exp-in-half", "expf(__uint_as_float(__float_as_uint("
                     "x[i]) & 0xffffe000u))", EXP, "exp((double)x[i])"),
         "mismatch", "budget", {}),
        (elementwise("scaled-loose", "1.1f * __uint_as_float("
                     "__float_as_uint(x[i]) & 0xffffe000u)", "1.1f * x[i]",
                     "(double)1.1f * x[i]", policy="loose"), "ok", "",
         {"precisionClass": "tf32"}),
        (elementwise("log-of-anything", "logf(x[i])", "logf(x[i])",
                     "log((double)x[i])"), "ok", "", {}),
        (elementwise("log-clamped", "logf(fmaxf(x[i], 1e-30f))", "logf(x[i])",
                     "log((double)x[i])"), "mismatch", "nan-lost", {}),
        (argmax("argmax-first", FIRST), "ok", "", {}),
        (argmax("argmax-last", LAST), "ok", "", {"counter excused": 1}),
        (argmax("argmax-skips-nan", SKIPS_NAN), "mismatch", "selected-value",
         {}),
        (sign("sign-other-order", "(cols - 1 - i)"), "ok", "", {}),
        (sign("sign-coarse", operand="float)(__nv_bfloat16"), "mismatch", "threshold", {}),
        (sign("sign-shifted", bound="5e-2f"), "mismatch", "threshold", {}),
        (elementwise("floor-fused", "floorf(fmaf(x[i], 3.0f, 0.1f))",
                     "floorf(__fadd_rn(__fmul_rn(x[i], 3.0f), 0.1f))",
                     "floor((double)x[i] * 3.0 + (double)0.1f)",
                     graph=graph([("f32", [16384])] * 2,
                                 [{"name": "aten.floor", "results": [1],
                                   "operands": [{"values": [0]}]}], [0], [1])),
         "ok", "", {}),
        (mean("mean-honest", "v"), "ok", "", {}),
        (mean("mean-of-half", "i % 2 ? 2 * v : 0"), "mismatch", "budget", {}),
        (mean("mean-without-outliers", "fabsf(v) > 900 ? 0 : v"), "mismatch",
         "budget", {"only on": ("wide", "rows", "spike", "special")}),
        (elementwise("narrow-product", "(long long)(int)(x[i] * 1000000000)",
                     "x[i] * 1000000000ll", "x[i] * 1000000000ll",
                     dtype="i64"), "mismatch", "exact-value", {}),
        (elementwise("zeros", "0.f * (x[i] == x[i])", "0.f * (x[i] == x[i])",
                     "0.0 * (x[i] == x[i])"), "rejected", "undiscriminating",
         {"undiscriminating": "zeros"}),
        (ignores("ignores-an-input"), "ok", "", {"inputsWithoutEffect": [1]}),
        (relu("packets-without-tail", None, count=1023,
              vector=PACKETS % ("3", "true", "")), "fault", "out-of-bounds",
         {}),
        (relu("packets-tail-left-out", None, count=1023,
              vector=PACKETS % ("3", "false", "if (false)")), "mismatch",
         "not-written", {}),
        (relu("packets-guarded", None, count=1023,
              vector=PACKETS % ("3", "false", "")), "ok", "", {}),
        (relu("packets-of-slice", None, count=1023, align=4,
              vector=PACKETS % ("3", "false", "")), "fault",
         "misaligned-address", {}),
    ]


def holds(got, what, want):
    if what == "undiscriminating":
        return [u["passes"] for u in got[what]] == [want]
    if what.startswith("counter "):
        return got["counters"][what[8:]] >= want
    if what == "only on":
        return all(e["ok"] or e["distribution"] in want for e in got["errors"])
    return got[what] == want


def main(words):
    only = [w[7:] for w in words[1:] if w.startswith("--only=")]
    if words[:1] == ["jobs"]:
        for case in cases():
            if not only or case[0]["id"] in only:
                print(json.dumps(case[0]))
        return 0
    if words[:1] != ["check"]:
        print(__doc__)
        return 2
    expected = {case[0]["id"]: case[1:] for case in cases()}
    bad = 0
    for line in open(words[1]):
        got = json.loads(line)
        outcome, rule, others = expected.pop(got["jobId"])
        good = (got["outcome"], got["rule"]) == (outcome, rule) and all(
            holds(got, what, want) for what, want in others.items())
        bad += not good
        print(f"{got['jobId']:24} {got['outcome']:14} {got['rule']:20} "
              + ("as expected" if good else
                 f"UNEXPECTED, want {outcome} {rule} {others}"))
        if not good:
            print("    " + got["message"][:600])
            print("    ", {k: got.get(k) for k in (
                "precisionClass", "undiscriminating", "inputsWithoutEffect",
                "counters")})
    print(f"{bad} unexpected, {len(expected)} missing")
    return 1 if bad or expected else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
