// Retry-After in every form that servers were seen to send (LL-08).
#include "kernelclaw/Provider/ChatResponse.h"

#include <gtest/gtest.h>

using namespace kclaw;

namespace {

constexpr int64_t now = 1445412480; // Wed, 21 Oct 2015 07:28:00 GMT

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
  EXPECT_EQ(wait("Wed, 21 Oct 2015 07:27:00 GMT"), 0);
  EXPECT_EQ(wait("soon"), std::nullopt);
  EXPECT_EQ(wait("3 apples"), std::nullopt);
  EXPECT_EQ(wait("nan"), std::nullopt);
  EXPECT_EQ(wait(""), std::nullopt);
  EXPECT_EQ(parseRetryAfter({}, now), std::nullopt);
  EXPECT_EQ(parseRetryAfter({{"retry-after-ms", "250"}}, now), 0.25);
}

TEST(RetryAfter, PassedOnByAProxy) {
  EXPECT_EQ(parseRetryAfter({{"llm_provider-retry-after", "7"}}, now), 7);
  EXPECT_EQ(parseRetryAfter(
                {{"retry-after", "2"}, {"llm_provider-retry-after", "7"}}, now),
            2);
}

} // namespace
