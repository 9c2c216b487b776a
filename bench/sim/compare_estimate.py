#!/usr/bin/env python3
"""How far the simulator's estimates are from measured times.

    compare_estimate.py MEASURED.json SIMULATED.json [--markdown]

Both are records of estimate.py. Prints estimate and measurement of each launch,
the factor between them, and which resource the estimate says is the bound; then
the geometric mean of the factors (1.00: exact), how many lie within a factor, and
Spearman's rank correlation. Needs Python alone.
"""
import argparse
import json
import math
import sys

import estimate_cases

TERMS = ["dispatch", "memory", "l2", "atomics", "l1", "issue", "pipe", "tensor", "latency"]


def load(path):
    with open(path, encoding="ascii") as file:
        return json.load(file)


def pairs(measured, simulated, kind):
    """(name, measured ns, estimated ns, bound) of launches that both have."""
    counts = "counts" if kind == "cold" else "warmCounts"
    for name, sim in simulated["kernels"].items():
        real = measured["kernels"].get(name, {})
        if kind in real and kind in sim:
            times = sim.get(counts, {})
            bound = max(TERMS, key=lambda t: times.get("time." + t, 0))
            yield name, real[kind], sim[kind], bound


def factor(measured, estimated):
    return max(measured, estimated) / min(measured, estimated)


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    result = [0.0] * len(values)
    for rank, index in enumerate(order):
        result[index] = rank
    return result


def rank_correlation(a, b):
    x, y = ranks(a), ranks(b)
    n = len(x)
    return 1 - 6 * sum((p - q) ** 2 for p, q in zip(x, y)) / (n * (n * n - 1))


def geometric_mean(values):
    return math.exp(sum(math.log(v) for v in values) / len(values))


def summary(rows):
    """One line over (name, measured, estimated, ...) rows."""
    factors = [factor(r[1], r[2]) for r in rows]
    within = {limit: sum(f <= limit for f in factors) for limit in (1.1, 1.25, 1.5, 2)}
    return (f"{len(rows)} launches: geometric mean factor {geometric_mean(factors):.2f}, worst "
            f"{max(factors):.2f}; within " +
            ", ".join(f"{limit}x: {count}" for limit, count in within.items()) +
            f"; rank correlation {rank_correlation([r[1] for r in rows], [r[2] for r in rows]):.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("measured")
    parser.add_argument("simulated")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    measured, simulated = load(options.measured), load(options.simulated)
    if measured.get("evidence") != "measured" or simulated.get("evidence") != "simulated":
        sys.exit("give the measured record first, then the simulated one")
    held_out = estimate_cases.HELD_OUT
    for kind in ("cold", "warm"):
        rows = list(pairs(measured, simulated, kind))
        line = "| {} | {:.1f} | {:.1f} | {:.2f} | {} |" if options.markdown else \
            "{:24} {:9.1f} {:9.1f} {:6.2f}  {}"
        print(f"\n{'### ' if options.markdown else ''}{kind}: launch, measured us, estimated us, "
              "estimated / measured, bound\n")
        if options.markdown:
            print("| launch | measured µs | estimated µs | ratio | bound |\n|---|---|---|---|---|")
        for name, real, sim, bound in rows:
            mark = "*" if name in held_out else ""
            print(line.format(name + mark, real / 1e3, sim / 1e3, sim / real, bound))
        print()
        for title, part in {"all": rows,
                            "fitted": [r for r in rows if r[0] not in held_out],
                            "held out (*)": [r for r in rows if r[0] in held_out]}.items():
            if part:
                print(f"{'* ' if options.markdown else ''}{title}: {summary(part)}")


if __name__ == "__main__":
    main()
