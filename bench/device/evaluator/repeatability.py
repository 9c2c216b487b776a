#!/usr/bin/env python3
"""The same kernel again and again, and stock against itself.

    repeatability.py WORKER JOBS FOLDER > repeatability.md

Jobs "again.KERNEL.N": evaluations of one plan, another seed each: the spread of
their medians. Once in one warm worker, once in a fresh worker each. Jobs
"same.REGION.N": the candidate is stock itself (A/A): does the interval of the
speedup cover 1, and would it be called a winner? Jobs "winner.KERNEL.N" ask for
confirmation in fresh processes and for energy. Raw evaluations: FOLDER.
"""
import collections
import json
import os
import sys

import report
from worker import Lost, Worker, jobs_of

SPREAD, COVERED = 0.01, 18 / 20
WIN = 1.02  # WinRule.h


def evaluate(worker_path, jobs, fresh, notes):
    """The evaluations that are ok."""
    found = []
    worker = None
    for job in jobs:
        if worker is None or fresh:
            if worker:
                worker.close()
            worker = Worker(worker_path)
        try:
            evaluation, _, _ = worker.judge(job)
        except Lost as lost:
            notes.append(str(lost))
            worker = None
            continue
        if why := report.failed(evaluation):
            notes.append(f"{job['id']}: {why}")
        else:
            found.append(evaluation)
    if worker:
        worker.close()
    return found


def medians_row(kernel, how, evaluations, asked):
    medians = [e["time"]["medianMicroseconds"] for e in evaluations]
    if len(medians) < 2:
        print(f"| {kernel} | {how} | {len(medians)} of {asked} | - | - | - | - | - | NO |")
        return False
    middle = report.median(medians)
    spread = (max(medians) - min(medians)) / middle
    tenths = (report.quantile(medians, 0.9) - report.quantile(medians, 0.1)) / middle
    samples = [len(e["time"]["samplesMicroseconds"]) for e in evaluations]
    ends = report.stopped(evaluations)
    good = spread < SPREAD and len(medians) == asked
    print(f"| {kernel} | {how} | {len(medians)} of {asked} | {min(samples)} - {max(samples)} ({ends}) | {middle:.2f} | "
          f"{min(medians):.2f} - {max(medians):.2f} | {100 * spread:.2f} % | {100 * tenths:.2f} % | "
          f"{'yes' if good else 'NO'} |", flush=True)
    return good


def aa_row(region, evaluations, asked):
    intervals = [report.interval(e) for e in evaluations]
    covered = sum(low <= 1 <= high for low, high, _ in intervals)
    good = covered >= COVERED * asked
    if not intervals:
        print(f"| {region} | 0 of {asked} | - | - | - | - | - | NO |")
        return False
    speedups = [e["speedup"] for e in evaluations]
    widths = [high - low for low, high, _ in intervals]
    wins = sum(speedup >= WIN and low > 1 for speedup, (low, _, _) in zip(speedups, intervals))
    print(f"| {region} | {len(intervals)} of {asked} | {covered} | {wins} | {min(speedups):.4f} - {max(speedups):.4f} | "
          f"{100 * report.median(widths):.2f} % | {intervals[0][2]} | {'yes' if good else 'NO'} |", flush=True)
    return good


def winners(groups, worker_path, notes):
    """One confirmed winner a kernel: fresh processes and energy."""
    jobs = [job for (kind, _), group in groups.items() if kind == "winner" for job in group]
    if not jobs:
        return []
    print("\n## A winner, confirmed\n\nJudged again in fresh processes; energy of a steady loop, idle power subtracted, one standard error.\n")
    print("| kernel | speedup, interval | processes | confirmed speedups | held | energy a call, candidate | stock | "
          "idle W | extra s |\n|---|---|---|---|---|---|---|---|---|")
    found = evaluate(worker_path, jobs, False, notes)
    for e in found:
        low, high, _ = report.interval(e)
        confirmed = e.get("confirmation") or {}
        energy = e.get("energy") or {}
        phases = e.get("phases") or {}

        def joules(who):
            reading = energy.get(who) or {}
            if energy.get("state") != "measured":
                return f"{energy.get('state', 'not asked')} {energy.get('reason', '')}".strip()
            return f"{1e3 * reading['joulesPerCall']:.3f} +- {1e3 * reading['uncertaintyJoules']:.3f} mJ"
        speedups = ", ".join(f"{p['speedup']:.3f}" for p in confirmed.get("processes", []))
        extra = ", ".join(f"{name} {seconds:.1f}" for name, seconds in phases.items()
                          if name.startswith(("confirm", "energy"))) or "-"
        print(f"| {e['jobId'].split('.', 1)[1]} | {e['speedup']:.3f}, {low:.3f} - {high:.3f} | "
              f"{len(confirmed.get('processes', []))} of {confirmed.get('asked', 0)} | {speedups or '-'} | "
              f"{'yes' if confirmed.get('held') else 'NO: ' + confirmed.get('reason', 'not tried')} | "
              f"{joules('candidate')} | {joules('stock')} | {energy.get('idleWatts', 0):.1f} | {extra} |", flush=True)
    return found


def main(words):
    if len(words) != 3:
        print(__doc__)
        return 2
    worker_path, jobs_file, folder = words
    os.makedirs(folder, exist_ok=True)
    groups = collections.OrderedDict()
    for job in jobs_of(jobs_file):
        kind, name, _ = job["id"].rsplit(".", 2)
        groups.setdefault((kind, name), []).append(job)
    notes, raw, good, kept = [], {}, True, []
    print(report.head("Repeatability on a GPU", "bash bench/device/evaluator.sh repeatability", worker_path))
    print("Target: spread of the medians (largest - smallest over their median) under 1 %. Another seed each, so other data.\n")
    print("| kernel | worker | evaluations | samples each (why no more) | median of medians, us | range, us | spread | p90 - p10 | "
          "under 1 % |\n|---|---|---|---|---|---|---|---|---|")
    for (kind, name), jobs in groups.items():
        if kind != "again":
            continue
        rows = []
        for key, how in (("", "one, warm"), (".fresh", "fresh each")):
            raw[f"{kind}.{name}{key}"] = found = evaluate(worker_path, jobs, bool(key), notes)
            rows.append(medians_row(name, how, found, len(jobs)))
        if all(rows):
            kept.append(name)
    good &= bool(kept)
    print(f"\nUnder 1 % in both ways: {', '.join(kept) or 'none'}. Events have a resolution of 32 ns, 0.1 % of 32 us.")
    print("\nA/A: the candidate is stock's own plan. Target: the interval of the speedup covers 1 at least 18 of 20 times.\n")
    print("| region | comparisons | cover 1 | would win | speedups | width of the interval, median | interval by | 18 of 20 |\n"
          "|---|---|---|---|---|---|---|---|")
    for (kind, name), jobs in groups.items():
        if kind != "same":
            continue
        raw[f"{kind}.{name}"] = found = evaluate(worker_path, jobs, False, notes)
        good &= aa_row(name, found, len(jobs))
    raw["winner"] = winners(groups, worker_path, notes)
    if notes:
        print("\n" + "\n".join(f"* {note}" for note in notes))
    for evaluations in raw.values():
        for evaluation in evaluations:
            for key in ("images", "stockImages"):
                evaluation.pop(key, None)
    with open(os.path.join(folder, "evaluations.json"), "w") as file:
        json.dump(raw, file)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
