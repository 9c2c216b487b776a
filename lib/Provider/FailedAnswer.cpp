//===- FailedAnswer.cpp - What a failed answer means ----------------------===//
#include "FailedAnswer.h"

#include <algorithm>
#include <cstdlib>

namespace kclaw {
namespace {

/// Statuses where the same question may be answered a little later.
constexpr int transientStatuses[] = {408, 409, 425, 429, 500, 502,
                                     503, 504, 520, 522, 524, 529};

/// Codes that never clear by waiting, whatever the status says.
constexpr std::string_view terminalCodes[] = {
    "insufficient_quota", "billing_hard_limit_reached", "billing_not_active",
    "access_terminated", "billing_error"};

/// Errors in a body whose status was good have a type or a code in words.
struct TypeRow {
  std::string_view type;
  int status;
};
constexpr TypeRow typeRows[] = {
    {"invalid_request_error", 400}, {"authentication_error", 401},
    {"billing_error", 402},         {"permission_error", 403},
    {"not_found_error", 404},       {"request_too_large", 413},
    {"rate_limit_error", 429},      {"rate_limit_exceeded", 429},
    {"insufficient_quota", 429},    {"api_error", 500},
    {"server_error", 500},          {"timeout_error", 504},
    {"overloaded_error", 529}};

struct Hint {
  int status;
  const char *text;
};
constexpr Hint hints[] = {
    {401, "check the key in the environment variable"},
    {402, "the account has no credit left"},
    {403, "the key may not use this model"},
    {404, "check base-url and model"},
};

int effectiveStatus(int status, const Json &error) {
  if (status >= 400)
    return status;
  int inner = std::atoi(textOf(member(error, "code")).c_str());
  if (inner >= 400 && inner < 600)
    return inner;
  for (const char *name : {"type", "code"})
    for (const TypeRow &row : typeRows)
      if (stringOf(member(error, name)) == row.type)
        return row.status;
  return status;
}

std::string hintFor(int status, bool terminalCode) {
  if (terminalCode)
    return "; the account is spent, waiting will not help";
  for (const Hint &hint : hints)
    if (hint.status == status)
      return std::string("; ") + hint.text;
  return "";
}

bool isTerminal(const Json &error) {
  for (const char *name : {"code", "type"})
    if (std::ranges::find(terminalCodes, stringOf(member(error, name))) !=
        std::end(terminalCodes))
      return true;
  return false;
}

} // namespace

Error tooLong() {
  return {Error::Code::Unavailable, "the answer is longer than " +
                                        std::to_string(maxAnswerBytes >> 20) +
                                        " MiB"};
}

CallFailure classifyFailure(const HttpResponse &response, const Json &error,
                            int64_t now) {
  int status = effectiveStatus(response.status, error);
  bool terminal = isTerminal(error);
  std::string message = error.is_string() ? error.get<std::string>()
                                          : textOf(member(error, "message"));
  if (message.empty())
    message = error.is_null() ? describeBody(response.body) : json::dump(error);

  CallFailure failure;
  failure.status = status;
  // A failure under a good status that names no code is the server's own.
  failure.retry = !terminal && (status < 300 ||
                                std::ranges::find(transientStatuses, status) !=
                                    std::end(transientStatuses));
  failure.waitSeconds = parseRetryAfter(response.headers, now);
  failure.error = {Error::Code::Unavailable,
                   "the endpoint answered " + std::to_string(status) + ": " +
                       message.substr(0, 2000) + hintFor(status, terminal)};
  if (failure.retry && failure.waitSeconds.value_or(0) > maxWaitSeconds) {
    failure.retry = false;
    failure.error.message +=
        "; it asks to wait " +
        std::to_string(int64_t(std::min(*failure.waitSeconds, 1e15))) +
        " s, more than the " + std::to_string(int64_t(maxWaitSeconds)) +
        " s that this program waits";
  }
  return failure;
}

} // namespace kclaw
