//===- OpenAiProvider.cpp - Any endpoint with chat/completions ------------===//
//
// One question, a few tries: failures that waiting can cure are asked again
// after the time that the server names, else after 1, 2, 4 s. The key is read
// from the environment here and nowhere else, and is cut out of every error.
//
//===----------------------------------------------------------------------===//
#include "HttpClient.h"
#include "Providers.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <thread>

namespace kclaw {
namespace {

constexpr int maxTries = 4;
constexpr const char *defaultBaseUrl = "https://api.openai.com/v1";

/// Servers on this machine mostly need no key.
bool isLoopback(const std::string &url) {
  for (const char *host : {"://127.0.0.1", "://localhost", "://[::1]"}) {
    size_t at = url.find(host);
    if (at == std::string::npos)
      continue;
    size_t end = at + std::string_view(host).size();
    return end == url.size() || url[end] == ':' || url[end] == '/';
  }
  return false;
}

class OpenAiProvider : public Provider {
public:
  OpenAiProvider(ProviderOptions options, std::string key)
      : options(std::move(options)), key(std::move(key)) {}

  Expected<Reply> complete(const Conversation &conversation) override {
    auto start = std::chrono::steady_clock::now();
    auto passed = [start] {
      std::chrono::duration<double> time =
          std::chrono::steady_clock::now() - start;
      return time.count();
    };
    Usage wasted; // by answers that were failures, yet are paid for
    for (int attempt = 1;; ++attempt) {
      auto reply = ask(conversation, conversation.timeoutSeconds - passed());
      if (reply) {
        reply->usage.seconds = passed();
        reply->usage.inputTokens += wasted.inputTokens;
        reply->usage.outputTokens += wasted.outputTokens;
        if (reply->usage.dollars == 0)
          reply->usage.dollars = priceOf(reply->usage, options);
        return *reply;
      }
      const ChatFailure &failure = reply.error();
      wasted.inputTokens += failure.usage.inputTokens;
      wasted.outputTokens += failure.usage.outputTokens;
      if (limitNameIsWrong(failure.error.message))
        continue;
      if (!failure.retry || attempt >= maxTries)
        return std::unexpected(withoutKey(failure.error, attempt));
      double wait = failure.waitSeconds.value_or(std::ldexp(1.0, attempt - 1));
      if (passed() + wait >= conversation.timeoutSeconds)
        return std::unexpected(withoutKey(failure.error, attempt));
      std::this_thread::sleep_for(std::chrono::duration<double>(wait));
    }
  }

  Usage bound(const Conversation &conversation) const override {
    Usage bound = tokenBound(conversation);
    bound.dollars = priceOf(bound, options);
    return bound;
  }

private:
  std::expected<Reply, ChatFailure> ask(const Conversation &conversation,
                                        double secondsLeft) {
    HttpRequest request;
    request.url = options.baseUrl + "/chat/completions";
    request.headers = {"Content-Type: application/json",
                       "Accept: application/json"};
    if (!key.empty())
      request.headers.push_back("Authorization: Bearer " + key);
    request.body = renderChatRequest(conversation, options.model, limitName);
    request.timeoutSeconds =
        std::max(0.001, std::min(options.timeoutSeconds, secondsLeft));
    auto response = httpPost(request);
    if (response)
      return parseChatResponse(*response, std::time(nullptr));
    ChatFailure failure;
    failure.error = response.error();
    failure.retry = response.error().code == Error::Code::Io;
    return std::unexpected(std::move(failure));
  }

  /// True once, when the server says that it wants the other name.
  bool limitNameIsWrong(const std::string &message) {
    if (limitName == "max_completion_tokens" ||
        message.find("max_completion_tokens") == std::string::npos)
      return false;
    limitName = "max_completion_tokens";
    return true;
  }

  Error withoutKey(Error error, int tries) const {
    error.code = Error::Code::Unavailable;
    static constexpr std::string_view mark = "<key>"; // may hold the key itself
    for (size_t at = 0; !key.empty() &&
                        (at = error.message.find(key, at)) != std::string::npos;
         at += mark.size())
      error.message.replace(at, key.size(), mark);
    if (tries > 1)
      error.message += " (" + std::to_string(tries) + " tries)";
    return error.context("provider openai");
  }

  ProviderOptions options;
  std::string key;
  std::string limitName = "max_tokens";
};

} // namespace

ProviderResult createOpenAiProvider(const ProviderOptions &options) {
  ProviderOptions complete = options;
  if (complete.baseUrl.empty())
    complete.baseUrl = defaultBaseUrl;
  while (complete.baseUrl.ends_with('/'))
    complete.baseUrl.pop_back();
  if (complete.model.empty())
    return makeError(Error::Code::Invalid,
                     "provider openai needs a model; set model=NAME");
  const char *value = std::getenv(complete.keyVariable.c_str());
  std::string key = value ? value : "";
  if (key.empty() && !isLoopback(complete.baseUrl))
    return makeError(Error::Code::Unavailable,
                     "provider openai: no key; set the environment variable " +
                         complete.keyVariable);
  if (key.find_first_of("\r\n") != std::string::npos)
    return makeError(Error::Code::Invalid, "provider openai: the key in " +
                                               complete.keyVariable +
                                               " holds a line break");
  return std::make_unique<OpenAiProvider>(std::move(complete), std::move(key));
}

} // namespace kclaw
