//===- RoleWork.cpp - The work of the roles on one attempt ----------------===//
#include "Roles.h"

#include "Describe.h"
#include "RoleReplies.h"

namespace kclaw {

using json::Json;
using Status = AttemptResult::Status;

namespace {

constexpr size_t cardsForThePlanner = 5, cardsForASeed = 2;

/// Files of a plan, or what stands for none.
PlanFiles filesOf(const AttemptRecord &record) {
  return record.plan ? planFiles(*record.plan) : PlanFiles();
}

} // namespace

Expected<AttemptResult> RoleWork::judgeExpert(const Plan &plan) {
  decision.approach = "skeleton of the memory bank";
  noteGate(decision, retrieve(run, task, tree, nullptr, attempt));
  return withDecision(
      judgePlan(run, task, attempt, plan, judgingOf(run, tree)));
}

Expected<AttemptResult> RoleWork::seed(int index) {
  auto approaches = readApproaches(run.prompts);
  if (!approaches)
    return std::unexpected(approaches.error());
  const Approach &approach = (*approaches)[size_t(index) % approaches->size()];
  decision.approach = approach.name;
  Retrieved gate = retrieve(run, task, tree, nullptr, attempt);
  noteGate(decision, gate);
  PlanFiles start;
  // The first of the expert's kernels was judged already: seeds start from the
  // next ones.
  if (auto plan = startingPoint(*run.knowledge, task.spec, index,
                                run.evaluator.sweepsTunables()))
    start = planFiles(*plan);
  PromptValues values{
      {"approach", approach.text},
      {"methods", (gate.advice.empty() ? "" : gate.advice + "\n") +
                      describeMethods(gate, cardsForASeed, false)},
      {"start", start.empty() ? "There is no skeleton for this region.\n"
                              : describeFiles(start)},
      {"history", describeHistory(tree, run.options.historyTokens)}};
  return judge(askForEdits("generator", values, start));
}

Expected<AttemptResult> RoleWork::optimise(const AttemptRecord &parent,
                                           const Retrieved &gate) {
  if (auto done = recordRetrieved(folder(), gate); !done)
    return std::unexpected(done.error());
  decision.phase = Phase::Optimise;
  decision.parent = parent.number;
  decision.method = "none"; // until the planner has chosen
  noteGate(decision, gate);
  PlanFiles files = filesOf(parent);
  std::string numbers = describeEvidence(parent.evaluation) +
                        describeProfile(parent.evaluation.profile) +
                        describeDiagnosis(gate);
  const AttemptRecord *best = tree.best();
  PromptValues values{
      {"parent", std::to_string(parent.number)},
      {"standing", &parent == best ? "the best so far"
                   : best ? "not the best: attempt " +
                                std::to_string(best->number) + " is, " +
                                decimal(best->evaluation.speedup) + "x of stock"
                          : "nothing has won yet"},
      {"speedup", decimal(parent.evaluation.speedup)},
      {"failures", describeFailures(tree)},
      {"files", describeFiles(files)},
      {"numbers", numbers},
      {"methods", describeMethods(gate, cardsForThePlanner)},
      {"history", describeHistory(tree, run.options.historyTokens)}};
  auto planned = askForJson("planner", values, [&](Json plan) {
    return checkPlanner(std::move(plan), gate, numbers);
  });
  if (!planned)
    return withDecision(endOrFail(run, planned.error()));
  if (!*planned)
    return fail(planned->error());
  notePlanner(decision, **planned);
  const Method *method = run.knowledge->bank.method(decision.method);
  values["method"] = decision.method;
  values["plan"] = decision.plan;
  values["card"] = method ? describeCard(*method) : "";
  return judge(askForEdits("optimizer", values, files));
}

Expected<AttemptResult> RoleWork::repair(const AttemptRecord &failed) {
  decision = failed.decision; // method and prediction stay those of the change
  decision.phase = Phase::Repair;
  decision.parent = failed.number;
  decision.rootCause = decision.fix = "";
  decision.quotes.clear();
  PlanFiles files = filesOf(failed);
  std::string evidence = describeEvidence(failed.evaluation);
  PromptValues values{
      {"files", describeFiles(files)},
      {"evidence", evidence},
      {"diff", failed.diff.empty() ? "none: it is new\n" : failed.diff},
      {"lessons",
       describeLessons(findLessons(run.knowledge->bank, failed.evaluation))},
      {"chain", describeChain(tree.chain(failed))}};
  auto diagnosed = askForJson("diagnoser", values, [&](Json diagnosis) {
    return checkDiagnosis(std::move(diagnosis), evidence);
  });
  if (!diagnosed)
    return withDecision(endOrFail(run, diagnosed.error()));
  if (!*diagnosed)
    return fail(diagnosed->error());
  noteDiagnosis(decision, **diagnosed);
  values["diagnosis"] = json::dump(**diagnosed, 1);
  return judge(askForEdits("repairer", values, files));
}

Expected<Answer<Json>>
RoleWork::askForJson(const std::string &role, const PromptValues &values,
                     std::function<Answer<Json>(Json)> check) {
  auto schema = run.prompts.text("schemas/" + role + ".json");
  if (!schema)
    return std::unexpected(schema.error());
  PromptValues all = values;
  all["schema"] = json::dump(Json::parse(*schema, nullptr, false));
  auto conversation = dialog.start(role, role + ".md", all);
  if (!conversation)
    return std::unexpected(conversation.error());
  conversation->responseSchema = *schema;
  conversation->responseSchemaName = role;
  std::function<Answer<Json>(const Reply &)> read =
      [&](const Reply &reply) -> Answer<Json> {
    Answer<Json> object = readJson(reply, *schema);
    return object ? check(std::move(*object)) : object;
  };
  return dialog.question<Json>(std::move(*conversation), read);
}

Expected<Answer<std::string>> RoleWork::askForEdits(const std::string &role,
                                                    const PromptValues &values,
                                                    const PlanFiles &files) {
  auto conversation = dialog.start(role, role + ".md", values);
  if (!conversation)
    return std::unexpected(conversation.error());
  return dialog.question<std::string>(
      std::move(*conversation),
      [&](const Reply &reply) { return readPlanEdits(reply, files); });
}

Expected<AttemptResult>
RoleWork::judge(const Expected<Answer<std::string>> &plan) {
  if (!plan)
    return withDecision(endOrFail(run, plan.error()));
  if (!*plan)
    return fail(plan->error());
  return withDecision(
      judgeText(run, task, attempt, **plan, judgingOf(run, tree)));
}

Expected<AttemptResult> RoleWork::fail(const Unusable &problem) {
  if (problem.rule == Dialog::exhausted)
    return ended(Status::Exhausted, problem.why.empty()
                                        ? "the provider has nothing to offer"
                                        : problem.why);
  return withDecision(
      rejectAttempt(run, task, attempt, problem.rule, problem.why));
}

Expected<AttemptResult>
RoleWork::withDecision(Expected<AttemptResult> result) const {
  if (result) {
    result->record.decision = decision;
    result->record.usage = dialog.usage();
  }
  return result;
}

} // namespace kclaw
