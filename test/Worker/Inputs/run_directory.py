#!/usr/bin/env python3
"""A run directory of one region, y = relu(x), with the attempts named.

    run_directory.py DIR [NAME...]     attempt k is the k-th NAME of CANDIDATES
"""
import json
import pathlib
import sys

ROWS, COLS = 8, 4096
RELU = """
extern "C" __global__ void k(const float *x, %s *y, long long n) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) y[i] = %s;
}
"""
GOOD = "x[i] > 0.0f ? x[i] : (x[i] != x[i] ? x[i] : 0.0f)"
GRID = "ceildiv(rows * cols, 256)"
CANDIDATES = {
    "relu-scalar": (GOOD, GRID),
    "tail-not-written": (GOOD, GRID + " - 1"),
    "compile-error": ("x[i] >", GRID),
    "writes-past-end": (GOOD + "; if (i == n - 1) y[n + 3] = 1.0f", GRID),
    "wrong-result": ("x[i]", GRID),
    "tunable": (GOOD, "ceildiv(rows * cols, BLOCK)"),
}


def tensor(name):
    return {"name": name, "dtype": "f32", "role": "input",
            "dims": [{"name": "rows", "value": ROWS},
                     {"name": "cols", "value": COLS}]}


def plan(expression, grid, producer, result="float"):
    swept = "BLOCK" in grid
    return {"tunables": [{"name": "BLOCK", "values": [64, 128, 256]}] * swept,
            "producer": producer, "title": "relu",
            "modules": [{"name": "m", "kind": "cuda",
                         "source": RELU % (result, expression)}],
            "buffers": [{"name": "x", "kind": "argument", "index": 0},
                        {"name": "y", "kind": "result", "index": 0}],
            "steps": [{"kind": "kernel", "module": "m", "entry": "k",
                       "grid": grid, "block": "BLOCK" if swept else 256,
                       "args": ["x", "y", {"i64": "rows * cols"}]}]}


def main(directory, names):
    run = pathlib.Path(directory)
    region = run / "regions" / "0123456789abcdef0123456789abcdef"
    region.mkdir(parents=True)
    (run / "run.json").write_text(json.dumps(
        {"version": 1, "arch": "sm_90a", "seed": 5, "compileOnly": False}))
    parts = {"spec": {"symbol": "selftest", "arguments": [tensor("x")],
                      "results": [tensor("y")], "listing": "y = relu(x)",
                      "canonicalText": "relu", "family": "pointwise",
                      "flops": ROWS * COLS, "bytes": 8 * ROWS * COLS},
             "stock": plan(GOOD, GRID, "stock"),
             "reference": plan(GOOD, GRID, "reference", "double")}
    for name, part in parts.items():
        (region / f"{name}.json").write_text(json.dumps(part))
    for number, name in enumerate(names, 1):
        attempt = region / f"attempt-{number}"
        attempt.mkdir()
        (attempt / "plan.json").write_text(
            json.dumps(plan(*CANDIDATES[name], "model")))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
