"""A model as a program: answers with a broken kernel, then with words.

usage: model.py LOG; notes what it was asked and given.
"""
import json
import os
import sys

question = json.load(sys.stdin)
with open(sys.argv[1], "a") as log:
    log.write(json.dumps({"id": question["id"], "last":
                          question["messages"][-1]["content"],
                          "keys": [name for name in os.environ
                                   if "KEY" in name]}) + "\n")
if question["attempt"] == 1:
    print(json.dumps({"text": "```json\n{\"modules\": 7}\n```",
                      "usage": {"inputTokens": 100, "outputTokens": 10}}))
elif question["attempt"] == 2:
    sys.exit("the model is out for lunch")
