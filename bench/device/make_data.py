#!/usr/bin/env python3
"""Arguments and f64 results of one bench model, made on the GPU from a seed.

    make_data.py MODEL.py OUTDIR [--seed N]

Writes OUTDIR/args.npz (arg0, ...: parameters, then inputs, as exported) and
OUTDIR/expected.npz (res0 in float64, eager32_res0) with torch.
"""
import argparse
import importlib.util
import pathlib

import numpy as np
import torch


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    spec = importlib.util.spec_from_file_location("model", options.model)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    torch.manual_seed(options.seed)
    torch.backends.cuda.matmul.allow_tf32 = False
    with torch.device("cuda"), torch.no_grad():
        model = module.Model(*module.get_init_inputs())
        for parameter in model.parameters():
            if parameter.numel() > 1 and bool((parameter == parameter.flatten()[0]).all()):
                parameter.add_(0.25 * torch.randn(parameter.shape))
        inputs = module.get_inputs()
        eager = model(*inputs)
        arguments = [p.detach().cpu().numpy() for p in model.parameters()]
        arguments += [x.cpu().numpy() for x in inputs]
        reference = model.double()(*[x.double() for x in inputs])
    options.out.mkdir(parents=True, exist_ok=True)
    np.savez(options.out / "args.npz", **{f"arg{i}": a for i, a in enumerate(arguments)})
    np.savez(options.out / "expected.npz", res0=reference.cpu().numpy(),
             eager32_res0=eager.cpu().numpy())


if __name__ == "__main__":
    main()
