#!/usr/bin/env python3
"""Times the launches of estimate_cases.py on a CUDA driver: name -> nanoseconds.

    estimate.py OUT.json [--only SUBSTRING] [--samples N]

The driver is libcuda.so.1, or the library that KERNELCLAW_CUDA_DRIVER names
(libkernelclaw_simcuda.so: the simulator, whose times are estimates). Needs Python
and NVRTC. `cold`: the L2 was flushed by reading twice its size; `warm`: the same
launch ran just before. Each sample is one launch between two events, enqueued
while the stream is still busy; the median of N (simulator: one).
"""
import argparse
import ctypes
import glob
import json
import os
import pathlib
import random
import statistics
import sys

import estimate_cases
from run_corpus import Driver

HERE = pathlib.Path(__file__).parent
SPREAD = 0.25  # of the samples, cut from each end for `low` and `high`
DELAY_NS = 150_000
ATTRIBUTES = {"sharedBytes": 1, "localBytes": 3, "registers": 4}  # CUfunction_attribute
CLOCK_KHZ, SM_COUNT, L2_BYTES, MAX_SHARED = 13, 16, 38, 8


def nvrtc_library():
    root = os.environ.get("KERNELCLAW_CUDA_ROOT", "/usr/local/cuda")
    places = [f"{root}/lib64/libnvrtc.so", f"{root}/targets/*/lib/libnvrtc.so*",
              "/usr/local/cuda*/targets/*/lib/libnvrtc.so*",
              *(f"{p}/nvidia/*/lib/libnvrtc.so*" for p in sys.path)]
    found = [file for place in places for file in sorted(glob.glob(place))
             if "alt" not in file and "builtins" not in file]
    for name in ["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so", *found]:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    sys.exit("estimate.py needs NVRTC (libnvrtc.so): install the CUDA toolkit or set "
             "KERNELCLAW_CUDA_ROOT")


def compile_source(arch):
    """PTX for compute_*, machine code for sm_*."""
    nvrtc, program = nvrtc_library(), ctypes.c_void_p()
    source = (HERE / "estimate.cu").read_bytes()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, b"estimate.cu", 0, None, None)
    options = [f"--gpu-architecture={arch}".encode(), b"-std=c++17", b"-lineinfo"]
    code = nvrtc.nvrtcCompileProgram(program, len(options),
                                     (ctypes.c_char_p * len(options))(*options))
    kind = "PTX" if arch.startswith("compute") else "CUBIN"

    def text(name):
        size = ctypes.c_size_t()
        getattr(nvrtc, f"nvrtcGet{name}Size")(program, ctypes.byref(size))
        data = ctypes.create_string_buffer(size.value)
        getattr(nvrtc, f"nvrtcGet{name}")(program, data)
        return data
    if code:
        sys.exit("NVRTC refuses estimate.cu:\n" + text("ProgramLog").value.decode())
    return text(kind)


class Device(Driver):
    def __init__(self):
        super().__init__()
        self.simulated = hasattr(self.library, "kclSimEntry")
        major, minor = self.attribute(75), self.attribute(76)
        suffix = "a" if major >= 9 else ""
        self.arch = f"{'compute' if self.simulated else 'sm'}_{major}{minor}{suffix}"
        self.module = ctypes.c_void_p()
        self.image = compile_source(self.arch)
        self.call("cuModuleLoadData", ctypes.byref(self.module), self.image)
        self.events = [ctypes.c_void_p() for _ in range(2)]
        for event in self.events:
            self.call("cuEventCreate", ctypes.byref(event), 0)
        self.buffers = self.make_buffers()

    def attribute(self, number):
        value = ctypes.c_int()
        self.call("cuDeviceGetAttribute", ctypes.byref(value), number, self.device)
        return value.value

    def make_buffers(self):
        bytes_ = 4 * estimate_cases.FLOATS
        links = 128 * estimate_cases.CHASE_LINKS
        flush = 2 * self.attribute(L2_BYTES)
        sizes = {"a": bytes_ + 4096, "b": bytes_ + 4096, "index": bytes_ // 4,
                 "links": links, "flush": flush}
        buffers = {name: self.allocate(size) for name, size in sizes.items()}
        for name, size in sizes.items():
            self.call("cuMemsetD32_v2", buffers[name], 0, ctypes.c_size_t(size // 4))
        rng, part = random.Random(7), 1 << 18
        values = (ctypes.c_float * part)(*(rng.uniform(0.1, 1.0) for _ in range(part)))
        for at in range(0, bytes_, 4 * part):
            self.call("cuMemcpyHtoD_v2", ctypes.c_uint64(buffers["a"].value + at), values,
                      ctypes.c_size_t(4 * part))
        self.buffers = buffers
        count = bytes_ // 16
        self.launch(estimate_cases.case("", "fill_index", count // 256, 256, "index", count))
        self.launch(estimate_cases.case("", "fill_chase", links // 128 // 256, 256, "links",
                                        links // 128, 1237))
        return buffers

    def function(self, name):
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), self.module, name.encode())
        return function

    def arguments(self, case):
        values = [self.buffers[a] if isinstance(a, str) else
                  a if isinstance(a, ctypes.c_uint64) else ctypes.c_int32(a)
                  for a in case.args]
        return values, (ctypes.c_void_p * max(1, len(values)))(
            *(ctypes.cast(ctypes.pointer(v), ctypes.c_void_p) for v in values))

    def prepare(self, case):
        """What a launch of the case needs, looked up once."""
        function = self.function(case.kernel)
        if case.shared:
            self.call("cuFuncSetAttribute", function, MAX_SHARED, case.shared)
        values, pointers = self.arguments(case)
        return function, values, pointers

    def start(self, case, prepared):
        self.call("cuLaunchKernel", prepared[0], *case.grid, *case.block, case.shared, None,
                  prepared[2], None)

    def launch(self, case):
        self.start(case, self.prepare(case))
        self.call("cuCtxSynchronize")

    def flush_case(self):
        chunks = 2 * self.attribute(L2_BYTES) // 16
        return estimate_cases.case("", "flush", 4 * self.attribute(SM_COUNT), 256, "flush", "b",
                                   chunks)

    def sample(self, case, prepared, before):
        """Nanoseconds of one launch behind `before`."""
        for each in before:
            self.start(*each)
        self.call("cuEventRecord", self.events[0], None)
        self.start(case, prepared)
        self.call("cuEventRecord", self.events[1], None)
        self.call("cuCtxSynchronize")
        milliseconds = ctypes.c_float()
        self.call("cuEventElapsedTime", ctypes.byref(milliseconds), *self.events)
        return milliseconds.value * 1e6

    def measure(self, case, samples):
        prepared = self.prepare(case)
        flush, delay = self.flush_case(), estimate_cases.case(
            "", "delay", 1, 1, ctypes.c_uint64(DELAY_NS))
        flush, delay = (flush, self.prepare(flush)), (delay, self.prepare(delay))
        self.start(case, prepared)
        if self.simulated:
            result = {"cold": self.sample(case, prepared, [flush])}
            result["counts"] = self.counts()
            result["warm"] = self.sample(case, prepared, [])
            result["warmCounts"] = self.counts()
        else:
            result = {}
            for kind, before in {"cold": [delay, flush],
                                 "warm": [delay, (case, prepared)]}.items():
                for _ in range(5):
                    self.sample(case, prepared, before)
                times = sorted(self.sample(case, prepared, before) for _ in range(samples))
                cut = int(SPREAD * samples)
                result[kind] = statistics.median(times)
                result[kind + "Low"], result[kind + "High"] = times[cut], times[-1 - cut]
        return result | self.resources(case, prepared[0])

    def resources(self, case, function):
        found = {}
        for name, number in ATTRIBUTES.items():
            value = ctypes.c_int()
            self.call("cuFuncGetAttribute", ctypes.byref(value), number, function)
            found[name] = value.value
        blocks = ctypes.c_int()
        threads = case.block[0] * case.block[1] * case.block[2]
        self.call("cuOccupancyMaxActiveBlocksPerMultiprocessor", ctypes.byref(blocks), function,
                  threads, ctypes.c_size_t(case.shared))
        return found | {"blocksPerSm": blocks.value}

    def counts(self):
        """Counter -> value of the last launch; simulator only."""
        if not hasattr(self.library, "kclSimCounts"):
            return {}
        row, names = self.library.kclSimCounter, []
        row.restype = ctypes.c_char_p
        while text := row(ctypes.c_size_t(len(names))):
            names.append(text.decode().split("\t")[0])
        values = (ctypes.c_double * len(names))()
        self.library.kclSimCounts(ctypes.c_uint64(0), values, ctypes.c_size_t(len(names)))
        return dict(zip(names, values))

    def clock_megahertz(self):
        """Of a busy multiprocessor."""
        if self.simulated:
            return self.attribute(CLOCK_KHZ) / 1e3
        out = (ctypes.c_uint64 * 2)()
        self.launch(estimate_cases.case("", "clocks", 1, 1, "b"))
        self.call("cuMemcpyDtoH_v2", out, self.buffers["b"], ctypes.c_size_t(16))
        return 1e3 * out[0] / out[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    parser.add_argument("--only", default="")
    parser.add_argument("--samples", type=int, default=101)
    options = parser.parse_args()
    device = Device()
    record = {"device": device.name(), "evidence": "simulated" if device.simulated else "measured",
              "clockMegahertz": round(device.clock_megahertz()), "kernels": {}}
    failed = 0
    for case in estimate_cases.cases():
        if options.only not in case.name:
            continue
        try:
            result = device.measure(case, options.samples)
            print(f"{case.name:24} cold {result['cold']:10.0f} ns  warm {result['warm']:10.0f} ns",
                  flush=True)
        except RuntimeError as error:
            result, failed = {"absent": str(error)}, failed + 1
            print(f"{case.name:24} {error}", flush=True)
        record["kernels"][case.name] = result
    record["clockMegahertzAfter"] = round(device.clock_megahertz()) if not failed else 0
    lines = ",\n".join(f"{json.dumps(n)}: {json.dumps(r)}" for n, r in record.pop("kernels").items())
    head = json.dumps(record)[:-1]
    pathlib.Path(options.out).write_text(head + ',\n"kernels": {\n' + lines + "\n}}\n",
                                         encoding="ascii")
    print(f"{len(lines.splitlines()) - failed} launches on {device.name()}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
