"""What the tables of bench/device/evaluator.sh share: head, numbers, statistics."""
import datetime
import json
import os
import random
import statistics
import subprocess


def output(*command):
    """First line of what a command prints; "absent" where it cannot run."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return "absent"
    lines = [line.strip() for line in done.stdout.splitlines() if line.strip()]
    return lines[0] if lines else "absent"


def probe(worker):
    try:
        done = subprocess.run([worker, "--probe"], capture_output=True, text=True, timeout=120)
        return json.loads(done.stdout)
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return {}


def head(title, command, worker):
    """Markdown: the title, and what the numbers were taken with."""
    found = probe(worker)
    nvrtc = found.get("nvrtc", {}).get("version", "absent")
    if isinstance(nvrtc, int):
        nvrtc = f"{nvrtc // 1000}.{nvrtc % 1000 // 10}"
    query = "name,driver_version,clocks.max.sm,clocks.max.mem,persistence_mode"
    device = output("nvidia-smi", f"--query-gpu={query}", "--format=csv,noheader")
    torch = output("python3", "-c", "import torch; print(torch.__version__)")
    ncu = next((word for word in output("sh", "-c", "ncu --version | tail -1").split()
                if word[:1].isdigit()), "absent")
    return "\n".join([
        f"# {title}", "",
        f"Command: `{command}`, {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}", "",
        f"Device (name, driver, top clocks, persistence mode): {device}; "
        f"NVRTC {nvrtc}, torch {torch}, ncu {ncu}, {os.cpu_count()} cores, kernel {os.uname().release}"]) + "\n"


def median(values):
    return statistics.median(values) if values else 0.0


def quantile(values, q):
    """With linear interpolation, as the worker's."""
    values = sorted(values)
    if not values:
        return 0.0
    at = q * (len(values) - 1)
    low = int(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (at - low) * (values[high] - values[low])


def off(ours, theirs):
    return f"{100 * (ours / theirs - 1):+.2f} %" if theirs else "-"


def bootstrap(candidate, stock, rounds=1000, seed=1):
    """95 % interval of median(stock) / median(candidate), samples drawn again."""
    draw = random.Random(seed)
    ratios = sorted(median(draw.choices(stock, k=len(stock))) /
                    median(draw.choices(candidate, k=len(candidate)))
                    for _ in range(rounds))
    return quantile(ratios, 0.025), quantile(ratios, 0.975)


def interval(evaluation):
    """(low, high, who computed it) of an evaluation's speedup."""
    given = evaluation.get("speedupInterval")
    if given:
        return given["low"], given["high"], f"worker, {100 * given['confidence']:.0f} %"
    times = [evaluation[key]["samplesMicroseconds"] for key in ("time", "stockTime")]
    return (*bootstrap(*times), "this script: samples of one process drawn again, 95 %")


def stopped(evaluations):
    """Why timing ended, with how often: "precision 18, time 2"."""
    reasons = [e["time"].get("stopped") or "not said" for e in evaluations]
    return ", ".join(f"{reason} {reasons.count(reason)}" for reason in sorted(set(reasons)))


def failed(evaluation):
    """Why an evaluation has no time; empty when it has."""
    if evaluation["outcome"] == "ok":
        return ""
    return f"{evaluation['outcome']} {evaluation['rule']}: {evaluation['message'][:160]}".replace("\n", " ")
