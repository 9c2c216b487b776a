#!/usr/bin/env python3
"""Makes docs/results/h200-selftest.md of what selftest.sh left.

    selftest_report.py FOLDER SECONDS     FOLDER has probe.json, selftest.json
                                          and selftest.txt
"""
import datetime
import json
import sys


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def found(row):
    if "outcome" not in row:
        return "-"
    text = row["outcome"] + (f" `{row['rule']}`" if row["rule"] else "")
    if row["outcome"] == "ok":
        text += f", {row['speedup']:.2f}x stock"
    return text


def predicted(row):
    outcome, _, rule = row["predicted"].partition(" ")
    return outcome + (f" `{rule}`" if rule else "")


def table(rows):
    lines = ["| plan | what it does | predicted | found | |",
             "|---|---|---|---|---|"]
    for row in rows:
        lines.append("| {} | {} | {} | {} | {} |".format(
            row["plan"], cell(row["about"]), predicted(row), found(row),
            "" if row["verdict"] == "as predicted" else cell(row["verdict"])))
    return lines


def main(folder, seconds):
    probe = json.load(open(folder + "/probe.json"))
    rows = json.load(open(folder + "/selftest.json"))
    summary = [line.strip() for line in open(folder + "/selftest.txt")
               if line.startswith(("cheats:", "honest plans:"))]
    driver = probe["driver"]["version"]
    print("# Self-test of the worker on an", probe["device"]["name"])
    print()
    print("Command: `bash bench/device/selftest.sh`. Driver API "
          f"{driver // 1000}.{driver % 1000 // 10}, NVRTC "
          f"{probe['nvrtc'].get('version', '?')}; "
          f"{datetime.date.today().isoformat()}; {seconds} s in all.")
    print("`harmless RULE`: found ok, and because of that rule no faster than "
          "1.15 times stock; how plans are written: docs/selftest.md.")
    print()
    for line in summary:
        print("*", line)
    for kind, title in (("cheat", "Cheats"), ("honest", "Honest plans")):
        print(f"\n## {title}\n")
        print("\n".join(table([r for r in rows if r["kind"] == kind])))
    told = [r for r in rows if r.get("message")]
    print("\n## What the worker said\n")
    for row in told:
        print(f"* **{row['plan']}**: {cell(row['message'])[:400]}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
