//===- EvaluatorGate.h - No more jobs than an evaluator takes ---*- C++ -*-===//
//
// Private. Regions may be searched by more threads than there are devices:
// calls beyond parallelJobs() wait here. Once the run is cancelled no job is
// begun, and a worker that was lost is no verdict on a kernel: the terminal's
// Ctrl-C reaches workers, too.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_EVALUATORGATE_H
#define KERNELCLAW_LIB_AGENT_EVALUATORGATE_H

#include "kernelclaw/Agent/Agent.h"

#include <algorithm>
#include <semaphore>

namespace kclaw {

inline bool isCancelled(const AgentOptions &options) {
  return options.cancelled && *options.cancelled;
}
inline std::unexpected<Error> interrupted() {
  return makeError(Error::Code::Unavailable, "interrupted");
}

class EvaluatorGate : public Evaluator {
public:
  EvaluatorGate(Evaluator &evaluator, const AgentOptions &options)
      : evaluator(evaluator), options(options),
        slots(std::max(1, evaluator.parallelJobs())) {}

  Expected<Evaluation> evaluate(const Job &job) override {
    slots.acquire();
    if (isCancelled(options)) {
      slots.release();
      return interrupted();
    }
    auto evaluation = evaluator.evaluate(job);
    slots.release();
    bool lost = evaluation && evaluation->rule == workerLostRule;
    if (isCancelled(options) && (lost || !evaluation))
      return interrupted();
    return evaluation;
  }
  int parallelJobs() const override { return evaluator.parallelJobs(); }
  Evidence evidence() const override { return evaluator.evidence(); }
  bool sweepsTunables() const override { return evaluator.sweepsTunables(); }

private:
  Evaluator &evaluator;
  const AgentOptions &options;
  std::counting_semaphore<> slots;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_EVALUATORGATE_H
