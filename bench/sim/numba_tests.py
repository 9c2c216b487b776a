#!/usr/bin/env python3
"""Runs numba-cuda's own tests on the simulated driver and says how many pass.

    numba_tests.py [--library build/lib/sim] [--prefix .prefix/numba]
                   [--jobs N] [--timeout SECONDS] [--log run.json] [TEST ...]

Installs numba-cuda from PyPI into a virtual environment of its own, the first
time. TEST: paths below numba's tests folder ("cudapy/test_math.py"); without
any, all. Each module has a process of its own, so that a context that one
leaves behind does not fail another. Prints the share of passing tests, the
failures by reason, and what the suite itself skips here.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = [
    "numba-cuda==0.30.4", "numba==0.65.1", "cuda-bindings==13.*", "nvidia-nvvm==13.0.*",
    "nvidia-cuda-nvrtc==13.0.*", "nvidia-cuda-runtime==13.0.*",
    "nvidia-cuda-cccl==13.0.*", "nvidia-cuda-crt==13.0.*", "pytest",
    "pytest-xdist", "pytest-timeout", "pytest-benchmark", "cffi", "ml_dtypes", "filecheck",
    "psutil",
]
# What one simulated device does not offer; nothing else is left out.
EXCLUDED = {
    "IPC": ["cudapy/test_ipc.py"],
    "managed memory": ["cudadrv/test_managed_alloc.py"],
    "several GPUs": ["cudapy/test_multigpu.py"],
    "graphics interop": [],
}


def environment(prefix, library):
    """Of the tests: the simulated driver first, and no nvJitLink, which makes
    machine code; without it clients link PTX through the driver."""
    hidden = prefix / "hidden"
    hidden.mkdir(parents=True, exist_ok=True)
    empty = hidden / "libnvJitLink.so.13"
    if not empty.exists():
        subprocess.run(["cc", "-shared", "-x", "c", "-", "-o", empty], input=b"",
                       check=True)
    env = {k: v for k, v in os.environ.items() if k not in ("CUDA_HOME", "CUDA_PATH")}
    env["LD_LIBRARY_PATH"] = f"{hidden}:{library}"
    env["PYTHONPATH"] = str(pathlib.Path(__file__).resolve().parent)
    env.setdefault("KERNELCLAW_SIM_THREADS", "1")
    # Some tests copy arrays that nothing has written, which a real GPU allows;
    # with checks on that ends the context of the whole process.
    env.setdefault("KERNELCLAW_SIM_CHECKS", "off")
    return env


def install(prefix):
    python = prefix / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", prefix], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *PACKAGES], check=True)
    return python


def tests_folder(python, env):
    # Without importing it: the package opens the driver.
    code = "import importlib.util as u; print(u.find_spec('numba_cuda').origin)"
    out = subprocess.run([python, "-c", code], env=env, check=True,
                         capture_output=True, text=True)
    return pathlib.Path(out.stdout.strip()).parent / "numba/cuda/tests"


REASONS = [  # the first that matches; \1 is kept
    r"the simulator has no instruction '([^']+)'",
    r"(ptx line) \d+: (.*)",
    r"(CUDA_ERROR_\w+)",
    r"(Timeout)",
    r"(AssertionError): Not equal to tolerance",
    r"(\w+(?:Error|Exception|Warning))\b",
]


def reason(text):
    report = re.search(r"simulated CUDA driver: (\w[\w ]*): ", text)
    for pattern in REASONS:
        match = re.search(pattern, text)
        if match:
            what = " ".join(g for g in match.groups() if g)
            return f"{report.group(1)}: {what}" if report else what
    return "other"


def modules(folder, names):
    """Paths of test modules below `folder`; the excluded ones are left out."""
    excluded = {name for group in EXCLUDED.values() for name in group}
    found = [folder / name for name in names] or sorted(folder.rglob("test_*.py"))
    return [path for path in found
            if path.relative_to(folder).as_posix() not in excluded]


def run_module(python, env, folder, path, args):
    """Test cases of one module. A worker that dies, or hangs past the time
    limit of a test, is a failure of that test; another takes the rest."""
    name = "numba.cuda.tests." + ".".join(
        path.relative_to(folder).with_suffix("").parts)
    report = args.prefix / "reports" / f"{name}.xml"
    report.parent.mkdir(exist_ok=True)
    report.unlink(missing_ok=True)
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "1",
               "--timeout", str(args.timeout), "--timeout-method=thread",
               f"--junitxml={report}", "--tb=native", "--disable-warnings",
               "--max-worker-restart=1000", "-p", "numba_plugin",
               "--import-mode=importlib",
               "-o", "consider_namespace_packages=true", "--pyargs", name]
    done = subprocess.run(command, env=env, cwd=args.prefix,
                          capture_output=True, text=True)
    if not report.exists():
        raise SystemExit(f"pytest has made no report of {name}:\n"
                         f"{done.stdout[-4000:]}{done.stderr[-4000:]}")
    cases = list(xml.etree.ElementTree.parse(report).iter("testcase"))
    if not args.quiet:
        print(f"{len(cases):5}  {name}", flush=True)
    return cases


def run(python, env, folder, args):
    paths = modules(folder, args.tests)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        done = pool.map(
            lambda path: run_module(python, env, folder, path, args), paths)
        return [case for cases in done for case in cases]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=pathlib.Path, default=ROOT / "build/lib/sim")
    parser.add_argument("--prefix", type=pathlib.Path, default=ROOT / ".prefix/numba")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=int, default=120)
    parser.add_argument("--log", type=pathlib.Path)
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("tests", nargs="*")
    args = parser.parse_args()
    args.prefix = args.prefix.resolve()
    python = install(args.prefix)
    env = environment(args.prefix, args.library.resolve())
    cases = run(python, env, tests_folder(python, env), args)

    groups = collections.defaultdict(list)
    counts, skips = collections.Counter(), collections.Counter()
    for case in cases:
        name = f"{case.get('classname')}.{case.get('name')}".split("cuda.tests.")[-1]
        bad = case.find("failure")
        bad = case.find("error") if bad is None else bad
        skipped = case.find("skipped")
        if skipped is not None:
            counts["skipped"] += 1
            skips[skipped.get("message") or "no reason given"] += 1
        elif bad is None:
            counts["passed"] += 1
        else:
            counts["failed"] += 1
            text = (bad.get("message") or "") + "\n" + (bad.text or "")
            groups[reason(text)].append(name)
    ran = counts["passed"] + counts["failed"]
    print(f"passed {counts['passed']} of {ran} "
          f"({100 * counts['passed'] / max(ran, 1):.1f} %), "
          f"skipped by the suite itself {counts['skipped']}")
    for what, names in EXCLUDED.items():
        print(f"left out, {what}: {', '.join(names) or 'none'}")
    print("failed:" if groups else "failed: none")
    for why, names in sorted(groups.items(), key=lambda g: -len(g[1])):
        print(f"{len(names):5}  {why}   {', '.join(names[:3])}")
    print("skipped by the suite itself:")
    for why, count in skips.most_common():
        print(f"{count:5}  {why}")
    if args.log:
        args.log.write_text(json.dumps(
            {"counts": counts, "failures": groups, "skips": skips}, indent=1))


if __name__ == "__main__":
    main()
