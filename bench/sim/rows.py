#!/usr/bin/env python3
"""Lists rows of the instruction table that no kernel of the corpus has.

    rows.py

The table is read from docs/SimulatedDriver.md, which a test keeps equal to
lib/SimCuda/Isa. A row without a result of its own is in WITHOUT_RESULT, with
the reason. Exit code 1 when another is not covered, or when one of those is.
"""
import pathlib
import re
import sys

import corpus_kernels

HERE = pathlib.Path(__file__).parent
PAGE = HERE.parent.parent / "docs" / "SimulatedDriver.md"

# How the pattern begins: why no kernel shows a result of it.
NEWER = "sm_100 and newer: an H200 refuses it"
OLDER = "without .sync: sm_70 and newer refuse it"
TENSOR = "edits a map, whose bits are the driver's own: unittests/SimCuda/TensorTest.cpp"
WITHOUT_RESULT = {
    "add.{rn,rz,rm,rp}?.ftz?.f32x2": NEWER, "sub.{rn,rz,rm,rp}?.ftz?.f32x2": NEWER,
    "mul.{rn,rz,rm,rp}?.ftz?.f32x2": NEWER, "fma.{rn,rz,rm,rp}.ftz?.f32x2": NEWER,
    "cvt.{rn,rz}.relu.satfinite.tf32": NEWER, "redux.sync.{min,max}.abs?": NEWER,
    "shfl.{up": OLDER, "vote.ballot": OLDER, "vote.{all": OLDER,
    "discard": "destroys what it names", "brkpt": "stops",
    "setmaxnreg": "no result; a kernel of fixed register count must ask for it",
    "tensormap": TENSOR,
}


def patterns():
    text = PAGE.read_text()
    table = text[text.index("### Instructions"):text.index("### Entry points")]
    return re.findall(r"^\* `([^`]*)`", table, re.M)


def expression(pattern):
    """Of the text of an instruction: parts as in lib/SimCuda/Isa/Table.h."""
    out = ""
    for k, part in enumerate(pattern.split(".")):
        names = part.removesuffix("?").strip("{}").split(",")
        one = ("" if k == 0 else r"\.") + "(?:" + "|".join(map(re.escape, names)) + ")"
        out += f"(?:{one})?" if part.endswith("?") else one
    return re.compile(out)


def instructions(kernels):
    found = set()
    for kernel in kernels:
        for statement in re.split(r"[;{}\n]", kernel["ptx"]):
            match = re.match(r"\s*(?:\w+:\s+)?(?:@!?%\w+\s+)?([a-z][\w:.]*)", statement)
            if match:
                found.add(match[1])
    return found


def main():
    texts = instructions(corpus_kernels.all_kernels())
    missing, stale = [], []
    for pattern in patterns():
        covered = any(map(expression(pattern).fullmatch, texts))
        reason = next((r for p, r in WITHOUT_RESULT.items() if pattern.startswith(p)), None)
        if not covered and not reason:
            missing.append(pattern)
        if covered and reason:
            stale.append(pattern)
    for pattern in missing:
        print(f"no kernel has {pattern}")
    for pattern in stale:
        print(f"a kernel has {pattern}, which WITHOUT_RESULT lists")
    print(f"{len(patterns())} rows, {len(missing)} without a kernel")
    sys.exit(1 if missing or stale else 0)


if __name__ == "__main__":
    main()
