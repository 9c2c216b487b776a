//===- Learning.cpp - What an attempt taught ------------------------------===//
#include "Learning.h"

#include <cstdio>
#include <ctime>

namespace kclaw {
namespace {

std::string rowId(const Run &run, const RegionTask &task, int attempt) {
  return run.directory.id() + "/" + task.spec.specHash + "/" +
         std::to_string(attempt);
}

/// What was wrong with the kernel that `record` mends, and what mended it.
LessonCandidate lessonOf(const Run &run, const RegionTask &task,
                         const AttemptRecord &failed,
                         const AttemptRecord &record) {
  LessonCandidate lesson;
  lesson.id = rowId(run, task, failed.number);
  lesson.signature = failureSignature(failed.evaluation);
  lesson.outcome = failed.evaluation.outcome;
  lesson.rule = failed.evaluation.rule;
  lesson.diagnosis = record.decision.rootCause;
  lesson.fix = record.decision.fix;
  lesson.after = record.evaluation.outcome;
  lesson.arch = run.options.arch;
  lesson.evidence = record.evaluation.evidence;
  lesson.unixSeconds = int64_t(std::time(nullptr));
  return lesson;
}

} // namespace

Experience experienceOf(const Run &run, const RegionTask &task,
                        const AttemptRecord &record) {
  const Decision &decision = record.decision;
  const Evaluation &evaluation = record.evaluation;
  Experience row;
  row.id = rowId(run, task, record.number);
  row.specHash = task.spec.specHash;
  row.family = task.spec.family;
  row.arch = run.options.arch;
  row.policy = name(task.spec.policy);
  row.context = decision.context;
  row.caseName = decision.caseName;
  row.method = decision.method;
  row.predicted = decision.predicted;
  row.measured = record.measured;
  row.outcome = evaluation.outcome;
  row.rule = evaluation.rule;
  row.evidence = evaluation.evidence;
  row.gain = record.gain;
  row.device = evaluation.device.name;
  if (decision.phase == Phase::Repair)
    row.mends = rowId(run, task, decision.parent);
  return row;
}

Expected<void> learn(Run &run, const RegionTask &task, const Tree &tree,
                     const AttemptRecord &record) {
  AttemptFolder folder =
      run.directory.attempt(task.spec.specHash, record.number);
  auto known = folder.read("attempt.json");
  if (!known)
    return std::unexpected(known.error());
  if (*known)
    return {};
  // Greedy is told nothing by experience and has no features to learn under.
  if (run.store && run.knowledge && !run.options.compileOnly) {
    Experience row = experienceOf(run, task, record);
    row.unixSeconds = int64_t(std::time(nullptr));
    if (auto done = run.store->learn(row); !done)
      return done;
    const AttemptRecord *parent = tree.find(record.decision.parent);
    if (record.decision.phase == Phase::Repair && record.right() && parent)
      if (auto done = run.store->propose(lessonOf(run, task, *parent, record));
          !done)
        return done;
  }
  return folder.record("attempt.json", toJson(record));
}

} // namespace kclaw
