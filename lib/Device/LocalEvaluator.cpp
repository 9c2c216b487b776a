//===- LocalEvaluator.cpp - A worker process on this machine --------------===//
#include "Evaluators.h"
#include "Launcher.h"
#include "WorkerProcess.h"
#include "kernelclaw/Cuda/DriverApi.h"

namespace kclaw {
namespace {

class LocalEvaluator : public Evaluator {
public:
  explicit LocalEvaluator(WorkerProcess worker) : worker(std::move(worker)) {}

  Expected<Evaluation> evaluate(const Job &job) override {
    Expected<std::string> line =
        worker.judgeLine(toJson(job), job.id, job.timeoutSeconds);
    if (!line)
      return std::unexpected(line.error());
    Expected<Evaluation> evaluation = parseEvaluation(*line);
    if (!evaluation)
      return std::unexpected(evaluation.error().context("the worker's answer"));
    if (evaluation->rule == "unavailable")
      return makeError(Error::Code::Unavailable, evaluation->message);
    return evaluation;
  }

private:
  WorkerProcess worker;
};

} // namespace

MadeEvaluator createLocalEvaluator(const EvaluatorOptions &options) {
  if (options.device != "cuda" && options.device != "auto")
    return makeError(Error::Code::Unavailable,
                     "evaluator 'local' has no device '" + options.device +
                         "'; accepted: cuda, auto");
  Expected<std::string> worker = findWorker(options.workerPath);
  if (!worker)
    return std::unexpected(worker.error());
  std::vector<std::string> command{*worker, "--child", "--device=cuda"};
  if (!options.launcher.empty()) {
    Expected<std::vector<std::string>> words = parseLauncher(options.launcher);
    if (!words)
      return std::unexpected(words.error());
    command.insert(command.begin(), words->begin(), words->end());
  } else if (auto driver = loadDriverApi(); !driver) {
    return std::unexpected(driver.error().context("evaluator 'local'"));
  }
  return std::make_unique<LocalEvaluator>(
      WorkerProcess(command[0], {command.begin() + 1, command.end()}));
}

} // namespace kclaw
