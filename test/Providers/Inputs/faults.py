"""An endpoint that fails in every way: usage: faults.py SERVER SAMPLE FOLDER.

Each case is one kernelclaw-opt against the server of unittests/Provider; all
run at once, since most of them wait. Prints one line a case.
"""
import subprocess
import sys

from optimize import Run

# model, options, exit code, what the log says
CASES = [
    ("cut", {}, 4, "(6 tries)"),
    ("html", {}, 4, "an HTML page instead of JSON"),
    ("not-json", {"stream": "false"}, 4, "upstream connect error"),
    ("empty", {}, 4, "empty body"),
    ("huge", {}, 4, "the answer is longer than 8 MiB"),
    ("endless-stream", {"provider": "anthropic"}, 4,
     "the answer is longer than 8 MiB"),
    ("drip", {"max_seconds": 3}, 3, "max-seconds: 3 s are over"),
    ("leaks-key", {}, 4, "bad key Bearer <key>"),
    ("leaks-key@2", {"provider": "anthropic"}, 4, "bad key <key>"),
    ("echo", {"api": "responses"}, 0, "attempt 1: rejected"),
    ("echo@2", {"provider": "anthropic", "stream": "false"}, 0,
     "attempt 1: rejected"),
    ("quota", {}, 4, "waiting will not help"),
    ("unknown-model", {}, 4, "check base-url and model"),
    ("always-busy", {}, 4, "answered 503"),
    ("redirect", {}, 4, "answered 302"),
    ("error-in-200", {"provider": "anthropic"}, 4, "answered 429"),
    ("refusal", {"provider": "anthropic"}, 0, "attempt 1: rejected"),
    ("no-plan", {}, 0, "attempt 1: rejected"),
    ("not-a-plan", {"api": "responses"}, 0, "attempt 1: rejected"),
    ("broken-kernel", {"provider": "anthropic"}, 0,
     "attempt 1: compile_error"),
    ("tokens", {"max_tokens": 10}, 3, "max-tokens: 0 spent"),
    ("priced", {"max_usd": 0.01, "usd_per_mtoken_in": 1,
                "usd_per_mtoken_out": 10}, 3, "max-usd: 0 spent"),
    ("unpriced", {"max_usd": 1}, 1,
     "max-usd cannot be kept: the price of model 'unpriced' is not known; give "
     "usd-per-mtoken-in and usd-per-mtoken-out"),
    ("uncapped", {"max_tokens": 0}, 1,
     "nothing limits what this run costs: the price of model 'uncapped' is not "
     "known"),
    ("gpt-4o-mini", {"max_usd": 0.001, "max_tokens": 0}, 3,
     "max-usd: 0 spent"),
    ("bad-role", {"role_models": "planer=x"}, 1,
     "there is no role 'planer'; accepted: generator, planner"),
]


def check(run, model, code, text):
    wrong = []
    if run.code != code:
        wrong.append(f"exit code {run.code}, {code} expected")
    if text not in run.log:
        wrong.append(f"the log does not say '{text}'")
    if run.output.exists() != (code != 1):
        wrong.append("output written" if code == 1 else "no output")
    if code == 4 and run.events("region_finished")[0]["status"] != "kept":
        wrong.append("the region is not recorded as kept")
    wrong += [f"the key is in {place}" for place in run.leaks()]
    print(f"{model}: {'; '.join(wrong) or 'ok'}")
    if wrong:
        print(run.log)


def main(server, sample, folder):
    process = subprocess.Popen([sys.executable, server],
                               stdout=subprocess.PIPE, text=True)
    url = f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
    runs = {model: Run(f"{folder}/{model}", sample, url, model, **options)
            for model, options, _, _ in CASES}
    down = Run(f"{folder}/down", sample, "http://127.0.0.1:1/v1", "down")
    keyless = Run(f"{folder}/keyless", sample, "https://api.example.invalid/v1",
                  "keyless", key="")
    for model, _, code, text in CASES:
        check(runs[model].wait(), model, code, text)
    check(down.wait(), "down", 4, "start the endpoint or set another base-url")
    check(keyless.wait(), "keyless", 1,
          "no key; set the environment variable KERNELCLAW_API_KEY")

    # A bad reply is told to the model twice; every call is paid for.
    replies = runs["no-plan"].events("reply")
    tokens = sum(e["inputTokens"] + e["outputTokens"] for e in replies)
    print(f"no-plan: {len(replies)} calls, {tokens} tokens")
    print("no-plan: rule", runs["no-plan"].evaluations()[0]["rule"])
    print("not-a-plan: rule", runs["not-a-plan"].evaluations()[0]["rule"])
    log = runs["broken-kernel"].evaluations()[0]["log"]
    print("broken-kernel: the log names it:", "undeclared" in log)
    given = (runs["broken-kernel"].folder / "worker.env").read_text()
    print("broken-kernel: the worker ran:", "KERNELCLAW_NVRTC=" in given)
    print("unpriced: calls", len(runs["unpriced"].events("reply")))
    process.kill()


main(*sys.argv[1:])
