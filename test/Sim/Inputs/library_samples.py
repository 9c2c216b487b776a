"""Stock with library steps on the simulated driver against PyTorch's results.

    library_samples.py SAMPLES FOLDER [NAME ...]

Each sample is lowered with stock by libraries and run; prints how many matmul
and convolution steps each module has.
"""
import concurrent.futures
import os
import re
import subprocess
import sys

NAMES = ["matmul_square", "matmul_batched", "matmul_tall_skinny", "matvec",
         "mlp", "conv1d_dilated", "conv2d_depthwise", "conv2d_grouped",
         "conv2d_strided_padded", "conv_transpose3d", "dynamic_two_symbols_mlp"]


def call(words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout + done.stderr


def run(samples, folder, name):
    data = os.path.join(samples, name)
    form, prefix = "default", ""
    if name.startswith("dynamic"):
        form, prefix = "dynamic_symbolic", "dynamic_"
    stem = os.path.join(folder, name)
    code, text = call(
        ["kernelclaw-opt", os.path.join(data, form + ".mlir"), "-o",
         stem + ".embedded.mlir", "--kclaw-outline",
         "--kclaw-embed-stock=library=strict"])
    counts = {}
    if code == 0:
        with open(stem + ".embedded.mlir") as file:
            embedded = file.read()
        counts = {kind: len(re.findall(r"claw\.%s_step" % kind, embedded))
                  for kind in ("matmul", "convolution")}
        code, text = call(
            ["kernelclaw-opt", stem + ".embedded.mlir", "-o", stem + ".mlir",
             "--header=none", "--kclaw-lower=device=cuda"])
    if code == 0:
        code, text = call(
            ["kernelclaw-run", stem + ".mlir", "--device=sim", "--args",
             os.path.join(data, prefix + "args.npz"), "--expect",
             os.path.join(data, prefix + "expected.npz")])
    passed = code == 0 and text.endswith("PASS\n")
    if not passed:
        print("does not pass: %s\n%s" % (name, text[-2000:]))
    print("%s: %d matmul, %d convolution, %s" % (
        name, counts.get("matmul", 0), counts.get("convolution", 0),
        "PASS" if passed else "FAIL"), flush=True)
    return passed


def main():
    samples, folder = sys.argv[1:3]
    os.makedirs(folder, exist_ok=True)
    results = [run(samples, folder, name) for name in sys.argv[3:] or NAMES]
    return 0 if all(results) else 1


sys.exit(main())
