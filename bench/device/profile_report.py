#!/usr/bin/env python3
"""Tables of what bench/device/profile.sh measured.

    profile_report.py brief RESULTS...   one line a profile
    profile_report.py report FOLDER      Markdown
"""
import csv
import io
import json
import os
import re
import statistics
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
COUNTERS = os.path.join(os.path.dirname(os.path.dirname(HERE)),
                        "include/kernelclaw/Support/Counters.h")


def lines(path):
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return [json.loads(line) for line in file if line.strip()]


def median(values):
    return statistics.median(values) if values else 0


def brief(path):
    for result in lines(path):
        profile = result.get("profile")
        text = f"{result['jobId']:32} {result['outcome']:8}"
        text += f" {result['rule']} {result['message'][:200]}" \
            if result["outcome"] != "ok" else \
            f" {result['time']['medianMicroseconds']:8.2f} us"
        if profile:
            cost = " ".join(f"{k} {v * 1e3:.0f}"
                            for k, v in profile["seconds"].items())
            text += (f" {profile['level']} [{profile['source']}]"
                     f" {profile['passes']} passes; ms: {cost}")
            for key in ("reason", "instructionMixReason"):
                if profile[key]:
                    text += f"\n    {key}: {profile[key]}"
            if profile["missingCounters"]:
                text += f"\n    missing: {profile['missingCounters']}"
        print(text)


def counter_rows():
    with open(COUNTERS) as file:
        text = file.read()
    text = text[text.index("counterTable[] = {"):]
    text = text[:text.index("\n};")]
    for row in re.findall(r'\{("(?:[^{}])*?)\}', text, re.S):
        words = re.findall(r'"([^"]*)"', row)
        yield words[0], words[1], words[-1] if "__" in words[-1] else ""


def ncu(path):
    """Median of each metric over the kernels of a raw page."""
    if not os.path.exists(path):
        return {}
    with open(path) as file:
        text = "".join(line for line in file if not line.startswith("=="))
    rows = list(csv.reader(io.StringIO(text)))
    if len(rows) < 3:
        return {}
    found = {}
    for column, name in enumerate(rows[0]):
        values = []
        for row in rows[2:]:
            try:
                values.append(float(row[column].replace(",", "")))
            except (ValueError, IndexError):
                pass
        if values and "__" in name:
            found[name] = median(values)
    return found


def off(ours, theirs):
    return f"{100 * (ours / theirs - 1):+.1f} %" if theirs else "-"


def disturbance(results):
    print("\n## Does a profile disturb later timing?\n")
    print("The same job in one warm worker, in this order; only profiled and "
          "again ask for a profile.\n")
    print("| job | median of the events, us | spread | stock, us | seconds on "
          "the device | of these the profile |\n|---|---|---|---|---|---|")
    for result in results:
        if not result["jobId"].startswith("softmax-winner"):
            continue
        profile = result.get("profile") or {"seconds": {"total": 0}}
        print(f"| {result['jobId']} | {result['time']['medianMicroseconds']:.2f}"
              f" | {result['time']['spread']:.3f}"
              f" | {result['stockTime']['medianMicroseconds']:.2f}"
              f" | {result['deviceSeconds']:.2f}"
              f" | {profile['seconds'].get('total', 0):.3f} |")


def times(results, folder):
    print("\n## Times, cold L2\n")
    print("| kernel | CUPTI activity, us | ncu, us | | worker's events, us | "
          "event loop, us | | event loop warm, us |\n"
          "|---|---|---|---|---|---|---|---|")
    for name, result in single(results):
        kernel = result["profile"]["kernels"][0]
        theirs = ncu(f"{folder}/loops/{name}.time.csv").get(
            "gpu__time_duration.sum", 0) / 1e3
        loop = lines(f"{folder}/loops/{name}.json")
        cold = median(loop[0]["cold"]) if loop else 0
        warm = median(loop[0]["warm"]) if loop else 0
        ours = kernel["medianMicroseconds"]
        events = result["time"]["medianMicroseconds"]
        print(f"| {name} | {ours:.2f} | {theirs:.2f} | {off(ours, theirs)} "
              f"| {events:.2f} | {cold:.2f} | {off(events, cold)} "
              f"| {warm:.2f} |")


def single(results):
    seen = set()
    for result in results:
        name = result["jobId"].split(".")[0]
        profile = result.get("profile")
        if profile and len(profile["kernels"]) == 1 and name not in seen:
            seen.add(name)
            yield name, result


def cell(value):
    if value is None:
        return "-"
    return f"{value:.4g}" if abs(value) < 1e6 else f"{value:.3e}"


def counters(results, folder):
    table = [(name, result["profile"]["kernels"][0]["counters"],
              ncu(f"{folder}/loops/{name}.csv"))
             for name, result in single(results)]
    print("\n## Counters: ours / ncu\n")
    print("| counter | unit | " + " | ".join(n for n, _, _ in table) + " |")
    print("|---|---|" + "---|" * len(table))
    for name, unit, metric in counter_rows():
        print(f"| {name} | {unit} | " + " | ".join(
            f"{cell(ours.get(name))} / {cell(theirs.get(metric))}"
            for _, ours, theirs in table) + " |")


def statics(results):
    print("\n## Static, roofline\n")
    print("| plan | kernel | registers | shared | local | blocks, limit | us | "
          "mix |\n|---|---|---|---|---|---|---|---|")
    for result in results:
        profile = result.get("profile")
        if not profile or ".again" in result["jobId"]:
            continue
        for kernel in profile["kernels"]:
            shared = (kernel["staticSharedBytes"] +
                      kernel["dynamicSharedBytes"])
            mix = ", ".join(f"{k} {v}" for k, v in sorted(
                kernel["instructionMix"].items(), key=lambda kv: -kv[1])[:8])
            print(f"| {result['jobId'].split('.')[0]} | {kernel['kernel']} | "
                  f"{kernel['registers']} | {shared} | {kernel['localBytes']} |"
                  f" {kernel['blocksPerMultiprocessor']}, "
                  f"{kernel['occupancyLimit']} | "
                  f"{kernel['medianMicroseconds']:.2f} | {mix} |")
    print("\n| plan | bound by | bound, us | measured, us | headroom | DRAM "
          "bytes / minimal | flops/byte | ridge | span, us |\n"
          "|---|---|---|---|---|---|---|---|---|")
    for result in results:
        profile = result.get("profile")
        if not profile or ".again" in result["jobId"]:
            continue
        roof = profile["roofline"]
        print(f"| {result['jobId'].split('.')[0]} | {roof['boundBy']} "
              f"({roof['peakKind']}) | {roof['boundMicroseconds']:.2f} | "
              f"{roof['measuredMicroseconds']:.2f} | {roof['headroom']:.2f} | "
              f"{roof['movedBytes'] / max(1, roof['minimalBytes']):.3f} | "
              f"{roof['intensity']:.3f} | {roof['ridge']:.1f} | "
              f"{profile['kernelSpanMicroseconds']:.2f} |")


def report(folder):
    results = lines(f"{folder}/results.jsonl")
    print("# Profiles on a GPU machine\n\n```")
    for name in ("machine.txt", "worker.txt"):
        if os.path.exists(f"{folder}/{name}"):
            with open(f"{folder}/{name}") as file:
                print(file.read().strip())
    print("```\n\n```")
    for name in ("results", "absent", "user"):
        brief(f"{folder}/{name}.jsonl")
    print("```")
    for part in (lambda: disturbance(results), lambda: times(results, folder),
                 lambda: counters(results, folder), lambda: statics(results)):
        try:
            part()
        except (KeyError, IndexError, ValueError, TypeError) as error:
            print(f"\n(no table: {error!r})\n")


def main(words):
    if words[:1] == ["brief"]:
        for path in words[1:]:
            brief(path)
    elif words[:1] == ["report"] and len(words) == 2:
        report(words[1])
    else:
        print(__doc__)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
