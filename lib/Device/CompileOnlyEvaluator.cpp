//===- CompileOnlyEvaluator.cpp - No device: does it compile? -------------===//
#include "Evaluators.h"
#include "kernelclaw/Device/Compiler.h"

namespace kclaw {

Expected<Evaluation> compileOnly(const Job &job,
                                 const std::string &workerPath) {
  CompileOptions options;
  options.arch = job.arch;
  options.timeoutSeconds = job.timeoutSeconds;
  options.workerPath = workerPath;
  Expected<CompiledPlan> compiled =
      compilePlan(job.candidate, job.spec, options);
  if (!compiled)
    return std::unexpected(compiled.error());
  Evaluation evaluation;
  evaluation.jobId = job.id;
  evaluation.arch = job.arch;
  evaluation.outcome = compiled->outcome;
  evaluation.rule = compiled->rule;
  evaluation.message = compiled->message;
  evaluation.log = compiled->log;
  evaluation.resources = compiled->resources;
  evaluation.images = compiled->images;
  evaluation.nvrtcVersion = compiled->nvrtcVersion;
  return evaluation;
}

namespace {

class CompileOnlyEvaluator : public Evaluator {
public:
  /// It judges nothing.
  Evidence evidence() const override { return Evidence::None; }
  explicit CompileOnlyEvaluator(std::string worker)
      : worker(std::move(worker)) {}
  Expected<Evaluation> evaluate(const Job &job) override {
    return compileOnly(job, worker);
  }

private:
  std::string worker;
};

} // namespace

MadeEvaluator createCompileOnlyEvaluator(const EvaluatorOptions &options) {
  Expected<std::string> worker = findWorker(options.workerPath);
  if (!worker)
    return std::unexpected(worker.error());
  return std::make_unique<CompileOnlyEvaluator>(*worker);
}

} // namespace kclaw
