// Plan <-> JSON: nothing is lost, a mistake is named by its path, and what
// this version has not is refused by name.
#include "SamplePlan.h"

#include <gtest/gtest.h>

using namespace kclaw;

namespace {

std::string errorOf(const std::string &text) {
  auto plan = parsePlan(text);
  return plan ? "no error" : plan.error().message;
}

std::string withStep(const std::string &step) {
  return "{\"buffers\": [], \"steps\": [" + step + "]}";
}

TEST(PlanJson, RoundTrip) {
  Plan plan = samplePlan();
  auto again = parsePlan(toJson(plan));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(toJson(*again), toJson(plan));
  EXPECT_EQ(again->buffers[4].data, plan.buffers[4].data);
  EXPECT_EQ(again->modules[0].source, plan.modules[0].source);
  EXPECT_EQ(std::get<KernelStep>(again->steps[1]).args[5].number, 1e-5);
}

TEST(PlanJson, CubinIsBinary) {
  Plan plan = samplePlan();
  plan.modules[0] = {"main", PlanModule::Kind::Cubin,
                     std::string("\x7f"
                                 "ELF\0\xff\x80",
                                 7)};
  auto again = parsePlan(toJson(plan));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->modules[0].source, plan.modules[0].source);
}

TEST(PlanJson, ShortForms) {
  auto plan = parsePlan(withStep(
      R"({"kind": "kernel", "module": "m", "entry": "k", "grid": "n",
          "block": [32, 4], "args": ["x", {"buffer": "y"}, {"i32": 7}]})"));
  ASSERT_TRUE(plan) << plan.error().message;
  const auto &step = std::get<KernelStep>(plan->steps[0]);
  EXPECT_EQ(step.grid[0].str(), "n");
  EXPECT_EQ(step.grid[1].str(), "1");
  EXPECT_EQ(step.block[1].str(), "4");
  EXPECT_EQ(step.args[0].buffer, "x");
  EXPECT_EQ(step.args[1].buffer, "y");
  EXPECT_EQ(step.args[2].value.str(), "7");
}

TEST(PlanJson, ErrorsNameThePath) {
  EXPECT_EQ(
      errorOf(withStep(
          R"({"kind": "kernel", "module": "m", "entry": "k", "grid": ["a +"],
              "block": [1], "args": []})")),
      "steps[0].grid[0]: unexpected end in 'a +'");
  EXPECT_EQ(errorOf(withStep(R"({"kind": "memset", "buffer": "x"})")),
            "steps[0].bytes: missing");
  EXPECT_EQ(errorOf(withStep(R"({"kind": "memset", "buffer": "x", "bytes": 1,
                                 "value": 256})")),
            "steps[0].value: 256 is outside [0, 255]");
  EXPECT_EQ(errorOf(withStep(R"({"kind": "memset", "buffer": "x", "bytes": 1,
                                 "valeu": 1})")),
            "steps[0]: unknown member \"valeu\"; known: kind, buffer, offset, "
            "bytes, value");
  EXPECT_EQ(errorOf(R"({"steps": []})"), "buffers: missing");
  EXPECT_EQ(errorOf(R"({"version": 2, "buffers": [], "steps": []})"),
            "version: 2 is outside [1, 1]");
  EXPECT_EQ(errorOf(R"({"buffers": [{"name": "c", "kind": "constant",
                        "data": "a"}], "steps": []})"),
            "buffers[0].data: not base64");
  EXPECT_EQ(errorOf("null"), "expected an object, got null");
  EXPECT_TRUE(errorOf("plan").starts_with("plan: not JSON: "));
}

TEST(PlanJson, StepsInSteps) {
  auto again = parsePlan(toJson(samplePlan()));
  ASSERT_TRUE(again) << again.error().message;
  const auto &repeat = std::get<RepeatStep>(again->steps[3]);
  EXPECT_EQ(repeat.name, "t");
  EXPECT_EQ(repeat.count.str(), "3");
  const auto &when = std::get<WhenStep>(repeat.steps[0]);
  EXPECT_EQ(when.buffer, "sums");
  EXPECT_EQ(when.offset.str(), "t * 4");
  const auto &kernel = std::get<KernelStep>(when.steps[0]);
  EXPECT_EQ(kernel.args[0].kind, PlanArg::Kind::TensorMap);
  EXPECT_EQ(kernel.args[0].buffer, "tiles");
  std::string paths;
  forEachLeaf(
      again->steps, "steps",
      [&](const std::string &path, const Step &) { paths += path + " "; });
  EXPECT_EQ(paths,
            "steps[0] steps[1] steps[2] steps[3].steps[0].steps[0] steps[4] "
            "steps[5] ");
}

TEST(PlanJson, TensorMap) {
  auto plan = parsePlan(R"({"buffers": [], "steps": [], "tensorMaps": [
      {"name": "a", "buffer": "x", "element": "bf16", "dims": ["k", "m"],
       "box": [64, "TILE"], "swizzle": 128}]})");
  ASSERT_TRUE(plan) << plan.error().message;
  const PlanTensorMap &map = plan->tensorMaps.at(0);
  EXPECT_EQ(map.element, TensorMapElement::BF16);
  EXPECT_EQ(tensorMapStrides(map).at(0).str(), "2 * (k)");
  EXPECT_EQ(tensorMapElementStrides(map).size(), 2u);
  EXPECT_EQ(map.swizzle.str(), "128");
  EXPECT_EQ(errorOf(R"({"buffers": [], "steps": [], "tensorMaps": [
      {"name": "a", "buffer": "x", "element": "f8", "dims": [], "box": []}]})"),
            "tensorMaps[0].element: unknown value \"f8\"; accepted: u8, u16, "
            "u32, i32, u64, i64, f16, f32, f64, bf16, f32_ftz, tf32, tf32_ftz");
}

TEST(PlanJson, DeepStepsAreRefused) {
  std::string text = R"({"kind": "memset", "buffer": "x", "bytes": 1})";
  for (int i = 0; i < 5; ++i)
    text = R"({"kind": "repeat", "name": "a", "count": 1, "steps": [)" + text +
           "]}";
  EXPECT_EQ(errorOf(withStep(text)),
            "steps[0].steps[0].steps[0].steps[0].steps[0].steps: steps are "
            "nested more than 4 deep");
}

TEST(PlanJson, UnknownStepsAreRefusedByName) {
  EXPECT_EQ(errorOf(withStep(R"({"kind": "print"})")),
            "steps[0]: step kind 'print' is unknown; accepted: kernel, "
            "memset, copy, repeat, when, matmul, convolution");
}

TEST(PlanJson, LibraryStepsNameWhatIsMissing) {
  EXPECT_EQ(errorOf(withStep(R"({"kind": "matmul"})")), "steps[0].a: missing");
  EXPECT_EQ(errorOf(withStep(R"({"kind": "convolution",
      "input": {"buffer": "x"}, "weight": {"buffer": "w"}})")),
            "steps[0].output: missing");
}

} // namespace
