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
    return 200, {}, answer(f"answer {count}")


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        model = body["model"]
        counts[model] = counts.get(model, 0) + 1
        response = respond(model, counts[model], body, self.headers)
        if response is None:
            self.close_connection = True
            return
        status, headers, text = response
        data = text.encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
parent = os.getppid()
threading.Thread(target=server.serve_forever, daemon=True).start()
while os.getppid() == parent:
    time.sleep(0.1)
sys.exit(0)
