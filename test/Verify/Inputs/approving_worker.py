#!/usr/bin/env python3
"""A worker without a GPU: every kernel is right and twice as fast as stock."""
import json
import sys

TIME = {"samplesMicroseconds": [1.0], "medianMicroseconds": 1.0, "device": "none"}

print("# ready", flush=True)
for line in sys.stdin:
    job = json.loads(line)
    plan = job["candidate"]
    images = [{"module": m["name"], "arch": "sm_90a", "ptx": "// " + m["name"]} for m in plan["modules"]]
    chosen = {t["name"]: t["values"][0] for t in plan.get("tunables", [])}
    print(json.dumps({"jobId": job["id"], "outcome": "ok", "evidence": "measured", "speedup": 2.0,
                      "time": TIME, "stockTime": TIME, "images": images, "chosenTunables": chosen}), flush=True)
