"""Kills a run at many moments, resumes it, compares: killed.py SAMPLE RECORDED
FOLDER [SEED].

The undisturbed run says what is right: the output and what the log tells. Each
other run is killed (SIGKILL) a random part of that time after its start, twice,
then runs to its end. The moments differ between machines; the results may not.
"""
import json
import pathlib
import random
import shutil
import subprocess
import sys
import time

sample, recorded, folder = sys.argv[1:4]
seed = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(1 << 30)
rng = random.Random(seed)
folder = pathlib.Path(folder)
TOLD = ("event", "specHash", "attempt", "call", "outcome", "status", "speedup")


def start(name):
    return subprocess.Popen(
        ["kernelclaw-opt", sample, "-o", folder / f"{name}.mlir",
         "--llm-optimize=provider=expert evaluator=replay "
         f"replay={recorded} store={folder}/{name}-store "
         f"run-dir={folder}/{name} max-attempts=3"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def finish(name):
    process = start(name)
    log = process.communicate()[0]
    assert process.returncode == 0, f"{name}: seed {seed}: {log}"
    return (folder / f"{name}.mlir").read_text()


def events(name):
    """What the log tells, in order; its numbering must have no gap."""
    lines = (folder / name / "events.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    assert [r["seq"] for r in records] == list(range(len(records))), name
    return [tuple(r.get(key) for key in TOLD) for r in records
            if r["event"] in ("region_started", "reply", "evaluated")]


shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
begin = time.monotonic()
right = finish("whole")
whole = time.monotonic() - begin
told = events("whole")
killed = 0
for i in range(12):
    name = f"killed-{i}"
    for _ in range(2):
        process = start(name)
        time.sleep(rng.uniform(0, whole))
        process.kill()
        process.communicate()
        killed += process.returncode < 0
    assert finish(name) == right, f"{name}: seed {seed}: another output"
    assert events(name) == told, f"{name}: seed {seed}: {events(name)}"
    left = [p for p in (folder / name).rglob("*") if ".tmp" in p.name]
    assert len(left) <= 2, f"{name}: {left}"
print("killed some:", killed > 0)
print("events:", len(told))
