// Each fault that an endpoint may show, in each wire format, streaming and not.
#include "ChatServer.h"

using namespace kclaw;

namespace {

struct Fault {
  const char *model;    ///< row of chat_server.py
  const char *expected; ///< stands in what came of it, which is all of it when
                        ///< it begins with "answer" or "refusal"
};

constexpr Fault faults[] = {
    {"status-400", "the endpoint answered 400: status 400 it is"},
    {"status-401", "check the key in the environment variable"},
    {"status-402", "the account has no credit left"},
    {"status-403", "the key may not use this model"},
    {"status-404", "check base-url and model"},
    {"status-413", "the endpoint answered 413: status 413 it is"},
    {"status-408-once", "answer: answer 2"},
    {"status-429-once", "answer: answer 2"},
    {"status-500-once", "answer: answer 2"},
    {"status-502-once", "answer: answer 2"},
    {"status-503-once", "answer: answer 2"},
    {"status-529-once", "answer: answer 2"},
    {"status-429", "the endpoint answered 429: status 429 it is (3 tries)"},
    {"status-500", "the endpoint answered 500: status 500 it is (3 tries)"},
    {"quota", "the account is spent, waiting will not help"},
    {"error-in-200", "the endpoint answered 429: quota exceeded (3 tries)"},
    {"key-error-in-200", "the endpoint answered 401: no such key; check"},
    {"redirect", "the endpoint answered 302: empty body"},
    {"html", "200: an HTML page instead of JSON (3 tries)"},
    {"not-json", "200: upstream connect error (3 tries)"},
    {"json-list", "200: [1, 2] (3 tries)"},
    {"empty", "200: empty body (3 tries)"},
    {"truncated", "the endpoint answered 200: {"},
    {"fenced", "answer: answer 1"},
    {"doubly-encoded", "answer: answer 1"},
    {"no-choices", "answered without any choice"},
    {"labelled-stream", "answer: answer 1"},
    {"labelled-plain", "answer: answer 1"},
    {"dribbled", "answer: answer 1"},
    {"drops-once", "answer: answer 2"},
    {"cut-once", "answer: answer 2"},
    {"ends-early", "the stream ended before the answer was complete (3 tries)"},
    {"damaged-event", "an event that is not JSON: {\"cho"},
    {"stalls", "the answer stalled for 1 s (3 tries)"},
    {"ten-megabytes", "the answer is longer than 8 MiB"},
    {"huge", "the answer is longer than 8 MiB"},
    {"endless-stream", "the answer is longer than 8 MiB"},
    {"endless-line", "the answer is longer than 8 MiB"},
    {"big-header", "provider "},
    {"refusal", "refusal: I will not"},
    {"length", "answer: half (length)"},
    {"silent", "answer: "},
    {"unknown-tool", "answer: ; nobody {\"x\": 1} (tool_calls)"},
    {"bad-arguments", "answer: ; f {\"x\": ?}<|end|> (tool_calls)"},
    {"two-calls", "answer: both; f {\"x\": 1}; g {\"y\": 2} (tool_calls)"},
    {"leaks-key", "<key>"},
};

class Faults : public ChatServer {
protected:
  void check(const Wire &wire, bool stream) {
    for (const Fault &fault : faults) {
      SCOPED_TRACE(std::string(fault.model) + ", " + wire.name +
                   (stream ? ", stream" : ""));
      ProviderOptions asked = options(fault.model, wire);
      asked.stream = stream;
      asked.maxRetries = 2;
      // Waits that the server does not shorten.
      bool slow = std::string(fault.model) == "stalls" ||
                  std::string(fault.model) == "ends-early";
      if (slow)
        asked.maxRetries = 0;
      if (std::string(fault.model) == "stalls")
        asked.stallSeconds = 0.2;
      std::string text = outcome(asked), expected = fault.expected;
      if (slow)
        expected = expected.substr(0, expected.find(" (3"));
      bool whole =
          expected.starts_with("answer: ") || expected.starts_with("refusal:");
      if (whole)
        EXPECT_EQ(normal(text), normal(expected));
      else
        EXPECT_NE(text.find(expected), std::string::npos)
            << text.substr(0, 500);
      EXPECT_EQ(text.find(testKey), std::string::npos) << text;
      EXPECT_LT(text.size(), 4000u);
    }
  }

  /// White space inside of arguments is the format's own.
  static std::string normal(std::string text) {
    std::erase(text, ' ');
    return text;
  }
};

TEST_F(Faults, Chat) { check(wires[0], false); }
TEST_F(Faults, ChatStream) { check(wires[0], true); }
TEST_F(Faults, Responses) { check(wires[1], false); }
TEST_F(Faults, ResponsesStream) { check(wires[1], true); }
TEST_F(Faults, Messages) { check(wires[2], false); }
TEST_F(Faults, MessagesStream) { check(wires[2], true); }

// A stream that says nothing but comments ends with the time limit.
TEST_F(Faults, TimeLimitHoldsWhateverDrips) {
  for (const Wire &wire : wires)
    for (const char *model : {"drip", "endless-comments", "slow"}) {
      ProviderOptions limited = options(model, wire);
      limited.timeoutSeconds = 0.3;
      std::string text = outcome(limited);
      EXPECT_TRUE(text.ends_with("; the limit is 1 s")) << model << text;
    }
}

} // namespace
