// What models send instead of a plan (LL-04, LL-05, LL-07).
#include "Agent/ExtractPlan.h"

#include "Plan/SamplePlan.h"
#include "kernelclaw/Plan/CheckPlan.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace kclaw;
using Kind = Extraction::Kind;
using nlohmann::json;

namespace {

Extraction fromText(const std::string &text,
                    const std::string &finish = "stop") {
  Reply reply;
  reply.text = text;
  reply.finishReason = finish;
  return extractPlan(reply, sampleSpec());
}

Extraction fromCall(const std::string &arguments,
                    const std::string &finish = "tool_calls") {
  Reply reply;
  reply.toolCalls = {{"1", "submit_kernel", arguments}};
  reply.finishReason = finish;
  return extractPlan(reply, sampleSpec());
}

const std::string code = "extern \"C\" __global__ void k() {\n\tint i;\n}\n";

std::string callArguments() {
  return json{{"code", code}, {"entry", "k"}, {"grid", {1}}, {"block", {32}}}
      .dump();
}

std::string sourceOf(const Extraction &found) {
  EXPECT_EQ(found.kind, Kind::Plan) << found.message;
  auto plan = parsePlan(found.planJson);
  EXPECT_TRUE(plan) << plan.error().message;
  return plan ? plan->modules[0].source : "";
}

TEST(ExtractPlan, WholePlanByTool) {
  std::string plan = toJson(samplePlan());
  EXPECT_EQ(sourceOf(fromCall("{\"plan\": " + plan + "}")),
            samplePlan().modules[0].source);
  EXPECT_EQ(sourceOf(fromCall(plan)), samplePlan().modules[0].source);
  EXPECT_EQ(sourceOf(fromCall(json{{"plan", plan}}.dump())),
            samplePlan().modules[0].source);
}

TEST(ExtractPlan, CodeByToolTakesAllTensors) {
  Extraction found = fromCall(callArguments());
  EXPECT_EQ(sourceOf(found), code);
  auto plan = parsePlan(found.planJson);
  auto fits = checkPlan(*plan, sampleSpec(), true);
  EXPECT_TRUE(fits) << fits.error().message;
  EXPECT_EQ(std::get<KernelStep>(plan->steps[0]).args.size(), 3u);
}

// LL-05 (a), (b), (g): recovered byte for byte.
TEST(ExtractPlan, RecoversArguments) {
  std::string plain = callArguments();
  EXPECT_EQ(sourceOf(fromCall(json(plain).dump())), code);
  EXPECT_EQ(sourceOf(fromCall(plain + "<|call|>")), code);
  std::string raw = plain;
  for (auto [from, to] : {std::pair{"\\n", "\n"}, {"\\t", "\t"}})
    for (size_t at; (at = raw.find(from)) != std::string::npos;)
      raw.replace(at, 2, to);
  ASSERT_NE(raw, plain);
  EXPECT_EQ(sourceOf(fromCall(raw)), code);
}

// LL-05 (c) to (f): back to the model with the reason.
TEST(ExtractPlan, HopelessArgumentsAreMalformed) {
  const std::pair<const char *, const char *> cases[] = {
      {R"({"code": ?})", "the arguments are not JSON"},
      {"", "the arguments are empty"},
      {"[1,2]", "the arguments are not a JSON object"},
      {"null", "the arguments are not a JSON object"},
      {R"("null")", "the arguments are not a JSON object"},
      {"{}", "submit_kernel needs a plan, or code"},
      {R"({"code": 3})", "submit_kernel needs a plan, or code"},
  };
  for (const auto &[arguments, reason] : cases) {
    Extraction found = fromCall(arguments);
    EXPECT_EQ(found.kind, Kind::Malformed) << arguments;
    EXPECT_TRUE(found.message.starts_with(reason)) << found.message;
  }
  Reply other;
  other.toolCalls = {{"1", "run_shell", "{}"}};
  EXPECT_EQ(extractPlan(other, sampleSpec()).message,
            "there is no tool 'run_shell'; call submit_kernel");
}

// LL-04: an open fence, cut arguments.
TEST(ExtractPlan, CutAnswersAreTruncated) {
  std::string open = "Here it is:\n```cuda\n" + code + "for (int i = 0; i <";
  EXPECT_EQ(fromText(open, "length").kind, Kind::Truncated);
  // Some servers claim a normal end.
  EXPECT_EQ(fromText(open, "stop").kind, Kind::Truncated);
  EXPECT_EQ(fromCall(R"({"entry": "k", "code":"__glob)").kind, Kind::Truncated);
  EXPECT_EQ(fromCall(R"({"entry": "k", "code":"__glob)", "length").kind,
            Kind::Truncated);
  EXPECT_EQ(fromText("", "length").kind, Kind::Truncated);
}

// LL-04, third variant: the complete block is used.
TEST(ExtractPlan, CompleteBlockBeforeACutOne) {
  std::string text = "```json\n" + toJson(samplePlan()) +
                     "\n```\nor better:\n```json\n{\"steps\": [";
  EXPECT_EQ(sourceOf(fromText(text, "length")), samplePlan().modules[0].source);
}

TEST(ExtractPlan, CudaBlockBesideThePlan) {
  Plan plan = samplePlan();
  plan.modules[0].source = "@cuda";
  std::string recipe = "```json\n" + toJson(plan) + "\n```\n";
  std::string first = "```cuda\nold\n```\n",
              last = "```cuda\n" + code + "```\n";
  EXPECT_EQ(sourceOf(fromText(first + last + recipe)), code);
  EXPECT_EQ(sourceOf(fromText(recipe + last)), code);
  EXPECT_EQ(fromText(recipe + "```cuda\nvoid k(").kind, Kind::Truncated);
  EXPECT_EQ(fromText(recipe).kind, Kind::Malformed);
}

TEST(ExtractPlan, LastCompletePlanCounts) {
  Plan old = samplePlan();
  old.modules[0].source = "old";
  std::string text = "```json\n" + toJson(old) + "\n```\n```json\n" +
                     toJson(samplePlan()) + "\n```\n```json\n{\"a\": 1}\n```\n";
  EXPECT_EQ(sourceOf(fromText(text)), samplePlan().modules[0].source);
  EXPECT_EQ(sourceOf(fromText(toJson(samplePlan()))),
            samplePlan().modules[0].source);
}

TEST(ExtractPlan, TextWithoutAPlanIsMalformed) {
  EXPECT_EQ(fromText("I cannot see the tensors").kind, Kind::Malformed);
  EXPECT_EQ(fromText("").message, "the reply is empty");
  EXPECT_EQ(fromText("```cuda\n" + code + "```").kind, Kind::Malformed);
  EXPECT_TRUE(fromText("```json\n{\"steps\": ?}\n```")
                  .message.starts_with("the json block is no plan: "));
}

// LL-07 (b), (c).
TEST(ExtractPlan, Refusals) {
  Reply reply;
  reply.refusal = "not this";
  Extraction found = extractPlan(reply, sampleSpec());
  EXPECT_EQ(found.kind, Kind::Refused);
  EXPECT_EQ(found.message, "refused: not this");
}

} // namespace
