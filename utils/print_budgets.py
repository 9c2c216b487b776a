#!/usr/bin/env python3
"""Prints each test suite's time budget (ctest's TIMEOUT) from stdin's JSON."""
import json
import sys

for test in json.load(sys.stdin)["tests"]:
    limit = {p["name"]: p["value"] for p in test.get("properties", [])}
    print(f"  {limit.get('TIMEOUT', 0):6.0f}  {test['name']}")
