//===- Conversation.cpp - What an attempt asks ----------------------------===//
#include "Conversation.h"

#include "ExtractPlan.h"

#include <algorithm>
#include <cstdio>
#include <limits>

namespace kclaw {
namespace {

constexpr size_t maxLogBytes = 6000;
constexpr size_t maxHistory = 8;

std::string decimal(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g", value);
  return text;
}

std::string describeTensor(const TensorSpec &tensor) {
  constexpr const char *roles[] = {"input", "parameter", "buffer", "constant"};
  std::string shape;
  for (const Dim &dim : tensor.dims)
    shape += (shape.empty() ? "" : ", ") + dim.name +
             (dim.isStatic() ? "=" + std::to_string(dim.value)
                             : " in " + std::to_string(dim.min) + ".." +
                                   std::to_string(dim.max));
  return std::string(info(tensor.dtype).name) + "[" + shape + "], " +
         roles[int(tensor.role)] + ", aligned to " +
         std::to_string(tensor.alignmentBytes) + " bytes (" + tensor.name +
         ")\n";
}

std::string describeTensors(const KernelSpec &spec) {
  std::string text;
  for (size_t i = 0; i < spec.arguments.size(); ++i)
    text += "- argument " + std::to_string(i) + ": " +
            describeTensor(spec.arguments[i]);
  for (size_t i = 0; i < spec.results.size(); ++i)
    text += "- result " + std::to_string(i) + ": " +
            describeTensor(spec.results[i]);
  return text;
}

/// Enough of a plan to copy: one kernel over this region's own buffers.
std::string examplePlan(const KernelSpec &spec) {
  Plan plan;
  plan.title = "one line that says what is special";
  plan.modules = {{"main", PlanModule::Kind::Cuda, "@cuda"}};
  KernelStep step;
  step.module = "main";
  step.entry = "my_kernel";
  step.grid[0] = Expr("ceildiv(1000000, 256)");
  step.block[0] = Expr(256);
  auto add = [&](const char *prefix, PlanBuffer::Kind kind, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      std::string name = prefix + std::to_string(i);
      plan.buffers.push_back({name, kind, int(i), {}, {}});
      step.args.push_back({PlanArg::Kind::Buffer, name, {}, 0});
    }
  };
  add("arg", PlanBuffer::Kind::Argument, spec.arguments.size());
  add("res", PlanBuffer::Kind::Result, spec.results.size());
  plan.buffers.push_back(
      {"scratch", PlanBuffer::Kind::Workspace, -1, Expr(1024), {}});
  plan.steps = {step};
  return toJson(plan);
}

std::string lastBytes(const std::string &text, size_t limit) {
  return text.size() <= limit ? text
                              : "...\n" + text.substr(text.size() - limit);
}

/// The best and the reasons of the worst, for the next choice of values.
std::string describeSweep(const Evaluation &evaluation) {
  constexpr size_t maxRows = 12;
  std::vector<TunableRow> rows = evaluation.tunableTable;
  std::ranges::stable_sort(rows, {}, [](const TunableRow &row) {
    return row.rung > 0 ? row.medianMicroseconds
                        : std::numeric_limits<double>::infinity();
  });
  std::string text;
  for (size_t i = 0; i < std::min(rows.size(), maxRows); ++i) {
    text += "-";
    for (const auto &[name, value] : rows[i].values)
      text += " " + name + "=" + std::to_string(value);
    if (rows[i].rung > 0)
      text += ": " + decimal(rows[i].medianMicroseconds) + " us";
    text += rows[i].reason.empty()
                ? "\n"
                : ": " + rows[i].reason.substr(0, 160) + "\n";
  }
  if (rows.size() > maxRows)
    text += "- and " + std::to_string(rows.size() - maxRows) + " more\n";
  return text.empty() ? "" : "Tunables, short timings, fastest first:\n" + text;
}

/// The failed numbers and the compiler's words, for the model.
std::string describeEvidence(const Evaluation &evaluation) {
  std::string text = std::string("Outcome: ") + name(evaluation.outcome);
  if (!evaluation.rule.empty())
    text += " (rule " + evaluation.rule + ")";
  text += "\n" + evaluation.message + "\n";
  for (const ResultError &error : evaluation.errors)
    if (!error.ok)
      text += "- result " + std::to_string(error.result) + " on '" +
              error.distribution + "': relative error " +
              decimal(error.relativeNorm) + ", allowed " +
              decimal(error.bound) + "; worst at flat index " +
              std::to_string(error.worstIndex) + ": got " + decimal(error.got) +
              ", want " + decimal(error.want) + "\n";
  if (!evaluation.time.empty())
    text += "Time: " + decimal(evaluation.time.medianMicroseconds) +
            " us; stock: " + decimal(evaluation.stockTime.medianMicroseconds) +
            " us; a device copy of the same bytes: " +
            decimal(evaluation.copyTime.medianMicroseconds) + " us\n";
  for (const ResourceReport &report : evaluation.resources)
    text += "- kernel " + report.kernel + ": " +
            std::to_string(report.registers) + " registers, " +
            std::to_string(report.spillBytes) + " bytes spilled, " +
            std::to_string(report.staticSharedBytes) + " bytes static shared\n";
  text += describeSweep(evaluation);
  if (!evaluation.log.empty())
    text += "Compiler log:\n" + lastBytes(evaluation.log, maxLogBytes) + "\n";
  return text;
}

std::string describeHistory(const std::vector<AttemptRecord> &history) {
  std::string text;
  size_t first = history.size() > maxHistory ? history.size() - maxHistory : 0;
  for (size_t i = first; i < history.size(); ++i) {
    const AttemptRecord &record = history[i];
    text += "- attempt " + std::to_string(record.number) + " (" +
            (record.plan ? record.plan->title : std::string("no plan")) +
            "): " + name(record.evaluation.outcome);
    if (record.evaluation.speedup > 0)
      text += ", " + decimal(record.evaluation.speedup) + "x of stock";
    text += record.evaluation.message.empty()
                ? "\n"
                : ": " + record.evaluation.message.substr(0, 300) + "\n";
  }
  return text.empty() ? "none yet\n" : text;
}

} // namespace

Expected<Conversation>
buildConversation(const Prompts &prompts, const RegionTask &task,
                  const AgentOptions &options, int attempt,
                  const std::vector<AttemptRecord> &history,
                  const AttemptRecord *best) {
  const KernelSpec &spec = task.spec;
  const AttemptRecord *last = history.empty() ? nullptr : &history.back();
  bool right = last && last->evaluation.outcome == Outcome::Ok;
  const AttemptRecord *shown = right && best ? best : last;
  PromptValues values = {
      {"listing", spec.listing.empty() ? spec.canonicalText : spec.listing},
      {"tensors", describeTensors(spec)},
      {"spec_header", renderSpecHeader(spec)},
      {"policy", name(spec.policy)},
      {"arch", options.arch},
      {"bytes", decimal(spec.bytes)},
      {"flops", decimal(spec.flops)},
      {"example_plan", examplePlan(spec)},
      {"history", describeHistory(history)},
      {"min_speedup", decimal(options.minSpeedup)},
      {"previous_plan", shown && shown->plan ? toJson(*shown->plan) : "none\n"},
      {"evidence", shown ? describeEvidence(shown->evaluation) : ""}};
  auto system = fillPrompt(prompts.system, values);
  if (!system)
    return std::unexpected(system.error().context("prompt system.md"));
  const std::string &text = !last   ? prompts.generate
                            : right ? prompts.optimize
                                    : prompts.repair;
  const char *file = !last   ? "generate.md"
                     : right ? "optimize.md"
                             : "repair.md";
  auto user = fillPrompt(text, values);
  if (!user)
    return std::unexpected(user.error().context(std::string("prompt ") + file));

  Conversation conversation;
  conversation.id = spec.specHash + "-" + std::to_string(attempt);
  conversation.attempt = attempt;
  conversation.messages = {{"system", *system}, {"user", *user}};
  conversation.spec = &spec;
  for (const AttemptRecord &record : history)
    conversation.history.push_back({record.number,
                                    name(record.evaluation.outcome),
                                    record.evaluation.message});
  conversation.tools = {submitKernelTool()};
  return conversation;
}

} // namespace kclaw
