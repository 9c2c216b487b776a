"""RMS norm from primitive operations, 256 MB in and out."""
import torch
from torch import nn

ROWS, COLUMNS = 8192, 8192


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(1 + 0.25 * torch.randn(COLUMNS))

    def forward(self, x):
        scale = torch.rsqrt(x.pow(2).mean(dim=-1, keepdim=True) + 1e-5)
        return x * scale * self.weight


def get_inputs():
    return [torch.randn(ROWS, COLUMNS)]


def get_init_inputs():
    return []
