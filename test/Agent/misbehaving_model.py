#!/usr/bin/env python3
"""A run whose model misbehaves in every region, each in its own way.

usage: misbehaving_model.py PROGRAM STRATEGY REGIONS

PROGRAM: kernelclaw-opt, whose kernels run on the simulator, or AgentCommandRun
(unittests/Agent/CommandRun.cpp), whose evaluator reads the source.

The run must end by itself, with every region won or kept, within its budget to
the token, and with a record that is whole.
"""
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

inputs = pathlib.Path(__file__).parent / "Inputs"
sys.path.insert(0, str(inputs))
from misbehave import ways

CAP = 3_000_000
KEY = "sk-secret-0123456789abcdef"


def run_it(tool, strategy, regions, folder):
    model = f"{shlex.quote(sys.executable)} {shlex.quote(str(inputs / 'misbehave.py'))}"
    if "kernelclaw-opt" not in tool:
        command = [tool, str(folder / "run"), model, strategy, str(regions), str(CAP)]
    else:
        module = folder / "module.mlir"
        module.write_text(subprocess.run(
            [sys.executable, inputs / "thirty.py", str(regions)], check=True,
            capture_output=True, text=True).stdout)
        options = (f"provider=command command=\"{model}\" strategy={strategy} "
                   f"device=sim accept=simulated verify=none store=none "
                   f"run-dir={folder}/run max-attempts=3 max-tokens={CAP} "
                   f"call-seconds=5 seeds=1 key-variable=KERNELCLAW_API_KEY")
        command = [tool, str(module), "-o", str(folder / "out.mlir"),
                   f"--llm-optimize={options}"]
    return subprocess.run(command, capture_output=True, text=True, errors="replace",
                          env=dict(os.environ, KERNELCLAW_API_KEY=KEY))


def check_record(run):
    """Every call has its question and its answer, every attempt its verdict."""
    events = [json.loads(line) for line in open(run / "events.jsonl")]
    open_calls = {}
    for event in events:
        if "call" not in event:
            continue
        call = (event["specHash"], event["attempt"], event["call"])
        if event["event"] == "call_started":
            open_calls[call] = event
        elif event["event"] in ("reply", "call_ended", "call_lost"):
            open_calls.pop(call)
        if event["event"] == "reply":
            suffix = f"-{event['call']}" if event["call"] > 1 else ""
            attempt = run / "regions" / call[0] / f"attempt-{call[1]}"
            for kind in ("prompt", "reply"):
                json.loads((attempt / f"{kind}{suffix}.json").read_text())
    assert not open_calls, f"calls without an end: {list(open_calls)}"
    for attempt in run.glob("regions/*/attempt-*"):
        assert (attempt / "evaluation.json").exists(), f"no verdict in {attempt}"
    return events


def check_summary(run, regions, events):
    summary = json.loads((run / "summary.json").read_text())
    total = summary["total"]
    lost = total.get("lost", {"tokens": 0})["tokens"]
    spent = total["inputTokens"] + total["outputTokens"] + lost
    assert spent <= CAP, f"{spent} tokens, the cap is {CAP}"
    assert spent == events[-1]["inputTokens"] + events[-1]["outputTokens"]
    assert len(summary["regions"]) == regions
    verdicts = {}
    for region in summary["regions"]:
        verdicts.setdefault(region["verdict"], []).append(region["symbols"][0])
    assert set(verdicts) <= {"won", "kept", "budget"}, verdicts
    assert summary["status"] in ("finished", "budget"), summary["status"]
    return summary, verdicts


def check_no_key(folder, errors):
    assert KEY not in errors, "the key is in the messages"
    for path in folder.rglob("*"):
        if path.is_file():
            assert KEY.encode() not in path.read_bytes(), f"the key is in {path}"


def main():
    tool, strategy, regions = sys.argv[1], sys.argv[2], int(sys.argv[3])
    assert 25 <= regions <= len(ways), f"there are {len(ways)} ways"
    folder = pathlib.Path(tempfile.mkdtemp(prefix="kclaw-misbehaving-"))
    began = time.monotonic()
    try:
        result = run_it(tool, strategy, regions, folder)
        print(result.stderr[-6000:])
        assert result.returncode in (0, 3), f"exit code {result.returncode}"
        if "kernelclaw-opt" in tool:
            assert (folder / "out.mlir").stat().st_size > 0
        events = check_record(folder / "run")
        summary, verdicts = check_summary(folder / "run", regions, events)
        check_no_key(folder, result.stderr)
        total = summary["total"]
        print(f"{strategy}: {regions} regions, {len(ways)} ways; "
              + ", ".join(f"{len(v)} {k}" for k, v in sorted(verdicts.items()))
              + f"; {total['calls']} calls, "
              f"{total['inputTokens'] + total['outputTokens']} tokens, "
              f"{time.monotonic() - began:.0f} s")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
