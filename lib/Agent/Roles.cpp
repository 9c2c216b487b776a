//===- Roles.cpp - Which role works on which attempt ----------------------===//
//
// Seeds first: the expert's kernel costs no tokens, then the Generator's,
// which differ in approach. Then the best few are branched from; a failed
// change is repaired up to the cap, then the search goes back to a parent. A
// failed seed is repaired only while nothing is right.
//
//===----------------------------------------------------------------------===//
#include "Roles.h"

#include <algorithm>
#include <cmath>

namespace kclaw {
namespace {

using Status = AttemptResult::Status;

class Roles : public Strategy {
public:
  Roles(Run &run, const RegionTask &task, const Tree &tree)
      : run(run), task(task), tree(tree) {}

  Expected<AttemptResult> next(int attempt) override {
    RoleWork work(run, task, tree, attempt);
    if (auto done = work.begin(); !done)
      return std::unexpected(done.error());
    if (attempt == 1)
      if (auto plan = startingPoint(*run.knowledge, task.spec, 0,
                                    run.evaluator.sweepsTunables()))
        return work.judgeExpert(*plan);
    if (const AttemptRecord *failed = toRepair(Phase::Optimise))
      return work.repair(*failed);
    if (tree.count(Phase::Seed) < run.options.seeds)
      return work.seed(tree.count(Phase::Seed));
    if (tree.beam(1).empty())
      return withNothingRight(work);
    return optimise(work, attempt);
  }

  std::string whyOver() const override { return reasonToStop(run, tree); }

private:
  /// More seeds than asked for, when none can be mended.
  Expected<AttemptResult> withNothingRight(RoleWork &work) {
    if (const AttemptRecord *failed = toRepair(Phase::Seed))
      return work.repair(*failed);
    int seeds = tree.count(Phase::Seed);
    if (seeds < 2 * run.options.seeds)
      return work.seed(seeds);
    return ended(Status::Exhausted,
                 "none of " + std::to_string(seeds) + " seeds became right");
  }

  Expected<AttemptResult> optimise(RoleWork &work, int attempt) {
    auto recorded = readRetrieved(run, work.folder());
    if (!recorded)
      return std::unexpected(recorded.error());
    if (*recorded)
      return work.optimise(*tree.find((*recorded)->parent), **recorded);
    for (const AttemptRecord *parent : parents()) {
      Retrieved gate = retrieve(run, task, tree, parent, attempt);
      if (!gate.allowed.empty())
        return work.optimise(*parent, gate);
    }
    return ended(Status::Exhausted,
                 "no method is left that fits one of the best kernels");
  }

  /// The newest end of a chain that started in `phase` and may go on.
  const AttemptRecord *toRepair(Phase phase) const {
    const auto &records = tree.records();
    for (auto record = records.rbegin(); record != records.rend(); ++record) {
      if (record->right() || !record->plan || hasRepair(*record))
        continue;
      std::vector<const AttemptRecord *> chain = tree.chain(*record);
      int repairs = int(chain.size()) - 1;
      if (chain.front()->decision.phase == phase &&
          repairs < run.options.repairCap)
        return &*record;
    }
    return nullptr;
  }

  bool hasRepair(const AttemptRecord &failed) const {
    return std::ranges::any_of(tree.records(), [&](const AttemptRecord &r) {
      return r.decision.phase == Phase::Repair &&
             r.decision.parent == failed.number;
    });
  }

  /// The beam, the most promising first: each fruitless method costs a parent
  /// as much as being so much slower.
  std::vector<const AttemptRecord *> parents() const {
    constexpr double fruitlessCost = 0.1; // of log speedup
    std::vector<const AttemptRecord *> beam = tree.beam(run.options.beam);
    auto promise = [&](const AttemptRecord *record) {
      double speedup = std::max(record->evaluation.speedup, 1e-6);
      return std::log(speedup) -
             fruitlessCost *
                 double(tree.fruitlessMethods(record->number).size());
    };
    std::ranges::stable_sort(beam, std::greater<>(), promise);
    return beam;
  }

  Run &run;
  const RegionTask &task;
  const Tree &tree;
};

} // namespace

std::unique_ptr<Strategy> createRoles(Run &run, const RegionTask &task,
                                      const Tree &tree) {
  return std::make_unique<Roles>(run, task, tree);
}

} // namespace kclaw
