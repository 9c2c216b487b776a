#!/usr/bin/env python3
"""Checks a record (run_corpus.py --full) against exact rational arithmetic.

    check_corpus.py FULL.json

Covers the float arithmetic that rounds (add, sub, mul, fma, mad, div, rcp of
f16, bf16, f32 and f64, alone and packed, every mode), cvt between integers and
floats, and nearly all integer forms. Exit code 1 when a word differs.
"""
import json
import re
import sys

import corpus_kernels
import exact
import exact_integer

NUMBER = r"[us](8|16|32|64)|f16|bf16|f32|f64"
NAN = {"f32": 0x7fffffff, "f16": 0x7fff, "bf16": 0x7fff}


def is_nan(format, bits):
    return format.decode(bits)[0] == exact.nan


def wrong_arithmetic(kernel, words, got):
    parts = kernel["name"].split(".")
    for half, (format, want) in enumerate(exact.arithmetic(parts, words)):
        bits = got >> (half * format.width) & format.mask
        if want == exact.nan:
            want = NAN.get(format.name, bits)
            if not is_nan(format, bits):
                return want
        if bits != want:
            return want
    return None


def wrong_conversion(kernel, words, got):
    parts = kernel["name"].split(".")
    width, want = exact.conversion(parts, words[0])
    bits = got & ((1 << width) - 1)
    if want == exact.nan:
        return None if is_nan(exact.Format(parts[-2]), bits) else "a NaN"
    return None if bits == want else want


def wrong_integer(kernel, words, got):
    width = {"h": 16, "r": 32, "l": 64}[kernel["kind"]]
    want = exact_integer.result(kernel, words) & ((1 << width) - 1)
    return None if got == want else want


def checker(kernel):
    parts = kernel["name"].split(".")
    if parts[0] in exact.OPERANDS and parts[-1].removesuffix("x2") in exact.FORMATS \
            and not {"approx", "full"} & set(parts):
        return wrong_arithmetic
    if parts[0] == "cvt" and "pack" not in parts and \
            all(re.fullmatch(NUMBER, p) for p in parts[-2:]):
        return wrong_conversion
    if parts[0] != "cvt" and exact_integer.result(kernel, [1, 1, 1, 1]) is not None:
        return wrong_integer
    return None


def main():
    record = json.load(open(sys.argv[1], encoding="ascii"))["kernels"]
    checked = bad = 0
    for kernel in corpus_kernels.alu_kernels():
        wrong = checker(kernel)
        if not wrong or "words" not in record.get(kernel["name"], {}):
            continue
        checked += 1
        inputs = corpus_kernels.inputs(kernel["inputs"])
        got = [int(w, 16) for w in record[kernel["name"]]["words"].split()]
        for thread, word in enumerate(got):
            words = inputs[4 * thread:4 * thread + 4]
            want = wrong(kernel, words, word)
            if want is not None:
                bad += 1
                print(f"{kernel['name']}: thread {thread} gives {word:x}, not "
                      f"{want if isinstance(want, str) else format(want, 'x')}, of "
                      + " ".join(f"{w:x}" for w in words))
                break
    print(f"{checked} forms checked, {bad} wrong")
    sys.exit(1 if bad or not checked else 0)


if __name__ == "__main__":
    main()
