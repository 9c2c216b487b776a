"""A kernelclaw-worker kept warm, whose phases are timed from outside.

The worker's --verbose lines say what it begins; each is stamped when it arrives.
"""
import json
import queue
import re
import subprocess
import threading
import time


SAID = re.compile(r"worker[^:]{0,40}: (.*)")


class Lost(Exception):
    """No answer: the worker ended or was too slow. It is not running any more."""


class Worker:
    """`path` is the executable. Use as a context manager; one job at a time."""

    def __init__(self, path, device="cuda", env=None):
        self.begun = time.monotonic()
        self.process = subprocess.Popen(
            [path, f"--device={device}", "--verbose"], env=env, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.lines = queue.Queue()  # (when, "out" or "err", text; None at the end)
        for name, stream in (("out", self.process.stdout), ("err", self.process.stderr)):
            threading.Thread(target=self._read, args=(name, stream), daemon=True).start()
        self.ready_seconds = None  # from start to a device that can be used

    def _read(self, name, stream):
        for line in stream:
            self.lines.put((time.monotonic(), name, line.rstrip("\n")))
        self.lines.put((time.monotonic(), name, None))

    def judge(self, job, limit=90):
        """The evaluation, the seconds of each phase by name, and their sum.

        The device is opened at the first job: that is no phase of it."""
        line = json.dumps(job, separators=(",", ":")) + "\n"
        start = time.monotonic()
        try:
            self.process.stdin.write(line)
            self.process.stdin.flush()
        except BrokenPipeError as error:
            self.close()
            raise Lost(f"{job['id']}: the worker has ended") from error
        phases, current = {}, "reading"
        began = start
        while True:
            try:
                when, stream, text = self.lines.get(timeout=max(0.1, start + limit - time.monotonic()))
            except queue.Empty:
                self.close()
                raise Lost(f"{job['id']}: no answer within {limit} s, while {current}") from None
            if text is None:
                if stream == "out":
                    self.close()
                    raise Lost(f"{job['id']}: the worker ended while {current}")
                continue
            said = SAID.match(text) if stream == "err" else None
            if said and said[1].startswith("ready"):
                self.ready_seconds = when - self.begun
                start = began = when
            elif said:
                phases[current] = phases.get(current, 0) + when - began
                current, began = said[1], when
            elif stream == "out":
                phases[current] = phases.get(current, 0) + when - began
                return json.loads(text), phases, when - start

    def close(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()


def jobs_of(path):
    with open(path) as file:
        return [json.loads(line) for line in file if line.strip()]
