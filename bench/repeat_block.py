#!/usr/bin/env python3
"""Prints a sample's function with its body repeated, each fed by the last.

    repeat_block.py test/samples/bf16_rms_norm_swiglu/keep.mlir 200 > big.mlir

The last argument must have the type of the last result. Weights are shared.
"""
import re
import sys


def main():
    path, count = sys.argv[1], int(sys.argv[2])
    lines = open(path).read().splitlines()
    start = next(i for i, line in enumerate(lines) if "func.func" in line)
    end = next(i for i, line in enumerate(lines) if line.strip().startswith("return "))
    body = lines[start + 1 : end]
    last_argument = re.findall(r"%arg\d+", lines[start])[-1]
    result = re.findall(r"%[\w.+-]+(?:#\d+)?", lines[end])[-1]
    print("\n".join(lines[: start + 1]))
    source = last_argument
    for k in range(count):
        def rename(match):
            name = match.group(0)
            if name == last_argument:
                return source
            return name if name.startswith("%arg") else f"%b{k}_{name[1:]}"

        for line in body:
            print(re.sub(r"%[\w.+-]+", rename, line))
        source = re.sub(r"%[\w.+-]+", rename, result)
    print(lines[end].replace(result, source))
    print("\n".join(lines[end + 1 :]))


if __name__ == "__main__":
    main()
