//===- Roles.h - The work of the roles on one attempt -----------*- C++ -*-===//
//
// Private. Each function asks its roles, holds their answers to the schemas
// and to the gate, and has what comes of it judged. An answer that cannot be
// used is asked for once more, then is a failed attempt on record.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_ROLES_H
#define KERNELCLAW_LIB_AGENT_ROLES_H

#include "Dialog.h"
#include "Edits.h"
#include "Retrieval.h"
#include "Strategy.h"

namespace kclaw {

class RoleWork {
public:
  RoleWork(Run &run, const RegionTask &task, const Tree &tree, int attempt)
      : run(run), task(task), tree(tree), attempt(attempt),
        dialog(run, task, attempt) {}

  Expected<void> begin() { return folder().create(); }
  const AttemptFolder &folder() const { return dialog.attemptFolder(); }

  /// The memory bank's own kernel: no call.
  Expected<AttemptResult> judgeExpert(const Plan &plan);
  /// Generator: the `index`-th seed (from 0).
  Expected<AttemptResult> seed(int index);
  /// Planner, then Optimizer.
  Expected<AttemptResult> optimise(const AttemptRecord &parent,
                                   const Retrieved &gate);
  /// Diagnoser, then Repairer.
  Expected<AttemptResult> repair(const AttemptRecord &failed);

private:
  /// A role whose answer is JSON by schemas/<role>.json.
  Expected<Answer<json::Json>>
  askForJson(const std::string &role, const PromptValues &values,
             std::function<Answer<json::Json>(json::Json)> check);
  /// A role whose answer is edits on `files`; the plan as JSON for parsePlan.
  Expected<Answer<std::string>> askForEdits(const std::string &role,
                                            const PromptValues &values,
                                            const PlanFiles &files);
  Expected<AttemptResult> judge(const Expected<Answer<std::string>> &plan);
  Expected<AttemptResult> fail(const Unusable &problem);
  Expected<AttemptResult> withDecision(Expected<AttemptResult> result) const;

  Run &run;
  const RegionTask &task;
  const Tree &tree;
  int attempt;
  Dialog dialog;
  Decision decision;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_ROLES_H
