// How long to wait, in every form that servers were seen to say it (LL-08).
#include "kernelclaw/Provider/WireFormat.h"

#include <gtest/gtest.h>

using namespace kclaw;

namespace {

constexpr int64_t now = 1445412480; // Wed, 21 Oct 2015 07:28:00 GMT
using Headers = std::map<std::string, std::string>;

std::optional<double> wait(const std::string &value) {
  return parseRetryAfter({{"retry-after", value}}, now);
}

TEST(RetryAfter, Forms) {
  EXPECT_EQ(wait("3"), 3);
  EXPECT_EQ(wait("1.5"), 1.5);
  EXPECT_EQ(wait("0"), 0);
  EXPECT_EQ(wait("-5"), std::nullopt);
  EXPECT_EQ(wait("86400"), 86400);
  EXPECT_EQ(wait("Wed, 21 Oct 2015 07:28:04 GMT"), 4);
  EXPECT_EQ(wait("Wednesday, 21-Oct-15 07:28:04 GMT"), 4);
  EXPECT_EQ(wait("Wed Oct 21 07:28:04 2015"), 4);
  EXPECT_EQ(wait("Sun Nov  6 08:49:37 1994"), 0);
  EXPECT_EQ(wait("Wed, 21 Oct 2015 07:27:00 GMT"), 0);
  EXPECT_EQ(wait("soon"), std::nullopt);
  EXPECT_EQ(wait("3 apples"), std::nullopt);
  EXPECT_EQ(wait("nan"), std::nullopt);
  EXPECT_EQ(wait("inf"), std::nullopt);
  EXPECT_EQ(wait(""), std::nullopt);
  EXPECT_EQ(parseRetryAfter({}, now), std::nullopt);
}

TEST(RetryAfter, OtherHeaders) {
  struct Row {
    Headers headers;
    std::optional<double> seconds;
  };
  const Row rows[] = {
      {{{"retry-after-ms", "250"}}, 0.25},
      {{{"retry-after-ms", "x"}, {"retry-after", "2"}}, 2},
      // Only a limit that is used up says how long to wait.
      {{{"x-ratelimit-remaining-requests", "0"},
        {"x-ratelimit-reset-requests", "1m0.5s"},
        {"x-ratelimit-remaining-tokens", "12"},
        {"x-ratelimit-reset-tokens", "2h"}},
       60.5},
      {{{"x-ratelimit-remaining-requests", "0"},
        {"x-ratelimit-reset-requests", "250ms"},
        {"x-ratelimit-remaining-tokens", "0"},
        {"x-ratelimit-reset-tokens", "6s"}},
       6},
      {{{"x-ratelimit-remaining-tokens", "5"},
        {"x-ratelimit-reset-tokens", "6s"}},
       std::nullopt},
      {{{"anthropic-ratelimit-input-tokens-remaining", "0"},
        {"anthropic-ratelimit-input-tokens-reset", "2015-10-21T07:28:09Z"}},
       9},
      {{{"anthropic-ratelimit-input-tokens-limit", "0"},
        {"anthropic-ratelimit-input-tokens-reset", "2015-10-21T07:28:09Z"}},
       std::nullopt},
      {{{"ratelimit-reset", "30"}}, 30},
      {{{"x-ratelimit-reset", "1445412485"}}, 5},
      {{{"x-ratelimit-reset", "1445412487500"}}, 7.5},
      {{{"x-ratelimit-reset", "1445412400"}}, 0},
      {{{"x-ratelimit-reset", "3 parsecs"}}, std::nullopt},
      {{{"retry-after", "2"},
        {"x-ratelimit-remaining-requests", "0"},
        {"x-ratelimit-reset-requests", "9s"}},
       2}};
  for (const Row &row : rows)
    EXPECT_EQ(parseRetryAfter(row.headers, now), row.seconds)
        << row.headers.begin()->first << ": " << row.headers.begin()->second;
}

TEST(RetryAfter, PassedOnByAProxy) {
  EXPECT_EQ(parseRetryAfter({{"llm_provider-retry-after", "7"}}, now), 7);
  EXPECT_EQ(parseRetryAfter(
                {{"retry-after", "2"}, {"llm_provider-retry-after", "7"}}, now),
            2);
}

} // namespace
