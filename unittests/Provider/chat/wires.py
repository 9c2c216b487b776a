"""The three wire formats: a whole answer, its events, a failure."""
import json


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
