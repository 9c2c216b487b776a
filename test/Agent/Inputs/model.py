"""A model for provider=command that answers by role, for the region relu(x + y).

Reads an exchange request on standard input, writes an exchange reply. Each
answer follows from the question alone. Its first idea to go faster leaves out
the last elements; the repair mends that.
"""
import json
import re
import sys

SCALAR = """#include "claw_spec.h"
extern "C" __global__ void add_relu(const float *x, const float *y, float *z) {
  long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i < claw::res0_elements) {
    float sum = x[i] + y[i];
    z[i] = sum < 0 ? 0 : sum;
  }
}
"""
# "< " instead of "<= ": the last vector is never written.
VECTORS = """#include "claw_spec.h"
__device__ float relu(float value) { return value < 0 ? 0 : value; }
extern "C" __global__ void add_relu(const float *x, const float *y, float *z) {
  long long i = (blockIdx.x * 256LL + threadIdx.x) * 4;
  if (i + 4 < claw::res0_elements) {
    float4 a = *(const float4 *)(x + i), b = *(const float4 *)(y + i);
    *(float4 *)(z + i) = make_float4(relu(a.x + b.x), relu(a.y + b.y),
                                     relu(a.z + b.z), relu(a.w + b.w));
  }
}
"""
WRONG, RIGHT = "i + 4 < claw", "i + 4 <= claw"


SIZE = "1"  # elements of the result, by the names of its dimensions


def plan(title, elements):
    return json.dumps({
        "title": title,
        "resizable": True,
        "requirements": [f"{SIZE} % {elements} == 0"],
        "modules": [{"name": "main", "source": "@main.cu"}],
        "buffers": [{"name": "x", "kind": "argument", "index": 0},
                    {"name": "y", "kind": "argument", "index": 1},
                    {"name": "z", "kind": "result", "index": 0}],
        "steps": [{"kind": "kernel", "module": "main", "entry": "add_relu",
                   "grid": [f"ceildiv({SIZE}, {256 * elements})"],
                   "block": [256], "args": ["x", "y", "z"]}]}, indent=1)


def fences(source, title, elements):
    return (f"Bound by memory.\n```cuda\n{source}```\n"
            f"```json\n{plan(title, elements)}\n```\n")


def files(source, title, elements):
    return [{"file": "main.cu", "content": source},
            {"file": "plan.json", "content": plan(title, elements)}]


def a_time(text):
    """A measured number, as it stands there."""
    return re.search(r"Time: (\d[\d.e+-]*)", text).group(0)


def generator(question):
    return {"text": fences(SCALAR, "one element a thread", 1)}


def planner(question):
    method = re.search(r"^### ([\w-]+):", question, re.M).group(1)
    return {"text": json.dumps({
        "bottleneck": "too few bytes in flight for each thread",
        "method": method, "evidence": [a_time(question) + " us for this size"],
        "predicted": [{"counter": "time", "change": "down"}],
        "plan": "1. main.cu: four elements a thread, as float4"})}


def optimizer(question):
    return {"text": fences(VECTORS, "four elements a thread", 4)}


def diagnoser(question):
    quote = re.search(r"^Outcome: mismatch.*$", question, re.M).group(0)
    return {"text": json.dumps({
        "rootCause": "the last vector is never written", "quotes": [quote],
        "location": f"main.cu: {WRONG}::res0_elements",
        "fix": "compare with <="})}


def repairer(question):
    line = re.search(r"^ *if \(" + re.escape(WRONG) + ".*$", question, re.M).group(0)
    return {"text": f"<<<<<<< SEARCH main.cu\n{line}\n=======\n"
                    f"{line.replace(WRONG, RIGHT)}\n>>>>>>> REPLACE\n"}


def agent(messages):
    outputs = [m["content"] for m in messages if m["role"] == "tool"]

    def call(name, **arguments):
        return {"toolCalls": [{"id": f"c{len(outputs)}", "name": name,
                               "arguments": arguments}]}

    if not outputs:
        return call("card")
    if len(outputs) == 1:
        return call("history", attempt=1)
    if len(outputs) == 2:
        return call("compile", files=files(VECTORS, "four elements a thread", 4))
    if len(outputs) == 3:
        method = re.search(r"Methods:\n- ([\w-]+):", outputs[0]).group(1)
        return call("time", method=method, evidence=[a_time(outputs[1])],
                    predicted=[{"counter": "time", "change": "down"}])
    if len(outputs) == 4:
        return call("time", plan="the last vector is never written",
                    edits=[{"file": "main.cu", "search": WRONG,
                            "replace": RIGHT}])
    return call("submit", final=True)


def main():
    global SIZE
    request = json.load(sys.stdin)
    region = request["messages"][1]["content"]
    SIZE = " * ".join(re.search(r"result 0, `res0`: f32\[(\w+)=\d+, (\w+)=\d+\]",
                                region).groups())
    role = request["role"]
    if role == "agent":
        reply = agent(request["messages"])
    else:
        reply = globals()[role](request["messages"][-1]["content"])
    reply["usage"] = {"inputTokens": len(json.dumps(request)) // 4,
                      "outputTokens": len(json.dumps(reply)) // 4}
    json.dump(reply, sys.stdout)


main()
