//===- HttpProvider.cpp - openai and anthropic ----------------------------===//
//
// One question, a few tries: failures that waiting can cure are asked again
// after the time that the server names, else after 1, 2, 4, ... s, more or less
// a quarter so that many callers do not come back at once. Secrets are cut out
// of whatever leaves this file.
//
//===----------------------------------------------------------------------===//
#include "AnswerReader.h"
#include "Endpoint.h"
#include "FailedAnswer.h"
#include "HttpClient.h"
#include "Learned.h"
#include "Providers.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <mutex>
#include <random>
#include <thread>

namespace kclaw {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double longestBackoffSeconds = 30;
constexpr auto cancellationPeriod = std::chrono::milliseconds(20);

double backoff(int tries) {
  static thread_local std::minstd_rand random(std::random_device{}());
  std::uniform_real_distribution<double> jitter(0.75, 1.25);
  return jitter(random) *
         std::min(longestBackoffSeconds, std::ldexp(1.0, tries - 1));
}

void add(Usage &sum, const Usage &usage) {
  sum.inputTokens += usage.inputTokens;
  sum.outputTokens += usage.outputTokens;
  sum.cachedInputTokens += usage.cachedInputTokens;
  sum.cacheWriteTokens += usage.cacheWriteTokens;
  sum.dollars += usage.dollars;
}

bool isPaidFor(const Usage &usage) {
  return usage.inputTokens + usage.outputTokens > 0;
}

class HttpProvider : public Provider {
public:
  HttpProvider(ProviderOptions options, Endpoint endpoint)
      : options(std::move(options)), endpoint(std::move(endpoint)) {}

  Expected<Reply> complete(const Conversation &conversation) override {
    Clock::time_point start = Clock::now();
    auto passed = [start] {
      return std::chrono::duration<double>(Clock::now() - start).count();
    };
    Usage wasted; // by answers that were failures, yet are paid for
    for (int tries = 1;; ++tries) {
      Conversation asked = conversation;
      RequestStyle style = learnedStyle(endpoint, options, asked);
      auto reply = ask(asked, style, conversation.timeoutSeconds - passed());
      if (reply) {
        reply->usage.dollars = costOf(reply->usage, conversation.role);
        add(reply->usage, wasted);
        reply->usage.seconds = passed();
        redact(*reply, endpoint.secrets);
        return *reply;
      }
      CallFailure &failure = reply.error();
      failure.usage.dollars = costOf(failure.usage, conversation.role);
      add(wasted, failure.usage);
      if (learnFrom(failure, endpoint, asked, style)) {
        --tries;
        continue;
      }
      double wait = failure.waitSeconds.value_or(backoff(tries));
      bool again = failure.retry && tries <= options.maxRetries &&
                   passed() + wait < conversation.timeoutSeconds &&
                   mayRepeat(conversation, failure.usage, wasted);
      if (again && !sleep(wait)) {
        failure.error.message += "; cancelled while waiting to ask again";
        again = false;
      }
      if (!again)
        return fail(conversation, failure.error, wasted, tries);
    }
  }

  Usage bound(const Conversation &conversation) const override {
    Usage bound = tokenBound(conversation);
    bound.dollars = priceBound(bound, options, conversation.role);
    return bound;
  }

  Usage takeUnbooked(const std::string &id) override {
    std::lock_guard guard(lock);
    Usage usage = unbooked[id];
    unbooked.erase(id);
    return usage;
  }

private:
  std::expected<Reply, CallFailure> ask(const Conversation &conversation,
                                        const RequestStyle &style,
                                        double secondsLeft) {
    AnswerReader reader(endpoint.format, conversation.onTokens);
    HttpRequest request;
    request.url = endpoint.url;
    request.headers = endpoint.headers;
    request.body = renderRequest(endpoint.format, conversation, style);
    request.timeoutSeconds =
        std::max(0.001, std::min(options.timeoutSeconds, secondsLeft));
    request.stallSeconds = options.stallSeconds;
    request.cancelled = options.cancelled;
    request.onBody = [&reader](std::string_view bytes) {
      return reader.feed(bytes);
    };
    auto response = client.post(request);
    if (response) {
      auto reply = reader.finish(response->status, response->headers,
                                 std::time(nullptr));
      // Who says nothing of its cost is booked by estimate, not as free.
      if (reply && !isPaidFor(reply->usage)) {
        Usage bound = tokenBound(conversation);
        reply->usage = reader.spent(bound);
        reply->usage.inputTokens = bound.inputTokens;
      }
      return reply;
    }
    CallFailure failure;
    failure.error = response.error();
    failure.retry = response.error().code == Error::Code::Io;
    failure.usage = reader.spent(tokenBound(conversation));
    return std::unexpected(std::move(failure));
  }

  bool mayRepeat(const Conversation &conversation, const Usage &failed,
                 const Usage &wasted) const {
    return !isPaidFor(failed) || !conversation.mayRepeat ||
           conversation.mayRepeat(wasted);
  }

  /// False: cancelled.
  bool sleep(double seconds) const {
    auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>(seconds));
    for (;;) {
      if (options.cancelled && *options.cancelled)
        return false;
      auto left = end - Clock::now();
      if (left <= Clock::duration::zero())
        return true;
      std::this_thread::sleep_for(
          std::min<Clock::duration>(left, cancellationPeriod));
    }
  }

  /// As the endpoint states it, else by the prices.
  double costOf(const Usage &usage, const std::string &role) const {
    return usage.dollars > 0 ? usage.dollars : priceOf(usage, options, role);
  }

  std::unexpected<Error> fail(const Conversation &conversation, Error error,
                              const Usage &wasted, int tries) {
    if (isPaidFor(wasted)) {
      std::lock_guard guard(lock);
      add(unbooked[conversation.id], wasted);
    }
    error.code = Error::Code::Unavailable;
    redact(error.message, endpoint.secrets);
    if (tries > 1)
      error.message += " (" + std::to_string(tries) + " tries)";
    return std::unexpected(error.context("provider " + endpoint.kind));
  }

  ProviderOptions options;
  Endpoint endpoint;
  HttpClient client;
  std::mutex lock;
  std::map<std::string, Usage> unbooked; ///< by conversation id
};

} // namespace

ProviderResult createHttpProvider(const ProviderOptions &options) {
  std::string where = "provider " + options.kind;
  if (options.model.empty())
    return makeError(Error::Code::Invalid,
                     where + " needs a model; set model=NAME");
  auto endpoint = findEndpoint(options);
  if (!endpoint)
    return std::unexpected(endpoint.error().context(where));
  return std::make_unique<HttpProvider>(options, std::move(*endpoint));
}

} // namespace kclaw
