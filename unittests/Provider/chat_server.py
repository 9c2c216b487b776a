"""Endpoints of three wire formats that misbehave on request, byte for byte.

The model's name picks the row of BEHAVIOURS; "NAME@anything" is the same row
with a count of its own. Answers as events where the request asks for a stream.
Prints its port, then serves until its parent goes away.
"""
import json
import os
import re
import socket
import struct
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

counts, lock = {}, threading.Lock()
SOON = {"retry-after-ms": "1"}  # the next try need not wait


def pieces(text):
    size = 7 if len(text) < 4096 else 65536
    return [text[i:i + size] for i in range(0, len(text), size)]


CHUNK = {"id": "1", "object": "chat.completion.chunk", "created": 1,
         "model": "mock-1"}


class Chat:
    """OpenAI's chat/completions."""

    def plain(text, finish="stop", calls=(), refusal=None):
        message = {"role": "assistant", "content": text, "refusal": refusal}
        if calls:
            message["tool_calls"] = [
                {"id": f"c{i}", "type": "function",
                 "function": {"name": name, "arguments": arguments}}
                for i, (name, arguments) in enumerate(calls)]
        return {"id": "1", "object": "chat.completion", "created": 1,
                "model": "mock-1",
                "choices": [{"index": 0, "message": message,
                             "finish_reason": finish}],
                "usage": {"prompt_tokens": 1000, "completion_tokens": 500,
                          "total_tokens": 1500,
                          "prompt_tokens_details": {"cached_tokens": 400}}}

    def events(text, finish="stop", calls=(), refusal=None):
        def delta(delta, finish=None):
            return {**CHUNK, "choices": [{"index": 0, "delta": delta,
                                          "finish_reason": finish}]}
        yield delta({"role": "assistant", "content": ""})
        for piece in pieces(text or ""):
            yield delta({"content": piece})
        if refusal:
            yield delta({"refusal": refusal})
        for i, (name, arguments) in enumerate(calls):
            yield delta({"tool_calls": [{"index": i, "id": f"c{i}", "function":
                                         {"name": name, "arguments": ""}}]})
            yield delta({"tool_calls": [{"index": i, "function":
                                         {"arguments": arguments}}]})
        yield delta({}, finish)
        yield {**CHUNK, "choices": [], "usage": Chat.plain("")["usage"]}

    def failure(message, status, **more):
        return {"error": {"message": message, "code": status, **more}}

    filtered = "content_filter"
    done = b"data: [DONE]\n\n"
    optional = {"schema": "response_format", "effort": "reasoning_effort"}


class Responses:
    """OpenAI's responses."""

    def plain(text, finish="stop", calls=(), refusal=None):
        output = [{"id": "rs", "type": "reasoning", "summary": []}]
        content = [{"type": "output_text", "text": text,
                    "annotations": []}] if text else []
        if refusal:
            content.append({"type": "refusal", "refusal": refusal})
        output.append({"id": "msg", "type": "message", "role": "assistant",
                       "status": "completed", "content": content})
        output += [{"id": f"fc{i}", "type": "function_call",
                    "call_id": f"c{i}", "name": name, "status": "completed",
                    "arguments": arguments}
                   for i, (name, arguments) in enumerate(calls)]
        reasons = {"length": "max_output_tokens",
                   "content_filter": "content_filter"}
        return {"id": "resp", "object": "response", "created_at": 1,
                "parallel_tool_calls": True, "tools": [],
                "tool_choice": "auto",
                "model": "mock-1", "error": None, "output": output,
                "status": "incomplete" if finish in reasons else "completed",
                "incomplete_details": {"reason": reasons[finish]}
                if finish in reasons else None,
                "usage": {"input_tokens": 1000, "output_tokens": 500,
                          "total_tokens": 1500,
                          "output_tokens_details": {"reasoning_tokens": 0},
                          "input_tokens_details": {"cached_tokens": 400}}}

    def events(text, finish="stop", calls=(), refusal=None):
        for number, event in enumerate(
                Responses.steps(text, finish, calls, refusal)):
            yield {**event, "sequence_number": number}

    def steps(text, finish, calls, refusal):
        last = Responses.plain(text, finish, calls, refusal)
        yield {"type": "response.created", "response":
               {**last, "output": [], "usage": None, "status": "in_progress",
                "incomplete_details": None}}
        for index, item in enumerate(last["output"]):
            place = {"output_index": index, "item_id": item["id"]}
            empty = {name: value if isinstance(value, str) else []
                     for name, value in item.items()}
            yield {"type": "response.output_item.added", "output_index": index,
                   "item": {**empty, "status": "in_progress", **(
                       {"arguments": ""} if "arguments" in item else {})}}
            if item["type"] == "message" and text:
                for piece in pieces(text):
                    yield {"type": "response.output_text.delta", **place,
                           "content_index": 0, "delta": piece}
                yield {"type": "response.output_text.done", **place,
                       "content_index": 0, "text": text}
            if item["type"] == "function_call":
                for kind, name in ("delta", "delta"), ("done", "arguments"):
                    yield {"type": "response.function_call_arguments." + kind,
                           **place, name: item["arguments"]}
            yield {"type": "response.output_item.done", "output_index": index,
                   "item": item}
        yield {"type": "response." + last["status"], "response": last}

    failure = Chat.failure
    filtered = "content_filter"
    done = b""
    optional = {"schema": "text", "effort": "reasoning"}


class Messages:
    """Anthropic's messages."""

    stops = {"stop": "end_turn", "length": "max_tokens",
             "content_filter": "refusal", "tool_calls": "tool_use"}

    def plain(text, finish="stop", calls=(), refusal=None):
        text = text or refusal
        content = [{"type": "text", "text": text}] if text else []
        for i, (name, arguments) in enumerate(calls):
            try:
                arguments = json.loads(arguments)
            except ValueError:
                pass
            content.append({"type": "tool_use", "id": f"c{i}", "name": name,
                            "input": arguments})
        return {"type": "message", "model": "mock-1", "content": content,
                "stop_reason": "refusal" if refusal else Messages.stops[finish],
                "usage": {"input_tokens": 500, "output_tokens": 500,
                          "cache_read_input_tokens": 400,
                          "cache_creation_input_tokens": 100}}

    def events(text, finish="stop", calls=(), refusal=None):
        last = Messages.plain(text, finish, calls, refusal)
        yield {"type": "message_start", "message":
               {"model": "mock-1", "content": [],
                "usage": {**last["usage"], "output_tokens": 1}}}
        yield {"type": "ping"}
        index = 0
        if text or refusal:
            yield {"type": "content_block_start", "index": 0,
                   "content_block": {"type": "text", "text": ""}}
            for piece in pieces(text or refusal):
                yield {"type": "content_block_delta", "index": 0,
                       "delta": {"type": "text_delta", "text": piece}}
            yield {"type": "content_block_stop", "index": 0}
            index = 1
        for i, (name, arguments) in enumerate(calls):
            yield {"type": "content_block_start", "index": index + i,
                   "content_block": {"type": "tool_use", "id": f"c{i}",
                                     "name": name, "input": {}}}
            yield {"type": "content_block_delta", "index": index + i,
                   "delta": {"type": "input_json_delta",
                             "partial_json": arguments}}
            yield {"type": "content_block_stop", "index": index + i}
        yield {"type": "message_delta",
               "delta": {"stop_reason": last["stop_reason"]},
               "usage": {"output_tokens": 500}}
        yield {"type": "message_stop"}

    def failure(message, status, **more):
        types = {400: "invalid_request_error", 401: "authentication_error",
                 403: "permission_error", 404: "not_found_error",
                 429: "rate_limit_error", 529: "overloaded_error"}
        return {"type": "error", "error": {"message": message, "type":
                                           types.get(status, "api_error"),
                                           **more}}

    filtered = "refusal"
    done = b""
    optional = {"schema": "output_config", "effort": "output_config"}


WIRES = {"/chat/completions": Chat, "/responses": Responses,
         "/messages": Messages}


def frame(event):
    name = f"event: {event['type']}\n" if "type" in event else ""
    return f"{name}data: {json.dumps(event)}\n\n".encode()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # connections are kept
    disable_nagle_algorithm = True  # single bytes go out as such

    def do_POST(self):
        self.body = json.loads(
            self.rfile.read(int(self.headers["Content-Length"])))
        self.wire = next(wire for path, wire in WIRES.items()
                         if self.path.endswith(path))
        model = self.body["model"]
        with lock:
            counts[model] = counts.get(model, 0) + 1
            self.count = counts[model]
        self.stream = self.body.get("stream", False)
        name = model.split("@")[0]
        status = re.fullmatch(r"status-(\d+)(-once)?", name)
        try:
            if status and (self.count == 1 or not status[2]):
                self.fail(int(status[1]), f"status {status[1]} it is")
            else:
                BEHAVIOURS.get(name, Handler.answer)(self)
        except OSError:
            self.close_connection = True

    # What behaviours are made of.

    def send(self, status, data, headers={}, length=None, kind=None):
        self.send_response(status)
        for name, value in {"Content-Type": kind or "application/json",
                            **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length",
                         str(len(data) if length is None else length))
        self.end_headers()
        self.wfile.write(data)

    def fail(self, status, message, headers=SOON, **more):
        self.send(status, json.dumps(
            self.wire.failure(message, status, **more)).encode(), headers)

    def frames(self, text=None, **more):
        text = f"answer {self.count}" if text is None else text
        return b"".join(map(frame, self.wire.events(text, **more))) \
            + self.wire.done

    def document(self, text=None, **more):
        text = f"answer {self.count}" if text is None else text
        return json.dumps(self.wire.plain(text, **more)).encode()

    def answer(self, text=None, **more):
        if self.stream:
            self.send(200, self.frames(text, **more), kind="text/event-stream")
        else:
            self.send(200, self.document(text, **more))

    def open_stream(self, data=b""):
        """A body without an announced end; the connection's end ends it."""
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(data)
        self.wfile.flush()

    def reset(self):
        """The connection ends with a reset, without a goodbye."""
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                   struct.pack("ii", 1, 0))
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, *_):
        pass

    # Behaviours.

    def echo(self):
        key = self.headers.get("Authorization") or self.headers.get("x-api-key")
        self.answer(json.dumps({"body": self.body, "key": key,
                                "extra": self.headers.get("X-Extra"),
                                "version":
                                self.headers.get("anthropic-version")}))

    def port(self):
        self.answer(str(self.client_address[1]))

    def checks_key(self):
        given = {self.headers.get("Authorization"),
                 self.headers.get("x-api-key")}
        if given & {"Bearer sk-secret", "sk-secret"}:
            return self.answer("welcome")
        self.fail(401, "who are you?")

    def leaks_key(self):
        self.fail(401, "bad key " + str(self.headers.get("Authorization") or
                                        self.headers.get("x-api-key")))

    def busy_twice(self):
        if self.count <= 2:
            return self.fail(429, "slow down", {"Retry-After": "0.05"})
        self.answer()

    def drops_once(self):
        self.reset() if self.count == 1 else self.answer()

    def refuses(self, name, text):
        """400 as long as the request has the member `name`."""
        if name in self.body:
            return self.fail(400, text)
        self.answer()

    def new_limit_name(self):
        self.refuses("max_tokens", "use max_completion_tokens instead")

    def no_schema(self):
        name = self.wire.optional["schema"]
        self.refuses(name, f"'{name}.json_schema' is not supported")

    def no_effort(self):
        name = self.wire.optional["effort"]
        self.refuses(name, f"unknown parameter: {name}.effort "
                           "(reasoning_effort)")

    def no_stream_options(self):
        self.refuses("stream_options", "stream_options: extra input")

    def small_limit(self):
        asked = next(self.body[name] for name in
                     ("max_tokens", "max_completion_tokens",
                      "max_output_tokens") if name in self.body)
        if asked > 4096:
            return self.fail(400, f"max_tokens: {asked} > 4096, which is the "
                                  "maximum number of output tokens")
        self.answer(f"asked for {asked}")

    def quota(self):
        self.fail(429, "spent", code="insufficient_quota")

    def always_busy(self):
        self.send(503, b"<html>busy</html>", SOON)

    def long_wait(self):
        self.fail(429, "slow down", {"Retry-After": "60"})

    def error_in_200(self):
        self.fail_in_200("quota exceeded", 429)

    def key_error_in_200(self):
        self.fail_in_200("no such key", 401)

    def fail_in_200(self, message, status):
        failure = self.wire.failure(message, status)
        if not self.stream:
            return self.send(200, json.dumps(failure).encode(), SOON)
        first = next(self.wire.events(""))
        self.send(200, frame(first) + frame(failure) + self.wire.done, SOON,
                  kind="text/event-stream")

    def redirect(self):
        self.send(302, b"", {"Location": "http://127.0.0.1:1/"})

    def slow(self):
        time.sleep(5)
        self.answer()

    def text(self, data, kind=None):
        self.send(200, data, SOON, kind=kind)

    def empty(self):
        self.text(b"")

    def truncated(self):
        self.text(self.document()[:-9])

    def fenced(self):
        self.text(b"```json\n" + self.document() + b"\n```")

    def doubly_encoded(self):
        self.text(json.dumps(self.document().decode()).encode())

    def wrong_types(self):
        self.text(b'{"choices": [3], "content": 7, "output": {}, "usage": "x"}')

    def no_choices(self):
        self.text(b'{"choices": [], "content": [], "output": []}')

    def labelled_stream(self):
        self.send(200, self.document(), kind="text/event-stream")

    def labelled_plain(self):
        self.send(200, self.frames(), kind="application/json")

    def dribbled(self):
        """Comments, both ends of line, a byte at a time."""
        data = (b": keep-alive\r\n\r\n" +
                self.frames().replace(b"\n", b"\r\n", 40))
        self.open_stream()
        for i in range(len(data)):
            self.wfile.write(data[i:i + 1])
            self.wfile.flush()

    def ends_early(self):
        frames = [frame(event) for event in self.wire.events("half a sentence")]
        self.open_stream(b"".join(frames[:3]))

    def damaged_event(self):
        frames = [frame(event) for event in self.wire.events("some answer")]
        self.send(200, b"".join(frames[:4]) + b'data: {"cho\n\n' +
                  b"".join(frames[4:]) + self.wire.done, SOON)

    def stalls(self):
        frames = [frame(event) for event in self.wire.events("half a sentence")]
        self.open_stream(b"".join(frames[:3]))
        time.sleep(4)

    def cut(self):
        """Half the promised body, then the connection ends."""
        data = self.frames() if self.stream else self.document()
        self.close_connection = True
        self.send(200, data[:len(data) // 2], length=len(data))

    def cut_once(self):
        self.cut() if self.count == 1 else self.answer()

    def drip(self):
        """A byte now and then, for as long as someone listens."""
        self.open_stream()
        while True:
            self.wfile.write(b" ")
            time.sleep(0.05)

    def endless_comments(self):
        self.open_stream()
        while True:
            self.wfile.write(b": still thinking\n\n")
            time.sleep(0.05)

    def huge(self):
        """More than any answer has."""
        self.close_connection = True
        self.send(200, b"", length=1 << 30)
        for _ in range(1 << 10):
            self.wfile.write(b" " * (1 << 20))

    def ten_megabytes(self):
        self.answer("x" * (10 << 20))

    def endless_stream(self):
        events = list(self.wire.events("y" * 7))
        self.open_stream(frame(events[0]))
        piece = next(json.dumps(event) for event in events[1:]
                     if "y" * 7 in json.dumps(event))
        piece = piece.replace("y" * 7, "y" * 65536)
        while True:
            self.wfile.write(f"data: {piece}\n\n".encode())

    def endless_line(self):
        self.open_stream()
        self.wfile.write(b"data: {\"")
        while True:
            self.wfile.write(b"z" * 65536)

    def big_header(self):
        self.send(200, self.document(), {f"X-{i}": "y" * 8000
                                         for i in range(80)})

    def refusal(self):
        self.answer("", refusal="I will not")

    def filtered(self):
        self.answer("", finish="content_filter")

    def length(self):
        self.answer("half", finish="length")

    def silent(self):
        self.answer("")

    def unknown_tool(self):
        self.answer("", finish="tool_calls", calls=[("nobody", '{"x": 1}')])

    def bad_arguments(self):
        self.answer("", finish="tool_calls", calls=[("f", '{"x": ?}<|end|>')])

    def two_calls(self):
        self.answer("both", finish="tool_calls",
                    calls=[("f", '{"x": 1}'), ("g", '{"y": 2}')])

    # Texts for whole runs (test/Providers).

    def no_plan(self):
        self.answer("Here is my plan: I would use shared memory.")

    def recorded(self):
        with open(os.environ["KCLAW_ANSWER"]) as file:
            self.answer(file.read())

    def no_usage(self):
        text = self.frames() if self.stream else self.document()
        self.text(text.replace(b'"usage"', b'"unsaid"'))

    def broken_kernel(self):
        self.answer(BROKEN_KERNEL)

    def not_a_plan(self):
        self.answer('```json\n{"modules": 7, "steps": []}\n```')


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

NAMES = """echo port checks-key leaks-key busy-twice drops-once new-limit-name
no-schema no-effort no-stream-options small-limit quota always-busy long-wait
error-in-200 key-error-in-200 redirect slow empty truncated fenced
doubly-encoded wrong-types no-choices labelled-stream labelled-plain dribbled
ends-early damaged-event stalls cut cut-once drip endless-comments huge
ten-megabytes endless-stream endless-line big-header refusal filtered length
silent unknown-tool bad-arguments two-calls no-plan no-usage recorded
broken-kernel
not-a-plan""".split()
BEHAVIOURS = {name: getattr(Handler, name.replace("-", "_")) for name in NAMES}
BEHAVIOURS |= {
    "html": lambda self: self.text(b"<!DOCTYPE html><p>Sign in</p>"),
    "not-json": lambda self: self.text(b"upstream connect error"),
    "json-list": lambda self: self.text(b"[1, 2]"),
    "unknown-model": lambda self: self.fail(404, "no such model",
                                            code="model_not_found"),
}


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass  # callers that hang up are what this is for


if __name__ == "__main__":
    server = Server(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    parent = os.getppid()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    while os.getppid() == parent:
        time.sleep(0.1)
    os._exit(0)
