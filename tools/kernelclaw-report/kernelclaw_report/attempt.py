"""One attempt's folder: what was decided, what came of it, what it cost."""
import re

from .record import Recorder, views
from .values import integer, number, positive, read_json, rows, strings, table, text

DECIDED = ("bottleneck", "plan", "rootCause", "fix", "approach", "case", "headroom")


def read_attempt(folder, run, texts, account, problems):
    number_ = int(re.fullmatch(r"attempt-(\d+)", folder.name).group(1))
    key = (folder.parent.name, number_)
    own = []
    decision = read_json(folder / "attempt.json", own)
    evaluation = read_json(folder / "evaluation.json", own)
    record = views(Recorder(folder, run, texts, own))
    # Some files are read twice: for numbers, and to be shown.
    problems += [f"{folder.name}/{problem}" for problem in dict.fromkeys(own)]
    attempt = {"number": number_, "onRecord": decision is not None,
               "judged": evaluation is not None or key in account.verdicts}
    attempt |= decided(decision)
    attempt |= judged(evaluation, account.verdicts.get(key, {}), decision)
    attempt |= {"cost": account.attempts[key], "record": record,
                "sources": sources(record)}
    attempt["title"] = attempt["title"] or title_of(folder)
    name_calls(record, key, account)
    return attempt


def title_of(folder):
    return text(read_json(folder / "plan.json", []), "title")


def decided(decision):
    fields = {name: text(decision, name) for name in DECIDED}
    fields |= {name: strings(decision, name) for name in ("evidence", "quotes")}
    fields |= {
        "parent": integer(decision, "parent") if decision else None,
        "phase": text(decision, "phase"), "method": text(decision, "method"),
        "title": text(decision, "title"),
        "promoted": bool(decision and decision.get("promoted") is True),
        "gain": positive(decision, "gain"),
        "predicted": {name: integer(decision, "predicted", name)
                      for name in table(decision, "predicted")},
        "measured": {name: number(decision, "measured", name)
                     for name in table(decision, "measured")
                     if number(decision, "measured", name) is not None}}
    return fields


def judged(evaluation, event, decision):
    """The verdict: of the evaluation, else the log's, else the decision's."""
    def first(name, decided_name=None):
        return (text(evaluation, name) or text(event, name)
                or text(decision, decided_name or name))

    interval = table(evaluation, "speedupInterval")
    speedups = [positive(source, "speedup") for source in (evaluation, event, decision)]
    return {
        "outcome": first("outcome"), "rule": first("rule"), "message": first("message"),
        "verdictEvidence": first("evidence", "evaluationEvidence"),
        "speedup": next((value for value in speedups if value), None),
        "low": positive(interval, "low"), "high": positive(interval, "high"),
        "confidence": positive(interval, "confidence"),
        "microseconds": positive(evaluation, "time", "medianMicroseconds"),
        "stockMicroseconds": positive(evaluation, "stockTime", "medianMicroseconds")
        or positive(event, "stockMicroseconds"),
        "copyMicroseconds": positive(evaluation, "copyTime", "medianMicroseconds"),
        "timeMethod": text(evaluation, "time", "method"),
        "device": text(evaluation, "device", "name"),
        "driver": text(evaluation, "driverVersion"),
        "roofline": {name: value for name, value in
                     table(evaluation, "profile", "roofline").items()
                     if isinstance(value, (int, float, str))},
        "profileLevel": text(evaluation, "profile", "level"),
        "profileReason": text(evaluation, "profile", "reason"),
        "counters": counters(evaluation)}


def counters(evaluation):
    """Of the kernel that takes most time, as lib/Agent/Tree.cpp compares them."""
    kernels = rows(evaluation, "profile", "kernels")
    if not kernels:
        return {}
    heaviest = max(kernels, key=lambda kernel: number(kernel, "medianMicroseconds") or 0)
    return {name: number(heaviest, "counters", name)
            for name in table(heaviest, "counters")
            if number(heaviest, "counters", name) is not None}


def sources(record):
    """File name -> text, of what an attempt consists of: for diffs."""
    files = {}
    for view in record:
        name = view["path"].rsplit("/", 1)[-1]
        if view["kind"] in ("kernel", "plan") and view["parts"]:
            files[name] = view["parts"][0]["text"]
    return files


def name_calls(record, key, account):
    """Who asked is in the log, call by call."""
    seen = set()
    for view in record:
        if view["kind"] not in ("prompt", "reply"):
            continue
        match = re.search(r"-(\d+)\.json$", view["path"])
        call = int(match.group(1)) if match else 1
        role = account.call_roles.get((*key, call))
        if role and role != "agent":
            label = f"{role} {view['kind']}"
            view["label"] = f"{label} {call}" if label in seen else label
            seen.add(label)
