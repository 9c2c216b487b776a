#!/usr/bin/env python3
"""Exports bench/models/*.py to bench/exports/*.mlir through torch-mlir.

    python bench/export_models.py            # needs torch 2.11, torch-mlir 20261001

Composite operations stay whole (run_decompositions({})); weights are leading
arguments; tensors live on the meta device, so sizes cost nothing.
"""
import importlib.util
import pathlib

import torch
from torch_mlir import fx

HERE = pathlib.Path(__file__).resolve().parent


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    for path in sorted((HERE / "models").glob("*.py")):
        module = load(path)
        with torch.device("meta"):
            model = module.Model(*module.get_init_inputs())
            inputs = module.get_inputs()
        program = torch.export.export(model, tuple(inputs), strict=False)
        program = program.run_decompositions({})
        text = str(fx.stateless_fx_import(program.graph_module, output_type="raw"))
        (HERE / "exports" / f"{path.stem}.mlir").write_text(text)
        print(path.stem)


if __name__ == "__main__":
    main()
