#!/usr/bin/env python3
"""Regions that were optimised for real on an H200, again from their record.

usage: replay.py KERNELCLAW_OPT

Record: one NAME.tar.xz a region, its run directory, and NAME.json with what came
of it (bench/regions/record.py). A resumed run takes the same course from its log,
whatever prompts and memory bank are by now: each attempt must end as it did, no
job be posted, and where the search is over the module hold the same winner. A
search that was left asks its next question. Nothing is measured here.
"""
import json
import pathlib
import subprocess
import sys
import tarfile
import tempfile

here = pathlib.Path(__file__).resolve().parent
exports = here.parents[1] / "bench" / "regions" / "exports"


def unpack(archive, folder):
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return folder


def replay(tool, name, work):
    known = json.loads((here / "record" / f"{name}.json").read_text())
    run = unpack(here / "record" / f"{name}.tar.xz", work / name)
    module = work / f"{name}.mlir"
    mailbox = work / f"{name}.mailbox"
    options = (f"provider=exchange evaluator=mailbox mailbox-dir={mailbox} "
               f"strategy={known['strategy']} store=none granularity=function "
               f"verify=none cpu-fallback=false seeds=2 max-attempts=8 "
               f"max-tokens=2000000 progress=plain run-dir={run}")
    result = subprocess.run(
        [tool, str(exports / f"{name}.mlir"), "-o", str(module),
         f"--llm-optimize={options}"], capture_output=True, text=True)
    told = f"{name}: {result.returncode}\n{result.stderr[-3000:]}"
    over = result.returncode in (0, 3)
    assert over or result.returncode == 75, told
    assert not list((mailbox / "jobs").iterdir()), f"judged again: {told}"
    right = [row for row in known["attempts"] if row["outcome"] == "ok"]
    best = min(right, key=lambda row: row["microseconds"])
    for row in known["attempts"]:
        line = (f"attempt {row['attempt']}: {row['outcome']}"
                + (f", {row['speedup']:.2f}x of stock" if row["speedup"] else ""))
        assert line in result.stderr, f"no '{line}' in {told}"
    if over:
        assert f"won: {best['speedup']:.2f}x of stock" in result.stderr, told
        assert "_won" in module.read_text(), f"no winner in the module: {told}"
    print(f"{name}: {len(known['attempts'])} attempts, best {best['attempt']}: "
          f"{best['speedup']:.2f}x of stock" + ("" if over else "; asks on"))


def main():
    tool = sys.argv[1]
    names = sorted(path.stem for path in (here / "record").glob("*.json"))
    assert names, "no record"
    with tempfile.TemporaryDirectory(prefix="kclaw-regions-") as folder:
        work = pathlib.Path(folder)
        for name in names:
            replay(tool, name, work)


if __name__ == "__main__":
    main()
