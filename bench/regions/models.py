#!/usr/bin/env python3
"""Regions that a model is asked about, for bench/regions/rounds.sh.

    python models.py FOLDER     # needs torch 2.11 and torch-mlir 20261001

Writes FOLDER/NAME.mlir with locations. Tensors live on the meta device. None of
them is left whole to a library by PyTorch, and each leaves a factor over its
own lowering or over eager: KernelBench problems 1-93, 1-84 with an activation,
1-42, 1-97, 1-95 and 1-40 at sizes that are judged in a second or two.
"""
import pathlib
import re
import sys

import torch
import torch.nn.functional as F

f32, bf16 = torch.float32, torch.bfloat16


class MaskedCumsum(torch.nn.Module):
    def forward(self, x, mask):
        return torch.cumsum(x * mask, dim=1)


class DepthwiseHardswish(torch.nn.Module):
    def forward(self, x, weight):
        return F.hardswish(F.conv2d(x, weight, padding=1, groups=96))


class MaxPool(torch.nn.Module):
    def forward(self, x):
        return F.max_pool2d(x, 4, stride=1, padding=1)


class Attention(torch.nn.Module):
    def forward(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v)


class CrossEntropy(torch.nn.Module):
    def forward(self, logits, labels):
        return F.cross_entropy(logits, labels)


class LayerNormWhole(torch.nn.Module):
    def forward(self, x, weight, bias):
        return F.layer_norm(x, (64, 128, 128), weight, bias)


class LinearGelu(torch.nn.Module):
    def forward(self, x, weight, bias):
        return F.gelu(F.linear(x, weight, bias))


class LinearSoftmax(torch.nn.Module):
    def forward(self, x, weight):
        return F.softmax(F.linear(x, weight), dim=-1)


class ConvRelu(torch.nn.Module):
    def forward(self, x, weight, bias):
        return F.relu(F.conv2d(x, weight, bias, padding=1))


REGIONS = {
    MaskedCumsum: [((8192, 8192), f32), ((8192, 8192), torch.bool)],
    DepthwiseHardswish: [((32, 96, 112, 112), f32), ((96, 1, 3, 3), f32)],
    MaxPool: [((16, 64, 256, 256), f32)],
    Attention: [((8, 16, 1024, 64), bf16)] * 3,
    CrossEntropy: [((16384, 4096), f32), ((16384,), torch.int64)],
    LayerNormWhole: [((16, 64, 128, 128), f32), ((64, 128, 128), f32),
                     ((64, 128, 128), f32)],
    LinearGelu: [((4096, 2048), f32), ((4096, 2048), f32), ((4096,), f32)],
    LinearSoftmax: [((16384, 1024), bf16), ((1024, 1024), bf16)],
    ConvRelu: [((32, 64, 56, 56), bf16), ((64, 64, 3, 3), bf16), ((64,), bf16)],
}


def main():
    from torch_mlir import fx

    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    here = str(pathlib.Path(__file__).resolve().parent) + "/"
    for module, tensors in REGIONS.items():
        inputs = tuple(torch.empty(s, dtype=d, device="meta") for s, d in tensors)
        program = torch.export.export(module(), inputs, strict=False)
        made = fx.stateless_fx_import(program.graph_module, output_type="raw")
        text = made.operation.get_asm(enable_debug_info=True)
        name = re.sub("(?<!^)(?=[A-Z])", "_", module.__name__).lower()
        (folder / f"{name}.mlir").write_text(
            text.replace(here, "bench/regions/") + "\n")
        print(name)


if __name__ == "__main__":
    main()
