"""Endpoints of three wire formats that misbehave on request, byte for byte.

The model's name picks the row of BEHAVIOURS (in chat/); "NAME@anything" is the
same row with a count of its own. Answers as events where the request asks for a
stream.
Prints its port, then serves until its parent goes away.
"""
import json
import os
import re
import socket
import struct
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import chat.contents
import chat.requests
import chat.streams
from chat import BEHAVIOURS, SOON
from chat.wires import WIRES, frame

counts, lock = {}, threading.Lock()


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

    # What behaviours (chat/) are made of.

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

    def text(self, data, kind=None):
        self.send(200, data, SOON, kind=kind)

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
