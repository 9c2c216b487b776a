"""One line an evaluation: job, outcome, rule, message, workers lost."""
import json
import sys

for line in sys.stdin:
    e = json.loads(line)
    print(f"{e['jobId']}: {e['outcome']} {e['rule']}: "
          f"{e['message'].splitlines()[0] if e['message'] else ''}"
          + "".join(f" lost: {words}" for words in e["lostWorkers"]))
