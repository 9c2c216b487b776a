"""The whole flow with everything in one folder: odd_paths.py FOLDER SAMPLE."""
import json
import os
import pathlib
import shutil
import subprocess
import sys

folder, sample = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
temporary = folder / "tmp"
temporary.mkdir(parents=True, exist_ok=True)
environment = dict(os.environ, TMPDIR=str(temporary))


def quoted(path):
    """As a value of a pass option."""
    return '"' + str(path) + '"' if " " in str(path) else str(path)


def run(*command):
    subprocess.run([str(word) for word in command], check=True,
                   env=environment)


shutil.copy(sample / "keep.mlir", folder / "model.mlir")
shutil.copy(sample / "meta.json", folder / "model.meta.json")
options = ("evaluator=none run-dir=%s store=%s progress=false" %
           (quoted(folder / "run"), quoted(folder / "store")))
run("kernelclaw-opt", folder / "model.mlir", "-o", folder / "model.out.mlir",
    "--llm-optimize=" + options)
run("kernelclaw-opt", folder / "model.mlir", "-o", folder / "model.so",
    "--kclaw-lower=device=cpu", "--emit=so")
shutil.copy(sample / "args.npz", folder / "args.npz")
run("kernelclaw-run", folder / "model.so", "--device=cpu", "--args",
    folder / "args.npz", "--expect", sample / "expected.npz", "--out",
    folder / "out.npz")
record = json.loads((folder / "run" / "run.json").read_text(encoding="utf-8"))
assert record["regions"], record
for line in (folder / "run" / "events.jsonl").read_text("utf-8").splitlines():
    json.loads(line)
