//===- ChatResponse.h - Read an answer of chat/completions ------*- C++ -*-===//
//
// Pure functions over what an OpenAI-compatible endpoint sent: status, headers
// and body in; a Reply, or a failure that says whether asking again can help.
// Nothing here trusts the body: HTML, error objects under status 200, event
// streams and empty answers are told apart before JSON is read.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_PROVIDER_CHATRESPONSE_H
#define KERNELCLAW_PROVIDER_CHATRESPONSE_H

#include "kernelclaw/Provider/Provider.h"

#include <cstdint>
#include <map>
#include <optional>

namespace kclaw {

struct HttpResponse {
  int status = 0;
  std::map<std::string, std::string> headers; ///< names in lower case
  std::string body;
};

struct ChatFailure {
  Error error;
  bool retry = false; ///< false: asking again gives the same answer
  /// What the server asked for; nullopt: our own backoff.
  std::optional<double> waitSeconds;
  Usage usage; ///< failed answers are paid for too
};

/// `now` is the Unix time that a Retry-After date is compared with.
std::expected<Reply, ChatFailure>
parseChatResponse(const HttpResponse &response, int64_t now);

/// retry-after-ms, or Retry-After as seconds (a fraction too) or as an HTTP
/// date (RFC 9110); a date in the past is 0; else the same under the prefix
/// with which LiteLLM passes them on. nullopt when absent or senseless.
std::optional<double>
parseRetryAfter(const std::map<std::string, std::string> &headers, int64_t now);

/// Longer waits than this end the call with a clear message.
inline constexpr double maxWaitSeconds = 120;

} // namespace kclaw

#endif // KERNELCLAW_PROVIDER_CHATRESPONSE_H
