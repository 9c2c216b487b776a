#!/usr/bin/env python3
"""Stands for kernelclaw-run --verify.

WRONG: names, separated by spaces; a module that has one of them is refused.
HOW: what a refusal looks like: fail (default), crash. unverified and nodevice
are the answer to any module.
"""
import json
import os
import signal
import sys

module = sys.argv[1]
options = dict(a[2:].split("=", 1) for a in sys.argv[2:])
text = open(module).read()
json.load(open(options["verify"]))
wrong = [name for name in os.environ.get("WRONG", "").split() if name in text]
how = os.environ.get("HOW", "fail")
if how == "nodevice":
    print("no device here")
    sys.exit(3)
if wrong and how == "crash":
    print("about to crash", flush=True)
    os.kill(os.getpid(), signal.SIGSEGV)
status = "unverified" if how == "unverified" else "failed" if wrong else "passed"
message = {"failed": "has " + " ".join(wrong), "unverified": "device memory is short", "passed": ""}[status]
entry = {"entry": "main", "status": status, "rule": "budget" if wrong else "", "message": message}
with open(options["json"], "w") as file:
    json.dump({"status": status, "entries": [entry]}, file)
sys.exit({"passed": 0, "failed": 1, "unverified": 4}[status])
