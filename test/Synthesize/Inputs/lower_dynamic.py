"""Lowers every dynamic export of the samples for CUDA, without a search.

    lower_dynamic.py kernelclaw-opt SAMPLES OUT
"""
import concurrent.futures
import glob
import os
import subprocess
import sys

tool, samples, out = sys.argv[1:4]
FILES = sorted(glob.glob(os.path.join(samples, "*", "dynamic*.mlir")))


def lower(path):
    name = os.path.basename(os.path.dirname(path)) + "-" + os.path.basename(path)
    target = os.path.join(out, name)
    options = ("device=cuda provider=none evaluator=none store=none "
               "cpu-fallback=false run-dir=" + target + ".run")
    done = subprocess.run([tool, path, "-o", target, "--llm-optimize=" + options],
                          capture_output=True, text=True, timeout=300)
    return name, done


with concurrent.futures.ThreadPoolExecutor(2) as pool:
    results = list(pool.map(lower, FILES))
bad = [(name, done) for name, done in results if done.returncode != 0]
for name, done in bad:
    print(name, "exit", done.returncode)
    print("\n".join(line[:300] for line in done.stderr.splitlines()
                    if "error" in line))
print("%d dynamic files lowered, %d not" % (len(results) - len(bad), len(bad)))
