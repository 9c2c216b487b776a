"""The whole run directory."""
from dataclasses import dataclass, field
from pathlib import Path

from .events import COST, Account, read_events
from .region import read_region
from .values import integer, number, read_json, rows, table, text


class NoRun(Exception):
    """The folder is no run directory; says what is missing and what to try."""


@dataclass
class Context:
    path: Path
    limit: int
    account: Account
    rows: list
    summary: dict = field(default_factory=dict)  # region -> row of summary.json


def check_folder(path):
    if not path.is_dir():
        what = "is a file" if path.exists() else "does not exist"
        raise NoRun(f"'{path}' {what}; give the run directory of kernelclaw-opt "
                    "--llm-optimize (its option run-dir=DIR)")
    missing = [name for name, there in (
        ("run.json", (path / "run.json").is_file()),
        ("events.jsonl", (path / "events.jsonl").is_file()),
        ("regions/", (path / "regions").is_dir())) if not there]
    if len(missing) < 3:
        return missing
    inside = [child for child in sorted(path.iterdir())
              if child.is_dir() and (child / "run.json").is_file()]
    hint = (f"did you mean '{inside[0]}'?" if inside else
            "give the run directory of kernelclaw-opt --llm-optimize (its option run-dir=DIR)")
    raise NoRun(f"'{path}' is no run directory: it has no run.json, no events.jsonl and no "
                f"regions/; {hint}")


def read_run(path, limit, progress=lambda done, total: None):
    missing = check_folder(path)
    problems = [f"{name} is missing: what it would say is left out" for name in missing]
    run = read_json(path / "run.json", problems) or {}
    summary = read_json(path / "summary.json", problems)
    events = read_events(path / "events.jsonl", problems)
    account = Account(events)
    if summary is None and not any(problem.startswith("summary.json") for problem in problems):
        ended = any(text(event, "event") == "run_finished" for event in events)
        problems.append("There is no summary.json: " + (
            "a run of an older version. " if ended else
            "the run was killed, or is still going on. ") + "Costs are those of events.jsonl.")
    summary_rows = {text(row, "specHash"): row for row in rows(summary, "regions")}
    if summary and not events:
        take_costs(account, summary)
    context = Context(path, limit, account, rows(run, "regions"), summary_rows)
    hashes = order(path, context)
    regions = []
    for place, region_hash in enumerate(hashes):
        progress(place, len(hashes))
        regions.append(read_region(path / "regions" / region_hash, context))
    progress(len(hashes), len(hashes))
    return {"path": str(path), "run": run, "regions": regions, "problems": problems,
            "status": status(summary, regions), "exitCode": (summary or {}).get("exitCode"),
            "caps": table(summary, "caps"), "wallSeconds": number(summary, "wallSeconds"),
            "total": account.total, "roles": account.roles,
            "models": {role: sorted(names) for role, names in account.models.items()},
            "verify": table(run, "verify")} | devices(regions)


def order(path, context):
    """The heaviest first, as summary.json; then what only the log or disk knows."""
    known = [*context.summary, *context.account.order,
             *(text(row, "specHash") for row in context.rows)]
    folder = path / "regions"
    if folder.is_dir():
        known += sorted(child.name for child in folder.iterdir() if child.is_dir())
    return [name for name in dict.fromkeys(known) if name and "/" not in name
            and name not in (".", "..")]


def take_costs(account, summary):
    """Without a log, what summary.json says."""
    def take(into, source):
        for name in COST:
            into[name] = number(source, name) or 0
        for name in ("calls", "tokens", "dollars"):
            into[f"lost{name.capitalize()}"] = number(source, "lost", name) or 0

    take(account.total, summary.get("total"))
    for role, cost in table(summary, "roles").items():
        take(account.roles[role], cost)
    for row in rows(summary, "regions"):
        region = text(row, "specHash")
        take(account.regions[region], row)
        for role, cost in table(row, "roles").items():
            take(account.region_roles[region][role], cost)
        for attempt in rows(row, "attempts"):
            take(account.attempts[region, integer(attempt, "attempt")], attempt)


def status(summary, regions):
    if text(summary, "status"):
        return text(summary, "status")
    return "unfinished" if any(r["verdict"] == "unfinished" for r in regions) else "finished"


def devices(regions):
    """What the verdicts stand on: devices, drivers and evidence, each once."""
    attempts = [a for region in regions for a in region["attempts"]]
    return {name: list(dict.fromkeys(a[key] for a in attempts if a[key] not in ("", "none")))
            for name, key in (("devices", "device"), ("drivers", "driver"),
                              ("evidence", "verdictEvidence"))}
