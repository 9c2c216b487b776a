"""Answers that depend on the request, and refusals of it."""
import json

from chat import SOON, behaviour
from chat.wires import frame


@behaviour
def echo(call):
    key = call.headers.get("Authorization") or call.headers.get("x-api-key")
    call.answer(json.dumps({"body": call.body, "key": key,
                            "extra": call.headers.get("X-Extra"),
                            "version":
                            call.headers.get("anthropic-version")}))


@behaviour
def port(call):
    call.answer(str(call.client_address[1]))


@behaviour
def checks_key(call):
    given = {call.headers.get("Authorization"),
             call.headers.get("x-api-key")}
    if given & {"Bearer sk-secret", "sk-secret"}:
        return call.answer("welcome")
    call.fail(401, "who are you?")


@behaviour
def leaks_key(call):
    call.fail(401, "bad key " + str(call.headers.get("Authorization") or
                                    call.headers.get("x-api-key")))


@behaviour
def busy_twice(call):
    if call.count <= 2:
        return call.fail(429, "slow down", {"Retry-After": "0.05"})
    call.answer()


def refuses(call, name, text):
    """400 as long as the request has the member `name`."""
    if name in call.body:
        return call.fail(400, text)
    call.answer()


@behaviour
def new_limit_name(call):
    refuses(call, "max_tokens", "use max_completion_tokens instead")


@behaviour
def no_schema(call):
    name = call.wire.optional["schema"]
    refuses(call, name, f"'{name}.json_schema' is not supported")


@behaviour
def no_effort(call):
    name = call.wire.optional["effort"]
    refuses(call, name, f"unknown parameter: {name}.effort "
                       "(reasoning_effort)")


@behaviour
def no_stream_options(call):
    refuses(call, "stream_options", "stream_options: extra input")


@behaviour
def small_limit(call):
    asked = next(call.body[name] for name in
                 ("max_tokens", "max_completion_tokens",
                  "max_output_tokens") if name in call.body)
    if asked > 4096:
        return call.fail(400, f"max_tokens: {asked} > 4096, which is the "
                              "maximum number of output tokens")
    call.answer(f"asked for {asked}")


@behaviour
def quota(call):
    call.fail(429, "spent", code="insufficient_quota")


@behaviour
def always_busy(call):
    call.send(503, b"<html>busy</html>", SOON)


@behaviour
def long_wait(call):
    call.fail(429, "slow down", {"Retry-After": "60"})


@behaviour
def error_in_200(call):
    fail_in_200(call, "quota exceeded", 429)


@behaviour
def key_error_in_200(call):
    fail_in_200(call, "no such key", 401)


def fail_in_200(call, message, status):
    failure = call.wire.failure(message, status)
    if not call.stream:
        return call.send(200, json.dumps(failure).encode(), SOON)
    first = next(call.wire.events(""))
    call.send(200, frame(first) + frame(failure) + call.wire.done, SOON,
              kind="text/event-stream")


@behaviour
def redirect(call):
    call.send(302, b"", {"Location": "http://127.0.0.1:1/"})


@behaviour
def unknown_model(call):
    call.fail(404, "no such model", code="model_not_found")
