//===- ToolWork.cpp - What each tool of the agent does --------------------===//
#include "Tools.h"

#include "Describe.h"
#include "RoleReplies.h"
#include "kernelclaw/Plan/CheckPlan.h"

#include <algorithm>

namespace kclaw {
namespace {

using json::Json;

/// Judgements beside attempts, in one attempt.
constexpr int maxChecks = 6;

std::string summarise(const Evaluation &evaluation) {
  std::string text = name(evaluation.outcome);
  if (evaluation.speedup > 0)
    text += ", " + decimal(evaluation.speedup) + "x of stock";
  if (!evaluation.message.empty())
    text += ": " + firstBytes(evaluation.message, 160);
  return text;
}

std::string describeResult(const AttemptRecord &record) {
  return describeEvidence(record.evaluation) +
         describeProfile(record.evaluation.profile);
}

/// How the newest attempt stands: against the best and what it started from,
/// and what was predicted; what follows when it is no gain.
std::string describeStanding(const Tree &tree, const AttemptRecord &record,
                             int mostAttempts) {
  std::string text = "Judged as attempt " + std::to_string(record.number);
  if (mostAttempts > 0)
    text += " of " + std::to_string(mostAttempts);
  text += ".\n";
  auto against = [&](const char *what, const AttemptRecord *other) {
    if (other && record.right() && other->evaluation.speedup > 0)
      text += std::string(what) + " attempt " + std::to_string(other->number) +
              ": " + decimal(other->evaluation.speedup) + "x of stock; this " +
              decimal(record.evaluation.speedup) + "x.\n";
  };
  const AttemptRecord *best = tree.best();
  const AttemptRecord *base = tree.base(record.decision.parent);
  if (base != best)
    against("It started from", base);
  against("The best so far was", best);
  constexpr const char *signs[] = {"down", "same", "up"};
  if (base)
    for (const auto &[counter, measured] :
         measuredChanges(record.evaluation, base->evaluation))
      if (auto said = record.decision.predicted.find(counter);
          said != record.decision.predicted.end())
        text += "Predicted " + counter + " " +
                signs[std::clamp(said->second, -1, 1) + 1] + ": measured x" +
                decimal(measured) + ".\n";
  if (best && record.right() &&
      record.evaluation.speedup < best->evaluation.speedup)
    text += "It is slower than the best: go back with history {\"attempt\": " +
            std::to_string(best->number) +
            ", \"restore\": true}, or say what this opens.\n";
  return text;
}

} // namespace

std::expected<Plan, std::string> Tools::plan() const {
  auto text = planFromFiles(working);
  if (!text)
    return std::unexpected(text.error().message);
  auto plan = parsePlan(*text);
  if (!plan)
    return std::unexpected("plan.json: " + plan.error().message);
  plan->producer = Producer::Model;
  if (auto fits = checkPlan(*plan, task.spec, /*fromModel=*/true); !fits)
    return std::unexpected("plan.json: " + fits.error().message);
  return *plan;
}

Expected<ToolAnswer> Tools::compile(const Json &arguments) {
  if (std::string why = change(arguments); !why.empty())
    return refuse(why);
  auto candidate = plan();
  if (!candidate)
    return refuse(candidate.error());
  Job job = candidateJob(run, task, attempt, *candidate, {});
  job.kind = Job::Kind::Compile;
  auto evaluation = aside(std::move(job));
  if (!evaluation)
    return std::unexpected(evaluation.error());
  compiled = *evaluation;
  bool failed = evaluation->outcome == Outcome::CompileError ||
                evaluation->outcome == Outcome::Rejected;
  std::string text = failed ? "" : "It compiles.\n";
  return ToolAnswer{text + describeEvidence(*evaluation),
                    failed ? "compile: " + summarise(*evaluation)
                           : "compile: ok",
                    {},
                    false};
}

Expected<ToolAnswer> Tools::check(const Json &arguments) {
  if (std::string why = change(arguments); !why.empty())
    return refuse(why);
  if (++checks > maxChecks)
    return refuse("there were " + std::to_string(maxChecks) +
                  " checks in this attempt; call time or submit");
  auto candidate = plan();
  if (!candidate)
    return refuse(candidate.error());
  Job job = candidateJob(run, task, attempt, *candidate, {});
  job.maxSweepSeconds = 0;
  job.maxTimingSeconds = 0.05;
  auto evaluation = aside(std::move(job));
  if (!evaluation)
    return std::unexpected(evaluation.error());
  compiled = *evaluation;
  return ToolAnswer{describeEvidence(*evaluation),
                    "check: " + summarise(*evaluation),
                    {},
                    false};
}

Expected<ToolAnswer> Tools::time(const Json &arguments) {
  return judge(arguments, false);
}

Expected<ToolAnswer> Tools::submit(const Json &arguments) {
  return judge(arguments, arguments.value("final", false));
}

std::expected<Decision, std::string>
Tools::declare(const Json &arguments) const {
  Decision decision;
  const AttemptRecord *from = tree.find(origin);
  const AttemptRecord *right = rightParent();
  decision.parent = from ? from->number : 0;
  decision.plan = arguments.value("plan", "");
  std::string method = arguments.value("method", "");
  for (const Json &each : arguments.value("evidence", Json::array()))
    decision.evidence.push_back(each.get<std::string>());
  for (const Json &row : arguments.value("predicted", Json::array())) {
    std::string change = row["change"];
    decision.predicted[row["counter"]] = change == "up"     ? 1
                                         : change == "down" ? -1
                                                            : 0;
  }
  Retrieved allowed = gate();
  noteGate(decision, allowed);
  if (from && !from->right()) { // what failed is mended under its own method
    if (int(tree.chain(*from).size()) > run.options.repairCap)
      return std::unexpected(
          std::to_string(run.options.repairCap) +
          " repairs in a row have failed; go back with history, restore");
    decision.phase = Phase::Repair;
    decision.method = from->decision.method;
    decision.rootCause = decision.plan;
    return decision;
  }
  if (!right)
    return decision; // a seed
  decision.phase = Phase::Optimise;
  decision.method = method;
  if (method.empty())
    return std::unexpected("name the method that this change applies");
  if (std::string why = allowed.whyNot(method); !why.empty())
    return std::unexpected(why);
  if (std::ranges::none_of(decision.evidence, [&](const std::string &each) {
        return quotesNumber(each, shown);
      }))
    return std::unexpected("evidence: quote at least one number that a tool "
                           "has shown, as it stood there");
  if (decision.predicted.empty())
    return std::unexpected("predicted: say which counters, or time, will "
                           "change, and how");
  return decision;
}

Expected<ToolAnswer> Tools::judge(const Json &arguments, bool final) {
  if (std::string why = change(arguments); !why.empty())
    return refuse(why);
  if (working == judgedFiles) {
    std::string before =
        "these files were judged before, as attempt " + std::to_string(origin);
    if (!final)
      return refuse(before);
    return ToolAnswer{"The search ends here; " + before + ".\n",
                      "finished",
                      {},
                      /*finished=*/true};
  }
  auto decision = declare(arguments);
  if (!decision)
    return refuse(decision.error());
  auto text = planFromFiles(working);
  if (!text)
    return refuse(text.error().message);
  if (auto parsed = parsePlan(*text); !parsed)
    return refuse("plan.json: " + parsed.error().message);
  if (decision->phase == Phase::Optimise)
    if (auto done = recordRetrieved(folder(), gate()); !done)
      return std::unexpected(done.error());
  auto result = judgeText(run, task, attempt, *text, judgingOf(run, tree));
  if (!result)
    return std::unexpected(result.error());
  ToolAnswer answer;
  if (result->status == AttemptResult::Status::Judged) {
    result->record.decision = *decision;
    answer.text =
        describeStanding(tree, result->record, run.options.budget.maxAttempts) +
        describeResult(result->record);
    if (decision->phase != Phase::Optimise && arguments.contains("method"))
      answer.text += decision->phase == Phase::Seed
                         ? "A first kernel needs no method: it was ignored.\n"
                         : "A repair keeps the method of what it mends.\n";
    answer.summary = "attempt " + std::to_string(attempt) + ": " +
                     summarise(result->record.evaluation);
    compiled = result->record.evaluation;
    judgedFiles = working;
    origin = attempt;
  }
  answer.judged = std::move(*result);
  answer.finished = final;
  return answer;
}

Expected<ToolAnswer> Tools::profile(const Json &arguments) {
  int number = arguments.value("attempt", origin);
  const AttemptRecord *record = tree.find(number);
  if (!record || !record->plan)
    return refuse("there is no judged attempt " + std::to_string(number));
  Evaluation evaluation = record->evaluation;
  if (record->right() && evaluation.profile.level == ProfileLevel::None) {
    Job job = candidateJob(run, task, attempt, *record->plan,
                           {.profileAboveSpeedup = 0.0});
    job.maxSweepSeconds = 0; // its tunables were chosen
    auto again = aside(std::move(job));
    if (!again)
      return std::unexpected(again.error());
    evaluation.profile = again->profile;
  }
  std::string text = describeProfile(evaluation.profile);
  if (!evaluation.profile.reason.empty())
    text += "Not all could be seen: " + evaluation.profile.reason + "\n";
  return ToolAnswer{text.empty() ? "There is no profile of it.\n" : text,
                    "profile of attempt " + std::to_string(number),
                    {},
                    false};
}

Expected<ToolAnswer> Tools::disassemble(const Json &) {
  if (!compiled || compiled->images.empty())
    return refuse("nothing was compiled yet: call compile, check or time");
  std::string text;
  for (const KernelProfile &kernel : compiled->profile.kernels) {
    text += "// " + kernel.kernel + " (machine code):";
    for (const auto &[group, count] : kernel.instructionMix)
      text += " " + group + "=" + std::to_string(count);
    text += "\n";
  }
  for (const ModuleImage &image : compiled->images)
    text += "// module " + image.module + ", PTX\n" + image.ptx + "\n";
  return ToolAnswer{text, "PTX", {}, false};
}

Expected<ToolAnswer> Tools::card(const Json &arguments) {
  Retrieved allowed = gate();
  std::string wanted = arguments.value("name", "");
  if (wanted.empty())
    return ToolAnswer{describeDiagnosis(allowed) + "Methods:\n" +
                          describeMethods(allowed, 0),
                      "list of methods",
                      {},
                      false};
  const Method *method = run.knowledge->bank.method(wanted);
  if (!method)
    return refuse("there is no method '" + wanted +
                  "'; call card without a name for those that are allowed");
  if (std::string why = allowed.whyNot(wanted); !why.empty())
    return refuse(why);
  return ToolAnswer{describeCard(*method), "card " + wanted, {}, false};
}

Expected<ToolAnswer> Tools::skeleton(const Json &arguments) {
  int index = arguments.value("index", 0);
  auto plan = startingPoint(*run.knowledge, task.spec, index,
                            run.evaluator.sweepsTunables());
  if (!plan)
    return refuse("there is no skeleton " + std::to_string(index) +
                  " for this region");
  std::string text = plan->title + "\n" + describeFiles(planFiles(*plan));
  if (arguments.value("use", false)) {
    setFiles(planFiles(*plan), 0);
    text = "These are the files now.\n" + text;
  }
  return ToolAnswer{text, "skeleton: " + plan->title, {}, false};
}

Expected<ToolAnswer> Tools::history(const Json &arguments) {
  if (!arguments.contains("attempt"))
    return ToolAnswer{describeHistory(tree, 4 * run.options.historyTokens),
                      "history",
                      {},
                      false};
  int number = arguments["attempt"];
  const AttemptRecord *record = tree.find(number);
  if (!record)
    return refuse("there is no attempt " + std::to_string(number));
  std::string text =
      "Attempt " + std::to_string(number) + "\n" + describeResult(*record);
  if (!record->diff.empty())
    text += "Changed against attempt " +
            std::to_string(record->decision.parent) + ":\n" + record->diff;
  if (record->plan)
    text += describeFiles(planFiles(*record->plan));
  if (arguments.value("restore", false) && record->plan) {
    setFiles(planFiles(*record->plan), number);
    judgedFiles = working;
    text = "These are the files now.\n" + text;
  }
  return ToolAnswer{text, "attempt " + std::to_string(number), {}, false};
}

} // namespace kclaw
