//===- WireFormat.h - Conversations over HTTP, without the HTTP -*- C++ -*-===//
//
// Pure functions: a Conversation to the body of a request; status, headers and
// body of what came back to a Reply, or to a failure that says whether asking
// again can help. Nothing here trusts the body: HTML, error objects under
// status 200, event streams and empty answers are told apart before JSON is
// read.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_PROVIDER_WIREFORMAT_H
#define KERNELCLAW_PROVIDER_WIREFORMAT_H

#include "kernelclaw/Provider/Provider.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>

namespace kclaw {

enum class WireFormat {
  Chat,      ///< OpenAI's chat/completions, and who speaks it too
  Responses, ///< OpenAI's responses
  Messages   ///< Anthropic's messages
};

/// What of a request some endpoints refuse; each can be left out.
enum class Feature {
  Schema,      ///< structured output
  Effort,      ///< reasoning effort
  StreamUsage, ///< usage at the end of a stream
  OldLimit,    ///< "max_tokens"; without it: "max_completion_tokens"
  Cache        ///< cache marks
};

struct RequestStyle {
  std::string model;
  std::string reasoningEffort; ///< empty: unsaid
  bool stream = false;
  std::set<Feature> leftOut;
};

/// The body of a request: JSON text.
std::string renderRequest(WireFormat format, const Conversation &conversation,
                          const RequestStyle &style);

struct HttpResponse {
  int status = 0;
  std::map<std::string, std::string> headers; ///< names in lower case
  std::string body;
};

struct CallFailure {
  Error error;
  bool retry = false; ///< false: asking again gives the same answer
  /// What the server asked for; nullopt: our own backoff.
  std::optional<double> waitSeconds;
  Usage usage;    ///< failed answers are paid for too
  int status = 0; ///< of HTTP, or a code inside of a good one; 0: no answer
};

/// `now` is the Unix time that a Retry-After date is compared with.
std::expected<Reply, CallFailure>
parseAnswer(WireFormat format, const HttpResponse &response, int64_t now);

/// How long to wait before the next try. The first that makes sense of:
/// retry-after-ms; Retry-After as seconds (a fraction too) or as any of the
/// three dates of RFC 9110 (one in the past is 0); the limits that are used up
/// (x-ratelimit-remaining-NAME 0: x-ratelimit-reset-NAME, as "6m0.5s", seconds
/// or a Unix time; anthropic-ratelimit-NAME-reset); ratelimit-reset and
/// x-ratelimit-reset. Then the same under the prefix with which LiteLLM passes
/// them on. nullopt when there is none.
std::optional<double>
parseRetryAfter(const std::map<std::string, std::string> &headers, int64_t now);

/// Longer waits than this end the call with a clear message.
inline constexpr double maxWaitSeconds = 120;

/// A longer answer is none.
inline constexpr size_t maxAnswerBytes = size_t{8} << 20;

} // namespace kclaw

#endif // KERNELCLAW_PROVIDER_WIREFORMAT_H
