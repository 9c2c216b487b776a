"""Runs samples on the simulated driver against PyTorch's results.

    samples.py kernelclaw-run SAMPLES [NAME ...]
"""
import concurrent.futures
import os
import subprocess
import sys

NAMES = ["relu", "gelu_exact", "softmax_last", "softmax_middle", "layer_norm",
         "rms_norm_manual", "reduce_sum", "reduce_argmax", "mlp", "matvec",
         "cumsum", "casts_and_promotion", "max_pool2d_dilated",
         "embedding_gather", "conv1d_dilated", "bf16_rms_norm_swiglu"]


def run(tool, folder, form):
    done = subprocess.run(
        [tool, os.path.join(folder, form + ".mlir"), "--device=sim", "--args",
         os.path.join(folder, "args.npz"), "--expect",
         os.path.join(folder, "expected.npz")],
        capture_output=True, text=True, timeout=200)
    passed = done.returncode == 0 and done.stdout.endswith("PASS\n")
    return passed, done.stdout + done.stderr


def main():
    tool, samples = sys.argv[1:3]
    cases = [(name, form) for name in sys.argv[3:] or NAMES
             for form in ("keep", "default")]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(
            lambda case: run(tool, os.path.join(samples, case[0]), case[1]),
            cases))
    bad = [(case, text) for case, (passed, text) in zip(cases, found)
           if not passed]
    for case, text in bad:
        print("does not pass: %s/%s.mlir\n%s" % (*case, text))
    print("%d files pass, %d do not" % (len(cases) - len(bad), len(bad)))
    return 1 if bad else 0


sys.exit(main())
