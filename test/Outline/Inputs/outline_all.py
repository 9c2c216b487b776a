# outline_all.py TOOL FOLDER: outlines every Torch sample at every granularity.
# Afterwards a public function holds calls, constants, lists of constants,
# literals, its return, and ops that a remark names; regions hold only what
# regions may hold, and residual regions no compute op.
import pathlib, re, subprocess, sys

tool, folder = sys.argv[1:3]
allowed = re.compile(
    r"^(%\S+(, %\S+)* = )?(call @|torch\.constant\.|torch\.prim\.ListConstruct|"
    r"torch\.vtensor\.literal|torch\.symbolic_int|torch\.bind_symbolic_shape|return)"
)
named = re.compile(r"remark: '([^']+)' stays outside of regions")


def problems(text, remarks):
    outside = set(named.findall(remarks))
    is_region = False
    for line in (raw.strip() for raw in text.split("\n")):
        if line.startswith("func.func"):
            is_region = "claw.region" in line
            if is_region != line.startswith("func.func private"):
                yield line
        elif line in ("", "}", "module {") or is_region:
            continue
        elif line == "{-#":
            return
        elif not allowed.match(line) and not any(name in line for name in outside):
            yield line


bad = runs = 0
for path in sorted(pathlib.Path(folder).rglob("*.mlir")):
    if "linalg" in path.name:
        continue
    for granularity in ["auto", "op", "fusion", "function"] if path.name == "keep.mlir" else ["auto"]:
        runs += 1
        done = subprocess.run(
            [tool, path, f"--kclaw-outline=granularity={granularity}"], capture_output=True, text=True
        )
        found = list(problems(done.stdout, done.stderr))
        if done.returncode or found:
            bad += 1
            print(f"{path} {granularity}: exit {done.returncode}\n{done.stderr[:500]}", *found[:5], sep="\n")
print(f"{runs - bad} of {runs} runs outline everything")
sys.exit(bad > 0 or not runs)
