#!/usr/bin/env python3
"""Reports in a real browser: they open from file:// without an error and
without a request, each plot has its points, the tree has each attempt, records
and differences are one click away, and what a model wrote does not run.

usage: browser.py BUILD
Exit code 77: skipped, with the reason.
"""
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Inputs"))
import chromium
import runs

sys.path.insert(0, str(runs.SOURCE / "tools/kernelclaw-report"))
from kernelclaw_report.run import read_run


class Report:
    """An open report, with everything that went wrong in it."""

    def __init__(self, browser, path, width=1280, theme="light"):
        self.complaints = []
        self.page = browser.new_page(viewport={"width": width, "height": 900},
                                     color_scheme=theme)
        self.page.set_default_timeout(20_000)
        self.page.on("console", lambda message: self.complaints.append(message.text)
                     if message.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.complaints.append(request.url[:200])
                     if request.url != path.as_uri() and
                     not request.url.startswith(("data:", "blob:")) else None)
        self.page.goto(path.as_uri())
        self.drawn()

    def drawn(self):
        self.page.wait_for_timeout(50)
        chromium.wait_until_drawn(self.page)

    def count(self, selector):
        return self.page.locator(selector).count()

    def close(self):
        wide = self.page.evaluate("document.documentElement.scrollWidth > innerWidth")
        assert not wide, "the page is wider than its window"
        assert self.page.evaluate("window.pwned") is None, "a text of the record ran"
        assert not self.complaints, self.complaints
        self.page.close()


def attempts_of(run):
    """Number -> (outcome, has a time), as the files say."""
    found = {}
    for folder in runs.region_of(run).glob("attempt-*"):
        path = folder / "evaluation.json"
        evaluation = json.loads(path.read_text()) if path.exists() else {}
        time_ = evaluation.get("time", {}).get("medianMicroseconds", 0)
        found[int(folder.name.split("-")[1])] = evaluation.get("outcome", ""), time_ > 0
    return found


def check_plots(report, run):
    attempts = attempts_of(run)
    points = report.count("#details-0 [data-plot=speedups] .scatterlayer path.point")
    assert points == len(attempts), f"{points} points, {len(attempts)} attempts"
    if report.count("#details-0 [data-plot=roofline]"):
        timed = sum(1 for outcome, has_time in attempts.values() if outcome == "ok" and has_time)
        points = report.count("#details-0 [data-plot=roofline] .scatterlayer path.point")
        assert points == timed + 1, f"roofline: {points} points, {timed} timed, and stock"
    nodes = report.page.eval_on_selector_all(
        "#details-0 .tree tr[data-attempt]", "rows => rows.map(r => Number(r.dataset.attempt))")
    assert sorted(nodes) == sorted(attempts), f"tree {nodes}, on record {sorted(attempts)}"


def check_records(report, run):
    """Each file of the record has a button that shows it."""
    page, region = report.page, runs.region_of(run)
    kernels = sorted(region.glob("attempt-*/*.cu"))
    assert kernels
    for path in kernels:
        number = path.parent.name.split("-")[1]
        page.click(f"#details-0 tr[data-attempt='{number}'] button[data-kind=kernel]")
        assert page.text_content("#viewer-body pre") == path.read_text()
        page.click("#viewer-close")
    for kind, pattern in (("prompt", "prompt*.json"), ("reply", "reply*.json"),
                          ("tool", "tool-*.json"), ("plan", "plan.json"),
                          ("gate", "gate.json"), ("evaluation", "evaluation.json")):
        files = len(list(region.glob(f"attempt-*/{pattern}")))
        buttons = report.count(f"#details-0 .tree button[data-kind={kind}]")
        assert buttons == files, f"{kind}: {buttons} buttons, {files} files"
    page.locator("#details-0 .tree td:first-child button").first.click()
    assert "Outcome" in page.text_content("#viewer-body")
    page.keyboard.press("Escape")


def check_diff(report, a, b, removed, added):
    page = report.page
    page.select_option("#details-0 .diff-from", a)
    page.select_option("#details-0 .diff-to", b)
    for kind, line in (("removed", removed), ("added", added)):
        lines = page.locator(f"#details-0 pre.diff .{kind}").all_text_contents()
        assert any(line in text for text in lines), f"{line!r} is not {kind}: {lines}"


def check_run(browser, name, run, path):
    report = Report(browser, path)
    check_plots(report, run)
    check_records(report, run)
    less, equal = "i + 4 < claw::res0_elements", "i + 4 <= claw::res0_elements"
    if name == "roles":
        check_diff(report, "3", "4", less, equal)
        check_diff(report, "4", "3", equal, less)
        assert report.count("#details-0 [data-plot=counters] path.point") > 3
        assert report.count("#details-0 [data-plot=roles] .barlayer .trace") == 2
        assert report.count("#details-0 table.roles tbody tr") == 6
    elif name == "agent":
        check_diff(report, "2", "3", less, equal)
    elif name == "recorded":
        check_diff(report, "1", "2", "float partial[threads / 32];", "float total;")
    report.close()


def check_greedy(browser, run, path):
    """Regions with source lines; the second is built when it is opened."""
    report = Report(browser, path)
    check_plots(report, run)
    text = report.page.text_content("table.regions")
    assert "model.py:12 +1" in text and "left.py:3 +1" in text, text
    assert not report.count("#details-1 .tree")
    report.page.click("tr[data-region='1'] button")
    report.drawn()
    assert "/src/right.py:4" in report.page.text_content("#details")
    assert report.count("#details-1 [data-plot=speedups] path.point")
    report.close()


def check_notes(browser, path, *notes):
    report = Report(browser, path, width=400, theme="dark")
    text = report.page.text_content("main")
    for note in notes:
        assert note in text, f"{note!r} is not in {text}"
    report.page.click("#theme")
    report.drawn()
    report.close()


def check_hostile(browser, path):
    report = Report(browser, path)
    page = report.page
    shown = "</script><script>window.pwned=1</script>"
    page.click("#details-0 tr[data-attempt='2'] button[data-kind=reply]")
    text = page.text_content("#viewer-body")
    assert shown in text and "characters are left out" in text, text[:300]
    page.click("#viewer-close")
    for button in page.locator("#details-0 .record button").all():
        button.click()
        page.click("#viewer-close")
    for button in page.locator("#details-0 .tree td:first-child button").all():
        button.click()
        page.click("#viewer-close")
    page.select_option("#details-0 .diff-from", "3")
    assert shown in page.text_content("#details-0 .diff-shown")
    for choice in page.locator("#details-0 .counters-of option").all():
        page.select_option("#details-0 .counters-of", choice.get_attribute("value"))
        report.drawn()
    assert not report.count("main img, main script, dialog img, dialog script")
    report.close()


def check_differences(browser, path):
    """diffLines against the longest common subsequence, on small made-up files."""
    chance = random.Random(1)
    cases = [[[chance.choice("abcd") for _ in range(chance.randrange(9))] for _ in range(2)]
             for _ in range(300)]
    cases.append([[f"a{line}" for line in range(3000)], [f"b{line}" for line in range(3000)]])
    report = Report(browser, path)
    found = report.page.evaluate("cases => cases.map(([a, b]) => diffLines(a, b))", cases)
    for (a, b), rows in zip(cases, found):
        assert [r["text"] for r in rows if r["kind"] != "added"] == a, (a, b, rows)
        assert [r["text"] for r in rows if r["kind"] != "removed"] == b, (a, b, rows)
        same = sum(r["kind"] == "same" for r in rows)
        assert len(a) > 9 or same == common(a, b), (a, b, rows)
    report.close()


def common(a, b):
    lengths = [0] * (len(b) + 1)
    for x in a:
        above = lengths
        lengths = [0]
        for place, y in enumerate(b):
            lengths.append(above[place] + 1 if x == y else max(above[place + 1], lengths[-1]))
    return lengths[-1]


def check_costs(run):
    """What the page adds up is what the run's own summary has."""
    told = json.loads((run / "summary.json").read_text())
    found = read_run(run, 1000)
    for name, value in told["total"].items():
        assert abs(found["total"][name] - value) < 1e-9, f"{name}: {found['total']}, {told}"
    assert set(found["roles"]) == set(told["roles"])
    for row in told["regions"][0]["attempts"]:
        attempt = next(a for a in found["regions"][0]["attempts"]
                       if a["number"] == row["attempt"])
        assert attempt["cost"]["inputTokens"] == row["inputTokens"]


def check_many(browser, path):
    report = Report(browser, path)
    assert report.count("table.regions tbody tr") == 40
    report.page.click("tr[data-region='39'] button")
    report.drawn()
    assert report.count("#details-39 .tree tr[data-attempt]") == 4
    report.close()


def main():
    build = pathlib.Path(sys.argv[1])
    folder = pathlib.Path(tempfile.mkdtemp(prefix="kclaw-report-"))
    began = time.monotonic()
    try:
        with chromium.browser() as browser:
            made = runs.make_runs(build, folder)
            print(f"runs: {time.monotonic() - began:.0f} s", flush=True)
            pages = {}
            for name, run in made.items():
                pages[name] = folder / f"{name}.html"
                subprocess.run([build / "bin/kernelclaw-report", run, "-o", pages[name]],
                               check=True)
            for name in ("roles", "agent"):
                check_costs(made[name])
            check_differences(browser, pages["roles"])
            for name in ("roles", "agent", "recorded"):
                check_run(browser, name, made[name], pages[name])
            check_greedy(browser, made["greedy"], pages["greedy"])
            check_notes(browser, pages["store-run"], "came from the store")
            check_notes(browser, pages["parked"], "parked (exit code 75)", "waits for an answer")
            check_notes(browser, pages["killed"], "There is no summary.json", "unfinished",
                        "No verdict on record for attempt 4", "1 damaged line")
            check_notes(browser, pages["recorded"], "No attempt.json", "No roofline",
                        "No counters are on record")
            check_hostile(browser, pages["hostile"])
            check_many(browser, pages["many"])
    except chromium.Missing as reason:
        print(f"skipped: {reason}")
        return chromium.SKIPPED
    finally:
        shutil.rmtree(folder)
    print(f"{len(made)} reports, {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
