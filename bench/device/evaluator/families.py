#!/usr/bin/env python3
"""The largest KernelBench problem of each operator family, through torch-mlir.

    families.py export FOLDER [NAME ...]   one NAME.mlir a row; needs torch and
                                           torch-mlir
    families.py rows                       NAME, family, problem, tab-separated

A problem is named LEVEL-NUMBER as KernelBench (v0.1) does. "Largest": most
floating-point operations for contractions, most bytes of arguments and results
for the others, over levels 1 to 3; where the operator is one of many in its
problem, it is exported alone, at the size it has there. Tensors live on the
meta device, so sizes cost nothing.
"""
import pathlib
import sys

# torch, nn and F are imported by `export`: the table can be read without.

ROWS = []  # (name, family, problem, function that makes the module, shapes)


def row(name, family, problem, make, *shapes):
    ROWS.append((name, family, problem, make, shapes))


def f(call):
    """The module that calls a function."""
    def make():
        class Calls(nn.Module):
            def forward(self, *inputs):
                return call(*inputs)
        return Calls()
    return make


def sequence(layer):
    """The module that a recurrent layer is, without its last state."""
    def make():
        class First(nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = layer()

            def forward(self, x, *state):
                return self.layer(x, state if len(state) > 1 else state[0])[0]
        return First()
    return make


wide = (4096, 393216)
image = (112, 64, 512, 512)
square = (32768, 32768)
line = (32768, 65535)
sums = (128, 4096, 4095)

# pointwise
row("softsign", "pointwise", "1-30", f(lambda x: x / (1 + x.abs())), wide)
row("gelu", "pointwise", "1-26", f(lambda x: F.gelu(x)), wide)
# contraction
row("matmul-4096", "matmul", "1-1", f(lambda a, b: torch.matmul(a, b)), (4096, 4096), (4096, 4096))
row("matmul-irregular", "matmul", "1-8", f(lambda a, b: torch.matmul(a, b)), (8205, 2949), (2949, 5921))
row("matmul-large-k", "matmul", "1-6", f(lambda a, b: torch.matmul(a, b)), (256, 524288), (524288, 256))
row("matmul-small-k", "matmul", "1-7", f(lambda a, b: torch.matmul(a, b)), (32768, 64), (64, 32768))
row("bmm", "matmul, batched", "1-3", f(lambda a, b: torch.bmm(a, b)), (128, 512, 1024), (128, 1024, 2048))
row("einsum", "matmul, einsum", "1-11", f(lambda a, b: torch.einsum("bijl,lk->bijk", a, b)),
    (8, 256, 512, 256), (256, 768))
row("matvec", "matrix times vector", "1-4", f(lambda a, b: torch.matmul(a, b)), (2048, 1048576), (1048576, 1))
row("linear", "linear", "2-39 (its linear)", lambda: nn.Linear(4096, 4096), (16384, 4096))
# convolution
row("conv1d", "convolution, 1-D", "1-76",
    lambda: nn.Conv1d(64, 128, 3, stride=3, dilation=4, bias=False), (64, 64, 524280))
row("conv2d", "convolution, 2-D", "3-5 (its second)",
    lambda: nn.Conv2d(96, 256, 5, padding=2), (1024, 96, 27, 27))
row("conv2d-3x3", "convolution, 2-D", "1-63",
    lambda: nn.Conv2d(16, 128, 3, bias=False), (16, 16, 1024, 1024))
row("conv2d-1x1", "convolution, 2-D", "1-87",
    lambda: nn.Conv2d(64, 128, 1, bias=False), (16, 64, 1024, 1024))
row("conv2d-depthwise", "convolution, depthwise", "1-84",
    lambda: nn.Conv2d(128, 128, 3, groups=128, bias=False), (64, 128, 256, 512))
row("conv3d", "convolution, 3-D", "2-43 (its convolution)",
    lambda: nn.Conv3d(32, 64, 3, padding=1), (4, 32, 32, 128, 128))
row("conv-transpose1d", "convolution, transposed 1-D", "1-64",
    lambda: nn.ConvTranspose1d(128, 128, 3, bias=False), (64, 128, 65536))
row("conv-transpose2d", "convolution, transposed 2-D", "1-57",
    lambda: nn.ConvTranspose2d(64, 64, 3, bias=False), (8, 64, 1024, 1024))
row("conv-transpose3d", "convolution, transposed 3-D", "1-68",
    lambda: nn.ConvTranspose3d(32, 64, (3, 5, 5), bias=False), (16, 32, 64, 64, 64))
# pooling
row("max-pool1d", "pooling, max", "1-41",
    lambda: nn.MaxPool1d(8, 1, 4, 3), (64, 192, 65536))
row("max-pool2d", "pooling, max", "1-42",
    lambda: nn.MaxPool2d(4, 1, 1, 1), (32, 64, 512, 512))
row("max-pool3d", "pooling, max", "1-43",
    lambda: nn.MaxPool3d(3, 2, 1, 3), (16, 32, 128, 128, 128))
row("avg-pool1d", "pooling, average", "1-44", lambda: nn.AvgPool1d(8, 1, 4), (64, 128, 65536))
row("avg-pool2d", "pooling, average", "1-45", lambda: nn.AvgPool2d(11), (16, 64, 2048, 2048))
row("avg-pool3d", "pooling, average", "1-46",
    lambda: nn.AvgPool3d(3, 2, 1), (16, 32, 128, 128, 256))
row("adaptive-pool2d", "pooling, adaptive", "2-67 (its pooling)",
    lambda: nn.AdaptiveAvgPool2d(1), (128, 64, 254, 254))
# softmax, norm
row("softmax", "softmax", "1-23", f(lambda x: torch.softmax(x, 1)), wide)
row("log-softmax", "softmax", "1-24", f(lambda x: torch.log_softmax(x, 1)), wide)
row("batch-norm", "norm, batch", "1-33", lambda: nn.BatchNorm2d(64), (64, 64, 512, 512))
row("instance-norm", "norm, instance", "1-34", lambda: nn.InstanceNorm2d(64), image)
row("group-norm", "norm, group", "1-35", lambda: nn.GroupNorm(8, 64), image)
row("rms-norm", "norm, RMS", "1-36",
    f(lambda x: x / torch.sqrt((x ** 2).mean(dim=1, keepdim=True) + 1e-5)), image)
row("frobenius-norm", "norm, Frobenius", "1-37", f(lambda x: x / torch.norm(x, p="fro")), image)
row("l1-norm", "norm, L1", "1-38",
    f(lambda x: x / x.abs().mean(dim=1, keepdim=True)), line)
row("l2-norm", "norm, L2", "1-39",
    f(lambda x: x / torch.norm(x, p=2, dim=1, keepdim=True)), line)
row("layer-norm", "norm, layer", "2-34 (its norm)", lambda: nn.LayerNorm(64),
    (32, 64, 32, 64, 64))
row("layer-norm-whole", "norm, layer", "1-40", lambda: nn.LayerNorm((64, 256, 256)),
    (16, 64, 256, 256))
# reduction, scan
row("sum", "reduction", "1-47", f(lambda x: x.sum(1, keepdim=True)), sums)
row("max", "reduction", "1-49", f(lambda x: x.max(1)[0]), sums)
row("argmax", "reduction, index", "1-51", f(lambda x: x.argmax(1)), sums)
row("logsumexp", "reduction, logsumexp", "2-45 (its logsumexp)",
    f(lambda x: torch.logsumexp(x, 1)), (16384, 1024))
row("cumsum", "scan", "1-89", f(lambda x: x.cumsum(1)), square)
row("cumprod", "scan", "1-90", f(lambda x: x.cumprod(1)), square)
row("masked-cumsum", "scan", "1-93", f(lambda x, m: (x * m).cumsum(1)),
    square, (*square, "bool"))
# loss
row("mse-loss", "loss", "1-94", f(lambda p, t: ((p - t) ** 2).mean()), square, square)
row("cross-entropy", "loss", "1-95", f(lambda x, t: F.cross_entropy(x, t)), (32768, 4096), (32768, "int64"))
row("huber-loss", "loss", "1-96", f(lambda p, t: F.smooth_l1_loss(p, t)), square, square)
row("kl-div", "loss", "1-98",
    f(lambda p, t: F.kl_div(torch.log(p), t, reduction="batchmean")),
    (16384, 16384), (16384, 16384))
row("triplet-loss", "loss", "1-99", lambda: nn.TripletMarginLoss(margin=1.0),
    *[(32768, 8192)] * 3)
row("hinge-loss", "loss", "1-100", f(lambda p, t: torch.clamp(1 - p * t, min=0).mean()),
    square, (32768,))
# attention, recurrence
row("attention", "attention", "1-97", f(lambda q, k, v: F.scaled_dot_product_attention(q, k, v)),
    *[(32, 32, 512, 1024)] * 3)
row("lstm", "recurrence, LSTM", "3-38 (its LSTM)",
    sequence(lambda: nn.LSTM(128, 256, 6, batch_first=True, bidirectional=True)),
    (10, 512, 128), (12, 10, 256), (12, 10, 256))
row("gru", "recurrence, GRU", "3-41",
    sequence(lambda: nn.GRU(128, 256, 6, bidirectional=True)),
    (512, 10, 128), (12, 10, 256))
# For evaluator-speed.md, not a largest problem.
row("conv2d-64", "speed", "-", lambda: nn.Conv2d(64, 64, 3, padding=1, bias=False),
    (16, 64, 128, 128))
row("softmax-4096", "speed", "-", f(lambda x: torch.softmax(x, 1)), (4096, 4096))


def export(folder, names):
    global torch, nn, F
    import torch
    import torch.nn as nn
    import torch.nn.functional as F
    from torch_mlir import fx
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    failed = 0
    chosen = [r for r in ROWS if not names or r[0] in names]
    for name, _, _, make, shapes in chosen:
        try:
            with torch.device("meta"):
                inputs = []
                for shape in shapes:
                    typed = isinstance(shape[-1], str)
                    dtype = getattr(torch, shape[-1]) if typed else torch.float32
                    inputs.append(torch.empty(shape[:-1] if typed else shape, dtype=dtype))
                program = torch.export.export(make(), tuple(inputs), strict=False)
            program = program.run_decompositions({})
            text = str(fx.stateless_fx_import(program.graph_module, output_type="raw"))
        except Exception as error:  # the row says so; the others go on
            print(f"{name}: {type(error).__name__}: {str(error)[:300]}", file=sys.stderr)
            failed += 1
            continue
        (folder / f"{name}.mlir").write_text(text)
    print(f"{len(chosen) - failed} of {len(chosen)} exported", file=sys.stderr)
    return 1 if failed else 0


def main(words):
    if words[:1] == ["export"] and len(words) >= 2:
        return export(words[1], words[2:])
    if words == ["rows"]:
        for name, family, problem, _, _ in ROWS:
            print(name, family, problem, sep="\t")
        return 0
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
