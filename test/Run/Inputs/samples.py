"""Runs every sample on the CPU against PyTorch's results.

    samples.py kernelclaw-run SAMPLES DOC           checks that what DOC lists passes
    samples.py kernelclaw-run SAMPLES DOC --write   writes DOC from what passes
"""
import concurrent.futures
import os
import re
import subprocess
import sys

FORMS = ["keep", "default", "frozen", "linalg", "frozen_linalg", "dynamic",
         "dynamic_keep", "dynamic_symbolic"]
TITLE = """# Samples that run on the CPU

`kernelclaw-run FILE --device=cpu --args ... --expect ...` passes for the files marked
here (test/Run/samples.test checks it; `python3 test/Run/Inputs/samples.py
build/bin/kernelclaw-run test/samples docs/samples.md --write` writes this page).
`-`: the sample has no such file. `no`: it does not pass yet.
All dynamic files also lower for CUDA (test/Synthesize/dynamic-samples.test);
`bench/device/run_dynamic.sh` runs them on a GPU.

A dynamic size of 1 is not broadcast: where both operands of `x + y` are `f32[?,4]`, a
call with 1 row and 3 rows is refused. Export a dimension that is to be repeated as a
static 1 (an example input of size 1, and no Dim for it).

"""


def command(tool, folder, form):
    data = "dynamic_" if form.startswith("dynamic") else ""
    line = [tool, os.path.join(folder, form + ".mlir"), "--device=cpu",
            "--args", os.path.join(folder, data + "args.npz"),
            "--expect", os.path.join(folder, data + "expected.npz")]
    if form.startswith("frozen"):
        line += ["--meta", os.path.join(folder, "meta.json")]
    return line


def run_one(tool, samples, name, form):
    folder = os.path.join(samples, name)
    if not os.path.exists(os.path.join(folder, form + ".mlir")):
        return "-", ""
    done = subprocess.run(command(tool, folder, form), capture_output=True,
                          text=True, timeout=200)
    passed = done.returncode == 0 and done.stdout.endswith("PASS\n")
    return ("yes" if passed else "no"), done.stdout + done.stderr


def main():
    tool, samples, doc = sys.argv[1:4]
    names = sorted(n for n in os.listdir(samples)
                   if os.path.isdir(os.path.join(samples, n)))
    listed = {}
    if "--write" not in sys.argv:
        with open(doc) as file:
            for row in re.findall(r"^\| `(\w+)` \|(.*)\|$", file.read(), re.M):
                listed[row[0]] = [cell.strip() for cell in row[1].split("|")]
        names = sorted(listed)
    cases = [(n, f) for n in names for f in FORMS
             if not listed or listed[n][FORMS.index(f)] == "yes"]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip(cases, pool.map(
            lambda case: run_one(tool, samples, *case), cases)))
    if listed:
        bad = [case for case in cases if found[case][0] != "yes"]
        for case in bad:
            print("does not pass: %s/%s.mlir\n%s" % (*case, found[case][1]))
        full = sum(row[0] == row[1] == "yes" for row in listed.values())
        print("%d files pass, %d do not; %d samples pass in both modes" %
              (len(cases) - len(bad), len(bad), full))
        return 1 if bad or full < 24 else 0
    with open(doc, "w") as file:
        file.write(TITLE)
        file.write("| sample | " + " | ".join(FORMS) + " |\n")
        file.write("|---" * (len(FORMS) + 1) + "|\n")
        for name in names:
            file.write("| `%s` | %s |\n" % (
                name, " | ".join(found[name, form][0] for form in FORMS)))
    return 0


sys.exit(main())
