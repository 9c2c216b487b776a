"""Whole answers with contents that nobody hopes for."""
import json
import os

from chat import behaviour


@behaviour
def empty(call):
    call.text(b"")


@behaviour
def truncated(call):
    call.text(call.document()[:-9])


@behaviour
def fenced(call):
    call.text(b"```json\n" + call.document() + b"\n```")


@behaviour
def doubly_encoded(call):
    call.text(json.dumps(call.document().decode()).encode())


@behaviour
def wrong_types(call):
    call.text(b'{"choices": [3], "content": 7, "output": {}, "usage": "x"}')


@behaviour
def no_choices(call):
    call.text(b'{"choices": [], "content": [], "output": []}')


@behaviour
def refusal(call):
    call.answer("", refusal="I will not")


@behaviour
def filtered(call):
    call.answer("", finish="content_filter")


@behaviour
def length(call):
    call.answer("half", finish="length")


@behaviour
def silent(call):
    call.answer("")


@behaviour
def unknown_tool(call):
    call.answer("", finish="tool_calls", calls=[("nobody", '{"x": 1}')])


@behaviour
def bad_arguments(call):
    call.answer("", finish="tool_calls", calls=[("f", '{"x": ?}<|end|>')])


@behaviour
def two_calls(call):
    call.answer("both", finish="tool_calls",
                calls=[("f", '{"x": 1}'), ("g", '{"y": 2}')])


@behaviour
def html(call):
    call.text(b"<!DOCTYPE html><p>Sign in</p>")


@behaviour
def not_json(call):
    call.text(b"upstream connect error")


@behaviour
def json_list(call):
    call.text(b"[1, 2]")


# Texts for whole runs (test/Providers).

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


@behaviour
def no_plan(call):
    call.answer("Here is my plan: I would use shared memory.")


@behaviour
def recorded(call):
    with open(os.environ["KCLAW_ANSWER"]) as file:
        call.answer(file.read())


@behaviour
def no_usage(call):
    text = call.frames() if call.stream else call.document()
    call.text(text.replace(b'"usage"', b'"unsaid"'))


@behaviour
def broken_kernel(call):
    call.answer(BROKEN_KERNEL)


@behaviour
def not_a_plan(call):
    call.answer('```json\n{"modules": 7, "steps": []}\n```')
