"""A model for provider=command that misbehaves, each region in its own way.

For a module of thirty.py. Region k misbehaves as ways[k] says in its second
attempt (the first is the memory bank's own kernel); afterwards it answers
sensibly. With ALWAYS in its arguments it never does.
"""
import json
import os
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(__file__))
from thirty import elements

RIGHT = """#include "claw_spec.h"
extern "C" __global__ void add_relu(const float *x, const float *y, float *z) {
  long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i < claw::res0_elements) {
    float sum = x[i] + y[i];
    z[i] = sum < 0 ? 0 : sum;
  }
}
"""
BODY = "    z[i] = sum < 0 ? 0 : sum;\n"


def plan(**changes):
    document = {
        "title": "one element a thread",
        "modules": [{"name": "main", "source": "@main.cu"}],
        "buffers": [{"name": "x", "kind": "argument", "index": 0},
                    {"name": "y", "kind": "argument", "index": 1},
                    {"name": "z", "kind": "result", "index": 0}],
        "steps": [{"kind": "kernel", "module": "main", "entry": "add_relu",
                   "grid": ["32"], "block": [256], "args": ["x", "y", "z"]}]}
    document.update(changes)
    return document


def fences(source=RIGHT, document=None):
    text = json.dumps(document or plan()).replace("@main.cu", "@cuda")
    return f"```cuda\n{source}```\n```json\n{text}\n```\n"


def files(source=RIGHT, document=None):
    return [{"file": "main.cu", "content": source},
            {"file": "plan.json", "content": json.dumps(document or plan())}]


def call(name, arguments, number=0):
    return {"id": f"c{number}", "name": name, "arguments": arguments}


def calls(*list_of_calls):
    return {"toolCalls": list(list_of_calls)}


class Model:
    def __init__(self, request):
        self.request = request
        self.role = request["role"]
        self.answers = sum(m["role"] == "assistant" for m in request["messages"])

    def kernel(self, source=RIGHT, document=None):
        """A kernel for whoever asks. The agent has to see numbers and methods
        first."""
        if self.role != "agent":
            return {"text": fences(source, document)}
        seen = "\n".join(m["content"] for m in self.request["messages"]
                         if m["role"] == "tool")
        method = re.search(r"Methods:\n- ([\w-]+):", seen)
        if not method:
            return calls(call("card", {}, self.answers))
        evidence = re.search(r"Time: (\d[\d.e+-]*)", seen)
        if not evidence:
            return calls(call("history", {"attempt": 1}, self.answers))
        return calls(call("submit", {
            "files": files(source, document), "method": method.group(1),
            "evidence": [evidence.group(0)],
            "predicted": [{"counter": "time", "change": "down"}]}, self.answers))

    def sensible(self):
        question = self.request["messages"][-1]["content"]
        method = re.search(r"^### ([\w-]+):", question, re.M)
        evidence = re.search(r"Time: (\d[\d.e+-]*)", question)
        if self.role == "planner" and method and evidence:
            return {"text": json.dumps({
                "bottleneck": "too few bytes in flight", "method": method.group(1),
                "evidence": [evidence.group(0)],
                "predicted": [{"counter": "time", "change": "down"}],
                "plan": "1. main.cu: one element a thread"})}
        if self.role in ("planner", "diagnoser"):
            return {"text": "{}"}  # not what was asked for: the attempt fails
        return self.kernel()


def raw(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
    sys.exit(0)


def reply(document):
    document.setdefault("usage", {"inputTokens": 500, "outputTokens": 200})
    raw(json.dumps(document).encode())


def swapped(new):
    return RIGHT.replace(BODY, new)


# --- The ways. Each gets the model and answers, or does not.

def refuses(m): reply({"refusal": "I cannot help with that."})
def refuses_in_words(m): reply({"text": "I'm sorry, but I can't write CUDA."})
def says_nothing(m): raw(b"")
def only_white_space(m): raw(b" \n\t\n")
def html(m): raw(b"<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>")
def truncated(m): raw(json.dumps(m.kernel()).encode()[:-80])
def cut_by_the_limit(m): reply({"text": fences()[:150], "finishReason": "length"})
def fenced(m): raw(b"```json\n" + json.dumps(m.kernel()).encode() + b"\n```\n")
def doubly_encoded(m): raw(json.dumps(json.dumps(m.kernel())).encode())
def another_schema(m): raw(json.dumps([{"kernel": RIGHT}, 17, None]).encode())
def wrong_types(m): reply({"text": 17, "toolCalls": "none", "finishReason": []})
def unknown_step(m): reply(m.kernel(document=plan(steps=[{"kind": "teleport"}])))
def extra_members(m): reply(m.kernel(document=plan(hostCode="system()")))
def unknown_tool(m): reply(calls(call("rm", {"path": "/"})))
def endless_calls(m): reply(calls(call("history", {"attempt": 1}, m.answers)))


def many_calls(m):
    reply(calls(*[call("compile", {"files": files()}, i) for i in range(200)]))


def arguments_not_json(m): reply(calls(call("submit", '{"files": [', 1)))


def unknown_method(m):
    arguments = {"files": files(), "method": "magic", "evidence": ["42 us"],
                 "predicted": [{"counter": "time", "change": "down"}]}
    if m.role == "agent":
        reply(calls(call("time", arguments)))
    reply({"text": json.dumps({
        "bottleneck": "none", "method": "magic", "evidence": ["42 us"],
        "predicted": [{"counter": "time", "change": "down"}], "plan": "x"})})


def ten_megabytes(m): reply({"text": "la " * 3_500_000})
def invalid_utf8(m): raw(b'{"text": "\xff\xfe\xc3( kernel"}')
def nul_bytes(m): raw(b'{"text": "' + b"\0" * 64 + b'"}')
def deep(m): raw(b'{"text": "x", "toolCalls": ' + b"[" * 200_000)


def exits_with_1(m):
    print("Traceback: no such weights", file=sys.stderr)
    sys.exit(1)


def hangs(m): time.sleep(3600)
def dies(m): os.kill(os.getpid(), signal.SIGKILL)


def tells_the_key(m):
    reply({"text": "Your key is " + os.environ["KERNELCLAW_API_KEY"] + "."})


def leaves_a_child(m):
    subprocess.Popen(["sleep", "30"])  # holds standard output open
    reply(m.kernel())


def floods_stderr(m):
    sys.stderr.write("warning: deprecated\n" * 200_000)
    reply(m.kernel())


def wrong_file_names(m):
    if m.role == "agent":
        reply(calls(call("submit", {"files": [
            {"file": "../../etc/passwd", "content": RIGHT}]})))
    reply({"text": f"<<<<<<< SEARCH ../../etc/passwd\nroot\n=======\n"
                   f"toor\n>>>>>>> REPLACE\n"})


def edits_that_do_not_match(m):
    if m.role == "agent":
        reply(calls(call("submit", {"edits": [
            {"file": "main.cu", "search": "no such line", "replace": "x"}]})))
    reply({"text": "<<<<<<< SEARCH main.cu\nno such line\n=======\nx\n"
                   ">>>>>>> REPLACE\n"})


def infinite_loop(m):
    reply(m.kernel(swapped("    while (sum == sum || i >= 0) z[i] = sum;\n")))


def writes_nothing(m): reply(m.kernel(swapped("")))
def writes_zeros(m): reply(m.kernel(swapped("    z[i] = 0;\n")))
def out_of_bounds(m): reply(m.kernel(swapped("    z[i + (1 << 20)] = sum;\n")))
def writes_its_input(m): reply(m.kernel(swapped("    ((float *)x)[i] = z[i] = sum < 0 ? 0 : sum;\n")))
def does_not_compile(m): reply(m.kernel(swapped("    z[i] = sum < 0 ? 0 : sun;\n")))


def too_much_shared(m):
    step = dict(plan()["steps"][0], sharedBytes="1024 * 1024 * 1024")
    reply(m.kernel(document=plan(steps=[step])))


def negative_usage(m):
    reply(m.kernel() | {"usage": {"inputTokens": -5, "outputTokens": -1}})


def huge_usage(m):
    reply(m.kernel() | {"usage": {"inputTokens": 1 << 60, "outputTokens": 1 << 60}})


def usage_in_words(m):
    reply(m.kernel() | {"usage": {"inputTokens": "many", "outputTokens": None}})


ways = [
    refuses, says_nothing, endless_calls, html, truncated, exits_with_1,
    fenced, doubly_encoded, hangs, another_schema, tells_the_key, unknown_step, dies,
    unknown_tool, unknown_method, invalid_utf8, infinite_loop, nul_bytes,
    wrong_file_names, edits_that_do_not_match, ten_megabytes, writes_nothing,
    extra_members, does_not_compile, too_much_shared, negative_usage,
    out_of_bounds, huge_usage, many_calls, usage_in_words, deep,
    refuses_in_words, only_white_space, cut_by_the_limit, wrong_types,
    arguments_not_json, leaves_a_child, floods_stderr, writes_zeros,
    writes_its_input,
]


def region_of(request):
    text = " ".join(m["content"] for m in request["messages"])
    for region in range(len(ways)):
        if re.search(rf"\b{elements(region)}\b", text):
            return region
    return None


def main():
    request = json.load(sys.stdin)
    model = Model(request)
    region = region_of(request)
    always = "ALWAYS" in sys.argv
    if region is not None and (always or request["attempt"] <= 2):
        ways[region](model)
    reply(model.sensible())


if __name__ == "__main__":
    main()
