// The prompt files that ship fill without a gap; a bad one is named.
#include "Agent/Conversation.h"

#include "Plan/SampleEvaluation.h"
#include "Plan/SamplePlan.h"

#include <gtest/gtest.h>

using namespace kclaw;

namespace {

TEST(Prompts, FillOnce) {
  EXPECT_EQ(*fillPrompt("a {{x}} b", {{"x", "{{y}}"}}), "a {{y}} b");
  EXPECT_EQ(fillPrompt("{{z}}", {{"x", ""}, {"y", ""}}).error().message,
            "unknown placeholder 'z'; known: x, y");
  EXPECT_FALSE(fillPrompt("{{x", {{"x", ""}}));
}

TEST(Prompts, EachSituationHasItsText) {
  auto prompts = Prompts::load(KCLAW_PROMPTS_DIR);
  ASSERT_TRUE(prompts) << prompts.error().message;
  RegionTask task{sampleSpec(), samplePlan(), samplePlan()};
  AttemptRecord wrong{1, samplePlan(), sampleEvaluation()};
  AttemptRecord right = wrong;
  right.number = 2;
  right.evaluation.outcome = Outcome::Ok;
  Tree tree;
  auto user = [&] {
    int tried = int(tree.records().size());
    auto conversation = buildConversation(*prompts, task, {}, tried + 1, tree);
    EXPECT_TRUE(conversation) << conversation.error().message;
    EXPECT_EQ(conversation->spec, &task.spec);
    EXPECT_EQ(int(conversation->history.size()), tried);
    EXPECT_EQ(conversation->tools.size(), 1u);
    return conversation->messages[1].content;
  };
  std::string first = user();
  EXPECT_NE(first.find("y = softmax(x, -1) * w"), std::string::npos);
  EXPECT_NE(first.find("constexpr long long cols = 1024;"), std::string::npos);
  tree.add(wrong);
  std::string repair = user();
  EXPECT_NE(repair.find("The last attempt failed"), std::string::npos);
  EXPECT_NE(repair.find("worst at flat index 17: got nan, want 1"),
            std::string::npos);
  EXPECT_NE(repair.find("ptxas info"), std::string::npos);
  EXPECT_NE(repair.find("- BLOCK=128: 5.5 us: 40 bytes spilled"),
            std::string::npos);
  tree.add(right);
  tree.promote(2);
  std::string optimize = user();
  EXPECT_NE(optimize.find("The best attempt so far is right"),
            std::string::npos);
  EXPECT_NE(optimize.find("attempt 1 (row softmax): mismatch"),
            std::string::npos);
}

} // namespace
