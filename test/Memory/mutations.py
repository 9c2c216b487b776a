#!/usr/bin/env python3
"""Removes each entry of the memory bank, one at a time, in a copy: the check
must fail and name a case or method that it concerns.

    mutations.py KERNELCLAW_MEMORY MEMORYBANK [--only KIND]

Removed are: each predicate, derived number and tier; each case; each part of a
case (bottleneck, structure, headroom, each term of its signature); each
precondition of a method. Nothing is searched for (--held), so that the held
witnesses alone must notice.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


class Bank:
    """A copy in which one file at a time is changed."""

    def __init__(self, tool, source, folder):
        self.tool = tool
        self.root = pathlib.Path(folder) / "memorybank"
        shutil.copytree(source, self.root, ignore=lambda path, names: [
            name for name in names if name in ("skeletons", "prompts")])

    def read(self, name):
        return json.loads((self.root / name).read_text())

    def check(self):
        run = subprocess.run(
            [self.tool, "--bank", self.root, "check", "--no-examples",
             "--held"], capture_output=True, text=True, check=False)
        return run.returncode, run.stderr

    def check_with(self, name, value):
        path = self.root / name
        before = path.read_text()
        path.write_text(json.dumps(value))
        try:
            return self.check()
        finally:
            path.write_text(before)

    def files(self, pattern):
        return sorted(str(path.relative_to(self.root))
                      for path in self.root.glob(pattern))


def conditions(bank):
    """Entries that others read by name."""
    for kind in ("derived", "predicates", "headroom"):
        name = f"diagnosis/{kind}.json"
        entries = bank.read(name)
        for i, entry in enumerate(entries):
            yield kind, entry["name"], name, entries[:i] + entries[i + 1:], \
                r"(case|method) \w+|predicates\.json.*: \w+: |" \
                r"headroom\.json.*: \w+: |derived\.json.*: \w+: "


def cases(bank):
    for name in bank.files("diagnosis/cases/*.json"):
        entries = bank.read(name)
        for i, entry in enumerate(entries):
            own = rf"case {entry['name']}\b"
            yield "cases", entry["name"], name, \
                entries[:i] + entries[i + 1:], own
            for key in ("bottleneck", "structure", "headroom"):
                if entry[key] != "any":
                    changed = {**entry, key: "any"}
                    yield "parts", f"{entry['name']}.{key}", name, \
                        entries[:i] + [changed] + entries[i + 1:], own
            terms = entry["signature"]
            for j, term in enumerate(terms):
                changed = {**entry, "signature": terms[:j] + terms[j + 1:]}
                yield "parts", f"{entry['name']}: {term}", name, \
                    entries[:i] + [changed] + entries[i + 1:], own


def preconditions(bank):
    for name in bank.files("methods/*/method.json"):
        card = bank.read(name)
        method = name.split("/")[1]
        for i, entry in enumerate(card["preconditions"]):
            changed = {**card, "preconditions": card["preconditions"][:i] +
                       card["preconditions"][i + 1:]}
            yield "preconditions", f"{method}: {entry['name']}", name, \
                changed, rf"method {method}\b|/{method}/"


def main():
    tool, source = sys.argv[1:3]
    only = sys.argv[4] if len(sys.argv) > 4 else ""
    counts, bad = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        bank = Bank(tool, source, folder)
        code, text = bank.check()
        if code != 0:
            sys.exit(f"the bank as it is does not pass:\n{text}")
        for make in (conditions, cases, preconditions):
            for kind, what, name, value, wanted in make(bank):
                if only and kind != only:
                    continue
                counts[kind] = counts.get(kind, 0) + 1
                code, text = bank.check_with(name, value)
                if code == 0 or not re.search(wanted, text):
                    bad += 1
                    print(f"without {kind} '{what}': exit {code}, "
                          f"{text[:300] or 'no message'}")
    print(", ".join(f"{count} {kind}" for kind, count in counts.items()),
          f"removed one by one; {bad} not noticed")
    sys.exit(1 if bad else 0)


main()
