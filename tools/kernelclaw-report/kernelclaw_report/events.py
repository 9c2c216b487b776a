"""events.jsonl: what each call and each evaluation cost, and how regions ended.

The same sums as summary.json (lib/Agent/Summary.cpp), which a killed run does
not have or has from an earlier process.
"""
import json
from collections import defaultdict

from .values import integer, number, read_text, text

COST = ("calls", "inputTokens", "outputTokens", "cachedInputTokens", "dollars",
        "callSeconds", "gpuSeconds", "lostCalls", "lostTokens", "lostDollars")


class Cost(dict):
    def __init__(self):
        super().__init__({name: 0 for name in COST})

    def book(self, event, what):
        if what.endswith("evaluated"):
            self["gpuSeconds"] += number(event, "deviceSeconds") or 0
            return
        tokens = {name: integer(event, name)
                  for name in ("inputTokens", "outputTokens", "cachedInputTokens")}
        dollars = number(event, "dollars") or 0
        if what == "call_lost":
            self["lostCalls"] += 1
            self["lostTokens"] += tokens["inputTokens"] + tokens["outputTokens"]
            self["lostDollars"] += dollars
            return
        self["calls"] += 1
        self["dollars"] += dollars
        self["callSeconds"] += number(event, "seconds") or 0
        for name, count in tokens.items():
            self[name] += count


class Account:
    """Sums over all events, by role, region and attempt."""

    def __init__(self, events):
        self.total = Cost()
        self.roles = defaultdict(Cost)
        self.regions = defaultdict(Cost)
        self.region_roles = defaultdict(lambda: defaultdict(Cost))
        self.attempts = defaultdict(Cost)
        self.verdicts = {}      # (region, attempt) -> event "evaluated"
        self.models = defaultdict(set)
        self.call_roles = {}    # (region, attempt, call) -> role
        self.ends = {}          # region -> event "region_finished"
        self.order = {}         # region -> event "region_ordered"
        self.open_calls = set()
        for event in events:
            self.take(event)

    def take(self, event):
        what, region = text(event, "event"), text(event, "specHash")
        attempt = integer(event, "attempt")
        call = (region, attempt, integer(event, "call"))
        if what == "call_started":
            self.open_calls.add(call)
            self.call_roles[call] = text(event, "role")
        elif what in ("reply", "call_ended", "call_lost"):
            self.open_calls.discard(call)
        elif what == "region_finished":
            self.ends[region] = event
        elif what == "region_ordered":
            self.order[region] = event
        elif what == "evaluated":
            self.verdicts[region, attempt] = event
        if what in ("reply", "call_lost") or what.endswith("evaluated"):
            self.book(event, what, region, attempt)

    def book(self, event, what, region, attempt):
        for cost in (self.total, self.regions[region], self.attempts[region, attempt]):
            cost.book(event, what)
        if what.endswith("evaluated"):
            return
        role = text(event, "role") or "model"
        for roles in (self.roles, self.region_roles[region]):
            roles[role].book(event, what)
        if text(event, "model"):
            self.models[role].add(text(event, "model"))


def read_events(path, problems):
    """All whole records, in order, each sequence number once."""
    try:
        lines = read_text(path).split("\n")
    except OSError as error:
        problems.append(f"{path.name}: {error.strerror}; costs come from summary.json, "
                        "where there is one")
        return []
    events, damaged = {}, 0
    for place, line in enumerate(lines):
        line = line.strip("\0 \r")
        if not line:
            continue
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            event = None
        if isinstance(event, dict):
            events.setdefault(event.get("seq") if isinstance(event.get("seq"), int)
                              else f"line {place}", event)
        else:
            damaged += 1
    if damaged:
        problems.append(f"{path.name}: {damaged} damaged line(s) left out")
    return list(events.values())
