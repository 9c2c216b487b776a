#!/usr/bin/env python3
"""Errors of honest f32 arithmetic in units of different scales (needs numpy).

Prints docs/results/error-scales.md: a scan by tiles with a running carry, as
decoupled look-back computes it, and a tanh recurrence, each against f64, on
data like the judge's. u is the unit roundoff of f32.
"""
import numpy as np

F32, U, STEP = np.float32, 2.0**-24, 2.0**-20
rng = np.random.default_rng(1)


def scan(x, tile=256):
    """A tree inside a tile, a running sum of tiles in front of it."""
    rows, n = x.shape
    sums = x.reshape(rows, n // tile, tile).copy()
    half = 1
    while half < tile:
        more = sums.copy()
        more[:, :, half:] = sums[:, :, half:] + sums[:, :, :-half]
        sums, half = more, half * 2
    before, carry = np.zeros((rows, n // tile), F32), np.zeros(rows, F32)
    for i in range(n // tile):
        before[:, i] = carry
        carry = (carry + sums[:, i, -1]).astype(F32)
    return (sums + before[:, :, None]).reshape(rows, n)


def recurrence(x, u, dtype):
    state, out = np.zeros(x.shape[1:], dtype), []
    for step in x.astype(dtype):
        state = np.tanh(step + state @ u.T.astype(dtype)).astype(dtype)
        out.append(state)
    return np.array(out)


def wide(shape, powers):
    sign = rng.choice([-1, 1], shape)
    return (sign * 2.0 ** rng.uniform(-powers, powers, shape)).astype(F32)


def uniform(rows, n, chunk=4096):
    """A quarter of the chunks negative throughout, a quarter positive."""
    values = rng.uniform(-1, 1, (rows, n // chunk, chunk))
    kind = rng.integers(0, 4, (rows, n // chunk, 1))
    signed = np.where(kind == 0, -abs(values), values)
    return np.where(kind == 1, abs(values), signed).reshape(rows, n).astype(F32)


def rms(values, axis):
    return np.sqrt((values**2).mean(axis, keepdims=True))


def spread(moved, axis):
    fourth, second = ((moved**p).sum(axis, keepdims=True) for p in (4, 2))
    return np.sqrt(fourth / (3 * np.maximum(second, 1e-300)))


def scans(rows=16, n=262144):
    normal = rng.normal(size=(rows, n)).astype(F32)
    data = {"uniform": uniform(rows, n), "normal": normal,
            "offset": 100 + normal, "wide": wide((rows, n), 12)}
    for name, x in data.items():
        y = np.cumsum(x.astype(float), 1)
        error = abs(scan(x) - y)
        local = rms(y.reshape(rows, -1, 4096), 2).repeat(4096, 1).reshape(rows, n)
        yield (name, (error / np.maximum(local, abs(y))).max() / U,
               (error / np.maximum(rms(y, 1), abs(y))).max() / U)


def recurrences(shape=(8, 128, 128)):
    square = shape[-1:] * 2
    for name, x, u in (
            ("x of 24 powers of two, weights 0.02", wide(shape, 12),
             (0.02 * rng.normal(size=square)).astype(F32)),
            ("both of 24", wide(shape, 12), wide(square, 12)),
            ("both of 12", wide(shape, 6), wide(square, 6)),
            ("both of 4", wide(shape, 2), wide(square, 2))):
        y = recurrence(x, u, float)
        error = abs(recurrence(x, u, F32) - y)
        moved = [v * (1 + STEP * rng.choice([-1, 1], v.shape)) for v in (x, u)]
        by = (recurrence(*moved, float) - y) / STEP
        own = np.maximum(rms(y, 2), abs(y))
        yield (name, (error / own).max() / U,
               (error / np.maximum(own, spread(by, 2))).max() / U,
               spread(by, None).item() / rms(y, None).item())


print("# What errors are relative to\n")
print("Made by `bench/error_scales.py`: the largest error of honest f32, in u.\n")
print("A scan of 16 rows of 262144: the RMS of 4096 neighbours, or of the row.\n")
print("| data | of neighbours | of the row |\n|---|---|---|")
for name, local, row in scans():
    print(f"| {name} | {local:.0f} | {row:.0f} |")
print("\nA reduction's budget is 128 u. On `uniform` data a partial sum is far from"
      "\nzero and comes back; its rounding errors stay.\n")
print("tanh(x + u h), 8 steps, 128 wide: the row's RMS, or the spread"
      " (lib/Device/Conditioning.h).\n")
print("| data | of the row | of the spread | spread / result |\n|---|---|---|---|")
for name, row, by, size in recurrences():
    print(f"| {name} | {row:.3g} | {by:.3g} | {size:.3g} |")
print("\nThe budget is 4096 u on such data. Where the spread is so large that it"
      "\nwould allow a sixteenth of the result, data are drawn milder.")
