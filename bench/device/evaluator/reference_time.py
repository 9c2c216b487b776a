#!/usr/bin/env python3
"""f64 reference time and memory of the largest problem of each operator family.

    reference_time.py WORKER JOBSFOLDER FOLDER SECONDS > reference-time.md

JOBSFOLDER has reference.jsonl, families.tsv (name, family, problem) and
missing.tsv (name, why it has no reference). Each reference runs alone by
`kernelclaw-worker --time-references`. Ends after SECONDS. Raw lines: FOLDER.
"""
import json
import math
import os
import subprocess
import sys
import time

import report
from worker import jobs_of

LIMIT = 1.0  # seconds; the issue's
# Why a reference may take longer; by name in families.py.
REASONS = {}


def table_of(path):
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return [line.rstrip("\n").split("\t") for line in file if line.strip()]


def shapes(spec):
    def text(tensor):
        size = "x".join(str(d["value"]) for d in tensor["dims"]) or "scalar"
        return size + ("" if tensor["dtype"] == "f32" else " " + tensor["dtype"])
    arguments = ", ".join(text(t) for t in spec["arguments"])
    return f"{arguments} -> {', '.join(text(t) for t in spec['results'])}"


def costs_of(worker_path, jobs, log, seconds):
    """Name -> the worker's line; a worker that ends is followed by another."""
    found, left = {}, list(jobs)
    deadline = time.monotonic() + seconds
    while left and time.monotonic() < deadline:
        text = "".join(json.dumps(job, separators=(",", ":")) + "\n" for job in left)
        try:
            done = subprocess.run([worker_path, "--device=cuda", "--time-references"], input=text,
                                  stdout=subprocess.PIPE, stderr=log, text=True,
                                  timeout=deadline - time.monotonic())
            answers = done.stdout
        except subprocess.TimeoutExpired as late:
            answers = (late.stdout or b"").decode() if isinstance(late.stdout, bytes) else late.stdout or ""
        lines = [json.loads(line) for line in answers.splitlines() if line.startswith("{")]
        for line in lines:
            found[line["jobId"]] = line
        if len(lines) < len(left) and time.monotonic() < deadline:
            name = left[len(lines)]["id"]
            found[name] = {"jobId": name, "ok": False, "message": "the worker ended without an answer"}
            lines.append(found[name])
        left = left[len(lines):]
    for job in left:
        found.setdefault(job["id"], {"jobId": job["id"], "ok": False,
                                     "message": f"not reached within {seconds:.0f} s"})
    return found


def gib(size):
    return f"{size / 2 ** 30:.2f}"


def main(words):
    if len(words) != 4:
        print(__doc__)
        return 2
    worker_path, jobs_folder, folder, seconds = words
    os.makedirs(folder, exist_ok=True)
    jobs = {job["id"]: job for job in jobs_of(os.path.join(jobs_folder, "reference.jsonl"))}
    missing = dict(table_of(os.path.join(jobs_folder, "missing.tsv")))
    with open(os.path.join(folder, "worker.log"), "w") as log:
        costs = costs_of(worker_path, jobs.values(), log, float(seconds))
    with open(os.path.join(folder, "costs.jsonl"), "w") as file:
        file.writelines(json.dumps(cost) + "\n" for cost in costs.values())
    print(report.head("f64 reference: time and memory", "bash bench/device/evaluator.sh reference-time", worker_path))
    print("The largest KernelBench problem of each operator family (`bench/device/evaluator/families.py` says how chosen; LEVEL-NUMBER).\n"
          "Median of three runs after one, by events, L2 as it is. Memory: what the reference needs besides the arguments, that is f64 results and workspaces.\n"
          "Target: none over 1 s unless the last column says why.\n")
    print("| family | problem | sizes | steps | reference, ms | GFLOP/s | results, GiB | workspaces, GiB | arguments, GiB | |\n"
          "|---|---|---|---|---|---|---|---|---|---|")
    slow, bad, without, unexplained = 0, [], [], []
    for name, family, problem in table_of(os.path.join(jobs_folder, "families.tsv")):
        what = f"| {family} | {problem}, {name} |"
        if name in missing:
            print(f"{what} - | - | - | - | - | - | - | no reference: {missing[name]} |")
            without.append(name)
            continue
        spec = jobs[name]["spec"]
        cost = costs.get(name, {"ok": False, "message": "no answer"})
        if not cost.get("ok"):
            print(f"{what} {shapes(spec)} | - | - | - | - | - | - | not measured: {cost.get('message', '')[:200]} |")
            bad.append(name)
            continue
        taken = report.median(cost["milliseconds"])
        note = ""
        if taken > LIMIT * 1e3:
            slow += 1
            note = REASONS.get(name, "NOT EXPLAINED")
            unexplained += [name] if name not in REASONS else []
        flops = spec.get("flops", 0)
        rate = f"{flops / taken / 1e6:.0f}" if flops and math.isfinite(flops) else "-"
        print(f"{what} {shapes(spec)} | {cost['steps']} | {taken:.2f} | {rate} | {gib(cost['resultBytes'])} | "
              f"{gib(cost['workspaceBytes'])} | {gib(cost['argumentBytes'])} | {note} |")
    print(f"\n{len(costs)} references measured or tried, {slow} over 1 s ({len(unexplained)} of them without a reason here), "
          f"{len(bad)} not measured{': ' + ', '.join(bad) if bad else ''}, "
          f"{len(without)} families without any reference{': ' + ', '.join(without) if without else ''}.")
    return 1 if bad or unexplained else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
