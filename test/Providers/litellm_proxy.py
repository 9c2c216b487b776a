"""openai and anthropic against LiteLLM's proxy, which someone else wrote.

usage: litellm_proxy.py SOURCE BUILD. Installs (utils/setup_litellm.sh), starts
and stops the proxy; exit code 77 (skipped) when it cannot be installed. The
proxy answers from mock models; for a throttled and for a refusing upstream it
relays to a small server of this test, so its own error mapping is passed too.
"""
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SOURCE, BUILD = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
sys.path.insert(0, str(SOURCE / "test/Providers/Inputs"))
from optimize import Run  # noqa: E402

KEY = "sk-kclaw-proxy-58d2"
UPSTREAM_KEY = "sk-kclaw-upstream-77ab"
SAMPLE = SOURCE / "test/samples/rms_norm_manual/keep.mlir"
RECORDED = SOURCE / "examples/demo/recorded"


def recorded_reply():
    """A valid reply for the region of SAMPLE."""
    path = next(RECORDED.glob("regions/*/attempt-1/reply.json"))
    return json.loads(path.read_text())["text"]


class Upstream(BaseHTTPRequestHandler):
    """Throttles model "throttled" twice, refuses every key of "refusing";
    "costly" says that it used many tokens."""
    calls = 0

    def do_POST(self):
        length = int(self.headers["Content-Length"])
        model = json.loads(self.rfile.read(length))["model"]
        if model == "refusing":
            return self.send(401, {"error": {
                "message": "Incorrect API key provided",
                "code": "invalid_api_key"}})
        if model == "throttled":
            Upstream.calls += 1
            if Upstream.calls <= 2:
                return self.send(429, {"error": {"message": "slow down"}})
        sent, received = (30000, 10000) if model == "costly" else (1234, 567)
        self.send(200, {
            "id": "1", "object": "chat.completion", "created": 1,
            "model": model, "choices": [{
                "index": 0, "finish_reason": "stop",
                "message": {"role": "assistant",
                            "content": recorded_reply()}}],
            "usage": {"prompt_tokens": sent, "completion_tokens": received,
                      "total_tokens": sent + received}})

    def send(self, status, document):
        data = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


def configuration(upstream_port, streams_port):
    def mock(name, reply):
        return {"model_name": name,
                "litellm_params": {"model": "openai/mock", "api_key": "none",
                                   "mock_response": reply}}

    def relay(name, key, port=upstream_port):
        return {"model_name": name, "litellm_params": {
            "model": f"openai/{name}", "api_key": key,
            "api_base": f"http://127.0.0.1:{port}/v1"}}

    return {
        "model_list": [
            mock("planner", recorded_reply()),
            mock("talker", "I would use shared memory."),
            mock("half-json", '```json\n{"version": 1, "modules": \n```'),
            mock("crasher", "litellm.InternalServerError"),
            mock("busy", "litellm.RateLimitError"),
            # Two of one name: a group can be sent to cool down.
            relay("throttled", UPSTREAM_KEY), relay("throttled", "another"),
            relay("refusing", UPSTREAM_KEY), relay("costly", UPSTREAM_KEY),
            # Mock models do not stream in every format; what is relayed does.
            *(relay(name, UPSTREAM_KEY, streams_port) for name in
              ("recorded", "ends-early", "status-429-once", "refusal"))],
        "router_settings": {"num_retries": 0, "allowed_fails": 0,
                            "cooldown_time": 2},
        "litellm_settings": {"num_retries": 0},
        "general_settings": {"master_key": KEY}}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Proxy:
    def __init__(self, executable, folder):
        self.upstream = ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
        threading.Thread(target=self.upstream.serve_forever,
                         daemon=True).start()
        answer = folder / "answer.txt"
        answer.write_text(recorded_reply())
        self.streams = subprocess.Popen(
            [sys.executable, SOURCE / "unittests/Provider/chat_server.py"],
            env=dict(os.environ, KCLAW_ANSWER=str(answer)), text=True,
            stdout=subprocess.PIPE)
        streams_port = int(self.streams.stdout.readline())
        # JSON is YAML.
        config = folder / "config.yaml"
        config.write_text(json.dumps(configuration(
            self.upstream.server_address[1], streams_port)))
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.log = open(folder / "litellm.log", "w+")
        environment = dict(os.environ, LITELLM_LOCAL_MODEL_COST_MAP="True")
        self.process = subprocess.Popen(
            [executable, "--config", config, "--host", "127.0.0.1", "--port",
             str(port)], env=environment, stdout=self.log,
            stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
            start_new_session=True)

    def wait(self):
        for _ in range(240):
            try:
                urllib.request.urlopen(f"{self.url}/health/liveliness",
                                       timeout=5)
                return
            except OSError:
                if self.process.poll() is not None:
                    break
            time.sleep(0.5)
        self.log.seek(0)
        sys.exit(f"the proxy did not start:\n{self.log.read()[-4000:]}")

    def stop(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.upstream.shutdown()
        self.streams.kill()
        self.streams.wait()


class LiteLlm(unittest.TestCase):
    def optimize(self, model, key=KEY, part="", **options):
        folder = self.folder / self.id().rsplit(".", 1)[1] / part
        # The proxy makes an empty stream of an upstream that does not stream.
        options = {"stream": "false", **options}
        run = Run(folder, SAMPLE, f"{self.proxy.url}/v1", model, key, **options)
        run.wait()
        for secret in (KEY, UPSTREAM_KEY):
            self.assertEqual(run.leaks(secret), [])
        return run

    def test_plan_is_compiled_and_paid(self):
        run = self.optimize("planner", max_attempts=2, max_usd=50,
                            usd_per_mtoken_in=1000, usd_per_mtoken_out=100)
        self.assertEqual(run.code, 0, run.log)
        self.assertEqual([e["outcome"] for e in run.evaluations()],
                         ["ok", "ok"])
        replies = run.events("reply")
        self.assertEqual(len(replies), 2)
        for event in replies:  # the proxy's mock models count some tokens
            self.assertGreater(event["inputTokens"], 0)
            self.assertGreater(event["outputTokens"], 0)
            price = (event["inputTokens"] * 1000
                     + event["outputTokens"] * 100) / 1e6
            self.assertAlmostEqual(event["dollars"], price)
        end = run.events("run_finished")[0]
        for name in ("inputTokens", "outputTokens"):
            self.assertEqual(end[name], sum(e[name] for e in replies))

    def test_recorded_verdict_embeds_the_winner(self):
        run = self.optimize("planner", evaluator="replay", replay=RECORDED)
        self.assertEqual(run.code, 0, run.log)
        self.assertIn("won: 2.", run.log)
        self.assertIn("kclStepKernel", run.output.read_text())

    def test_throttled_then_answered(self):
        # Upstream 429 twice, then the proxy's own 429 with Retry-After.
        run = self.optimize("throttled")
        self.assertEqual(run.code, 0, run.log)
        event, = run.events("reply")
        self.assertEqual((event["inputTokens"], event["outputTokens"]),
                         (1234, 567))
        self.assertEqual(run.evaluations()[0]["outcome"], "ok")

    def test_text_without_a_plan(self):
        run = self.optimize("talker")
        self.assertEqual(run.code, 0, run.log)
        evaluation, = run.evaluations()
        self.assertEqual((evaluation["outcome"], evaluation["rule"]),
                         ("rejected", "reply"))
        self.assertEqual(len(run.events("reply")), 3)

    def test_json_that_is_none(self):
        run = self.optimize("half-json")
        self.assertEqual(run.code, 0, run.log)
        self.assertEqual(run.evaluations()[0]["outcome"], "rejected")

    # Each wire format, streaming and not: option values of a run.
    WIRES = [("chat", {}), ("chat_stream", {"stream": "true"}),
             ("responses", {"api": "responses"}),
             ("responses_stream", {"api": "responses", "stream": "true"}),
             ("messages", {"provider": "anthropic"}),
             ("messages_stream", {"provider": "anthropic", "stream": "true"})]

    def test_every_wire_answers(self):
        for name, options in self.WIRES:
            for model in "planner", "recorded":
                if model == "planner" and "stream" in name:
                    continue
                with self.subTest(name, model=model):
                    run = self.optimize(model, part=f"{name}-{model}",
                                        max_attempts=1, **options)
                    self.assertEqual(run.code, 0, run.log)
                    self.assertEqual(run.evaluations()[0]["outcome"], "ok")
                    event, = run.events("reply")
                    tokens = event["inputTokens"], event["outputTokens"]
                    if model == "recorded":
                        self.assertEqual(tokens, (1000, 500))
                    self.assertGreater(min(tokens), 0)

    def test_a_relayed_stream_that_breaks_off(self):
        for name, options in self.WIRES[1::2]:
            with self.subTest(name):
                run = self.optimize("ends-early", part=name, max_seconds=40,
                                    **options)
                self.assertIn(run.code, (0, 3, 4), run.log)
                self.assertTrue(run.output.exists())
                self.assertEqual([e for e in run.evaluations()
                                  if e["outcome"] == "ok"], [])

    def test_every_wire_tells_its_errors(self):
        cases = [("nobody", "answered 40", KEY),
                 ("planner", "answered 40", "sk-not-the-key")]
        for name, options in self.WIRES[::2]:
            for model, text, key in cases:
                with self.subTest(name, model=model, key=key):
                    self.degraded(model, text, key=key,
                                  part=f"{name}-{model}-{key[-3:]}", **options)

    def test_messages_of_a_server_that_fails(self):
        self.degraded("crasher", "answered 500", provider="anthropic")

    def test_messages_are_throttled_then_answered(self):
        run = self.optimize("status-429-once", provider="anthropic",
                            max_attempts=1)
        self.assertEqual(run.code, 0, run.log)
        self.assertEqual(run.events("reply")[0]["inputTokens"], 1000)

    def degraded(self, model, text, **more):
        run = self.optimize(model, **more)
        self.assertEqual(run.code, 4, run.log)
        self.assertIn(text, run.log)
        self.assertTrue(run.output.exists())

    def test_server_error(self):
        self.degraded("crasher", "answered 500")

    def test_rate_limit_without_a_time(self):
        self.degraded("busy", "answered 429")

    def test_upstream_refuses_the_key(self):
        self.degraded("refusing", "answered 401")

    def test_unknown_model(self):
        self.degraded("nobody", "Invalid model name passed in model=nobody")

    def test_wrong_key(self):
        self.degraded("planner", "answered 40", key="sk-not-the-key")

    def test_no_key(self):  # this release of the proxy answers a plain 500
        self.degraded("planner", "the endpoint answered", key="")

    def test_token_cap(self):
        run = self.optimize("costly", max_attempts=9, max_tokens=60000)
        self.assertEqual(run.code, 3, run.log)
        self.assertIn("max-tokens: 40000 spent", run.log)
        self.assertEqual(len(run.events("reply")), 1)
        self.assertTrue(run.output.exists())

    def test_dollar_cap(self):
        run = self.optimize("costly", max_attempts=9, max_usd=0.5,
                            usd_per_mtoken_in=10, usd_per_mtoken_out=10)
        self.assertEqual(run.code, 3, run.log)
        self.assertIn("max-usd: 0.4 spent", run.log)
        self.assertEqual(len(run.events("reply")), 1)

    def test_resume_asks_nothing_again(self):
        run = self.optimize("planner")
        text = run.output.read_text()
        run.again(base_url="http://127.0.0.1:1/v1")  # nobody is there
        self.assertEqual(run.code, 0, run.log)
        self.assertEqual(run.output.read_text(), text)
        self.assertEqual(len(run.events("reply")), 1)


def main():
    setup = subprocess.run([SOURCE / "utils/setup_litellm.sh"], text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print(setup.stdout)
    if setup.returncode == 77:
        print("SKIPPED: LiteLLM's proxy is not installed and PyPI cannot be "
              "reached")
        sys.exit(77)
    if setup.returncode != 0:
        sys.exit(1)
    os.environ["PATH"] = f"{BUILD}/bin:{os.environ['PATH']}"
    folder = pathlib.Path(tempfile.mkdtemp(prefix="kclaw-litellm-"))
    proxy = Proxy(setup.stdout.splitlines()[-1], folder)
    try:
        proxy.wait()
        LiteLlm.proxy, LiteLlm.folder = proxy, folder
        result = unittest.main(argv=sys.argv[:1], exit=False, verbosity=2)
    finally:
        proxy.stop()
    shutil.rmtree(folder, ignore_errors=True)
    sys.exit(not result.result.wasSuccessful())


main()
