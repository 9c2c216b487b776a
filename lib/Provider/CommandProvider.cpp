//===- CommandProvider.cpp - A program that answers -----------------------===//
//
// Started once a call. It gets the question as an exchange request on standard
// input and writes an exchange reply, or the model's text as it is, to standard
// output.
//
//===----------------------------------------------------------------------===//
#include "CommandLine.h"
#include "CommandProcess.h"
#include "Endpoint.h"
#include "JsonParts.h"
#include "Providers.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <sstream>

namespace kclaw {
namespace {

class CommandProvider : public Provider {
public:
  CommandProvider(ProviderOptions options, std::vector<std::string> words,
                  std::vector<std::string> environment,
                  std::vector<std::string> secrets)
      : options(std::move(options)), words(std::move(words)),
        environment(std::move(environment)), secrets(std::move(secrets)) {}

  Expected<Reply> complete(const Conversation &conversation) override {
    auto start = std::chrono::steady_clock::now();
    std::string question = renderExchangeRequest(
        conversation, options.modelFor(conversation.role));
    CommandLimits limits;
    limits.seconds =
        std::min(options.timeoutSeconds, conversation.timeoutSeconds);
    limits.cancelled = options.cancelled;
    auto result = runCommand(words, environment, question, limits);
    if (!result)
      return fail(result.error().code == Error::Code::Io
                      ? Error::Code::Unavailable
                      : result.error().code,
                  result.error().message);
    // It ran and gave no answer: this question's failure, not the provider's.
    if (!result->good)
      return fail(Error::Code::Invalid,
                  "'" + words[0] + "' " + result->end +
                      (result->lastErrors.empty()
                           ? ", without a word on standard error"
                           : ": " + result->lastErrors));
    auto reply = read(result->output);
    if (!reply)
      return fail(Error::Code::Invalid,
                  "'" + words[0] + "': " + reply.error().message);
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    reply->usage.seconds = time.count();
    if (reply->usage.dollars == 0)
      reply->usage.dollars = priceOf(reply->usage, options, conversation.role);
    redact(*reply, secrets);
    return reply;
  }

  Usage bound(const Conversation &conversation) const override {
    Usage bound = tokenBound(conversation);
    bound.dollars = priceBound(bound, options, conversation.role);
    return bound;
  }

private:
  /// An object with one of these members is a reply; any other output is text,
  /// also where that text is JSON.
  static Expected<Reply> read(const std::string &output) {
    std::optional<Json> object = parseObject(output);
    for (const char *name : {"text", "toolCalls", "refusal", "exhausted"})
      if (object && object->contains(name))
        return parseReply(json::dump(*object));
    Reply reply;
    reply.text = output;
    reply.finishReason = "stop";
    if (output.find_first_not_of(" \t\r\n") == std::string::npos)
      return makeError(Error::Code::Invalid, "it wrote no answer");
    return reply;
  }

  std::unexpected<Error> fail(Error::Code code, std::string message) const {
    redact(message, secrets);
    return makeError(code, "provider command: " + message);
  }

  ProviderOptions options;
  std::vector<std::string> words, environment, secrets;
};

/// Names with commas between.
std::vector<std::string> splitNames(const std::string &text) {
  std::vector<std::string> names;
  std::istringstream list(text);
  for (std::string name; std::getline(list, name, ',');)
    if (!name.empty())
      names.push_back(name);
  return names;
}

} // namespace

ProviderResult createCommandProvider(const ProviderOptions &options) {
  if (options.command.empty())
    return makeError(Error::Code::Invalid,
                     "provider command needs a program; set command=PROGRAM");
  auto words = splitCommand(options.command);
  if (!words)
    return std::unexpected(words.error().context("provider command"));
  std::vector<std::string> passed = splitNames(options.keyVariable), secrets;
  for (const std::string &name : passed) {
    const char *value = std::getenv(name.c_str());
    if (!value || !*value)
      return makeError(Error::Code::Unavailable,
                       "provider command: the environment variable " + name +
                           " is not set");
    secrets.push_back(value);
  }
  return std::make_unique<CommandProvider>(options, std::move(*words),
                                           environmentWithoutKeys(passed),
                                           std::move(secrets));
}

} // namespace kclaw
