#!/usr/bin/env python3
"""Makes every winner of a store a little wrong, to see that verify=module finds it.

    sabotage.py STORE-FOLDER

Each plan gets a last step that clears 64 bytes of its first result: 16 floats of
millions, which only a check of every element sees.
"""
import json
import sqlite3
import sys


def sabotage(plan):
    result = next(b["name"] for b in plan["buffers"] if b["kind"] == "result")
    plan["steps"].append({"kind": "memset", "buffer": result, "offset": 0, "bytes": 64, "value": 0})
    return plan


def main():
    database = sqlite3.connect(sys.argv[1] + "/store.sqlite")
    rows = database.execute("SELECT spec_hash, plan FROM entries WHERE won = 1").fetchall()
    for spec_hash, text in rows:
        database.execute("UPDATE entries SET plan = ? WHERE spec_hash = ? AND won = 1",
                         (json.dumps(sabotage(json.loads(text))), spec_hash))
    database.commit()
    print(f"{len(rows)} winners altered")
    return 0 if rows else 1


if __name__ == "__main__":
    sys.exit(main())
