//===- ExpertProviderTest.cpp - Replies of the memory bank ----------------===//
//
// What the agent sees: a plan in a fence, the next one after feedback, and a
// reason when nothing is left.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Expert/ExpertProvider.h"
#include "KernelTest.h"

#include <set>

namespace kclaw::test {
namespace {

class ExpertProviderTest : public testing::Test {
protected:
  void SetUp() override {
    Expected<std::unique_ptr<Provider>> created =
        createExpertProvider(KCLAW_TEST_MEMORYBANK);
    ASSERT_TRUE(created) << created.error().message;
    provider = std::move(*created);
  }

  Reply ask(const KernelSpec &spec, const std::vector<Feedback> &history) {
    Conversation conversation;
    conversation.spec = &spec;
    conversation.history = history;
    Expected<Reply> reply = provider->complete(conversation);
    EXPECT_TRUE(reply) << reply.error().message;
    return reply ? *reply : Reply();
  }

  static Plan planIn(const std::string &text) {
    size_t open = text.find("```json\n"), close = text.rfind("\n```");
    EXPECT_NE(open, std::string::npos) << text;
    Expected<Plan> plan = parsePlan(text.substr(open + 8, close - open - 8));
    EXPECT_TRUE(plan) << plan.error().message;
    return plan ? *plan : Plan();
  }

  std::unique_ptr<Provider> provider;
};

KernelSpec softmax() {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {4096, 4096});
  s.result(s.op("aten.softmax.int", {x, 1, none}, DType::f32, {4096, 4096}));
  return s.spec;
}

TEST_F(ExpertProviderTest, RepliesWithAPlanInAFence) {
  KernelSpec spec = softmax();
  Reply reply = ask(spec, {});
  EXPECT_FALSE(reply.exhausted);
  Plan plan = planIn(reply.text);
  EXPECT_EQ(plan.producer, Producer::Expert);
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(std::get<KernelStep>(plan.steps[0]).grid[0].str(), "n4096");
  EXPECT_TRUE(plan.resizable);
}

TEST_F(ExpertProviderTest, NeverRepeatsAPlanAndEndsExhausted) {
  KernelSpec spec = softmax();
  std::vector<Feedback> history;
  std::set<std::string> seen;
  for (Reply reply = ask(spec, history); !reply.exhausted;
       reply = ask(spec, history)) {
    ASSERT_TRUE(seen.insert(reply.text).second) << reply.text;
    ASSERT_LT(seen.size(), 200u);
    history.push_back({int(history.size()), "ok", ""});
  }
  EXPECT_GT(seen.size(), 3u);
}

TEST_F(ExpertProviderTest, MismatchSkipsTheSkeleton) {
  KernelSpec spec = softmax();
  Plan first = planIn(ask(spec, {}).text);
  Plan slow = planIn(ask(spec, {{0, "ok", ""}}).text);
  Plan wrong = planIn(ask(spec, {{0, "mismatch", "result 0"}}).text);
  EXPECT_EQ(slow.modules[0].name, first.modules[0].name);
  EXPECT_NE(wrong.modules[0].name, first.modules[0].name);
}

TEST_F(ExpertProviderTest, UnknownOpIsNamed) {
  SpecBuilder s;
  auto a = s.arg(DType::f32, {64, 64}), b = s.arg(DType::f32, {64, 64});
  s.result(s.op("aten.mm", {a, b}, DType::f32, {64, 64}));
  Reply reply = ask(s.spec, {});
  EXPECT_TRUE(reply.exhausted);
  EXPECT_THAT(reply.text, testing::HasSubstr("'aten.mm' has no row"));
}

TEST_F(ExpertProviderTest, ReductionsOverDifferentDimensionsAreRefused) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {8, 8});
  s.result(s.op("aten.sum.dim_IntList", {x, IntList{0}, true, none}, DType::f32,
                {1, 8}));
  s.result(s.op("aten.sum.dim_IntList", {x, IntList{1}, true, none}, DType::f32,
                {8, 1}));
  EXPECT_THAT(ask(s.spec, {}).text,
              testing::HasSubstr("run over different dimensions"));
}

TEST_F(ExpertProviderTest, TensorPlusItsTransposeIsRefused) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {8, 8});
  auto t = s.op("aten.t", {x}, DType::f32, {8, 8});
  s.result(s.op("aten.add.Tensor", {x, t, 1}, DType::f32, {8, 8}));
  EXPECT_THAT(ask(s.spec, {}).text, testing::HasSubstr("own transpose"));
}

TEST_F(ExpertProviderTest, DynamicSizesAreRefused) {
  SpecBuilder s;
  auto x = s.arg(DType::f32, {-1, 8});
  s.result(s.op("aten.relu", {x}, DType::f32, {-1, 8}));
  EXPECT_THAT(ask(s.spec, {}).text, testing::HasSubstr("dynamic sizes"));
}

TEST(ExpertProvider, MissingMemoryBankIsAnError) {
  Expected<std::unique_ptr<Provider>> created =
      createExpertProvider("/nonexistent");
  ASSERT_FALSE(created);
  EXPECT_THAT(created.error().message,
              testing::HasSubstr("/nonexistent/skeletons/ops"));
}

} // namespace
} // namespace kclaw::test
