//===- ExpertProviderTest.cpp - Replies of the memory bank ----------------===//
//
// What the agent sees: a plan in a fence, the next one after feedback, and a
// reason when nothing is left.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Expert/ExpertProvider.h"
#include "KernelTest.h"
#include "kernelclaw/Plan/CheckPlan.h"

#include <set>
#include <sstream>

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

  Reply ask(const KernelSpec &spec, const std::vector<Feedback> &history,
            bool sweeps = false) {
    Conversation conversation;
    conversation.sweepsTunables = sweeps;
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

  /// All plans that are offered for the region, in order.
  std::vector<Plan> offers(const KernelSpec &spec, bool sweeps) {
    std::vector<Plan> plans;
    std::vector<Feedback> history;
    for (Reply reply = ask(spec, history, sweeps); !reply.exhausted;
         reply = ask(spec, history, sweeps)) {
      plans.push_back(planIn(reply.text));
      history.push_back({int(history.size()), "ok", ""});
    }
    return plans;
  }

  std::unique_ptr<Provider> provider;
};

/// Source without the defaults of tunables, and the numbers of the launches.
std::string essence(const Plan &plan, const KernelSpec &spec) {
  std::string text;
  for (const PlanModule &module : plan.modules) {
    std::istringstream lines(module.source);
    for (std::string line; std::getline(lines, line);)
      if (!line.starts_with("#define"))
        text += line + "\n";
  }
  Bindings names = planBindings(spec, plan);
  for (const Step &step : plan.steps) {
    const KernelStep &kernel = std::get<KernelStep>(step);
    for (const Expr &expr : {kernel.grid[0], kernel.grid[1], kernel.block[0],
                             kernel.cluster[0], kernel.sharedBytes})
      text += std::to_string(expr.evaluate(names).value_or(-1)) + " ";
  }
  for (const PlanBuffer &buffer : plan.buffers)
    if (buffer.kind == PlanBuffer::Kind::Workspace)
      text += buffer.name + ": " +
              std::to_string(buffer.sizeBytes.evaluate(names).value_or(-1));
  return text;
}

/// Each instance of the plan that its constraint admits.
std::vector<Plan> instances(const Plan &plan, const KernelSpec &spec) {
  std::vector<Plan> all{plan};
  for (size_t i = 0; i < plan.tunables.size(); ++i) {
    std::vector<Plan> wider;
    for (const Plan &each : all)
      for (int64_t value : plan.tunables[i].values) {
        wider.push_back(each);
        wider.back().tunables[i].chosen = value;
      }
    all = wider;
  }
  std::erase_if(all, [&](const Plan &each) {
    return !each.constraint.empty() &&
           Expr(each.constraint).evaluate(planBindings(spec, each)).value() ==
               0;
  });
  return all;
}

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

TEST_F(ExpertProviderTest, ASweepGetsTheSameInstancesInFewerPlans) {
  SpecBuilder columns;
  auto x = columns.arg(DType::f32, {1 << 16, 24});
  columns.result(columns.op("aten.sum.dim_IntList",
                            {x, IntList{0}, false, none}, DType::f32, {24}));
  for (const KernelSpec &spec : {softmax(), columns.spec}) {
    std::vector<Plan> apart = offers(spec, false);
    std::vector<Plan> together = offers(spec, true);
    EXPECT_LT(together.size(), apart.size());
    std::multiset<std::string> one, swept;
    for (const Plan &plan : apart)
      one.insert(essence(plan, spec));
    for (const Plan &plan : together) {
      auto fits = checkPlan(plan, spec, true);
      EXPECT_TRUE(fits) << plan.title << ": " << fits.error().message;
      for (const Plan &instance : instances(plan, spec))
        swept.insert(essence(instance, spec));
    }
    EXPECT_EQ(one, swept);
    EXPECT_GT(instances(together[0], spec).size(), 1u) << together[0].title;
    EXPECT_EQ(essence(together[0], spec), essence(apart[0], spec));
  }
}

TEST_F(ExpertProviderTest, ASweptNumberIsANameInTheTitle) {
  Plan plan = planIn(ask(softmax(), {}, true).text);
  EXPECT_THAT(plan.title, testing::HasSubstr("THREADS threads x items"));
  EXPECT_THAT(plan.constraint, testing::HasSubstr("THREADS"));
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
  s.result(s.op("aten.cdist", {a, b}, DType::f32, {64, 64}));
  Reply reply = ask(s.spec, {});
  EXPECT_TRUE(reply.exhausted);
  EXPECT_THAT(reply.text, testing::HasSubstr("'aten.cdist' has no row"));
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
