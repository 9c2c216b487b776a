//===- LocalEvaluator.cpp - A worker process on this machine --------------===//
#include "Evaluators.h"
#include "Launcher.h"
#include "WorkerProcess.h"
#include "kernelclaw/Cuda/DriverApi.h"
#include "kernelclaw/Cuda/DriverChoice.h"

namespace kclaw {
namespace {

class LocalEvaluator : public Evaluator {
public:
  LocalEvaluator(WorkerProcess worker, bool simulated)
      : worker(std::move(worker)), simulated(simulated) {}

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
    if (simulated && evaluation->rule == "job-time-limit")
      evaluation->message += "; on the simulator: use smaller sizes, a plan "
                             "that is resizable, or a GPU";
    return evaluation;
  }
  Evidence evidence() const override {
    return simulated ? Evidence::Simulated : Evidence::Measured;
  }

private:
  WorkerProcess worker;
  bool simulated;
};

} // namespace

/// What the worker shall be asked for, and whether that is the simulator. Here
/// `auto` is settled, so that all workers of a run judge alike; behind a
/// launcher only the worker can tell.
static Expected<DriverChoice> settleDevice(const EvaluatorOptions &options) {
  if (!options.launcher.empty())
    return DriverChoice{"", options.device == "sim"};
  Expected<DriverChoice> choice = chooseDriver(options.device);
  if (!choice || choice->simulated)
    return choice;
  if (auto driver = loadDriverApi(); !driver)
    return std::unexpected(driver.error());
  return choice;
}

MadeEvaluator createLocalEvaluator(const EvaluatorOptions &options) {
  Expected<std::string> worker = findWorker(options.workerPath);
  if (!worker)
    return std::unexpected(worker.error());
  Expected<DriverChoice> choice = settleDevice(options);
  if (!choice)
    return std::unexpected(choice.error().context("evaluator 'local'"));
  std::string device = !options.launcher.empty() ? options.device
                       : choice->simulated       ? "sim"
                                                 : "cuda";
  std::vector<std::string> command{*worker, "--child", "--device=" + device};
  if (!options.launcher.empty()) {
    Expected<std::vector<std::string>> words = parseLauncher(options.launcher);
    if (!words)
      return std::unexpected(words.error());
    command.insert(command.begin(), words->begin(), words->end());
  }
  return std::make_unique<LocalEvaluator>(
      WorkerProcess(command[0], {command.begin() + 1, command.end()}),
      choice->simulated);
}

} // namespace kclaw
