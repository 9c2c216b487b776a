"""Jobs that cannot be judged, each in one way; one job a line.

usage: bad_jobs.py [NAME...]
"""
import copy
import json
import sys

import relu_jobs
from relu_jobs import plan

ROWS = 16
PTX = """.version %s
.target sm_75
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 y, .param .u64 n) { ret; }
"""


def job(name, **changes):
    candidate = plan()
    candidate.update(changes)
    return relu_jobs.job(name, candidate, ROWS)


def grid(*sizes):
    step = copy.deepcopy(plan()["steps"][0])
    step["grid"] = list(sizes)
    return [step]


def ptx(version):
    return [{"name": "m", "kind": "ptx", "source": PTX % version}]


def workspace(size):
    return plan()["buffers"] + [
        {"name": "w", "kind": "workspace", "sizeBytes": size}]


def cases():
    # Plans out of schema.
    yield job("step-of-no-kind", steps=[{"kind": "teleport"}])
    yield job("grid-of-text", steps=grid("rows ++ 1"))
    yield job("unknown-buffer", steps=[{"kind": "memset", "buffer": "z",
                                        "bytes": 4}])
    missing = job("no-steps")
    del missing["candidate"]["steps"]
    yield missing
    # PTX that is newer than the driver.
    yield job("ptx-of-tomorrow", modules=ptx("99.0"), producer="expert")
    # Grids of nothing, and of too much.
    yield job("grid-zero", steps=grid(0, 1, 1))
    yield job("grid-zero-by-sizes", steps=grid("rows / 4096"))
    yield job("grid-negative", steps=grid("rows - 4096"))
    yield job("grid-too-large", steps=grid(1, 1 << 20, 1))
    # Buffers larger than the device, and than any number.
    yield job("workspace-1-tib", buffers=workspace(1 << 40))
    yield job("workspace-overflow", buffers=workspace(
        "rows * 4611686018427387904 * 4"))
    # More combinations than can be listed.
    yield job("tunables-without-end", tunables=[
        {"name": name, "values": list(range(1, 101))} for name in "ABCDEFGH"])
    yield job("workspace-negative", buffers=workspace("rows - 4096"))
    # Time limits that no clock can hold.
    for name, seconds in (("timeout-negative", -1e300), ("timeout-nan", "NaN"),
                          ("timeout-without-end", "Infinity")):
        yield dict(job(name), timeoutSeconds=seconds)


if __name__ == "__main__":
    for each in cases():
        if not sys.argv[1:] or each["id"] in sys.argv[1:]:
            print(json.dumps(each))
