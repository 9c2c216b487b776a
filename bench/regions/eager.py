#!/usr/bin/env python3
"""What PyTorch takes for the regions of models.py, on the GPU at hand.

    python eager.py [NAME...]     # needs torch 2.11; compiles take a while

Eager and torch.compile (default mode), microseconds of the device a call, the
median of 50 with an L2 cache that another buffer was written through before
each; what the host takes is hidden. float32 products are IEEE float32,
convolutions may use TF32, no search for algorithms: PyTorch's defaults.
"""
import re
import statistics
import sys

import torch

from models import REGIONS


def draw(shape, dtype):
    if dtype == torch.bool:
        return torch.rand(shape, device="cuda") < 0.5
    if dtype == torch.int64:
        return torch.randint(0, 4096, shape, device="cuda")
    return torch.randn(shape, device="cuda", dtype=dtype)


def microseconds(call, runs=50):
    flush = torch.empty(256 << 20, dtype=torch.int8, device="cuda")
    times = []
    for i in range(runs + 10):
        flush.fill_(i)
        torch.cuda._sleep(2_000_000)  # a millisecond, in which all is enqueued
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        call()
        end.record()
        torch.cuda.synchronize()
        times.append(1e3 * begin.elapsed_time(end))
    return statistics.median(times[10:])


@torch.no_grad()
def main():
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}\n")
    print("| region | eager us | torch.compile us |\n|---|---|---|")
    for module, tensors in REGIONS.items():
        name = re.sub("(?<!^)(?=[A-Z])", "_", module.__name__).lower()
        if len(sys.argv) > 1 and name not in sys.argv[1:]:
            continue
        inputs = [draw(*tensor) for tensor in tensors]
        model = module()
        compiled = torch.compile(model)
        eager = microseconds(lambda: model(*inputs))
        fused = microseconds(lambda: compiled(*inputs))
        print(f"| {name} | {eager:.1f} | {fused:.1f} |", flush=True)
        torch._dynamo.reset()


if __name__ == "__main__":
    main()
