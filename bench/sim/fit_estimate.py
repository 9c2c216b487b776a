#!/usr/bin/env python3
"""Fits the constants of lib/SimCuda/Model/Estimate.cpp to measured times.

    fit_estimate.py MEASURED.json SIMULATED.json

Both are records of estimate.py; the simulated one has the counts. The model is
that of Estimate.cpp, in the same terms. Minimises the mean square of
log(estimate / measured), cold and warm, over the launches that are not held out
(estimate_cases.HELD_OUT), by turns along each constant. Prints the constants.
"""
import json
import math
import sys

import estimate_cases

CLASSES = ["integer", "f16", "f32", "f64", "special", "convert", "move", "load", "store",
           "atomic", "warp", "barrier", "tensor", "async_copy", "control"]
LANES = dict(zip(CLASSES, [96, 128, 128, 64, 16, 64, 0, 32, 32, 32, 32, 0, 0, 0, 0]))
SMS, CLOCK, PIN_RATE = 132, 1.98, 4800.0

# name: start, lowest, highest
CONSTANTS = {
    "launch": (2700, 2000, 3500),
    "memoryEfficiency": (0.92, 0.7, 1.0),
    "l2BytesPerCycle": (29, 15, 64),
    "partialWriteWeight": (2.8, 0, 8),
    "atomicNanoseconds": (1.5, 0.5, 3),
    "dispatchNanoseconds": (0.62, 0.3, 1),
    "softness": (3, 1, 12),
    "l1Latency": (33, 25, 45),
    "l2Latency": (275, 230, 330),
    "memoryLatency": (655, 550, 800),
    "integerLanes": (96, 64, 128),
    "integer": (0.8, 0.5, 1.5),
    "special": (2, 1, 4),
    "move": (0.5, 0, 1),
    "barrier": (6, 1, 12),
    "control": (0.7, 0.2, 2),
}


def terms(c, k):
    """Each resource's nanoseconds, from counts c and constants k."""
    blocks = c["launch.blocks"]
    busiest = math.ceil(blocks / SMS)
    waves = math.ceil(blocks / (SMS * max(c["occupancy.blocks"], 1)))
    on_sm = busiest / blocks / CLOCK
    l1 = c["l1.hit.sectors"] / max(c["l1.hit.sectors"] + c["l2.read.sectors"], 1)
    missing = 1 - c["l2.hit_rate"] if c["l2.read.sectors"] else 0
    latency = l1 * k["l1Latency"] + (1 - l1) * (
        k["l2Latency"] + missing * (k["memoryLatency"] - k["l2Latency"]))
    lanes = LANES | {"integer": k["integerLanes"]}
    slots = sum(k.get(name, 1) * c["inst.warp." + name] for name in CLASSES)
    return {
        "dispatch": blocks * k["dispatchNanoseconds"],
        "memory": (c["dram.read.bytes"] + c["dram.write.bytes"]) /
                  (PIN_RATE * k["memoryEfficiency"]),
        "l2": 32 * (c["l2.read.sectors"] + c["l2.write.sectors"] +
                    k["partialWriteWeight"] * c["global.store.partial_sectors"]) /
              (k["l2BytesPerCycle"] * SMS * CLOCK),
        "atomics": k["atomicNanoseconds"] * c["global.atomic.turns"],
        "l1": on_sm * (c["l1.wavefronts"] + c["shared.load.wavefronts"] +
                       c["shared.store.wavefronts"] + c["shared.atomic.turns"]),
        "issue": on_sm * slots / 4,
        "pipe": on_sm * max(c["inst.warp." + n] * 32 / lanes[n] for n in CLASSES if lanes[n]),
        "tensor": c["time.tensor"],
        "latency": waves / CLOCK * (c["path.loads"] * latency + c["path.cycles"]),
    }


def total(c, k):
    p = k["softness"]
    return k["launch"] + sum(t ** p for t in terms(c, k).values()) ** (1 / p)


def samples(measured, simulated):
    for name, sim in simulated["kernels"].items():
        real = measured["kernels"].get(name, {})
        for kind, counts in (("cold", "counts"), ("warm", "warmCounts")):
            if kind in real and sim.get(counts):
                yield name, real[kind], sim[counts]


def cost(rows, k):
    return sum(math.log(total(c, k) / real) ** 2 for _, real, c in rows) / len(rows)


def fit(rows):
    k = {name: start for name, (start, _, _) in CONSTANTS.items()}
    best, step = cost(rows, k), 0.2
    while step > 0.002:
        before = best
        for name, (_, low, high) in CONSTANTS.items():
            for sign in (1, -1):
                trial = dict(k)
                trial[name] = min(max(k[name] * (1 + sign * step), low), high)
                if (value := cost(rows, trial)) < best:
                    best, k = value, trial
        if best > before * 0.9999:
            step /= 1.5
    return k, best


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="ascii") as file:
        measured = json.load(file)
    with open(sys.argv[2], encoding="ascii") as file:
        simulated = json.load(file)
    rows = list(samples(measured, simulated))
    fitted = [r for r in rows if r[0] not in estimate_cases.HELD_OUT]
    held = [r for r in rows if r[0] in estimate_cases.HELD_OUT]
    k, best = fit(fitted)
    for name, value in k.items():
        print(f"{name:22} {value:10.4g}")
    print(f"root mean square of the logarithm: fitted {math.sqrt(best):.3f}, held out "
          f"{math.sqrt(cost(held, k)):.3f}")
    for name, real, c in rows:
        parts = sorted(terms(c, k).items(), key=lambda t: -t[1])[:3]
        print(f"{name:24} {real / 1e3:9.1f} {total(c, k) / 1e3:9.1f} {total(c, k) / real:6.2f}  " +
              " ".join(f"{n} {t / 1e3:.1f}" for n, t in parts))


if __name__ == "__main__":
    main()
