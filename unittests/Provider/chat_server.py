"""A chat/completions endpoint that misbehaves on request.

The model's name picks the behaviour; requests are counted per model. Prints
its port, then serves until its parent goes away.
"""
import json
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

counts = {}


def answer(text):
    return json.dumps({
        "choices": [{"message": {"content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 500}})


def error(message, **more):
    return json.dumps({"error": {"message": message, **more}})


def respond(model, count, body, headers):
    """Status, extra headers and body; None closes the connection."""
    if model == "echo":
        return 200, {}, answer(json.dumps(
            {"body": body, "authorization": headers.get("Authorization")}))
    if model == "busy-twice" and count <= 2:
        return 429, {"Retry-After": "0.05"}, error("slow down")
    if model == "drops-once" and count == 1:
        return None
    if model == "new-limit-name" and "max_tokens" in body:
        return 400, {}, error("use max_completion_tokens instead")
    if model == "quota":
        return 429, {}, error("spent", code="insufficient_quota")
    if model == "leaks-key":
        return 401, {}, error("bad key " + str(headers.get("Authorization")))
    if model == "always-busy":
        return 503, {"retry-after-ms": "1"}, "<html>busy</html>"
    if model == "redirect":
        return 302, {"Location": "http://127.0.0.1:1/"}, ""
    if model == "slow":
        time.sleep(5)
    if model == "html":
        return 200, {"retry-after-ms": "1"}, "<!DOCTYPE html><p>Sign in</p>"
    if model == "not-json":
        return 200, {"retry-after-ms": "1"}, "upstream connect error"
    if model == "empty":
        return 200, {"retry-after-ms": "1"}, ""
    if model == "unknown-model":
        return 404, {}, error("no such model", code="model_not_found")
    if model == "no-plan":
        return 200, {}, answer("Here is my plan: I would use shared memory.")
    if model == "broken-kernel":
        return 200, {}, answer(BROKEN_KERNEL)
    if model == "not-a-plan":
        return 200, {}, answer('```json\n{"modules": 7, "steps": []}\n```')
    return 200, {}, answer(f"answer {count}")


BROKEN_KERNEL = """```cuda
extern "C" __global__ void k(const float *x, float *y) { y[0] = undeclared; }
```
```json
{"title": "does not compile",
 "modules": [{"name": "main", "source": "@cuda"}],
 "buffers": [{"name": "x", "kind": "argument", "index": 0},
             {"name": "y", "kind": "result", "index": 0}],
 "steps": [{"kind": "kernel", "module": "main", "entry": "k",
            "grid": [1], "block": [32], "args": ["x", "y"]}]}
```
"""


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        model = body["model"]
        counts[model] = counts.get(model, 0) + 1
        self.close_connection = True
        if model in RAW:
            RAW[model](self, counts[model])
            return
        response = respond(model, counts[model], body, self.headers)
        if response is None:
            return
        status, headers, text = response
        data = text.encode()
        self.begin(len(data), status, headers)
        self.wfile.write(data)

    def begin(self, length, status=200, headers={}):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def cut(self, count):
        """Half the promised body, then the connection ends."""
        data = answer("cut").encode()
        self.begin(len(data))
        self.wfile.write(data[:len(data) // 2])

    def cut_once(self, count):
        if count == 1:
            return self.cut(count)
        data = answer(f"answer {count}").encode()
        self.begin(len(data))
        self.wfile.write(data)

    def drip(self, count):
        """A byte now and then, for as long as someone listens."""
        self.begin(1 << 30)
        try:
            while True:
                self.wfile.write(b" ")
                time.sleep(0.05)
        except OSError:
            pass

    def huge(self, count):
        """More than any answer has."""
        self.begin(1 << 30)
        try:
            for _ in range(1 << 10):
                self.wfile.write(b" " * (1 << 20))
        except OSError:
            pass

    def log_message(self, *_):
        pass


RAW = {"cut": Handler.cut, "cut-once": Handler.cut_once,
       "drip": Handler.drip, "huge": Handler.huge}


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    parent = os.getppid()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    while os.getppid() == parent:
        time.sleep(0.1)
    sys.exit(0)
