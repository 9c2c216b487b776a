"""Jobs of one small region, y = relu(x) on f32[rows, 4096], written by hand.

usage: relu_jobs.py ROWS NAME...   a right kernel a name, one job a line;
                                   "wrong" in the name: a wrong one
"""
import json
import sys

COLS = 4096
GOOD = "x[i] > 0.0f ? x[i] : (x[i] != x[i] ? x[i] : 0.0f)"
RELU = """
extern "C" __global__ void k(const float *x, %s *y, long long n) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) y[i] = %s;
}
"""


def tensor(name, rows):
    return {"name": name, "dtype": "f32", "alignmentBytes": 16,
            "dims": [{"name": "rows", "value": rows},
                     {"name": "cols", "value": COLS}],
            "role": "input", "domain": {"kind": "real", "scale": 1.0}}


def spec(rows):
    return {"symbol": "relu", "arguments": [tensor("x", rows)],
            "results": [tensor("y", rows)], "canonicalText": "relu",
            "listing": "y = relu(x)", "policy": "torch", "family": "pointwise",
            "flops": rows * COLS, "bytes": 8.0 * rows * COLS,
            "graph": {"values": [], "ops": [], "arguments": [], "results": []}}


def plan(producer="model", element="float", expression=GOOD):
    return {"version": 1, "producer": producer, "title": "relu",
            "modules": [{"name": "m", "kind": "cuda",
                         "source": RELU % (element, expression)}],
            "tunables": [], "constraint": "", "prepare": [],
            "buffers": [{"name": "x", "kind": "argument", "index": 0},
                        {"name": "y", "kind": "result", "index": 0}],
            "resizable": False, "requirements": [],
            "steps": [{"kind": "kernel", "module": "m", "entry": "k",
                       "grid": "ceildiv(rows * cols, 256)", "block": 256,
                       "sharedBytes": 0,
                       "args": ["x", "y", {"i64": "rows * cols"}]}]}


def job(name, candidate, rows):
    return {"id": name, "spec": spec(rows), "candidate": candidate,
            "stock": plan("stock"), "reference": plan("reference", "double"),
            "arch": "sm_90a", "seed": 7, "timeoutSeconds": 60,
            "maxTimingSeconds": 1}


def named(name, rows):
    wrong = "wrong" in name
    return job(name, plan(expression="x[i]" if wrong else GOOD), rows)


if __name__ == "__main__":
    for each in sys.argv[2:]:
        print(json.dumps(named(each, int(sys.argv[1]))))
