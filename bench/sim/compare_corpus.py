#!/usr/bin/env python3
"""Compares two records of run_corpus.py by instruction form.

    compare_corpus.py HARDWARE.json SIMULATOR.json [--verbose]

Says of each form: equal, within its documented error, different, or absent on
one side. Exit code 1 when a form differs or the simulator lacks it.
"""
import argparse
import json
import math
import re
import struct
import sys

import corpus_kernels

FLOATS = {"f": ("<I", "<f", 4, 23), "g": ("<Q", "<d", 8, 52), "h": ("<H", "<e", 2, 10)}


def value(word, kind, name):
    if kind == "h" and "bf16" in name:
        return struct.unpack("<f", struct.pack("<I", (word & 0xffff) << 16))[0]
    bits, number, size, _ = FLOATS[kind]
    return struct.unpack(number, struct.pack(bits, word & (256**size - 1)))[0]


def exponent_of(text):
    return 2.0 ** float(text.removeprefix("2^"))


def within(hardware, simulator, kind, name, tolerance):
    """Is the simulator's word as near as the tolerance allows?"""
    if hardware == simulator:
        return True
    a, b = value(hardware, kind, name), value(simulator, kind, name)
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    if math.isinf(a) or math.isinf(b):
        return a == b
    # Both are within the bound of the exact value: twice apart at most.
    for part in tolerance.split(" or "):
        how, bound = part.split()[:2]
        if how == "abs" and abs(a - b) <= 2 * exponent_of(bound):
            return True
        if how == "rel" and abs(a - b) <= 2 * exponent_of(bound) * abs(a):
            return True
        unit = 2.0 ** (math.frexp(a)[1] - 1 - FLOATS[kind][3]) if a else 0
        if how == "ulp" and abs(a - b) <= 2 * float(bound) * max(unit, 2.0**-149):
            return True
    return False


def applies(tolerance, columns, thread, kind):
    """Does the documented bound cover this thread's inputs?"""
    match = re.search(r"where ([ab]) in (\S+)\.\.(\S+)", tolerance)
    if not match:
        return True
    operand = "ab".index(match[1])
    x = abs(value(columns[4 * thread + operand], kind, ""))
    low, high = (exponent_of(t) if "^" in t else float(t) for t in match.groups()[1:])
    return low <= x <= high


NO_RECORD = "without a record of the hardware: run_corpus.py --missing there"


def judge(kernel, hardware, simulator, verbose):
    if not hardware:
        return NO_RECORD
    if "absent" in hardware or "absent" in simulator:
        both = "absent" in hardware and "absent" in simulator
        return "absent on both" if both else \
            "absent on the " + ("hardware" if "absent" in hardware else "simulator")
    if "error" in hardware or "error" in simulator:
        if hardware.get("error") == simulator.get("error"):
            return "the same error"
        if verbose:
            print("    " + ", ".join(f"{who}: {r.get('error', 'ran')}" for who, r in
                                     (("hardware", hardware), ("simulator", simulator))))
        return "different"
    if hardware["hash"] == simulator["hash"]:
        return "equal"
    a, b = ([int(w, 16) for w in r["words"].split()] for r in (hardware, simulator))
    tolerance = kernel["tolerance"]
    different = [k for k in range(min(len(a), len(b))) if a[k] != b[k]]
    if tolerance != "exact":
        columns = corpus_kernels.inputs(kernel["inputs"])
        different = [k for k in different
                     if applies(tolerance, columns, k, kernel["kind"]) and
                     not within(a[k], b[k], kernel["kind"], kernel["name"], tolerance)]
        if not different:
            return "within its error"
    if verbose:
        columns = corpus_kernels.inputs(kernel["inputs"])
        for k in different[:8]:
            row = " ".join(f"{w:x}" for w in columns[4 * k:4 * k + 4])
            print(f"    thread {k}: {a[k]:x}, simulator {b[k]:x}, inputs {row}")
        if not different:
            chunks = [k for k, (x, y) in enumerate(zip(hardware["chunks"].split(),
                                                       simulator["chunks"].split())) if x != y]
            print(f"    beyond the words kept, in chunks {chunks} of {corpus_kernels.THREADS // 16}")
    return "different"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("hardware")
    parser.add_argument("simulator")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    hardware, simulator = (json.load(open(p, encoding="ascii"))
                           for p in (options.hardware, options.simulator))
    kernels = {k["name"]: k for k in corpus_kernels.all_kernels()}
    counts = {}
    for name, kernel in kernels.items():
        missing = {"absent": "no record"}
        verdict = judge(kernel, hardware["kernels"].get(name),
                        simulator["kernels"].get(name, missing), options.verbose)
        counts.setdefault(verdict, []).append(name)
        if options.verbose and verdict == "different":
            print(f"{name}: different")
    print(f"{hardware['device']} against {simulator['device']}")
    for verdict, names in sorted(counts.items()):
        print(f"  {len(names):5} {verdict}")
        if verdict not in ("equal", "within its error", "the same error"):
            print("        " + ", ".join(names))
    sys.exit(1 if {"different", "absent on the simulator"} & counts.keys() else 0)


if __name__ == "__main__":
    main()
