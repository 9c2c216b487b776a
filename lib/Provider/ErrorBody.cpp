//===- ErrorBody.cpp - What a failed answer means -------------------------===//
#include "ErrorBody.h"

#include <algorithm>
#include <cstdlib>

namespace kclaw {
namespace {

using json::Json;

/// Statuses where the same question may be answered a little later.
constexpr int transientStatuses[] = {408, 409, 425, 429, 500, 502,
                                     503, 504, 520, 522, 524, 529};

/// Codes that never clear by waiting, whatever the status says.
constexpr std::string_view terminalCodes[] = {
    "insufficient_quota", "billing_hard_limit_reached", "billing_not_active",
    "access_terminated"};

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

std::string textOf(const Json &object, const char *name) {
  if (!object.is_object() || !object.contains(name))
    return "";
  const Json &value = object[name];
  return value.is_string() ? value.get<std::string>() : json::dump(value);
}

int effectiveStatus(int status, const Json &error) {
  int inner = std::atoi(textOf(error, "code").c_str());
  bool inBody = status < 400 && inner >= 400 && inner < 600;
  return inBody ? inner : status;
}

std::string hintFor(int status, bool terminalCode) {
  if (terminalCode)
    return "; the account is spent, waiting will not help";
  for (const Hint &hint : hints)
    if (hint.status == status)
      return std::string("; ") + hint.text;
  return "";
}

} // namespace

std::string describeBody(const std::string &body) {
  size_t start = body.find_first_not_of(" \t\r\n");
  if (start == std::string::npos)
    return "empty body";
  if (body[start] == '<')
    return "an HTML page instead of JSON";
  std::string line = body.substr(start, 200);
  return line.substr(0, line.find_first_of("\r\n"));
}

ChatFailure classifyFailure(const HttpResponse &response, const Json &error,
                            int64_t now) {
  int status = effectiveStatus(response.status, error);
  auto isTerminal = [&error](const char *member) {
    return std::ranges::find(terminalCodes, textOf(error, member)) !=
           std::end(terminalCodes);
  };
  bool terminalCode = isTerminal("code") || isTerminal("type");
  std::string message =
      error.is_string() ? error.get<std::string>() : textOf(error, "message");
  if (message.empty())
    message = error.is_null() ? describeBody(response.body) : json::dump(error);

  ChatFailure failure;
  // A failure under a good status that names no code is the server's own.
  failure.retry =
      !terminalCode &&
      (status < 300 || std::ranges::find(transientStatuses, status) !=
                           std::end(transientStatuses));
  failure.waitSeconds = parseRetryAfter(response.headers, now);
  failure.error = {Error::Code::Unavailable,
                   "the endpoint answered " + std::to_string(status) + ": " +
                       message + hintFor(status, terminalCode)};
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
