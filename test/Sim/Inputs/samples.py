"""Stock of samples on the simulated driver against PyTorch's results.

    samples.py SAMPLES FOLDER [NAME ...]

Each file is lowered with stock everywhere (kernelclaw-opt) and run
(kernelclaw-run); modules and logs go to FOLDER.
"""
import concurrent.futures
import os
import subprocess
import sys

NAMES = ["relu", "gelu_exact", "softmax_last", "softmax_middle", "layer_norm",
         "rms_norm_manual", "reduce_sum", "reduce_argmax", "mlp", "matvec",
         "cumsum", "casts_and_promotion", "max_pool2d_dilated",
         "embedding_gather", "conv1d_dilated", "bf16_rms_norm_swiglu",
         "matmul_batched", "sdpa_causal", "int_bool_ops", "dynamic_attention",
         "dynamic_two_symbols_mlp"]
FORMS = ["keep", "default", "dynamic_symbolic"]


def call(words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout + done.stderr


def run(samples, folder, name, form):
    data = os.path.join(samples, name)
    prefix = "dynamic_" if form.startswith("dynamic") else ""
    stem = os.path.join(folder, name + "-" + form)
    code, text = call(
        ["kernelclaw-opt", os.path.join(data, form + ".mlir"), "-o",
         stem + ".mlir", "--llm-optimize=provider=none evaluator=none "
         "store=none cpu-fallback=false verify=none run-dir=" + stem])
    if code == 0:
        code, text = call(
            ["kernelclaw-run", stem + ".mlir", "--device=sim", "--args",
             os.path.join(data, prefix + "args.npz"), "--expect",
             os.path.join(data, prefix + "expected.npz")])
    return code == 0 and text.endswith("PASS\n"), text


def main():
    samples, folder = sys.argv[1:3]
    os.makedirs(folder, exist_ok=True)
    cases = [(name, form) for name in sys.argv[3:] or NAMES
             for form in FORMS
             if os.path.exists(os.path.join(samples, name, form + ".mlir"))]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda case: run(samples, folder, *case), cases))
    bad = [(case, text) for case, (passed, text) in zip(cases, found)
           if not passed]
    for case, text in bad:
        print("does not pass: %s/%s.mlir\n%s" % (*case, text[-2000:]))
    print("%d files pass, %d do not" % (len(cases) - len(bad), len(bad)))
    return 1 if bad else 0


sys.exit(main())
