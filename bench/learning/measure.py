#!/usr/bin/env python3
"""Judges every plan of every packed region on this machine's GPU.

    measure.py FOLDER ROWS [--seconds N] [--device sim] [--by-rank]

FOLDER is what pack.sh made. Appends to ROWS one JSON object a plan: region,
rank (the expert's own order), skeleton, parameters, outcome, microseconds of
plan and stock, speedup, device, driver, and the time of a control kernel (one
plan of one region, where it was packed, judged again every 25 rows), by which
batches of different days can be compared. --by-rank: the best plan of every
region first, then every second one. A plan that has a row already is left out, so a batch
that was cut short goes on where it ended. Exit 0: every plan has a row.
"""
import argparse
import json
import lzma
import os
import re
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../device/evaluator"))
sys.path.insert(0, HERE)  # as pack.sh lays it
from worker import Worker  # noqa: E402


def parameters(plan):
    chosen = {}
    for tunable in plan.get("tunables", []):
        chosen[tunable["name"]] = tunable.get("chosen", tunable["values"][0])
    return chosen


def job(region, name, plan):
    made = {"id": name, "spec": region["spec"], "candidate": plan,
            "stock": region["stock"], "reference": region["reference"],
            "arch": "sm_90a", "seed": 1, "timeoutSeconds": 20,
            "maxTimingSeconds": 0.3, "maxSweepSeconds": 0}
    if "libraryStock" in region:
        made["libraryStock"] = region["libraryStock"]
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("rows")
    parser.add_argument("--seconds", type=float, default=500)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--by-rank", action="store_true")
    options = parser.parse_args()
    end = time.time() + options.seconds
    done = set()
    if os.path.exists(options.rows):
        for line in open(options.rows):
            row = json.loads(line)
            done.add((row["region"], row["rank"]))
    with lzma.open(os.path.join(options.folder, "regions.jsonl.xz"), "rt") as file:
        regions = [json.loads(line) for line in file]
    control = next((r for r in regions if r["name"].startswith("norm-rms_norm") and r["arms"]), None)
    arms = [(region, rank, plan) for region in regions
            for rank, plan in enumerate(region["arms"])]
    if options.by_rank:
        arms.sort(key=lambda arm: arm[1])
    commit = open(os.path.join(options.folder, "commit")).read().strip()
    worker = Worker(os.path.join(options.folder, "kernelclaw-worker"), options.device)
    judged = left = 0
    control_us = None
    with open(options.rows, "a") as out:
        for region, rank, plan in arms:
            if (region["name"], rank) in done:
                continue
            if time.time() > end:
                left += 1
                continue
            if control and judged % 25 == 0:
                answer, *_ = worker.judge(job(control, "control", control["arms"][0]))
                control_us = answer.get("time", {}).get("medianMicroseconds")
            answer, *_ = worker.judge(job(region, f"{region['name']}-{rank}", plan))
            judged += 1
            skeleton = re.match(r"\w+", plan["title"]).group(0)
            row = {"region": region["name"], "specHash": region["spec"]["specHash"],
                   "rank": rank, "skeleton": skeleton,
                   "parameters": parameters(plan), "title": plan["title"],
                   "outcome": answer["outcome"], "rule": answer.get("rule", ""),
                   "evidence": answer.get("evidence", ""),
                   "microseconds": answer.get("time", {}).get("medianMicroseconds", 0),
                   "stockMicroseconds": answer.get("stockTime", {}).get("medianMicroseconds", 0),
                   "speedup": answer.get("speedup", 0),
                   "flops": region["spec"].get("flops", 0),
                   "stock": answer.get("stock", {}),
                   "device": answer.get("time", {}).get("device", ""),
                   "driver": answer.get("driverVersion", ""),
                   "nvrtc": answer.get("nvrtcVersion", ""),
                   "controlMicroseconds": control_us, "commit": commit,
                   "day": time.strftime("%F", time.gmtime())}
            out.write(json.dumps(row) + "\n")
            out.flush()
            if judged % 50 == 0:
                print(f"{judged} judged, {end - time.time():.0f} s left", file=sys.stderr)
    print(f"{judged} judged now, {len(done)} before, {left} left")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
