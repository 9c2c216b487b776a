#!/usr/bin/env python3
"""What judging a candidate costs, and what it is spent on.

    speed.py WORKER JOBS FOLDER > evaluator-speed.md

Jobs "PROBLEM.N" are candidates, "PROBLEM.profiled.N" ask for a profile too. All
in one warm worker; the first job of each problem is not counted (it loads stock
and reference for the first time). Raw evaluations: FOLDER.
"""
import collections
import glob
import json
import os
import subprocess
import sys
import time

import report
from worker import Lost, Worker, jobs_of

VALIDATION, PROFILE, START = 1.0, 1.5, 0.5
COMPILING = ("reading", "compiling")
# Of the worker's phases: what any check of a kernel has to do.
BARE = ("load", "draw", "candidate", "reference", "compare")


def drop_from_cache(worker):
    """Takes the files that a start reads out of the page cache."""
    files = [worker, *glob.glob("/usr/local/cuda*/**/libnvrtc*", recursive=True)]
    for line in subprocess.run(["ldconfig", "-p"], capture_output=True, text=True).stdout.splitlines():
        if any(name in line for name in ("libcuda.so", "libnvrtc", "libnvidia-ptxjitcompiler")):
            files.append(os.path.realpath(line.split()[-1]))
    for path in set(files):
        try:
            descriptor = os.open(path, os.O_RDONLY)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(descriptor)
        except OSError:
            pass


def start_seconds(worker_path, job):
    with Worker(worker_path) as worker:
        worker.judge(job)
        return worker.ready_seconds


def percentiles(values, digits=2):
    if not values:
        return "-"
    return " / ".join(f"{report.quantile(values, q):.{digits}f}" for q in (0.1, 0.5, 0.9))


def starts(worker_path, job):
    """A job that ends early, so that the start is what takes time."""
    rows = [("first of this machine in this script", [start_seconds(worker_path, job)])]
    cold = []
    for _ in range(3):
        drop_from_cache(worker_path)
        cold.append(start_seconds(worker_path, job))
    rows.append(("its files not in the page cache", cold))
    rows.append(("warm", [start_seconds(worker_path, job) for _ in range(10)]))
    device = []
    for _ in range(3):
        begun = time.monotonic()
        subprocess.run([worker_path, "--probe"], capture_output=True)
        device.append(time.monotonic() - begun)
    rows.append(("for comparison, `kernelclaw-worker --probe` to its end: a CUDA context, NVRTC", device))
    print("\n## Start of a worker\n\nUntil the device is open and the judge's own kernels are loaded; target: under 0.5 s, and a worker is kept warm.\n")
    print("| start | number | p10 / median / p90, s | under 0.5 s |\n|---|---|---|---|")
    for what, seconds in rows:
        print(f"| {what} | {len(seconds)} | {percentiles(seconds)} | "
              f"{'yes' if report.median(seconds) < START else 'NO'} |", flush=True)
    return report.median(rows[2][1]) < START


def phase_seconds(evaluation):
    """Seconds by the worker's own phases; {} where it has none."""
    return dict(evaluation.get("phases") or {})


class Candidate:
    def __init__(self, evaluation, phases, wall):
        self.evaluation = evaluation
        self.wall = wall
        self.outside = phases
        self.compiling = sum(phases.get(name, 0) for name in COMPILING)
        self.profile = sum(s for name, s in phases.items() if name.startswith("profil"))
        self.judged = wall - self.compiling - self.profile


def judge_all(worker_path, jobs, notes):
    """Problem -> candidates, and those that were profiled."""
    plain, profiled = collections.OrderedDict(), collections.OrderedDict()
    worker = Worker(worker_path)
    for job in jobs:
        problem, _, rest = job["id"].partition(".")
        kind = profiled if rest.startswith("profiled") else plain
        try:
            judged = Candidate(*worker.judge(job))
        except Lost as lost:
            notes.append(str(lost))
            worker = Worker(worker_path)
            continue
        if why := report.failed(judged.evaluation):
            notes.append(f"{job['id']}: {why}")
        kind.setdefault(problem, []).append(judged)
    worker.close()
    return plain, profiled


def main(words):
    if len(words) != 3:
        print(__doc__)
        return 2
    worker_path, jobs_file, folder = words
    os.makedirs(folder, exist_ok=True)
    jobs = jobs_of(jobs_file)
    notes, good = [], True
    print(report.head("Speed of the evaluator on a GPU", "bash bench/device/evaluator.sh speed", worker_path))
    short = dict(jobs[0], id="start", kind="compile")
    try:
        good &= starts(worker_path, short)
    except Lost as lost:
        notes.append(f"starts: {lost}")
        good = False
    plain, profiled = judge_all(worker_path, jobs, notes)

    print("\n## A candidate\n\n64 MB softmax (4096 x 4096), 4096^3 f32 product, 16x64x128x128 by 64x64x3x3 convolution. p10 / median / p90 in seconds.\n"
          "Validation and timing: from the compiled plan to the answer, without the profile; target: median under 1.0 s.\n")
    print("| problem | candidates (ok) | compiling | validation and timing | whole, as the caller waits | candidate, us (fastest) | under 1.0 s |\n"
          "|---|---|---|---|---|---|---|")
    for problem, all_of in plain.items():
        counted = [c for c in all_of[1:] if not report.failed(c.evaluation)]
        judged = [c.judged for c in counted]
        met = bool(judged) and report.median(judged) < VALIDATION and len(counted) >= 10
        good &= met
        fastest = min((c.evaluation["time"]["medianMicroseconds"] for c in counted), default=0)
        print(f"| {problem} | {len(counted)} ({len(all_of) - 1} and a first one) | {percentiles([c.compiling for c in counted])} | "
              f"{percentiles(judged)} | {percentiles([c.wall for c in counted])} | {fastest:.1f} | {'yes' if met else 'NO'} |")

    print("\n## The profile\n\nSeconds more for a candidate that is profiled; target: under 1.5 s. The worker's first profile opens CUPTI.\n")
    print("| problem | profiled | level | passes | first, s | p10 / median / p90, s | of these counters | under 1.5 s |\n|---|---|---|---|---|---|---|---|")
    first = True
    for problem, all_of in profiled.items():
        done = [c for c in all_of if c.evaluation.get("profile")]
        seconds = [c.profile for c in done]
        met = bool(seconds) and max(seconds) < PROFILE
        good &= met
        level = done[0].evaluation["profile"] if done else {}
        counters = report.median([c.evaluation["profile"]["seconds"].get("counters", 0) for c in done])
        begin = f"{seconds[0]:.2f}{' (of the worker)' if first else ''}" if seconds else "-"
        print(f"| {problem} | {len(done)} | {level.get('level', '-')} | {level.get('passes', 0)} | {begin} | "
              f"{percentiles(seconds)} | {counters:.2f} | {'yes' if met else 'NO'} |")
        first = False

    print("\n## Where the time goes\n\nMedian milliseconds by what the worker says it is doing (stamped from outside).\n")
    names = dict.fromkeys(n for all_of in plain.values() for c in all_of for n in c.outside)
    print("| phase | " + " | ".join(plain) + " |\n|---|" + "---|" * len(plain))
    for name in names:
        print(f"| {name} | " + " | ".join(
            f"{1e3 * report.median([c.outside.get(name, 0) for c in all_of[1:]]):.1f}" for all_of in plain.values()) + " |")
    rules(plain, notes)
    if notes:
        print("\n" + "\n".join(f"* {note}" for note in notes))
    with open(os.path.join(folder, "candidates.json"), "w") as file:
        json.dump({problem: [{"wall": c.wall, "phases": c.outside, "own": phase_seconds(c.evaluation),
                              "outcome": c.evaluation["outcome"], "time": c.evaluation.get("time")} for c in all_of]
                   for kind in (plain, profiled) for problem, all_of in kind.items()}, file)
    return 0 if good else 1


def rules(plain, notes):
    """What each rule adds to bare validation, from the worker's own table."""
    known = {problem: [phase_seconds(c.evaluation) for c in all_of[1:] if phase_seconds(c.evaluation)]
             for problem, all_of in plain.items()}
    names = dict.fromkeys(n for rows in known.values() for row in rows for n in row)
    if not names:
        notes.append("the evaluations have no table of phases: no overhead by rule")
        return
    print("\n## What the rules cost\n\nMedian milliseconds by the worker's own clock; a second counts once. Bare validation "
          f"is {', '.join(BARE)}, on the same\ndata and as often; the other rows are what the rules and the timing add.\n")
    print("| phase | " + " | ".join(plain) + " |\n|---|" + "---|" * len(plain))
    names = [n for n in BARE if n in names] + [n for n in names if n not in BARE and n not in ("compile", "profile")]

    def cells(of):
        return " | ".join(f"{1e3 * report.median([of(row) for row in known[problem]]):.1f}" for problem in plain)
    for name in names:
        print(f"| {name}{' (bare)' if name in BARE else ''} | {cells(lambda row: row.get(name, 0))} |")
    print(f"| **bare validation** | {cells(lambda row: sum(row.get(n, 0) for n in BARE))} |")
    print(f"| **rules and timing** | {cells(lambda row: sum(row.get(n, 0) for n in names if n not in BARE))} |")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
