// What an attempt taught: every member survives JSON, one row is one line, and
// a row that would poison an average is refused with its path.
#include "SampleExperience.h"

#include <gtest/gtest.h>

using namespace kclaw;

namespace {

std::string refusal(const std::string &from, const std::string &to) {
  std::string text = toJson(sampleExperience());
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  auto parsed = parseExperience(text.replace(at, from.size(), to));
  return parsed ? "accepted" : parsed.error().message;
}

TEST(Experience, EveryMemberSurvives) {
  std::string text = toJson(sampleExperience());
  EXPECT_EQ(text.find('\n'), std::string::npos);
  auto back = parseExperience(text);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(toJson(*back), text);
  EXPECT_EQ(back->predicted.at("time"), -1);
  EXPECT_EQ(back->caseName, "memory-bound-rows");
  EXPECT_TRUE(std::isinf(back->context.at("ratio")));
  // What a default writes, too, must read back.
  Experience plain;
  plain.id = "r/s/1";
  plain.arch = "sm_90a";
  plain.method = "seed";
  auto again = parseExperience(toJson(plain));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->evidence, Evidence::None);
  EXPECT_EQ(again->weight, 1);
}

TEST(Experience, BadRowsAreRefusedWithTheirPath) {
  EXPECT_EQ(refusal("\"vectorize-loads\"", "\"\""), "method: is empty");
  EXPECT_EQ(refusal("\"id\":", "\"it\":"), "id: missing");
  EXPECT_EQ(refusal("\"gain\":1.25", "\"gain\":\"NaN\""),
            "gain: must be a finite number of at least 0");
  EXPECT_EQ(refusal("\"weight\":0.5", "\"weight\":-1"),
            "weight: must be a finite number of at least 0");
  EXPECT_EQ(refusal("\"time\":-1", "\"time\":2"),
            "predicted.time: 2 is outside [-1, 1]");
  EXPECT_TRUE(refusal("\"ok\"", "\"fine\"").starts_with("outcome: unknown"));
  EXPECT_TRUE(refusal("{\"id\"", "[").starts_with("experience: not JSON"));
}

} // namespace
