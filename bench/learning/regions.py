#!/usr/bin/env python3
"""The regions of the learning table: pointwise chains, reductions, norms, and
linear layers with an epilogue, in several shapes and element types.

    python regions.py FOLDER    # needs torch 2.11 and torch-mlir 20261001

Writes FOLDER/KIND-OP-SHAPE-DTYPE.mlir. Tensors live on the meta device.
"""
import pathlib
import sys

import torch
import torch.nn.functional as F

DTYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}


def rms_norm(x, w):
    return F.rms_norm(x, (x.shape[-1],), w, 1e-6)


def layer_norm(x, w, b):
    return F.layer_norm(x, (x.shape[-1],), w, b, 1e-5)


# op: (function, shapes of the operands from the region's shape)
same = lambda s: [s]  # noqa: E731
twice = lambda s: [s, s]  # noqa: E731
row = lambda s: [s, s[-1:]]  # noqa: E731
row2 = lambda s: [s, s[-1:], s[-1:]]  # noqa: E731
channel = lambda s: [s, s[1:2], s[1:2]]  # noqa: E731
OPS = {
    "gelu": (lambda x: F.gelu(x), same),
    "swish_scale": (lambda x: x * torch.sigmoid(x) * 2.0, same),
    "mish_clamp": (lambda x: torch.clamp(F.mish(x), -1.0, 4.0), same),
    "bias_relu": (lambda x, b: F.relu(x + b), row),
    "gate": (lambda x, y: F.silu(x) * y, twice),
    "add_tanh_mul": (lambda x, y: torch.tanh(x + y) * 0.5 + x, twice),
    "sum": (lambda x: x.sum(-1), same),
    "mean": (lambda x: x.mean(-1, keepdim=True), same),
    "max": (lambda x: x.amax(-1), same),
    "argmax": (lambda x: torch.argmax(x, -1), same),
    "logsumexp": (lambda x: torch.logsumexp(x, -1), same),
    "sum_columns": (lambda x: x.sum(-2), same),
    "max_columns": (lambda x: x.amax(-2), same),
    "square_mean": (lambda x, y: ((x - y) * (x - y)).mean(-1), twice),
    "softmax": (lambda x: F.softmax(x, -1), same),
    "log_softmax": (lambda x: F.log_softmax(x, -1), same),
    "softmax_columns": (lambda x: F.softmax(x, -2), same),
    "rms_norm": (rms_norm, row),
    "layer_norm": (layer_norm, row2),
    "l2_normalise": (lambda x: F.normalize(x, dim=-1), same),
    "group_norm": (lambda x, w, b: F.group_norm(x, 8, w, b), channel),
    "gelu_softmax": (lambda x: F.softmax(F.gelu(x), -1), same),
}
LINEAR = {
    "relu": lambda x, w, b: F.relu(F.linear(x, w, b)),
    "gelu": lambda x, w, b: F.gelu(F.linear(x, w, b)),
    "scale_clamp": lambda x, w, b: torch.clamp(F.linear(x, w, b) * 0.5, -1.0, 1.0),
    "sigmoid_residual": lambda x, w, b: torch.sigmoid(F.linear(x, w, b)) * 2.0,
}
ROWS = [(16384, 256), (4096, 4096), (1024, 1000), (64, 262144), (8, 2097152),
        (262144, 64), (2048, 12288)]


def table():
    """(kind, op, shape, dtype)"""
    dtypes = ["f32", "f16", "bf16"]
    flat = [(256, 1024), (4096, 4096), (8192, 8191)]
    for i, op in enumerate(list(OPS)[:6]):
        for j, shape in enumerate(flat):
            yield "pointwise", op, shape, dtypes[(i + j) % 3]
    for i, op in enumerate(list(OPS)[6:14]):
        for j in range(3):
            yield ("reduction", op, ROWS[(3 * i + 2 * j) % len(ROWS)],
                   dtypes[(i + 2 * j) % 3])
    for i, op in enumerate(list(OPS)[14:]):
        for j in range(3):
            shape = ROWS[(i + 3 * j) % len(ROWS)]
            if op == "group_norm":
                shape = [(16, 64, 64, 64), (64, 32, 128, 128), (4, 256, 32, 32)][j]
            yield "norm", op, shape, dtypes[(i + j) % 3]
    sizes = [(4096, 1024, 1024), (1024, 8192, 512), (16384, 512, 2048)]
    for i, op in enumerate(LINEAR):
        for j, shape in enumerate(sizes):
            yield "linear", op, shape, dtypes[(i + j) % 3]


def operands(kind, op, shape, dtype):
    if kind == "linear":
        m, k, n = shape
        shapes = [(m, k), (n, k), (n,)]
        function = LINEAR[op]
    else:
        function, of = OPS[op]
        shapes = of(tuple(shape))
    return function, [torch.empty(s, dtype=DTYPES[dtype], device="meta") for s in shapes]


def main():
    from torch_mlir import fx

    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for kind, op, shape, dtype in table():
        function, inputs = operands(kind, op, shape, dtype)

        class Module(torch.nn.Module):
            def forward(self, *args):
                return function(*args)

        program = torch.export.export(Module(), tuple(inputs), strict=False)
        program = program.run_decompositions({})
        text = str(fx.stateless_fx_import(program.graph_module, output_type="raw"))
        name = f"{kind}-{op}-{'x'.join(map(str, shape))}-{dtype}"
        (folder / f"{name}.mlir").write_text(text)
        print(name)


if __name__ == "__main__":
    main()
