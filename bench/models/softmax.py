"""Row softmax, 256 MB in and out."""
import torch
from torch import nn

ROWS, COLUMNS = 8192, 8192


class Model(nn.Module):
    def forward(self, x):
        return torch.softmax(x, dim=-1)


def get_inputs():
    return [torch.randn(ROWS, COLUMNS)]


def get_init_inputs():
    return []
