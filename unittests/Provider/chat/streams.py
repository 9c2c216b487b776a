"""Streams and connections that are slow, damaged, endless or cut."""
import json
import time

from chat import SOON, behaviour
from chat.wires import frame


@behaviour
def drops_once(call):
    call.reset() if call.count == 1 else call.answer()


@behaviour
def slow(call):
    time.sleep(5)
    call.answer()


@behaviour
def labelled_stream(call):
    call.send(200, call.document(), kind="text/event-stream")


@behaviour
def labelled_plain(call):
    call.send(200, call.frames(), kind="application/json")


@behaviour
def dribbled(call):
    """Comments, both ends of line, a byte at a time."""
    data = (b": keep-alive\r\n\r\n" +
            call.frames().replace(b"\n", b"\r\n", 40))
    call.open_stream()
    for i in range(len(data)):
        call.wfile.write(data[i:i + 1])
        call.wfile.flush()


@behaviour
def ends_early(call):
    frames = [frame(event) for event in call.wire.events("half a sentence")]
    call.open_stream(b"".join(frames[:3]))


@behaviour
def damaged_event(call):
    frames = [frame(event) for event in call.wire.events("some answer")]
    call.send(200, b"".join(frames[:4]) + b'data: {"cho\n\n' +
              b"".join(frames[4:]) + call.wire.done, SOON)


@behaviour
def stalls(call):
    frames = [frame(event) for event in call.wire.events("half a sentence")]
    call.open_stream(b"".join(frames[:3]))
    time.sleep(4)


@behaviour
def cut(call):
    """Half the promised body, then the connection ends."""
    data = call.frames() if call.stream else call.document()
    call.close_connection = True
    call.send(200, data[:len(data) // 2], length=len(data))


@behaviour
def cut_once(call):
    cut(call) if call.count == 1 else call.answer()


@behaviour
def drip(call):
    """A byte now and then, for as long as someone listens."""
    call.open_stream()
    while True:
        call.wfile.write(b" ")
        time.sleep(0.05)


@behaviour
def endless_comments(call):
    call.open_stream()
    while True:
        call.wfile.write(b": still thinking\n\n")
        time.sleep(0.05)


@behaviour
def huge(call):
    """More than any answer has."""
    call.close_connection = True
    call.send(200, b"", length=1 << 30)
    for _ in range(1 << 10):
        call.wfile.write(b" " * (1 << 20))


@behaviour
def ten_megabytes(call):
    call.answer("x" * (10 << 20))


@behaviour
def endless_stream(call):
    events = list(call.wire.events("y" * 7))
    call.open_stream(frame(events[0]))
    piece = next(json.dumps(event) for event in events[1:]
                 if "y" * 7 in json.dumps(event))
    piece = piece.replace("y" * 7, "y" * 65536)
    while True:
        call.wfile.write(f"data: {piece}\n\n".encode())


@behaviour
def endless_line(call):
    call.open_stream()
    call.wfile.write(b"data: {\"")
    while True:
        call.wfile.write(b"z" * 65536)


@behaviour
def big_header(call):
    call.send(200, call.document(), {f"X-{i}": "y" * 8000
                                     for i in range(80)})
