#!/usr/bin/env python3
"""Jobs and commands of bench/device/profile.sh.

    profile_jobs.py jobs [REGION-FOLDER]      one job a line
    profile_jobs.py metrics                   the metrics of Counters.h for ncu
    profile_jobs.py loops JOBS RESULTS DIR    writes DIR/NAME.cubin, prints
                                              "NAME ENTRY ARGS..." a line

Every problem moves 64 MB in and 64 MB out. REGION-FOLDER is one of a run
directory (run/regions/HASH) of a softmax of 4096 x 4096: its attempts are the
plans of our own skeletons, the first of which is the winner.
"""
import base64
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
import hand_jobs  # noqa: E402

ROWS = 4096
# Neighbouring threads read and write whole rows apart, and go through shared
# memory at a stride of all banks.
STRIDED = """
extern "C" __global__ void k(const float *x, float *y, long long n,
                             long long rows, long long cols) {
  __shared__ float s[256 * 32];
  long long i = blockIdx.x * 256ll + threadIdx.x;
  long long j = blockIdx.x * 256ll + 255 - threadIdx.x;
  s[threadIdx.x * 32] = x[i % rows * cols + i / rows];
  __syncthreads();
  float v = s[(255 - threadIdx.x) * 32];
  y[j % rows * cols + j / rows] = v > 0.f || v != v ? v : 0.f;
}
"""
# A local array that cannot be in registers, and two ways through the code.
SPILLING = """
extern "C" __global__ void k(const float *x, float *y, long long n) {
  volatile float kept[32];
  long long i = blockIdx.x * 256ll + threadIdx.x;
  float v = x[i];
  kept[(int)(i * 7 & 31)] = v;
  if (threadIdx.x & 1) {
    for (int k = 0; k < 8; ++k) kept[k & 31] = kept[(int)(i * 7 & 31)];
  } else {
    for (int k = 0; k < 24; ++k) kept[(k + 8) & 31] = kept[(int)(i * 7 & 31)];
  }
  v = kept[(int)(i * 7 & 31)];
  y[i] = v > 0.f || v != v ? v : 0.f;
}
"""
# Two kernels: the second finds the first one's results in the L2, in part.
TWO = hand_jobs.RELU % "x[i] * 2.f" + """
extern "C" __global__ void second(float *y, long long n) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) y[i] = y[i] > 0.f || y[i] != y[i] ? y[i] * 0.5f : 0.f;
}
"""


def named(job, name, profile):
    made = dict(job)
    made.update(id=name, profile=profile, arch="sm_90a", timeoutSeconds=60,
                maxTimingSeconds=1)
    return made


def winner(folder):
    def read(name):
        with open(os.path.join(folder, name)) as file:
            return json.load(file)
    return {"spec": read("spec.json"), "stock": read("stock.json"),
            "reference": read("reference.json"), "seed": 3,
            "candidate": read("attempt-1/plan.json")}


def plans():
    i64 = [{"i64": "rows"}, {"i64": "cols"}]
    cols = {"i64": "cols"}
    two = hand_jobs.plan(TWO)
    two["steps"].append({"kind": "kernel", "module": "m", "entry": "second",
                         "grid": "ceildiv(rows * cols, 256)", "block": 256,
                         "sharedBytes": 0, "args": ["y", hand_jobs.N]})
    relu = hand_jobs.relu_job
    return [
        ("softmax-three-passes",
         hand_jobs.softmax_job("", hand_jobs.plan(
             hand_jobs.SOFTMAX % hand_jobs.F32, grid="rows",
             args=["x", "y", cols]), ROWS)),
        ("relu-vector", relu("", hand_jobs.plan(
            hand_jobs.VECTOR, grid="ceildiv(rows * cols, 1024)"), ROWS)),
        ("relu-strided", relu("", hand_jobs.plan(
            STRIDED, args=["x", "y", hand_jobs.N] + i64), ROWS)),
        ("relu-spilling", relu("", hand_jobs.plan(SPILLING), ROWS)),
        ("relu-two-kernels", relu("", two, ROWS)),
    ]


def jobs(folder):
    best = winner(folder) if folder else plans()[0][1]
    # Timing before, between and after profiles: they must not disturb it.
    order = ["before"] * 3 + ["profiled"] + ["after"] * 3
    for number, kind in enumerate(order):
        yield named(best, f"softmax-winner.{kind}.{number}", kind == "profiled")
    for name, job in plans():
        yield named(job, f"{name}.profiled", True)
    for number in range(2):
        yield named(best, f"softmax-winner.again.{number}", True)
    yield named(best, "softmax-winner.after.9", False)


def metrics():
    with open(os.path.join(ROOT, "include/kernelclaw/Support/Counters.h")) as f:
        text = f.read()
    rows = text[text.index("counterTable[] = {"):]
    return re.findall(r'"(\w+__\w+(?:\.\w+)+)"', rows)


def argument(arg, job, dims):
    if isinstance(arg, dict) and "i64" in arg:
        text = str(arg["i64"])
        for name, value in dims.items():
            text = re.sub(rf"\b{name}\b", str(value), text)
        return f"i64:{eval(text, {'__builtins__': {}})}"
    name = arg["buffer"] if isinstance(arg, dict) else arg
    kinds = {b["name"]: b["kind"] for b in job["candidate"]["buffers"]}
    count = 4
    for dim in job["spec"]["results"][0]["dims"]:
        count *= dim["value"]
    return f"{'in' if kinds[name] == 'argument' else 'out'}:{count}"


def loops(jobs_file, results_file, folder):
    by_id = {}
    with open(jobs_file) as file:
        for line in file:
            job = json.loads(line)
            by_id[job["id"]] = job
    with open(results_file) as file:
        results = [json.loads(line) for line in file]
    for result in results:
        name = result["jobId"].split(".")[0]
        job = by_id[result["jobId"]]
        steps = job["candidate"]["steps"]
        path = os.path.join(folder, name + ".cubin")
        if (len(steps) != 1 or not result.get("profile") or
                not result["profile"]["kernels"] or os.path.exists(path)):
            continue
        with open(path, "wb") as file:
            file.write(base64.b64decode(result["images"][0]["cubin"]))
        kernel = result["profile"]["kernels"][0]
        dims = {d["name"]: d["value"] for t in job["spec"]["results"]
                for d in t["dims"]}
        sizes = [",".join(map(str, kernel[key])) for key in ("grid", "block")]
        args = [argument(arg, job, dims) for arg in steps[0]["args"]]
        print(name, steps[0]["entry"], *sizes, kernel["dynamicSharedBytes"],
              *args)


def main(words):
    if words[:1] == ["jobs"]:
        for job in jobs(words[1] if len(words) > 1 else None):
            print(json.dumps(job))
    elif words[:1] == ["metrics"]:
        print(",".join(metrics()))
    elif words[:1] == ["loops"] and len(words) == 4:
        loops(*words[1:])
    else:
        print(__doc__)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
