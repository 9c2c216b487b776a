"""What the page shows as text.

A run directory holds no key (tests of the agent see to that). Should a model
have been shown one all the same, it goes no further: the values of variables
that are named like keys, and what looks like a key, are replaced.
"""
import json
import os
import re

KEY_NAME = re.compile(r"(API_?KEY|TOKEN|SECRET|PASSWORD|_KEY)$", re.IGNORECASE)
KEY_TEXT = re.compile(
    r"\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}|\bgh[pousr]_[A-Za-z0-9]{30,}|\bhf_[A-Za-z0-9]{30,}"
    r"|\bAKIA[0-9A-Z]{16}\b|(?<=Bearer )[A-Za-z0-9._~+/-]{16,}")
REDACTED = "[redacted]"


def keys_of_environment():
    values = {value for name, value in os.environ.items()
              if KEY_NAME.search(name) and len(value) >= 8}
    return sorted(values | {json.dumps(value)[1:-1] for value in values}, key=len,
                  reverse=True)


KEYS = keys_of_environment()


def redact(content):
    for key in KEYS:
        content = content.replace(key, REDACTED)
    return KEY_TEXT.sub(REDACTED, content)


class Texts:
    """Each text once; the rest of the page names it by its place."""

    def __init__(self, limit):
        self.limit = limit  # characters
        self.all = []
        self.places = {}

    def add(self, content):
        # Lone surrogates come from JSON escapes and are no UTF-8.
        content = content.encode("utf-8", errors="replace").decode("utf-8")
        if len(content) > self.limit:
            left_out = len(content) - self.limit
            content = (content[:self.limit] + f"\n\n[cut here: {left_out:,} of "
                       f"{left_out + self.limit:,} characters are left out; the "
                       "file in the run directory is whole]")
        if content not in self.places:
            self.places[content] = len(self.all)
            self.all.append(content)
        return self.places[content]
