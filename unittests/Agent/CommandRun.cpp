//===- CommandRun.cpp - A whole run with a program as its model -----------===//
//
// The module of test/Agent/Inputs/thirty.py without a compiler: N regions
// relu(x + y), provider=command, and an evaluator that judges by reading the
// source. test/Agent/misbehaving_model.py runs it with a model that misbehaves;
// exit codes are those of kernelclaw-opt.
//
//===----------------------------------------------------------------------===//
#include "AgentBank.h"
#include "Expert/SpecBuilder.h"
#include "Fakes.h"

#include <cstdio>
#include <cstdlib>

using namespace kclaw;

namespace {

/// What a real evaluator would find in such sources, in order of precedence.
struct Finding {
  const char *text;
  Outcome outcome;
  const char *message;
};
constexpr Finding findings[] = {
    {"sun", Outcome::CompileError, "identifier \"sun\" is undefined"},
    {"while (", Outcome::Timeout, "a kernel runs for more than 10 s"},
    {"1 << 20", Outcome::Fault, "write of 4 bytes out of bounds"},
    {"(float *)x)[i]", Outcome::Mismatch, "argument 0 was written"},
    {"z[i] = 0;", Outcome::Mismatch, "result 0: got 0, want 0.5"}};

class ReadingEvaluator : public Evaluator {
public:
  Expected<Evaluation> evaluate(const Job &job) override {
    Evaluation evaluation = judged(Outcome::Ok, 1.25);
    evaluation.jobId = job.id;
    evaluation.message.clear();
    evaluation.profile = {};
    std::string source;
    for (const PlanModule &module : job.candidate.modules)
      source += module.source;
    bool expert = job.candidate.producer == Producer::Expert;
    if (!expert && source.find("z[i]") == std::string::npos &&
        source.find("float4") == std::string::npos)
      end(evaluation, Outcome::Mismatch, "result 0: nothing was written");
    for (const Finding &finding : findings)
      if (!expert && source.find(finding.text) != std::string::npos) {
        end(evaluation, finding.outcome, finding.message);
        break;
      }
    if (toJson(job.candidate).find("1024 * 1024 * 1024") != std::string::npos)
      end(evaluation, Outcome::LaunchError, "shared memory over the limit");
    if (expert)
      evaluation.speedup = 1;
    return evaluation;
  }

private:
  static void end(Evaluation &evaluation, Outcome outcome,
                  const char *message) {
    evaluation.outcome = outcome;
    evaluation.message = message;
    evaluation.speedup = 0;
    evaluation.time = {};
  }
};

RegionTask region(int number) {
  test::SpecBuilder builder;
  test::Shape shape{5003 + 17 * number};
  auto x = builder.arg(DType::f32, shape), y = builder.arg(DType::f32, shape);
  auto sum = builder.op("aten.add.Tensor", {x, y, 1}, DType::f32, shape);
  builder.result(builder.op("aten.relu", {sum}, DType::f32, shape));
  RegionTask task{builder.spec, samplePlan(), samplePlan()};
  KernelSpec &spec = task.spec;
  spec.symbol = "region" + std::to_string(number);
  spec.family = "pointwise";
  spec.listing = "z = relu(x + y)";
  spec.canonicalText = "add, relu of " + std::to_string(shape[0]);
  spec.bytes = 12.0 * double(shape[0]);
  spec.flops = 2.0 * double(shape[0]);
  spec.specHash = computeSpecHash(spec);
  return task;
}

int exitCode(const std::vector<RegionOutcome> &outcomes) {
  int code = 0;
  for (const RegionOutcome &outcome : outcomes) {
    if (outcome.degraded)
      return 4;
    code = outcome.budgetReached ? 3 : code;
  }
  return code;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: %s RUNDIR COMMAND STRATEGY REGIONS TOKENS\n",
                 argv[0]);
    return 2;
  }
  ProviderOptions model;
  model.kind = "command";
  model.command = argv[2];
  model.keyVariable = "KERNELCLAW_API_KEY";
  model.timeoutSeconds = 5;
  auto provider = createProvider(model);
  if (!provider) {
    std::fprintf(stderr, "%s\n", provider.error().message.c_str());
    return 1;
  }
  AgentOptions options;
  options.runDirectory = argv[1];
  options.promptDirectory = KCLAW_PROMPTS_DIR;
  TemporaryDirectory folder;
  options.memorybank = folder / "bank";
  writeAgentBank(options.memorybank);
  options.provider = "command";
  options.strategy = argv[3];
  options.budget.maxAttempts = 3;
  options.budget.maxTokens = std::atoll(argv[5]);
  options.seeds = 1;
  options.jobs = 2;
  options.progress = ProgressKind::Plain;
  std::vector<RegionTask> tasks;
  for (int i = 0; i < std::atoi(argv[4]); ++i)
    tasks.push_back(region(i));
  ReadingEvaluator evaluator;
  auto outcomes =
      optimizeRegions(tasks, **provider, evaluator, nullptr, options);
  if (!outcomes) {
    std::fprintf(stderr, "%s\n", outcomes.error().message.c_str());
    return 1;
  }
  return exitCode(*outcomes);
}
