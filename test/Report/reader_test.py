#!/usr/bin/env python3
"""What kernelclaw-report makes of damaged runs, and of texts that are not kind."""
import contextlib
import importlib.util
import io
import json
import os
import pathlib
import re
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tools/kernelclaw-report"))
from kernelclaw_report import figures, page, texts
from kernelclaw_report.counters import COUNTERS
from kernelclaw_report.main import main
from kernelclaw_report.run import NoRun, read_run

needs_plotly = unittest.skipUnless(
    importlib.util.find_spec("plotly"), "plotly is not there; utils/setup.sh installs it")
HASH = "0123456789abcdef0123456789abcdef"


def evaluation(outcome="ok", speedup=1.5):
    return {"jobId": "a", "outcome": outcome, "rule": "", "message": "", "evidence": "measured",
            "speedup": speedup, "speedupInterval": {"low": speedup - 0.1, "high": speedup + 0.1},
            "time": {"medianMicroseconds": 10 / speedup}, "driverVersion": "13.0",
            "stockTime": {"medianMicroseconds": 10.0}, "device": {"name": "H200"},
            "images": [{"module": "m", "ptx": "// ptx", "cubin": "QUJD"}],
            "profile": {"level": "counters",
                        "roofline": {"flops": 1e6, "minimalBytes": 1e5, "movedBytes": 2e5,
                                     "peakBytesPerSecond": 4.8e12, "peakFlopsPerSecond": 6.7e13,
                                     "boundBy": "memory", "boundMicroseconds": 2.0},
                        "kernels": [{"kernel": "k", "medianMicroseconds": 5,
                                     "counters": {"dramReadBytes": 1e5}}]}}


def decision(number, parent, **more):
    return {"number": number, "parent": parent, "phase": "optimise", "method": "vector_loads",
            "title": "wide", "promoted": True, "predicted": {"time": -1, "dramReadBytes": 0},
            "measured": {"time": 0.8, "dramReadBytes": 1.0}, "evidence": ["10 us"], **more}


def make_run(folder):
    """Two attempts, the second from the first; every kind of file."""
    region = folder / "regions" / HASH
    files = {"run.json": {"version": 1, "arch": "sm_90a", "seed": 1, "strategy": "roles",
                          "provider": "command", "regions": [
                              {"symbol": "main_region_0", "specHash": HASH, "status": "won",
                               "lines": [{"file": "/src/model.py", "line": 7}]}]},
             "summary.json": {"status": "finished", "exitCode": 0, "caps": {}, "total": {},
                              "roles": {}, "regions": [{"specHash": HASH, "timeShare": 1.0}]}}
    region.mkdir(parents=True)
    for name in ("spec", "stock", "reference"):
        files[f"regions/{HASH}/{name}.json"] = {"symbol": "main_region_0", "modules": []}
    for number in (1, 2):
        base = f"regions/{HASH}/attempt-{number}"
        (folder / base).mkdir()
        (folder / base / "main.cu").write_text(f"// kernel {number}\n")
        files |= {f"{base}/plan.json": {"title": "p", "modules": []},
                  f"{base}/gate.json": {"parent": 1, "allowed": [{"method": "m"}]},
                  f"{base}/attempt.json": decision(number, number - 1),
                  f"{base}/evaluation.json": evaluation(speedup=1 + number / 10),
                  f"{base}/prompt.json": {"messages": [{"role": "user", "content": "ask"}]},
                  f"{base}/reply.json": {"text": "answer"},
                  f"{base}/tool-1.json": {"tool": "compile", "output": "fine"}}
    for name, value in files.items():
        (folder / name).write_text(json.dumps(value))
    events = [{"event": "call_started", "call": 1, "role": "planner"},
              {"event": "reply", "call": 1, "role": "planner", "model": "m-1",
               "inputTokens": 100, "outputTokens": 10, "dollars": 0.5, "seconds": 2},
              {"event": "evaluated", "outcome": "ok", "deviceSeconds": 3}]
    (folder / "events.jsonl").write_text("".join(
        json.dumps({"seq": seq, "specHash": HASH, "attempt": 2, **event}) + "\n"
        for seq, event in enumerate(events)))
    return list(files)


class Reader(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name) / "run"
        self.folder.mkdir()
        self.files = make_run(self.folder)
        self.attempt = self.folder / "regions" / HASH / "attempt-2"

    def read(self, limit=10_000):
        return read_run(self.folder, limit)

    def render(self, limit=10_000):
        return page.render(self.read(limit), "title", "// plotly")

    def problems(self, run):
        return "\n".join(run["problems"] + [p for r in run["regions"] for p in r["problems"]])

    def test_a_whole_run(self):
        run = self.read()
        region, = run["regions"]
        self.assertEqual(self.problems(run), "")
        self.assertEqual(region["lines"], ["/src/model.py:7"])
        self.assertEqual(region["best"], 2)
        self.assertEqual((region["bound"], region["boundBy"]), (2.0, "memory"))
        self.assertAlmostEqual(region["low"], 1.1)
        self.assertEqual([a["base"] for a in region["attempts"]], [None, 1])
        self.assertEqual(run["total"]["inputTokens"], 100)
        self.assertEqual(region["attempts"][1]["cost"]["gpuSeconds"], 3)
        self.assertEqual(run["models"], {"planner": ["m-1"]})
        self.assertEqual(run["devices"], ["H200"])

    def test_each_file_damaged_in_each_way(self):
        damages = (b"", b'{"half', b"[1, 2]", b"null", b"\xff\xfe\x00", b"[" * 100_000,
                   b'{"number": 1e999, "speedup": NaN, "regions": 3, "messages": [3], '
                   b'"modules": {}, "time": [], "images": 1, "allowed": [1], "parent": "x"}',
                   b'{"speedup": ' + b"9" * 400 + b', "title": "\\ud800", "regions": [null]}')
        for name in self.files:
            whole = (self.folder / name).read_bytes()
            for damage in damages:
                with self.subTest(file=name, damage=damage[:20]):
                    (self.folder / name).write_bytes(damage)
                    self.render()
                    if damage in damages[:6]:
                        self.assertIn("damaged", self.problems(self.read()))
            (self.folder / name).write_bytes(whole)

    def test_each_file_missing_or_a_folder(self):
        for name in [*self.files, "events.jsonl"]:
            path = self.folder / name
            whole = path.read_bytes()
            path.unlink()
            self.render()
            path.mkdir()
            self.render()
            path.rmdir()
            path.write_bytes(whole)

    def test_a_log_with_damage(self):
        log = self.folder / "events.jsonl"
        lines = log.read_bytes().splitlines(keepends=True)
        log.write_bytes(lines[0] + b"\0" * 40 + lines[1] + lines[1] + b"garbage\n" + lines[2][:9])
        run = self.read()
        self.assertEqual(run["total"]["calls"], 1, "a repeated number is the same event")
        self.assertIn("2 damaged line(s)", self.problems(run))

    def test_a_call_without_an_end_is_told(self):
        log = self.folder / "events.jsonl"
        log.write_text(log.read_text().splitlines()[0] + "\n")
        self.assertIn("1 call(s) without an answer", self.problems(self.read()))

    def test_without_a_log_costs_are_those_of_the_summary(self):
        (self.folder / "events.jsonl").unlink()
        summary = json.loads((self.folder / "summary.json").read_text())
        summary["total"] = {"calls": 4, "dollars": 1.5, "lost": {"calls": 1, "tokens": 9}}
        (self.folder / "summary.json").write_text(json.dumps(summary))
        run = self.read()
        self.assertEqual((run["total"]["calls"], run["total"]["dollars"]), (4, 1.5))
        self.assertEqual(run["total"]["lostTokens"], 9)

    def test_parents_in_a_circle(self):
        for number, parent in ((1, 2), (2, 1)):
            path = self.attempt.parent / f"attempt-{number}" / "attempt.json"
            path.write_text(json.dumps(decision(number, parent)))
            bad = self.attempt.parent / f"attempt-{number}" / "evaluation.json"
            bad.write_text(json.dumps(evaluation("mismatch")))
        self.assertEqual([a["base"] for a in self.read()["regions"][0]["attempts"]], [None, None])

    def test_a_name_that_leads_out_is_not_followed(self):
        run = json.loads((self.folder / "run.json").read_text())
        run["regions"].append({"symbol": "s", "specHash": "../../x", "lines": []})
        (self.folder / "run.json").write_text(json.dumps(run))
        self.assertEqual([r["hash"] for r in self.read()["regions"]], [HASH])

    def test_long_texts_are_cut_with_a_note(self):
        (self.attempt / "reply.json").write_text(json.dumps({"text": "y" * 10_000_000}))
        (self.attempt / "main.cu").write_bytes(b"\xff" * 10_000_000)
        content = self.render(limit=5000)
        self.assertLess(len(content), 300_000)
        self.assertIn("9,995,000 of 10,000,000 characters are left out", content)

    def test_no_text_ends_a_script(self):
        hostile = "</script><script>window.pwned=1</script><!--\u2028%%DATA%%&"
        (self.attempt / "reply.json").write_text(json.dumps({"text": hostile}))
        (self.attempt / "main.cu").write_text(hostile)
        content = self.render()
        blocks = re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', content, re.S)
        self.assertEqual(len(blocks), 2)
        self.assertIn(hostile, json.loads(blocks[1])["texts"])
        self.assertNotIn("\u2028", content)
        self.assertEqual(content.count("<script"), content.count("</script>"))
        self.assertEqual(content.count("window.pwned"), content.count("\\u003cscript\\u003ewindow"))

    def test_keys_go_no_further(self):
        secret = "very/secret+value&1"
        os.environ["SOME_API_KEY"] = secret
        self.addCleanup(os.environ.pop, "SOME_API_KEY")
        before = texts.KEYS
        texts.KEYS = texts.keys_of_environment()
        self.addCleanup(setattr, texts, "KEYS", before)
        told = f"{secret} sk-abcdefghij0123456789 Authorization: Bearer abcdefgh01234567890"
        (self.attempt / "reply.json").write_text(json.dumps({"text": told}))
        (self.attempt / "main.cu").write_text(told)
        content = self.render()
        for key in (secret, "very/secret", "sk-abcdefghij", "abcdefgh01234567890"):
            self.assertNotIn(key, content)
        self.assertIn(texts.REDACTED, content)

    def test_folders_that_are_no_run(self):
        with self.assertRaisesRegex(NoRun, "does not exist"):
            read_run(self.folder / "no", 10)
        with self.assertRaisesRegex(NoRun, "is a file"):
            read_run(self.folder / "run.json", 10)
        with self.assertRaisesRegex(NoRun, "no run.json, no events.jsonl.*did you mean.*run'"):
            read_run(self.folder.parent, 10)

    @needs_plotly
    def test_the_command(self):
        output = self.folder.parent / "report.html"
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(main([str(self.folder.parent), "-o", str(output)]), 1)
            self.assertFalse(output.exists())
            self.assertEqual(main([str(self.folder), "-o", "/no/such/folder/x.html"]), 1)
            with self.assertRaises(SystemExit):
                main([str(self.folder), "--max-text", "0"])
        self.assertIn("did you mean", errors.getvalue())
        self.assertIn("cannot write the report '/no/such/folder/x.html'", errors.getvalue())
        self.assertIn("'0' is no number of at least 1", errors.getvalue())
        with contextlib.redirect_stdout(io.StringIO()) as told:
            self.assertEqual(main([str(self.folder), "-o", str(output)]), 0)
        self.assertIn("1 region(s), 2 attempt(s)", told.getvalue())
        self.assertEqual([p.name for p in output.parent.iterdir() if p.name.startswith(".")], [])

    @needs_plotly
    def test_figures_are_plotly_s(self):
        import plotly.graph_objects as go
        region, = self.read()["regions"]
        made = [figures.speedups(region["attempts"]), figures.roofline(region),
                figures.roles(region["roles"]), figures.counter_changes(region["attempts"][1])]
        for figure in made:
            content = re.sub(r'"@[a-z]+"', '"#000000"', json.dumps(figure))
            go.Figure(json.loads(content))  # unknown members are errors

    def test_counters_are_those_of_the_header(self):
        header = (SOURCE / "include/kernelclaw/Support/Counters.h").read_text()
        rows = re.findall(r'\{"(\w+)",\s*"([^"]*)",\s*((?:"[^"]*"\s*)+),', header)
        found = {name: (unit, "".join(re.findall(r'"([^"]*)"', meaning)))
                 for name, unit, meaning in rows}
        self.assertEqual(found, COUNTERS)


if __name__ == "__main__":
    unittest.main()
