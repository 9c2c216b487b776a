#!/usr/bin/env python3
"""The record of regions as tables in Markdown.

    python table.py RECORD EAGER.md

RECORD: record.py's folder; EAGER.md: what eager.py printed on the same GPU.
To 90 % of best: all that was spent until the first attempt whose time is at
most best / 0.9 had been judged.
"""
import json
import pathlib
import sys


def eager_times(path):
    rows = {}
    for line in open(path):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 3 and cells[1].replace(".", "").isdigit():
            rows[cells[0]] = (float(cells[1]), float(cells[2]))
    return rows


def main():
    record, eager = pathlib.Path(sys.argv[1]), eager_times(sys.argv[2])
    print("| region | strategy | attempts | eager us | torch.compile us | stock us | best us "
          "| x eager | x torch.compile | x stock |\n" + "|---" * 10 + "|")
    known = {path.stem: json.loads(path.read_text()) for path in sorted(record.glob("*.json"))}
    effort = []
    for name, region in known.items():
        rows = region["attempts"]
        right = [row for row in rows if row["outcome"] == "ok"]
        best = min(right, key=lambda row: row["microseconds"])
        e, c = eager[name]
        us = best["microseconds"]
        print(f"| {name} | {region['strategy']} | {len(rows)} | {e:.1f} | {c:.1f} | "
              f"{best['stockMicroseconds']:.1f} | {us:.1f} | {e / us:.2f} | {c / us:.2f} | "
              f"{best['speedup']:.2f} |")
        reached = next(row["attempt"] for row in rows
                       if row["outcome"] == "ok" and row["microseconds"] <= us / 0.9)
        effort.append((name, region, rows, reached, best["attempt"]))
    print("\n| region | strategy | attempts (us; what failed) | to 90 % of best: attempts, calls, tokens, GPU s | all: calls, tokens, GPU s |")
    print("|---" * 5 + "|")
    for name, region, rows, reached, best in effort:
        told = ", ".join(f"{row['microseconds']:.1f}" + (" **best**" if row["attempt"] == best else "")
                         if row["outcome"] == "ok" else row["outcome"] + (f" ({row['rule']})" if row["rule"] else "")
                         for row in rows)
        def sums(until):
            part = [row for row in rows if row["attempt"] <= until]
            return (f"{sum(r.get('calls', 0) for r in part)}, {sum(r.get('tokens', 0) for r in part)}, "
                    f"{sum(r.get('gpuSeconds', 0) for r in part):.0f}")
        print(f"| {name} | {region['strategy']} | {told} | {reached}, {sums(reached)} | {sums(rows[-1]['attempt'])} |")


if __name__ == "__main__":
    main()
