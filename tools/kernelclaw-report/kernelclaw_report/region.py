"""One region: its attempts, and what of them the head of the report shows."""
import re

from .attempt import read_attempt
from .record import Recorder, views
from .texts import Texts
from .values import number, positive, read_json, rows, table, text

def read_region(folder, context):
    """`context`: run, limit, account, rows of run.json and summary.json."""
    region_hash, problems = folder.name, []
    texts = Texts(context.limit)
    numbered = sorted((int(match.group(1)), path) for path in list_folder(folder)
                      if path.is_dir()
                      and (match := re.fullmatch(r"attempt-(\d+)", path.name)))
    attempts = [read_attempt(path, context.path, texts, context.account, problems)
                for _, path in numbered]
    mark_bases(attempts)
    spec = read_json(folder / "spec.json", problems)
    if spec is None and folder.is_dir():
        problems.append("spec.json is missing: what the region computes is not known")
    record = views(Recorder(folder, context.path, texts, problems)) if folder.is_dir() else []
    library = folder / "library-stock"
    if library.is_dir():
        for view in views(Recorder(library, context.path, texts, problems)):
            record.append(view | {"label": f"library stock: {view['label']}"})
    region = {"hash": region_hash, "attempts": attempts, "record": record,
              "family": text(spec, "family"), "shapes": shapes(spec),
              "cost": context.account.regions[region_hash],
              "roles": context.account.region_roles[region_hash]}
    region |= named(region_hash, spec, context)
    region |= verdict(region_hash, context)
    region |= figures_of(region, context.summary.get(region_hash))
    region["problems"] = list(dict.fromkeys(problems)) + notes(region, context)
    region["texts"] = texts.all
    return region


def list_folder(folder):
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def shapes(spec):
    """'f32[512, 1024], ... -> f32[512, 1024]'"""
    def shape(tensor):
        sizes = [str(dim["value"]) if number(dim, "value") is not None
                 and dim["value"] >= 0 else text(dim, "name") for dim in rows(tensor, "dims")]
        return f"{text(tensor, 'dtype')}[{', '.join(sizes)}]"

    if not spec:
        return ""
    sides = [", ".join(map(shape, rows(spec, side))) for side in ("arguments", "results")]
    return " → ".join(sides)


def named(region_hash, spec, context):
    """Symbols and lines: several regions of a module may be equal."""
    own = [row for row in context.rows if text(row, "specHash") == region_hash]
    symbols = [text(row, "symbol") for row in own] or [text(spec, "symbol")]
    lines = []
    for row in own:
        for line in rows(row, "lines"):
            place = f"{text(line, 'file')}:{int(number(line, 'line') or 0)}"
            if place not in lines:
                lines.append(place)
    return {"symbols": [name for name in symbols if name], "lines": lines}


def verdict(region_hash, context):
    """From run.json, summary.json or the log; the run may have ended before."""
    own = next((row for row in context.rows if text(row, "specHash") == region_hash), {})
    summary = context.summary.get(region_hash, {})
    end = context.account.ends.get(region_hash, {})
    said = (text(own, "verdict") or text(own, "status") or text(summary, "verdict")
            or text(end, "status"))
    return {"verdict": said or "unfinished",
            "reason": text(own, "reason") or text(summary, "reason") or text(end, "message"),
            "fromStore": any(row.get("fromStore") is True for row in (own, summary, end)),
            "toldSpeedup": positive(own, "speedup") or positive(summary, "speedup"),
            "evidence": text(own, "evidence") or text(summary, "evidence")}


def mark_bases(attempts):
    """What each is compared with: its parent, or the right kernel that a chain
    of repairs began from. Also the best so far, after each."""
    by_number = {attempt["number"]: attempt for attempt in attempts}
    recorded = any(attempt["onRecord"] for attempt in attempts)
    best, best_number = 1.0, None
    for attempt in attempts:
        base, seen = by_number.get(attempt["parent"]), set()
        while base and base["outcome"] != "ok" and base["number"] not in seen:
            seen.add(base["number"])
            base = by_number.get(base["parent"])
        attempt["base"] = base["number"] if base and base["outcome"] == "ok" else None
        faster = attempt["outcome"] == "ok" and (attempt["speedup"] or 0) > best
        if attempt["promoted"] if recorded else faster:
            best, best_number = attempt["speedup"] or best, attempt["number"]
        attempt["bestSoFar"] = best
        attempt["isBest"] = False
    if best_number is not None:
        by_number[best_number]["isBest"] = True


def figures_of(region, summary):
    """Stock, best, speed-up and bound, of one evaluation where there is one."""
    right = [a for a in region["attempts"] if a["outcome"] == "ok"]
    best = next((a for a in right if a["isBest"]), None) or max(
        (a for a in right if a["speedup"]), key=lambda a: a["speedup"], default=None)
    roofline = next((a["roofline"] for a in [best, *reversed(right)]
                     if a and positive(a["roofline"], "boundMicroseconds")), {})
    copy = next((a["copyMicroseconds"] for a in [best, *right]
                 if a and a["copyMicroseconds"]), None)
    stock = (best or {}).get("stockMicroseconds") or next(
        (a["stockMicroseconds"] for a in region["attempts"] if a["stockMicroseconds"]), None)
    modelled = stock is None
    return {
        "best": best["number"] if best else None,
        "stockMicroseconds": stock or positive(summary, "stockMicroseconds"),
        "stockModelled": modelled and not table(summary).get("stockMeasured"),
        "bestMicroseconds": best["microseconds"] if best else None,
        "speedup": best["speedup"] if best else region["toldSpeedup"],
        "low": best["low"] if best else None, "high": best["high"] if best else None,
        "evidence": (best or {}).get("verdictEvidence") or region["evidence"],
        "bound": positive(roofline, "boundMicroseconds") or copy,
        "boundBy": text(roofline, "boundBy") if roofline else "a device copy" if copy else "",
        "roofline": roofline, "timeShare": number(summary, "timeShare"),
        "headroom": positive(summary, "headroom")}


def notes(region, context):
    """Why a part of the page is empty."""
    attempts, found = region["attempts"], []
    if region["fromStore"]:
        found.append("The answer came from the store: nothing was asked or judged in this "
                     "run, so there is no attempt to show.")
    elif not attempts:
        found.append("No attempt is on record: the run ended, or was parked, before one.")
    if attempts and not any(a["onRecord"] for a in attempts):
        found.append("No attempt.json: a run of an older version. Parents, methods and "
                     "predictions are not on record; the best so far is the fastest right one.")
    waiting = sum(1 for call in context.account.open_calls if call[0] == region["hash"])
    if waiting:
        found.append(f"{waiting} call(s) without an answer on record: parked, or under way "
                     "when the run was ended. Not in the costs below.")
    unjudged = [str(a["number"]) for a in attempts if not a["judged"]]
    if region["verdict"] == "parked":
        found.append("Parked: the last attempt waits for an answer from outside; the same "
                     "command goes on where the run stands.")
    elif unjudged:
        found.append(f"No verdict on record for attempt {', '.join(unjudged)}: the search ended "
                     "with it (nothing further to offer, a cap), or the run was cut off.")
    return found
