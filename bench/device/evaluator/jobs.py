#!/usr/bin/env python3
"""The jobs of bench/device/evaluator.sh, from runs of kernelclaw-opt.

    jobs.py RUNS FOLDER

RUNS/NAME is the run directory of one model with one region: its spec, stock,
reference, and attempts where a provider made some. Writes FOLDER/PART.jsonl,
one job a line; the first lines of a file are its most important ones.
"""
import glob
import json
import os
import sys

import kernels

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path.insert(0, os.path.join(ROOT, "bench/device"))
import hand_jobs  # noqa: E402
import profile_jobs  # noqa: E402

ARCH = "sm_90a"


def read(path):
    with open(path) as file:
        return json.load(file)


class Region:
    def __init__(self, runs, name):
        folders = glob.glob(os.path.join(runs, name, "regions", "*"))
        if len(folders) != 1:
            raise SystemExit(f"jobs.py: {name} has {len(folders)} regions, not 1")
        self.folder = folders[0]
        self.spec, self.stock, self.reference = (
            read(os.path.join(self.folder, part + ".json"))
            for part in ("spec", "stock", "reference"))

    def attempts(self):
        files = glob.glob(os.path.join(self.folder, "attempt-*", "plan.json"))
        return [read(f) for f in sorted(files)]

    def job(self, name, candidate, **more):
        return {"id": name, "spec": self.spec, "candidate": candidate,
                "stock": self.stock, "reference": self.reference, "arch": ARCH,
                "seed": 1, "timeoutSeconds": 60, **more}


def with_rows(job, name):
    return {**job, "id": name, "arch": ARCH, "profile": True,
            "timeoutSeconds": 60}


def agreement(runs):
    """Single kernels of more than 50 us."""
    for name, rows in (("softmax-8192", "softmax"), ("rms-norm-8192", "rms_norm")):
        region = Region(runs, rows)
        yield region.job(name, region.attempts()[0], profile=True)
    cols = {"i64": "cols"}
    relu, plan = hand_jobs.relu_job, hand_jobs.plan
    i64 = [{"i64": "rows"}, cols]
    yield with_rows(hand_jobs.softmax_job("", plan(
        hand_jobs.SOFTMAX % hand_jobs.F32, grid="rows",
        args=["x", "y", cols]), 16384), "softmax-three-passes")
    yield with_rows(relu("", plan(hand_jobs.VECTOR,
                                  grid="ceildiv(rows * cols, 1024)"), 16384),
                    "relu-vector")
    yield with_rows(relu("", plan(
        profile_jobs.STRIDED, args=["x", "y", hand_jobs.N] + i64), 4096),
        "relu-strided")
    yield with_rows(relu("", plan(profile_jobs.SPILLING), 4096), "relu-spilling")
    region = Region(runs, "matmul-4096")
    yield region.job("matmul-4096", list(kernels.matmul_plans(region.spec))[-1],
                     profile=True)
    region = Region(runs, "conv2d-64")
    yield region.job("conv2d-64", list(kernels.convolution_plans(region.spec))[1],
                     profile=True)


def repeatability(runs):
    """Kind, then number: the same plan and another seed each time."""
    evaluated = {"softmax-4096": Region(runs, "softmax-4096"),
                 "rms-norm-8192": Region(runs, "rms_norm")}
    for name, region in evaluated.items():
        for i in range(20):
            yield region.job(f"again.{name}.{i}", region.attempts()[0], seed=100 + i)
    for name in ("softmax-4096", "conv2d-64"):
        region = Region(runs, name)
        for i in range(20):
            yield region.job(f"same.{name}.{i}", region.stock, seed=200 + i)
    region = evaluated["softmax-4096"]
    yield region.job("winner.softmax-4096.0", region.attempts()[0],
                     confirmProcesses=3, energy=True)


def speed(runs):
    """Twelve candidates of each of three problems, four of them profiled."""
    region = Region(runs, "softmax-4096")
    problems = {"softmax": (region, region.attempts())}
    region = Region(runs, "matmul-4096")
    problems["matmul"] = (region, list(kernels.matmul_plans(region.spec)))
    region = Region(runs, "conv2d-64")
    problems["conv2d"] = (region, list(kernels.convolution_plans(region.spec)))
    for name, (region, plans) in problems.items():
        for i in range(12):
            yield region.job(f"{name}.{i}", plans[i % len(plans)], seed=300 + i)
    for name, (region, plans) in problems.items():
        for i in range(4):
            yield region.job(f"{name}.profiled.{i}", plans[i % len(plans)],
                             seed=400 + i, profile=True)


def reference(runs):
    """One a family, without a candidate of its own."""
    for folder in sorted(glob.glob(os.path.join(runs, "family-*"))):
        name = os.path.basename(folder)
        if glob.glob(os.path.join(folder, "regions", "*", "reference.json")):
            region = Region(runs, name)
            yield region.job(name[len("family-"):], region.stock,
                             timeoutSeconds=30)


def main(words):
    if len(words) != 2:
        print(__doc__)
        return 2
    os.makedirs(words[1], exist_ok=True)
    for make in (agreement, repeatability, speed, reference):
        path = os.path.join(words[1], make.__name__ + ".jsonl")
        with open(path, "w") as file:
            count = 0
            for job in make(words[0]):
                file.write(json.dumps(job, separators=(",", ":")) + "\n")
                count += 1
        print(f"{path}: {count} jobs, {os.path.getsize(path) // 1024} KB",
              file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
