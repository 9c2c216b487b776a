"""Runs kernelclaw-opt with a paid provider and looks at what it left behind."""
import json
import os
import pathlib
import shutil
import subprocess

KEY = "sk-kclaw-test-3f9a1c77"


class Run:
    """One kernelclaw-opt, started at once; results after wait()."""

    def __init__(self, folder, sample, base_url, model, key=KEY, **options):
        self.folder = pathlib.Path(folder)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.run_dir = self.folder / "run"
        self.output = self.folder / "out.mlir"
        self.command = None
        self.sample = sample
        self.options = {"provider": "openai", "strategy": "greedy",
                        "evaluator": "none",
                        "store": "none", "max_attempts": 1,
                        "run_dir": self.run_dir, "model": model,
                        "max_tokens": 10000000, "base_url": base_url, **options}
        self.environment = dict(os.environ,
                                KERNELCLAW_WORKER=str(self._worker()))
        for name in "KERNELCLAW_API_KEY", "ANTHROPIC_API_KEY":
            self.environment.pop(name, None)
            if key:
                self.environment[name] = key
        self.start()

    def _worker(self):
        """A worker that first notes down which variables it was given."""
        path = self.folder / "worker.sh"
        real = shutil.which("kernelclaw-worker")
        path.write_text(f"#!/bin/sh\n/usr/bin/env >>'{self.folder}/worker.env'\n"
                        f"exec '{real}' \"$@\"\n")
        path.chmod(0o755)
        return path

    def start(self):
        options = " ".join(f"{name.replace('_', '-')}={value}"
                           for name, value in self.options.items())
        self.output.unlink(missing_ok=True)
        self.process = subprocess.Popen(
            ["kernelclaw-opt", str(self.sample), "-o", str(self.output),
             f"--llm-optimize={options}"],
            env=self.environment, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def wait(self, seconds=240):
        self.log, _ = self.process.communicate(timeout=seconds)
        self.code = self.process.returncode
        return self

    def again(self, **options):
        self.options.update(options)
        self.start()
        return self.wait()

    def events(self, kind=None):
        path = self.run_dir / "events.jsonl"
        lines = path.read_text().splitlines() if path.exists() else []
        events = [json.loads(line) for line in lines]
        return [e for e in events if kind in (None, e["event"])]

    def evaluations(self):
        paths = sorted(self.run_dir.glob("regions/*/attempt-*/evaluation.json"))
        return [json.loads(path.read_text()) for path in paths]

    def leaks(self, secret=KEY):
        """Files (and the log) in which the secret stands."""
        found = [str(path) for path in self.folder.rglob("*")
                 if path.is_file() and secret.encode() in path.read_bytes()]
        return found + (["log"] if secret in self.log else [])
