#!/usr/bin/env python3
"""Kills a run with SIGKILL at random points, resumes it, and compares.

usage: killed_runs.py PROGRAM STRATEGY KILLS [SEED]

PROGRAM DIR STRATEGY (unittests/Agent/ScriptedRun.cpp) does the same run each time. Each
trial is killed one to three times, then left to end. Then what it prints (the
outcomes and the store), the files of every attempt and summary.json must equal
those of a run that nobody disturbed, but for times and calls that a kill cut
off; no call with a recorded answer was made twice, and every call that the
model saw is booked.
"""
import collections
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# Differs from run to run: time that passed, what the kills lost, the run's name.
TIMES = {"wallSeconds", "lost", "id"}


def without_times(value):
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if k not in TIMES}
    if isinstance(value, list):
        return [without_times(v) for v in value]
    return value


def attempt_files(run):
    """Every file of every attempt, by its path."""
    return {
        str(path.relative_to(run)): path.read_bytes()
        for path in sorted((run / "regions").rglob("*"))
        if path.is_file()
    }


def events(run):
    return [json.loads(line) for line in open(run / "events.jsonl")]


def call_id(event):
    return (event["specHash"], event["attempt"], event["call"])


def invoice_id(line):
    parts = line.split("-")
    return (parts[0], int(parts[1]), int(parts[2]) if len(parts) > 2 else 1)


class Trial:
    def __init__(self, program, strategy, folder):
        self.program = program
        self.strategy = strategy
        self.folder = folder
        self.run = folder / "run"
        folder.mkdir()

    def start(self):
        return subprocess.Popen(
            [self.program, str(self.folder), self.strategy],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def kill_after(self, seconds):
        """False when it ended before."""
        process = self.start()
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        return process.returncode == -signal.SIGKILL

    def finish(self):
        process = self.start()
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, f"exit {process.returncode}: {err}"
        return out

    def check_books(self):
        booked = collections.Counter()
        answered = collections.Counter()
        for event in events(self.run):
            if event["event"] == "reply":
                booked[call_id(event)] += 1
                answered[call_id(event)] += 1
            if event["event"] == "call_lost":
                booked[call_id(event)] += 1
        lines = (self.folder / "invoice").read_text().splitlines()
        seen = collections.Counter(invoice_id(line) for line in lines)
        for call, times in seen.items():
            assert times <= booked[call], f"{call}: {times} calls, {booked[call]} booked"
        twice = [call for call, times in answered.items() if times > 1]
        assert not twice, f"answered and asked again: {twice}"

    def check_total(self):
        summary = json.loads((self.run / "summary.json").read_text())
        last = events(self.run)[-1]
        total = summary["total"]
        lost = total.get("lost", {"tokens": 0})
        spent = total["inputTokens"] + total["outputTokens"] + lost["tokens"]
        told = last["inputTokens"] + last["outputTokens"]
        assert spent == told, f"summary has {spent} tokens, the ledger {told}"


def compare(trial, out, expected_out, expected):
    assert out == expected_out, f"outcomes differ:\n{out}\ninstead of\n{expected_out}"
    files, wanted = attempt_files(trial.run), attempt_files(expected.run)
    different = [p for p in files.keys() | wanted.keys() if files.get(p) != wanted.get(p)]
    assert not different, f"files differ: {sorted(different)}"
    for name in ("summary.json", "run.json"):
        found, right = (
            without_times(json.loads((t.run / name).read_text())) for t in (trial, expected)
        )
        assert found == right, f"{name} differs"
    trial.check_books()
    trial.check_total()


def main():
    program, strategy, kills = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(1 << 30)
    print(f"seed {seed}")
    chance = random.Random(seed)
    # Memory, where there is some: an fsync on a busy disk takes its time.
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    root = pathlib.Path(tempfile.mkdtemp(prefix="kclaw-killed-", dir=base))
    try:
        undisturbed = Trial(program, strategy, root / "undisturbed")
        began = time.monotonic()
        expected = undisturbed.finish()
        takes = time.monotonic() - began
        undisturbed.check_books()
        print(expected, end="")
        done = trials = lost = 0
        while done < kills:
            trials += 1
            trial = Trial(program, strategy, root / f"trial-{trials}")
            for _ in range(chance.randint(1, 3)):
                done += trial.kill_after(chance.uniform(0, takes))
            compare(trial, trial.finish(), expected, undisturbed)
            lost += sum(e["event"] == "call_lost" for e in events(trial.run))
            shutil.rmtree(trial.folder)
        print(f"{strategy}: {done} kills in {trials} runs of {takes:.2f} s: each ended as if undisturbed; "
              f"{lost} calls were under way at a kill")
    finally:
        shutil.rmtree(root)


if __name__ == "__main__":
    main()
