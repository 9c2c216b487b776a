#!/usr/bin/env python3
"""Reads run directories and prints one row per region: who won, times, bounds.

    table.py NAME=RUNDIR ... > table.md
"""
import json
import pathlib
import sys


def best(attempts):
    """The fastest evaluation that is ok, else the last."""
    ok = [e for e in attempts if e["outcome"] == "ok"]
    return min(ok, key=lambda e: e["time"]["medianMicroseconds"]) if ok else attempts[-1]


def rows(name, folder):
    for region in sorted(pathlib.Path(folder).glob("regions/*")):
        files = sorted(region.glob("attempt-*/evaluation.json"))
        attempts = [json.loads(f.read_text()) for f in files]
        if not attempts:
            continue
        e = best(attempts)
        us = e.get("time", {}).get("medianMicroseconds", 0)
        stock = e.get("stockTime", {}).get("medianMicroseconds", 0)
        copy = e.get("copyTime", {}).get("medianMicroseconds", 0)
        spread = e.get("time", {}).get("spread", 0)
        percent = f"{100 * copy / us:.1f}" if us and copy else "-"
        speedup = f"{stock / us:.2f}" if us and stock else "-"
        yield (f"| {name} | {region.name[:8]} | {len(attempts)} | {e['outcome']} | {us:.1f} | "
               f"{100 * spread:.1f} | {stock:.1f} | {speedup} | {copy:.1f} | {percent} |")


def main():
    print("| model | region | attempts | outcome | µs | spread % | stock µs | x stock | copy µs | % of copy |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for item in sys.argv[1:]:
        name, _, folder = item.partition("=")
        for row in rows(name, folder):
            print(row)


if __name__ == "__main__":
    main()
