//===- Strategy.cpp - What is tried next at a region ----------------------===//
#include "Strategy.h"

#include "Conversation.h"
#include "Describe.h"

#include <cmath>

namespace kclaw {
namespace {

/// Nothing is left to win within this factor of the bound.
constexpr double atTheRoof = 1.05;
/// Of the best's speedup, from which on an attempt gets a profile.
constexpr double nearMiss = 0.8;

/// Stock has to be beaten by the option's factor, an earlier winner at all.
double keepAboveSpeedup(const Run &run, const Tree &tree) {
  return tree.best() ? tree.best()->evaluation.speedup
                     : std::nextafter(run.options.minSpeedup, 0.0);
}

class Greedy : public Strategy {
public:
  Greedy(Run &run, const RegionTask &task, const Tree &tree)
      : run(run), task(task), tree(tree) {}

  Expected<AttemptResult> next(int attempt) override {
    auto conversation =
        buildConversation(run.prompts, task, run.options, attempt, tree);
    if (!conversation)
      return std::unexpected(conversation.error());
    Decision decision = decide();
    auto result = runAttempt(run, task, std::move(*conversation),
                             keepAboveSpeedup(run, tree));
    if (result)
      result->record.decision = decision;
    return result;
  }

private:
  /// As buildConversation shows it.
  Decision decide() const {
    Decision decision;
    const AttemptRecord *last = tree.last();
    if (!last)
      return decision;
    const AttemptRecord *shown =
        last->right() && tree.best() ? tree.best() : last;
    decision.phase = last->right() ? Phase::Optimise : Phase::Repair;
    decision.parent = shown->number;
    return decision;
  }

  Run &run;
  const RegionTask &task;
  const Tree &tree;
};

} // namespace

/// Which of the two that headroomOf takes the smaller of.
static std::string boundOf(const Evaluation &evaluation) {
  double roofline = evaluation.profile.roofline.headroom;
  return roofline > 0 && roofline <= headroomOf(evaluation)
             ? "the roofline of its profile allows"
             : "reading and writing the same bytes takes";
}

Judging judgingOf(const Run &run, const Tree &tree) {
  Judging judging;
  judging.keepAboveSpeedup = keepAboveSpeedup(run, tree);
  judging.profileAboveSpeedup =
      tree.best() ? nearMiss * tree.best()->evaluation.speedup : 0.0;
  if (tree.best())
    judging.incumbent = &*tree.best()->plan;
  return judging;
}

std::string reasonToStop(const Run &run, const Tree &tree) {
  for (const AttemptRecord &record : tree.records()) {
    if (!record.right())
      continue;
    double headroom = headroomOf(record.evaluation);
    if (headroom <= 0)
      continue;
    if (&record == tree.best() && headroom <= atTheRoof)
      return "the best is at the roofline: it takes " + decimal(headroom) +
             " times what " + boundOf(record.evaluation);
    double stock = headroom * record.evaluation.speedup;
    if (stock > 0 && stock <= atTheRoof)
      return "stock is at the roofline: it takes " + decimal(stock) +
             " times what " + boundOf(record.evaluation);
  }
  if (tree.sinceGain() >= run.options.noGainAttempts)
    return "no gain in " + std::to_string(tree.sinceGain()) + " attempts";
  return "";
}

std::unique_ptr<Strategy> createGreedy(Run &run, const RegionTask &task,
                                       const Tree &tree) {
  return std::make_unique<Greedy>(run, task, tree);
}

std::unique_ptr<Strategy> createStrategy(Run &run, const RegionTask &task,
                                         const Tree &tree) {
  if (run.options.strategy == "roles")
    return createRoles(run, task, tree);
  if (run.options.strategy == "agent")
    return createAgent(run, task, tree);
  return createGreedy(run, task, tree);
}

} // namespace kclaw
