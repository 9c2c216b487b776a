#!/usr/bin/env python3
"""Matmul and convolution steps against PyTorch eager on a GPU.

    library_steps.py libkernelclaw_runtime.so [--extra] [--only WORD] [--json FILE]

Fills the structs of kcl_steps.h through ctypes on PyTorch's tensors, in
PyTorch's process and with its cuBLASLt and cuDNN, and calls kclMatmulLoad,
kclMatmulChoose (times the library's list), kclStepMatmul and their
counterparts. Shapes are KernelBench's (level, number); precision is PyTorch's
default: f32 matmul IEEE, f32 convolution TF32.

Time: CUDA events around one call, L2 flushed before each by writing twice its
size, the device kept busy until the host has enqueued the call; ours and eager
alternate in random order. Medians. `eager / ours` above 1: ours is faster.
`difference` is ||ours - eager|| / ||eager||.
"""
import argparse
import ctypes
import json
import math
import random
import statistics
import sys

import torch
import torch.nn.functional as F

RUNS = 40
WARM = 5
BUSY_CYCLES = 1_000_000
MATMUL_WORKSPACE = 32 << 20
F64, F32, F16, BF16 = 1, 2, 3, 4
ELEMENT = {torch.float64: F64, torch.float32: F32, torch.float16: F16,
           torch.bfloat16: BF16}
COMPUTE_F32, COMPUTE_TF32, COMPUTE_F64 = 1, 2, 3
EPILOGUE_NONE, EPILOGUE_BIAS = 0, 1
i32, i64, u64, ptr, f64 = (ctypes.c_int32, ctypes.c_int64, ctypes.c_uint64,
                           ctypes.c_void_p, ctypes.c_double)


class Call(ctypes.Structure):
    _fields_ = [("abi_version", ctypes.c_uint32), ("reserved", ctypes.c_uint32),
                ("stream", ptr), ("workspace", ptr), ("workspace_bytes", u64),
                ("persistent", ptr), ("persistent_bytes", u64), ("seed", u64),
                ("offset", u64), ("regions_won", u64), ("regions_stock", u64),
                ("error", ctypes.c_char * 512)]


class Matrix(ctypes.Structure):
    _fields_ = [("data", ptr), ("ld", i64), ("batch_stride", i64),
                ("element", i32), ("transposed", i32)]


class Matmul(ctypes.Structure):
    _fields_ = [("a", Matrix), ("b", Matrix), ("c", Matrix), ("d", Matrix),
                ("m", i64), ("n", i64), ("k", i64), ("batch", i64),
                ("alpha", f64), ("beta", f64), ("compute", i32),
                ("epilogue", i32), ("bias", ptr), ("handle", ptr),
                ("algorithm", ptr), ("workspace", ptr), ("workspace_bytes", u64)]


class Convolution(ctypes.Structure):
    _fields_ = [("input", ptr), ("weight", ptr), ("bias", ptr), ("output", ptr),
                ("element", i32), ("tf32", i32), ("transposed", i32),
                ("channels_last", i32), ("spatial", i32), ("reserved", i32),
                ("batch", i64), ("in_channels", i64), ("out_channels", i64),
                ("groups", i64), ("in_", i64 * 3), ("out", i64 * 3),
                ("kernel", i64 * 3), ("stride", i64 * 3), ("dilation", i64 * 3),
                ("pad_before", i64 * 3), ("pad_after", i64 * 3),
                ("handle", ptr), ("plan", ptr), ("workspace", ptr),
                ("workspace_bytes", u64)]


class Choice(ctypes.Structure):
    _fields_ = [("text", ctypes.c_char * 240), ("microseconds", f64),
                ("workspace_bytes", u64)]


class Step:
    """A step of one kind: choose, load again with the choice, run."""

    def __init__(self, runtime, kind, step, object_name, keep):
        self.runtime, self.kind, self.step = runtime, kind, step
        self.object_name, self.keep = object_name, keep
        self.call = Call(abi_version=1)
        self.call.stream = torch.cuda.current_stream().cuda_stream
        self.run_function = getattr(runtime, "kclStep" + kind)
        self.load(None)
        choice = Choice()
        self.check(getattr(runtime, f"kcl{kind}Choose")(
            ctypes.byref(step), ctypes.byref(choice), ctypes.byref(self.call)))
        self.unload()
        self.choice = choice.text.decode()
        self.workspace_bytes = choice.workspace_bytes
        self.load(choice.text)

    def check(self, status):
        if status:
            raise RuntimeError(f"status {status}: {self.call.error.decode()}")

    def load(self, choice):
        handle, made = ptr(), ptr()
        self.check(getattr(self.runtime, f"kcl{self.kind}Load")(
            ctypes.byref(self.step), choice, ctypes.byref(handle),
            ctypes.byref(made), ctypes.byref(self.call)))
        self.step.handle = handle
        setattr(self.step, self.object_name, made)

    def unload(self):
        torch.cuda.synchronize()
        getattr(self.runtime, f"kcl{self.kind}Unload")(
            ptr(self.step.handle), ptr(getattr(self.step, self.object_name)))

    def __call__(self):
        self.check(self.run_function(ctypes.byref(self.step),
                                     ctypes.byref(self.call)))


def matrix(tensor, transposed=False):
    """The last two dims; a transposed view of a contiguous tensor is one with
    transposed = 1."""
    batch = tensor.stride(0) if tensor.dim() == 3 and tensor.shape[0] > 1 else 0
    ld = tensor.stride(-1) if transposed else tensor.stride(-2)
    return Matrix(tensor.data_ptr(), ld, batch, ELEMENT[tensor.dtype],
                  int(transposed))


def matmul_step(runtime, a, b, bias=None, tf32=False):
    """a @ b (+ bias): `a` and `b` contiguous, or transposed views of such."""
    a_turned, b_turned = (x.stride(-1) != 1 for x in (a, b))
    d = torch.empty(*a.shape[:-1], b.shape[-1], dtype=a.dtype, device="cuda")
    workspace = torch.empty(MATMUL_WORKSPACE, dtype=torch.uint8, device="cuda")
    step = Matmul(a=matrix(a, a_turned), b=matrix(b, b_turned), d=matrix(d),
                  m=a.shape[-2], n=b.shape[-1], k=a.shape[-1],
                  batch=a.shape[0] if a.dim() == 3 else 1, alpha=1, beta=0,
                  compute=COMPUTE_F64 if a.dtype == torch.float64
                  else COMPUTE_TF32 if tf32 else COMPUTE_F32,
                  epilogue=EPILOGUE_NONE if bias is None else EPILOGUE_BIAS,
                  bias=None if bias is None else bias.data_ptr(),
                  workspace=workspace.data_ptr(),
                  workspace_bytes=MATMUL_WORKSPACE)
    return Step(runtime, "Matmul", step, "algorithm",
                [a, b, bias, workspace]), d


def triple(values):
    values = list(values)
    return (i64 * 3)(*(values + [1] * (3 - len(values))))


def convolution_step(runtime, x, weight, bias, options, transposed):
    n = weight.dim() - 2
    listed = {key: options.get(key, default) for key, default in
              (("stride", 1), ("padding", 0), ("dilation", 1))}
    listed = {key: [v] * n if isinstance(v, int) else list(v)
              for key, v in listed.items()}
    function = {(1, False): F.conv1d, (2, False): F.conv2d,
                (3, False): F.conv3d, (1, True): F.conv_transpose1d,
                (2, True): F.conv_transpose2d,
                (3, True): F.conv_transpose3d}[n, transposed]
    eager = lambda: function(x, weight, bias, **options)
    y = torch.empty_like(eager())
    # For copies of all tensors in another layout, and some.
    size = x.nbytes + weight.nbytes + y.nbytes + (64 << 20)
    workspace = torch.empty(size, dtype=torch.uint8, device="cuda")
    step = Convolution(input=x.data_ptr(), weight=weight.data_ptr(),
                       bias=None if bias is None else bias.data_ptr(),
                       output=y.data_ptr(), element=ELEMENT[x.dtype],
                       tf32=int(x.dtype == torch.float32),
                       transposed=int(transposed), channels_last=0, spatial=n,
                       batch=x.shape[0], in_channels=x.shape[1],
                       out_channels=y.shape[1], groups=options.get("groups", 1),
                       in_=triple(x.shape[2:]), out=triple(y.shape[2:]),
                       kernel=triple(weight.shape[2:]),
                       stride=triple(listed["stride"]),
                       dilation=triple(listed["dilation"]),
                       pad_before=triple(listed["padding"]),
                       pad_after=triple(listed["padding"]),
                       workspace=workspace.data_ptr(), workspace_bytes=size)
    made = Step(runtime, "Convolution", step, "plan", [x, weight, bias, workspace])
    return made, y, eager


def tensor(*shape, dtype=torch.float32, scale=1.0):
    return torch.randn(*shape, dtype=dtype, device="cuda") * scale


def product_case(a, b, bias=False, dtype=torch.float32, turned=(False, False),
                 tf32=False):
    def make(runtime):
        shapes = [list(shape) for shape in (a, b)]
        for shape, turn in zip(shapes, turned):
            if turn:
                shape[-1], shape[-2] = shape[-2], shape[-1]
        left, right = (tensor(*shape, dtype=dtype) for shape in shapes)
        left, right = (x.transpose(-1, -2) if turn else x
                       for x, turn in zip((left, right), turned))
        added = tensor(right.shape[-1], dtype=dtype) if bias else None
        if bias:
            eager = lambda: F.linear(left, right.transpose(-1, -2), added)
        else:
            eager = lambda: left @ right
        step, d = matmul_step(runtime, left, right, added, tf32)
        return step, d, eager
    make.tf32 = tf32
    return make


def convolution_case(x, weight, bias=False, transposed=False,
                     dtype=torch.float32, **options):
    def make(runtime):
        fan = math.prod(weight[1:])
        data = tensor(*x, dtype=dtype)
        filters = tensor(*weight, dtype=dtype, scale=fan ** -0.5)
        channels = weight[1] * options.get("groups", 1) if transposed else weight[0]
        added = tensor(channels, dtype=dtype) if bias else None
        return convolution_step(runtime, data, filters, added, options, transposed)
    return make


CASES = [
    ("1-1 square matmul", product_case((4096, 4096), (4096, 4096))),
    ("1-3 batched matmul", product_case((128, 512, 1024), (128, 1024, 2048))),
    ("1-6 matmul, large K", product_case((256, 524288), (524288, 256))),
    ("1-8 matmul, irregular", product_case((8205, 2949), (2949, 5921))),
    ("1-18 matmul, both transposed",
     product_case((2048, 8192), (8192, 4096), turned=(True, True))),
    ("2-12 linear with bias",
     product_case((1024, 8192), (8192, 8192), bias=True, turned=(False, True))),
    ("1-50 conv2d, 11x11, stride 4, bias",
     convolution_case((256, 3, 224, 224), (96, 3, 11, 11), bias=True, stride=4,
                      padding=2)),
    ("1-63 conv2d, 3x3", convolution_case((16, 16, 1024, 1024), (128, 16, 3, 3))),
    ("1-54 conv3d", convolution_case((16, 3, 64, 64, 64), (64, 3, 3, 3, 3))),
    ("1-76 conv1d, dilated, strided",
     convolution_case((64, 64, 524280), (128, 64, 3), stride=3, dilation=4)),
    ("1-71 transposed conv2d",
     convolution_case((8, 32, 512, 1024), (32, 32, 3, 3), transposed=True)),
    ("1-72 transposed conv3d, strided, grouped",
     convolution_case((8, 32, 12, 24, 48), (32, 8, 3, 5, 7), transposed=True,
                      stride=(2, 2, 2), padding=(1, 2, 3),
                      output_padding=(1, 1, 1), groups=4)),
]
EXTRA = [
    ("1-1 in tf32", product_case((4096, 4096), (4096, 4096), tf32=True)),
    ("1-1 in f16", product_case((4096, 4096), (4096, 4096), dtype=torch.float16)),
    ("1-1 in bf16", product_case((4096, 4096), (4096, 4096), dtype=torch.bfloat16)),
    ("1-1 in f64", product_case((4096, 4096), (4096, 4096), dtype=torch.float64)),
    ("2-12 linear in bf16",
     product_case((1024, 8192), (8192, 8192), bias=True, turned=(False, True),
                  dtype=torch.bfloat16)),
    ("1-50 in f16",
     convolution_case((256, 3, 224, 224), (96, 3, 11, 11), bias=True, stride=4,
                      padding=2, dtype=torch.float16)),
    ("1-63 in bf16",
     convolution_case((16, 16, 1024, 1024), (128, 16, 3, 3), dtype=torch.bfloat16)),
    ("1-82 depthwise conv2d",
     convolution_case((16, 64, 512, 512), (64, 1, 3, 3), groups=64)),
    ("1-77 transposed conv3d, dilated",
     convolution_case((16, 32, 16, 32, 32), (32, 64, 3, 3, 3), transposed=True,
                      stride=2, padding=1, dilation=2)),
]


def once(call, flush):
    flush.zero_()
    torch.cuda._sleep(BUSY_CYCLES)
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    call()
    end.record()
    end.synchronize()
    return 1000 * begin.elapsed_time(end)


def measure(name, make, runtime, flush):
    torch.backends.cuda.matmul.allow_tf32 = getattr(make, "tf32", False)
    step, result, eager = make(runtime)
    expected = eager()
    result.fill_(float("nan"))
    step()
    difference = 0.0
    # In pieces: wide copies of the largest results would not fit.
    total = 0.0
    for ours, theirs in zip(result.flatten().split(1 << 28),
                            expected.flatten().split(1 << 28)):
        difference += (ours.double() - theirs.double()).square().sum().item()
        total += theirs.double().square().sum().item()
    difference = math.sqrt(difference / total)
    del expected
    samples = {"ours": [], "eager": []}
    calls = [("ours", step), ("eager", eager)]
    for run in range(RUNS + WARM):
        random.shuffle(calls)
        for label, call in calls:
            took = once(call, flush)
            if run >= WARM:
                samples[label].append(took)
    step.unload()
    medians = {label: statistics.median(list_) for label, list_ in samples.items()}
    return {"name": name, **medians, "ratio": medians["eager"] / medians["ours"],
            "difference": difference, "choice": step.choice,
            "workspaceBytes": step.workspace_bytes, "samples": samples}


def open_runtime(path):
    runtime = ctypes.CDLL(path)
    step = ctypes.c_void_p
    for kind in ("Matmul", "Convolution"):
        getattr(runtime, f"kcl{kind}Load").argtypes = [
            step, ctypes.c_char_p, step, step, step]
        getattr(runtime, f"kcl{kind}Unload").argtypes = [step, step]
    return runtime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("runtime")
    parser.add_argument("--extra", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--json")
    options = parser.parse_args()
    torch.manual_seed(7)
    torch.backends.cudnn.allow_tf32 = True
    torch.ones(1, device="cuda")
    runtime = open_runtime(options.runtime)
    l2 = torch.cuda.get_device_properties(0).L2_cache_size
    flush = torch.zeros(2 * l2, dtype=torch.uint8, device="cuda")
    print(f"torch {torch.__version__}, cuDNN {torch.backends.cudnn.version()}, "
          f"{torch.cuda.get_device_name(0)}\n")
    print("| KernelBench | ours µs | eager µs | eager / ours | difference | choice |")
    print("|---|---|---|---|---|---|")
    rows = []
    for name, make in CASES + (EXTRA if options.extra else []):
        if options.only not in name:
            continue
        try:
            with torch.no_grad():
                row = measure(name, make, runtime, flush)
        except Exception as error:  # the other rows still count
            print(f"| {name} | failed: {str(error)[:300]} | | | | |", flush=True)
            rows.append({"name": name, "error": str(error)})
            continue
        finally:
            torch.cuda.empty_cache()
        print(f"| {name} | {row['ours']:.1f} | {row['eager']:.1f} "
              f"| {row['ratio']:.3f} | {row['difference']:.1e} "
              f"| {row['choice']} |", flush=True)
        rows.append(row)
    met = sum(row.get("ratio", 0) >= 0.97 for row in rows)
    print(f"\n0.97 or better: {met} of {len(rows)}")
    if options.json:
        with open(options.json, "w") as file:
            json.dump(rows, file)
    return 0 if met == len(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
