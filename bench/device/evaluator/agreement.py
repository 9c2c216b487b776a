#!/usr/bin/env python3
"""The worker's times against ncu and against a plain event loop, like with like.

    agreement.py WORKER EVENT_LOOP JOBS FOLDER > agreement.md

Kernels of more than 50 us. Cold: L2 flushed before each launch (the worker and
the loop read twice its size, ncu has --cache-control all). Raw files: FOLDER.
"""
import base64
import csv
import io
import json
import math
import os
import re
import subprocess
import sys
import time

import report
from worker import Lost, Worker, jobs_of

TARGET = 0.02


def value_of(text, names):
    """A plan's integer expression; division is towards zero there."""
    def ceildiv(a, b):
        return -(-a // b)
    text = str(text).replace("/", "//").replace("&&", " and ").replace("||", " or ")
    return eval(text, {"__builtins__": {}, "ceildiv": ceildiv, "min": min, "max": max}, names)


WIDTHS = {"f64": 8, "i64": 8, "f32": 4, "i32": 4, "f16": 2, "bf16": 2, "i16": 2, "i8": 1, "u8": 1, "bool": 1}


def arguments(job):
    """Words of event_loop for the arguments of the plan's only kernel."""
    spec, plan = job["spec"], job["candidate"]
    names = {d["name"]: d["value"] for side in ("arguments", "results")
             for t in spec[side] for d in t["dims"]}
    names.update({t["name"]: t["chosen"] for t in plan["tunables"]})
    buffers = {b["name"]: b for b in plan["buffers"]}
    for arg in plan["steps"][0]["args"]:
        kind = next((k for k in ("i64", "i32") if isinstance(arg, dict) and k in arg), None)
        if kind:
            yield f"i64:{value_of(arg[kind], names)}"
            continue
        buffer = buffers[arg["buffer"] if isinstance(arg, dict) else arg]
        if buffer["kind"] not in ("argument", "result"):
            yield f"out:{value_of(buffer['sizeBytes'], names)}"
            continue
        side = "arguments" if buffer["kind"] == "argument" else "results"
        tensor = spec[side][buffer["index"]]
        count = math.prod(d["value"] for d in tensor["dims"])
        yield f"{'in' if side == 'arguments' else 'out'}:{count * WIDTHS[tensor['dtype']]}"


def ncu_times(path, entry, cache, skip, command, log):
    """gpu__time_duration of each launch, microseconds; none where ncu fails."""
    options = ["--clock-control", "none", "--cache-control", cache, "--csv", "--page", "raw",
               "--print-units", "base", "--kernel-name", f"regex:^{re.escape(entry)}$",
               "--launch-skip", skip, "--launch-count", "18", "--metrics",
               "gpu__time_duration.sum", "--log-file", path]
    try:
        subprocess.run(["ncu", *options, *command], stdout=log, stderr=log, timeout=90)
        with open(path) as file:
            text = "".join(line for line in file if not line.startswith("=="))
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"ncu: {error}", file=log)
        return []
    rows = list(csv.reader(io.StringIO(text)))
    if len(rows) < 3 or "gpu__time_duration.sum" not in rows[0]:
        return []
    column = rows[0].index("gpu__time_duration.sum")
    return [float(row[column].replace(",", "")) / 1e3 for row in rows[2:] if len(row) > column]


def measure(name, job, evaluation, loop, folder):
    """Samples of the event loop (cold, warm) and of ncu, microseconds."""
    kernel = evaluation["profile"]["kernels"][0]
    entry = job["candidate"]["steps"][0]["entry"]
    stem = os.path.join(folder, name)
    with open(stem + ".cubin", "wb") as file:
        file.write(base64.b64decode(evaluation["images"][0]["cubin"]))
    sizes = [",".join(map(str, kernel[key])) for key in ("grid", "block")]
    words = [stem + ".cubin", entry, *sizes, str(kernel["dynamicSharedBytes"])]
    args = list(arguments(job))
    with open(stem + ".log", "w") as log:
        done = subprocess.run([loop, *words, "50", *args], stdout=subprocess.PIPE, stderr=log,
                              text=True, timeout=60)
        times = json.loads(done.stdout) if done.returncode == 0 else {"cold": [], "warm": []}
        found = {"loop": times["cold"], "loop warm": times["warm"]}
        # Of the loop's launches the first half runs behind a flush.
        for key, cache, skip in (("ncu", "all", "2"), ("ncu flushed", "none", "2"),
                                 ("ncu warm", "none", "25")):
            found[key] = ncu_times(f"{stem}.{key.replace(' ', '-')}.csv", entry, cache, skip,
                                   [loop, *words, "20", *args], log)
    return found


def main(words):
    if len(words) != 4:
        print(__doc__)
        return 2
    worker_path, loop, jobs_file, folder = words
    os.makedirs(folder, exist_ok=True)
    jobs = {job["id"]: job for job in jobs_of(jobs_file)}
    evaluations, notes = {}, []
    worker = Worker(worker_path)
    for name, job in jobs.items():
        try:
            evaluations[name], _, _ = worker.judge(job)
        except Lost as lost:
            notes.append(f"{name}: no evaluation: {lost}")
            worker = Worker(worker_path)
            continue
        if why := report.failed(evaluations[name]):
            notes.append(f"{name}: {why}")
            del evaluations[name]
    worker.close()
    with open(os.path.join(folder, "evaluations.jsonl"), "w") as file:
        for evaluation in evaluations.values():
            file.write(json.dumps(evaluation) + "\n")

    print(report.head("Agreement of times on a GPU", "bash bench/device/evaluator.sh agreement", worker_path))
    print("Target: within 2 % for kernels of more than 50 us. Medians, cold L2. CUPTI: the worker's profile (activity\n"
          "records); ncu: `--clock-control none --cache-control all`, gpu__time_duration; ncu, our flush: the same with\n"
          "`--cache-control none`, after the L2 was read over as the worker does it, for information: it tells the clock from\n"
          "the treatment of caches; events: the worker's time of the plan; loop: `bench/device/event_loop.cpp`, the same code.\n")
    print("| kernel | CUPTI, us | ncu, us | CUPTI / ncu | ncu, our flush, us | events, us | loop, us | events / loop | within 2 % |\n"
          "|---|---|---|---|---|---|---|---|---|")
    good = compared = 0
    raw, warm = {}, []
    for name, evaluation in evaluations.items():
        kernels = (evaluation.get("profile") or {}).get("kernels", [])
        if len(kernels) != 1:
            reason = (evaluation.get("profile") or {}).get("reason", "no profile")
            notes.append(f"{name}: {len(kernels)} kernels in its profile, not compared. {reason}")
            continue
        began = time.monotonic()
        try:
            found = raw[name] = measure(name, jobs[name], evaluation, loop, folder)
        except (subprocess.TimeoutExpired, OSError, ValueError, KeyError) as error:
            notes.append(f"{name}: {type(error).__name__}: {str(error)[:200]}")
            continue
        cupti, events = kernels[0]["medianMicroseconds"], evaluation["time"]["medianMicroseconds"]
        ncu, cold = report.median(found["ncu"]), report.median(found["loop"])
        if not ncu or not cold:
            notes.append(f"{name}: ncu has {len(found['ncu'])} times, the loop {len(found['loop'])}; see its log")
        near = bool(ncu and cold and abs(cupti / ncu - 1) < TARGET and abs(events / cold - 1) < TARGET)
        counts = cold > 50
        compared += counts
        good += near and counts
        verdict = ("yes" if near else "NO") + ("" if counts else ", but under 50 us")
        print(f"| {name} | {cupti:.2f} | {ncu:.2f} | {report.off(cupti, ncu)} | "
              f"{report.median(found['ncu flushed']):.2f} | {events:.2f} | {cold:.2f} | "
              f"{report.off(events, cold)} | {verdict} |", flush=True)
        own = evaluation["time"].get("warm") or {}
        warm.append((name, own.get("medianMicroseconds", 0), report.median(found["loop warm"]),
                     report.median(found["ncu warm"])))
        print(f"[agreement] {name}: {time.monotonic() - began:.1f} s", file=sys.stderr)
    print(f"\n{good} of {compared} within 2 %.\n")
    print("Warm, for information. These are not alike, so no agreement is claimed: before the worker's warm run its\n"
          "inputs were just written; the loop and ncu (`--cache-control none`) run the kernel again and again on the same data.\n")
    print("| kernel | worker warm, us | loop again, us | ncu again, us |\n|---|---|---|---|")
    for name, own, loop_warm, ncu_warm in warm:
        print(f"| {name} | {f'{own:.2f}' if own else 'not measured'} | {loop_warm:.2f} | {ncu_warm:.2f} |")
    if notes:
        print("\n" + "\n".join(f"* {note}" for note in notes))
    with open(os.path.join(folder, "samples.json"), "w") as file:
        json.dump(raw, file)
    return 0 if compared >= 5 and good == compared else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
