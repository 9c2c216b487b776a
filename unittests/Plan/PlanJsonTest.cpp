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

TEST(PlanJson, LaterFeaturesAreRefusedByName) {
  for (const char *kind : {"repeat", "when", "matmul", "convolution"})
    EXPECT_EQ(errorOf(withStep("{\"kind\": \"" + std::string(kind) + "\"}")),
              "steps[0]: step kind '" + std::string(kind) +
                  "' is not supported yet by this version");
  EXPECT_EQ(errorOf(withStep(R"({"kind": "print"})")),
            "steps[0]: step kind 'print' is unknown; accepted: kernel, "
            "memset, copy");
  EXPECT_EQ(errorOf(R"({"buffers": [], "steps": [], "prepare": [{}]})"),
            "prepare: a prepare step is not supported yet by this version");
  EXPECT_EQ(errorOf(R"({"buffers": [{"name": "p", "kind": "persistent",
                        "sizeBytes": 4}], "steps": []})"),
            "buffers[0]: a persistent buffer is not supported yet by this "
            "version");
  EXPECT_EQ(
      errorOf(withStep(
          R"({"kind": "kernel", "module": "m", "entry": "k", "grid": [1],
              "block": [1], "args": [{"tensorMap": {}}]})")),
      "steps[0].args[0]: a tensor map is not supported yet by this version");
}

} // namespace
