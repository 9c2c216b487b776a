//===- LocalEvaluator.cpp - Worker processes on this machine --------------===//
//
// Or, behind a launcher, wherever that puts them.
//
//===----------------------------------------------------------------------===//
#include "Evaluators.h"
#include "WorkerPlan.h"
#include "WorkerPool.h"

namespace kclaw {
namespace {

class LocalEvaluator : public Evaluator {
public:
  explicit LocalEvaluator(const WorkerPlan &plan)
      : pool(makeWorkers(plan, /*verbose=*/false)), simulated(plan.simulated) {}

  Expected<Evaluation> evaluate(const Job &job) override {
    Expected<Evaluation> evaluation = pool.judge(job);
    if (evaluation && simulated && evaluation->rule == "job-time-limit")
      evaluation->message += "; on the simulator: use smaller sizes, a plan "
                             "that is resizable, or a GPU";
    return evaluation;
  }
  bool sweepsTunables() const override { return true; }
  int parallelJobs() const override { return pool.size(); }
  Evidence evidence() const override {
    return simulated ? Evidence::Simulated : Evidence::Measured;
  }

private:
  WorkerPool pool;
  bool simulated;
};

} // namespace

MadeEvaluator createLocalEvaluator(const EvaluatorOptions &options) {
  Expected<std::string> worker = findWorker(options.workerPath);
  if (!worker)
    return std::unexpected(worker.error());
  Expected<WorkerPlan> plan = planWorkers(
      {options.device, *worker, options.launcher, options.workers, false});
  if (!plan)
    return std::unexpected(plan.error().context("evaluator 'local'"));
  return std::make_unique<LocalEvaluator>(*plan);
}

} // namespace kclaw
