#!/usr/bin/env python3
"""How long candidates took, from run directories: a row of the benchmark table.

    candidate_times.py LABEL TARGET_SECONDS RUNDIR...

Wall time of a candidate: from its plan.json to its evaluation.json, that is
compiling, checking and timing as the loop waits for it. Only candidates that
were judged to the end (ok) count; the others are listed by outcome.
"""
import collections
import json
import pathlib
import statistics
import sys


def main():
    label, target = sys.argv[1], float(sys.argv[2])
    walls, device, others = [], [], collections.Counter()
    for folder in sys.argv[3:]:
        for path in sorted(pathlib.Path(folder).glob("regions/*/attempt-*/evaluation.json")):
            evaluation = json.loads(path.read_text())
            if evaluation["outcome"] != "ok":
                others[evaluation["outcome"]] += 1
                continue
            walls.append(path.stat().st_mtime - (path.parent / "plan.json").stat().st_mtime)
            device.append(float(evaluation["deviceSeconds"]))
    rest = "".join(f", {count} {outcome}" for outcome, count in others.items())
    if not walls:
        print(f"| {label} | no candidate was judged to the end{rest} | < {target:g} s | no |")
        return 1
    median = statistics.median(walls)
    print(f"| {label} | {median:.2f} s ({min(walls):.2f} - {max(walls):.2f}, n={len(walls)}{rest}; "
          f"on the device {statistics.median(device):.2f} s) | < {target:g} s "
          f"| {'yes' if median < target else 'NO'} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
