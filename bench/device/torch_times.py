#!/usr/bin/env python3
"""Times PyTorch on the models of bench/models: eager and torch.compile.

    torch_times.py MODEL.py ...

The method of our worker: CUDA events around the call, L2 flushed before each by
reading and writing twice its size, medians; data from a seed, TF32 off. The
device is kept busy until the host has enqueued the call, so that what Python
and torch.compile's guards take on the host does not count. Prints
a Markdown table (microseconds) with a device copy of the bytes that the model
must move, taken in the same run.
"""
import importlib.util
import pathlib
import statistics
import sys

import torch

RUNS = 60
# Of the device before the first event; no memory is touched.
BUSY_CYCLES = 2_000_000


def load(path):
    spec = importlib.util.spec_from_file_location("model", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def microseconds(call, flush):
    samples = []
    for _ in range(RUNS + 5):
        flush.add_(1)
        torch.cuda._sleep(BUSY_CYCLES)
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        call()
        end.record()
        end.synchronize()
        samples.append(1000 * begin.elapsed_time(end))
    return statistics.median(samples[5:])


def measure(path):
    source = load(path)
    torch.manual_seed(7)
    flush = torch.zeros(2 * torch.cuda.get_device_properties(0).L2_cache_size // 4,
                        device="cuda")
    with torch.device("cuda"), torch.no_grad():
        model = source.Model(*source.get_init_inputs())
        inputs = source.get_inputs()
        eager_result = model(*inputs)
        eager = microseconds(lambda: model(*inputs), flush)
        compiled_model = torch.compile(model)
        difference = (compiled_model(*inputs) - eager_result).abs().max().item()
        compiled = microseconds(lambda: compiled_model(*inputs), flush)
        read = sum(x.nbytes for x in [*inputs, *model.parameters()])
        moved = torch.empty((read + eager_result.nbytes) // 2, dtype=torch.uint8)
        target = torch.empty_like(moved)
        copy = microseconds(lambda: target.copy_(moved), flush)
    print(f"| {path.stem} | {eager:.1f} | {compiled:.1f} | {copy:.1f} | {difference:.1e} |",
          flush=True)


def main():
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    print(f"torch {torch.__version__}, {torch.cuda.get_device_name(0)}\n")
    print("| model | eager µs | torch.compile µs | copy µs | compile - eager |")
    print("|---|---|---|---|---|")
    for argument in sys.argv[1:]:
        measure(pathlib.Path(argument))


if __name__ == "__main__":
    main()
