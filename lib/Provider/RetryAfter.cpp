//===- RetryAfter.cpp - How long a server wants us to wait ----------------===//
#include "kernelclaw/Provider/ChatResponse.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>

namespace kclaw {
namespace {

/// The whole text as a finite number of 0 or more.
std::optional<double> parseSeconds(const std::string &text) {
  char *end = nullptr;
  double value = std::strtod(text.c_str(), &end);
  bool whole = end != text.c_str() && *end == '\0';
  if (!whole || !std::isfinite(value) || value < 0)
    return std::nullopt;
  return value;
}

/// IMF-fixdate, the one form that RFC 9110 lets servers send.
std::optional<int64_t> parseHttpDate(const std::string &text) {
  std::tm date{};
  const char *end = strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &date);
  if (!end || *end != '\0')
    return std::nullopt;
  return int64_t(timegm(&date));
}

std::optional<double>
secondsUnder(const std::map<std::string, std::string> &headers,
             const std::string &name, int64_t now) {
  if (auto it = headers.find(name + "-ms"); it != headers.end())
    if (auto milliseconds = parseSeconds(it->second))
      return *milliseconds / 1000;
  auto it = headers.find(name);
  if (it == headers.end())
    return std::nullopt;
  if (auto seconds = parseSeconds(it->second))
    return seconds;
  if (auto date = parseHttpDate(it->second))
    return double(std::max<int64_t>(0, *date - now));
  return std::nullopt;
}

} // namespace

std::optional<double>
parseRetryAfter(const std::map<std::string, std::string> &headers,
                int64_t now) {
  // LiteLLM passes on what the server behind it said under a prefix.
  for (const std::string prefix : {"", "llm_provider-"})
    if (auto seconds = secondsUnder(headers, prefix + "retry-after", now))
      return seconds;
  return std::nullopt;
}

} // namespace kclaw
