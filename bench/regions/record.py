#!/usr/bin/env python3
"""Packs what rounds.sh left into a record that replays without a GPU.

    python record.py FOLDER NAME...   # from .stage/regions (STAGE: elsewhere)

Writes FOLDER/NAME.tar.xz for each region, its run directory without the prompts
(which can be made again) and with machine code of the best attempt only, and
NAME.json with the attempts as they were. test/Regions/replay.py resumes them.
"""
import io
import json
import os
import pathlib
import re
import sys
import tarfile

# Where it was judged is nobody's business.
folders = re.compile(rb"/[^\s\"']*/\.stage/(?:[^\s\"']*/)?regions/")
stage = pathlib.Path(os.environ.get("STAGE", ".stage/regions"))


def pack(path, files):
    with tarfile.open(path, "w:xz", preset=9) as tar:
        for name, data in sorted(files.items()):
            data = folders.sub(b"regions/", data)
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))


def spent(name):
    """By attempt: calls, tokens in and out, seconds of the GPU (checks too)."""
    rows = {}
    for line in open(stage / name / "run" / "events.jsonl"):
        event = json.loads(line)
        row = rows.setdefault(event.get("attempt", 0),
                              {"calls": 0, "tokens": 0, "gpuSeconds": 0.0})
        if event["event"] == "reply":
            row["calls"] += 1
            row["tokens"] += event["inputTokens"] + event["outputTokens"]
        if event["event"].endswith("evaluated"):
            row["gpuSeconds"] += event.get("deviceSeconds", 0.0)
    return rows


def attempts(name):
    """What the region came to: numbers as they were measured."""
    run = stage / name / "run"
    spec = next((run / "regions").iterdir())
    used = spent(name)
    rows = []
    for folder in sorted(spec.glob("attempt-*"),
                         key=lambda f: int(f.name.split("-")[1])):
        path = folder / "evaluation.json"
        if not path.exists():
            continue
        e = json.loads(path.read_text())
        number = int(folder.name.split("-")[1])
        rows.append({"attempt": number, **used.get(number, {}),
                     "outcome": e["outcome"], "rule": e["rule"],
                     "speedup": e["speedup"],
                     "microseconds": e["time"]["medianMicroseconds"],
                     "stockMicroseconds": e["stockTime"]["medianMicroseconds"]})
    return rows


def without_code(evaluation, best):
    evaluation["stockImages"] = []
    if not best:
        for image in evaluation["images"]:  # the PTX tells features
            image["cubin"] = image["fatbin"] = ""


def run_files(name, best):
    run = stage / name / "run"
    for path in run.rglob("*"):
        where = path.relative_to(run)
        if not path.is_file() or where.parts[0] == "exchange" or path.suffix == ".pid" \
                or path.name.startswith("prompt") or path.name == "job.json":
            continue
        data = path.read_bytes()
        if path.name == "evaluation.json":
            evaluation = json.loads(data)
            without_code(evaluation, path.parent.name == f"attempt-{best}")
            data = json.dumps(evaluation).encode()
        elif path.name.startswith("tool-"):
            answer = json.loads(data)
            if answer.get("evaluation"):
                without_code(answer["evaluation"], False)
            data = json.dumps(answer).encode()
        yield str(where), data


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:]:
        rows = attempts(name)
        right = [row for row in rows if row["outcome"] == "ok"]
        best = min(right, key=lambda row: row["microseconds"])["attempt"] if right else 0
        files = dict(run_files(name, best))
        pack(folder / f"{name}.tar.xz", files)
        strategy = json.loads((stage / name / "run" / "run.json").read_text())["strategy"]
        (folder / f"{name}.json").write_text(json.dumps(
            {"strategy": strategy, "attempts": rows}, indent=1) + "\n")
        print(f"{name}: {len(rows)} attempts, {len(files)} files, "
              f"{(folder / f'{name}.tar.xz').stat().st_size >> 10} KiB")


if __name__ == "__main__":
    main()
