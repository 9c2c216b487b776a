//===- RetryAfter.cpp - How long a server wants us to wait ----------------===//
#include "kernelclaw/Provider/WireFormat.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace kclaw {
namespace {

using Headers = std::map<std::string, std::string>;

/// Later than this in seconds is a Unix time, and then one in milliseconds.
constexpr double unixSeconds = 1e9, unixMilliseconds = 1e12;

/// The whole text as a finite number of 0 or more.
std::optional<double> parseSeconds(const std::string &text) {
  char *end = nullptr;
  double value = std::strtod(text.c_str(), &end);
  bool whole = end != text.c_str() && *end == '\0';
  if (!whole || !std::isfinite(value) || value < 0)
    return std::nullopt;
  return value;
}

/// "1h2m3.5s", "250ms": each number with its unit, all of the text.
std::optional<double> parseDuration(const std::string &text) {
  constexpr std::pair<const char *, double> units[] = {
      {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"s", 1},
      {"m", 60},    {"h", 3600},  {"d", 86400}};
  double total = 0;
  const char *at = text.c_str();
  while (*at) {
    char *end = nullptr;
    double value = std::strtod(at, &end);
    auto unit = std::ranges::find_if(units, [end](const auto &row) {
      return std::strncmp(end, row.first, std::strlen(row.first)) == 0;
    });
    if (end == at || unit == std::end(units) || !std::isfinite(value) ||
        value < 0)
      return std::nullopt;
    total += value * unit->second;
    at = end + std::strlen(unit->first);
  }
  return text.empty() ? std::nullopt : std::optional(total);
}

/// Seconds from `now`; what is past is 0.
double until(int64_t now, double time) {
  return std::max(0.0, time - double(now));
}

/// The three forms of RFC 9110 and RFC 3339's, which Anthropic uses.
std::optional<double> parseDate(const std::string &text, int64_t now) {
  constexpr const char *forms[] = {
      "%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT",
      "%a %b %e %H:%M:%S %Y", "%Y-%m-%dT%H:%M:%SZ"};
  for (const char *form : forms) {
    std::tm date{};
    const char *end = strptime(text.c_str(), form, &date);
    if (end && *end == '\0')
      return until(now, double(timegm(&date)));
  }
  return std::nullopt;
}

/// What a header about limits may hold.
std::optional<double> parseReset(const std::string &text, int64_t now) {
  if (auto seconds = parseSeconds(text)) {
    if (*seconds >= unixMilliseconds)
      return until(now, *seconds / 1000);
    return *seconds >= unixSeconds ? until(now, *seconds) : *seconds;
  }
  if (auto seconds = parseDuration(text))
    return seconds;
  return parseDate(text, now);
}

std::optional<double> resetUnder(const Headers &headers,
                                 const std::string &name, int64_t now) {
  auto it = headers.find(name);
  return it == headers.end() ? std::nullopt : parseReset(it->second, now);
}

std::optional<double> retryAfter(const Headers &headers,
                                 const std::string &prefix, int64_t now) {
  if (auto it = headers.find(prefix + "retry-after-ms"); it != headers.end())
    if (auto milliseconds = parseSeconds(it->second))
      return *milliseconds / 1000;
  auto it = headers.find(prefix + "retry-after");
  if (it == headers.end())
    return std::nullopt;
  if (auto seconds = parseSeconds(it->second))
    return seconds;
  return parseDate(it->second, now);
}

/// The longest among the limits of which nothing is left.
std::optional<double> usedUpLimits(const Headers &headers,
                                   const std::string &prefix, int64_t now) {
  struct Family {
    std::string remaining, reset; // NAME stands between or behind
    bool nameLast;
  };
  const Family families[] = {
      {prefix + "x-ratelimit-remaining-", prefix + "x-ratelimit-reset-", true},
      {prefix + "anthropic-ratelimit-", prefix + "anthropic-ratelimit-",
       false}};
  constexpr std::string_view suffix = "-remaining";
  std::optional<double> longest;
  for (const Family &family : families)
    for (auto it = headers.lower_bound(family.remaining);
         it != headers.end() && it->first.starts_with(family.remaining); ++it) {
      std::string name = it->first.substr(family.remaining.size());
      if (!family.nameLast && !name.ends_with(suffix))
        continue;
      if (parseSeconds(it->second) != 0)
        continue;
      std::string reset =
          family.nameLast
              ? family.reset + name
              : family.reset + name.substr(0, name.size() - suffix.size()) +
                    "-reset";
      if (auto seconds = resetUnder(headers, reset, now))
        longest = std::max(longest.value_or(0), *seconds);
    }
  return longest;
}

} // namespace

std::optional<double> parseRetryAfter(const Headers &headers, int64_t now) {
  for (const std::string prefix : {"", "llm_provider-"}) {
    if (auto seconds = retryAfter(headers, prefix, now))
      return seconds;
    if (auto seconds = usedUpLimits(headers, prefix, now))
      return seconds;
    for (const char *name : {"ratelimit-reset", "x-ratelimit-reset"})
      if (auto seconds = resetUnder(headers, prefix + name, now))
        return seconds;
  }
  return std::nullopt;
}

} // namespace kclaw
