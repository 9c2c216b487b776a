#!/usr/bin/env python3
"""Times a command and prints a row of the benchmark table.

    time_command.py LABEL TARGET_SECONDS REPEATS COMMAND...

| what | measured | target | met |. The median and the range of REPEATS runs,
wall clock. Exit code 1, with the end of its stderr, when the command fails; a
missed target is printed, not an error.
"""
import statistics
import subprocess
import sys
import time


def main():
    label, target, repeats = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
    seconds = []
    for _ in range(repeats):
        start = time.monotonic()
        done = subprocess.run(sys.argv[4:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        seconds.append(time.monotonic() - start)
        if done.returncode not in (0, 4):  # 4: output written, something fell back
            print(f"| {label} | FAILED: exit code {done.returncode} | < {target:g} s | no |")
            sys.stderr.write(done.stderr.decode(errors="replace")[-2000:])
            return 1
    median = statistics.median(seconds)
    print(f"| {label} | {median:.2f} s ({min(seconds):.2f} - {max(seconds):.2f}, n={repeats}) "
          f"| < {target:g} s | {'yes' if median < target else 'NO'} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
