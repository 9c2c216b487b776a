//===- Describe.cpp - Regions and verdicts as text ------------------------===//
#include "Describe.h"

#include "Edits.h"
#include "RegionOrder.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <sstream>

namespace kclaw {
namespace {

constexpr size_t maxLogBytes = 6000;

/// What test data are drawn from, where that is not any number.
std::string describeDomain(const Domain &domain) {
  switch (domain.kind) {
  case Domain::Kind::Index:
    return ", integers from 0 to " + std::to_string(domain.limit - 1);
  case Domain::Kind::NonNegative:
    return ", never negative";
  case Domain::Kind::Positive:
    return ", always above 0";
  case Domain::Kind::Unit:
    return ", from 0 to 1";
  case Domain::Kind::Boolean:
    return ", 0 or 1";
  case Domain::Kind::Real:
  case Domain::Kind::Integer:
    return "";
  }
  return "";
}

/// `role`: empty for a result.
std::string describeTensor(const TensorSpec &tensor, const std::string &role) {
  std::string shape;
  for (const Dim &dim : tensor.dims)
    shape += (shape.empty() ? "" : ", ") + dim.name +
             (dim.isStatic() ? "=" + std::to_string(dim.value)
                             : " in " + std::to_string(dim.min) + ".." +
                                   std::to_string(dim.max));
  return std::string(info(tensor.dtype).name) + "[" + shape + "]" + role +
         (role.empty() ? "" : describeDomain(tensor.domain)) + ", aligned to " +
         std::to_string(tensor.alignmentBytes) + " bytes (" + tensor.name +
         ")\n";
}

std::string describeTensors(const KernelSpec &spec) {
  constexpr const char *roles[] = {", input", ", parameter", ", buffer",
                                   ", constant"};
  std::string text;
  for (size_t i = 0; i < spec.arguments.size(); ++i)
    text +=
        "- argument " + std::to_string(i) + ", `arg" + std::to_string(i) +
        "`: " +
        describeTensor(spec.arguments[i], roles[int(spec.arguments[i].role)]);
  for (size_t i = 0; i < spec.results.size(); ++i)
    text += "- result " + std::to_string(i) + ", `res" + std::to_string(i) +
            "`: " + describeTensor(spec.results[i], "");
  return text;
}

/// Enough of a plan to copy: one kernel over this region's own buffers, with a
/// tunable and a size as an argument.
std::string examplePlan(const KernelSpec &spec) {
  Plan plan;
  plan.title = "one line that says what is special";
  plan.modules = {{"main", PlanModule::Kind::Cuda, "@main.cu"}};
  plan.tunables = {{"THREADS", {128, 256, 512}, 256}};
  KernelStep step;
  step.module = "main";
  step.entry = "my_kernel";
  std::string elements;
  for (const TensorSpec &result : spec.results)
    if (elements.empty())
      for (const Dim &dim : result.dims)
        elements += (elements.empty() ? "" : " * ") + dim.name;
  if (elements.empty())
    elements = "1";
  step.grid[0] = Expr("ceildiv(" + elements + ", THREADS)");
  step.block[0] = Expr("THREADS");
  auto add = [&](const char *prefix, PlanBuffer::Kind kind, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      std::string name = prefix + std::to_string(i);
      plan.buffers.push_back({name, kind, int(i), {}, {}});
      step.args.push_back({PlanArg::Kind::Buffer, name, {}, 0});
    }
  };
  add("arg", PlanBuffer::Kind::Argument, spec.arguments.size());
  add("res", PlanBuffer::Kind::Result, spec.results.size());
  step.args.push_back({PlanArg::Kind::I64, "", Expr(1000000), 0});
  plan.buffers.push_back(
      {"scratch", PlanBuffer::Kind::Workspace, -1, Expr(1024), {}});
  plan.steps = {step};
  json::Json document = json::Json::parse(toJson(plan));
  document.erase("producer");
  document["tunables"][0].erase("chosen");
  return planText(document);
}

/// The best and the reasons of the worst, for the next choice of values.
std::string describeSweep(const Evaluation &evaluation) {
  constexpr size_t maxRows = 12;
  std::vector<TunableRow> rows = evaluation.tunableTable;
  std::ranges::stable_sort(rows, {}, [](const TunableRow &row) {
    return row.rung > 0 ? row.medianMicroseconds
                        : std::numeric_limits<double>::infinity();
  });
  std::string text, last;
  for (size_t i = 0; i < std::min(rows.size(), maxRows); ++i) {
    text += "-";
    for (const auto &[name, value] : rows[i].values)
      text += " " + name + "=" + std::to_string(value);
    if (rows[i].rung > 0)
      text += ": " + decimal(rows[i].medianMicroseconds) + " us";
    std::string reason = firstBytes(rows[i].reason, 160);
    if (!reason.empty())
      text += ": " + (reason == last ? "the same" : reason);
    last = reason;
    text += "\n";
  }
  if (rows.size() > maxRows)
    text += "- and " + std::to_string(rows.size() - maxRows) + " more\n";
  return text.empty() ? "" : "Tunables, short timings, fastest first:\n" + text;
}

/// A simulator's time is that of sizes which its method names.
std::string describeSizes(const Evaluation &evaluation) {
  if (evaluation.time.empty())
    return "";
  if (evaluation.evidence == Evidence::Measured)
    return "Measured at the region's own sizes\n";
  if (evaluation.evidence == Evidence::Simulated)
    return "Measured at the region's own sizes (simulated: an estimate)\n";
  size_t at = evaluation.time.method.rfind(" at ");
  return at == std::string::npos
             ? ""
             : "Measured" + evaluation.time.method.substr(at) +
                   " (simulated: an estimate)\n";
}

} // namespace

/// The judge writes 1e308 for what is not finite.
static std::string judged(double value) {
  return std::abs(value) >= 1e308 ? "NaN or infinity" : decimal(value);
}

std::string decimal(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g", value);
  return text;
}

std::string lastBytes(const std::string &text, size_t limit) {
  return text.size() <= limit ? text
                              : "...\n" + text.substr(text.size() - limit);
}

std::string firstBytes(const std::string &text, size_t limit) {
  return text.size() <= limit
             ? text
             : text.substr(0, limit) + "\n... " + std::to_string(text.size()) +
                   " bytes in all";
}

PromptValues describeRegion(const RegionTask &task,
                            const AgentOptions &options) {
  constexpr double microseconds = 1e6;
  const KernelSpec &spec = task.spec;
  const RooflineRates &rates = options.rates;
  return {{"listing", spec.listing.empty() ? spec.canonicalText : spec.listing},
          {"tensors", describeTensors(spec)},
          {"spec_header", renderSpecHeader(spec)},
          {"policy", name(spec.policy)},
          {"arch", options.arch},
          {"bytes", decimal(spec.bytes)},
          {"flops", decimal(spec.flops)},
          {"bytes_microseconds",
           decimal(microseconds * spec.bytes / rates.bytesPerSecond)},
          {"flops_microseconds",
           decimal(microseconds * spec.flops / peakFlops(spec, rates))},
          {"stock_launches", std::to_string(launches(task.stock))},
          {"example_plan", examplePlan(spec)},
          {"min_speedup", decimal(options.minSpeedup)}};
}

/// Of a log: all where it did not compile, else what ptxas says. Warnings
/// of the front end (unused variables) say nothing about a kernel that ran.
static std::string telling(const Evaluation &evaluation) {
  if (evaluation.outcome == Outcome::CompileError ||
      evaluation.outcome == Outcome::Rejected)
    return evaluation.log;
  std::string text;
  std::istringstream lines(evaluation.log);
  for (std::string line; std::getline(lines, line);)
    if (line.find("ptxas") != std::string::npos)
      text += line + "\n";
  return text;
}

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
              std::to_string(error.worstIndex) + ": got " + judged(error.got) +
              ", want " + judged(error.want) + "\n";
  std::map<std::string, bool> rightOn;
  for (const ResultError &error : evaluation.errors)
    rightOn.try_emplace(error.distribution, true).first->second &= error.ok;
  std::string right;
  for (const auto &[distribution, ok] : rightOn)
    if (ok)
      right += (right.empty() ? "" : ", ") + distribution;
  if (evaluation.outcome == Outcome::Mismatch && !right.empty())
    text += "- right on: " + right + "\n";
  text += describeSizes(evaluation);
  if (!evaluation.time.empty())
    text += "Time: " + decimal(evaluation.time.medianMicroseconds) +
            " us; stock: " + decimal(evaluation.stockTime.medianMicroseconds) +
            " us; reading and writing the same bytes: " +
            decimal(evaluation.copyTime.medianMicroseconds) + " us\n";
  for (const ResourceReport &report : evaluation.resources)
    text += "- kernel " + report.kernel + ": " +
            std::to_string(report.registers) + " registers, " +
            std::to_string(report.spillBytes) + " bytes spilled, " +
            std::to_string(report.staticSharedBytes) + " bytes static shared\n";
  text += describeSweep(evaluation);
  if (std::string log = telling(evaluation); !log.empty())
    text += "Compiler log:\n" + lastBytes(log, maxLogBytes) + "\n";
  return text;
}

std::string describeProfile(const Profile &profile) {
  std::string text;
  for (const KernelProfile &kernel : profile.kernels) {
    text +=
        "- kernel " + kernel.kernel + ": grid " +
        std::to_string(kernel.grid[0]) + "x" + std::to_string(kernel.grid[1]) +
        "x" + std::to_string(kernel.grid[2]) + ", block " +
        std::to_string(kernel.block[0] * kernel.block[1] * kernel.block[2]) +
        " threads, " + std::to_string(kernel.registers) + " registers, " +
        std::to_string(kernel.blocksPerMultiprocessor) +
        " blocks a multiprocessor";
    if (!kernel.occupancyLimit.empty())
      text += " (limited by " + kernel.occupancyLimit + ")";
    if (kernel.medianMicroseconds > 0)
      text += ", " + decimal(kernel.medianMicroseconds) + " us";
    for (const auto &[counter, value] : kernel.counters)
      text += ", " + counter + "=" + decimal(value);
    text += "\n";
  }
  const Roofline &roof = profile.roofline;
  if (roof.boundMicroseconds > 0)
    text += "Roofline: bound by " + roof.boundBy +
            ", no run can take less "
            "than " +
            decimal(roof.boundMicroseconds) + " us; measured " +
            decimal(roof.headroom) + " times that\n";
  return text;
}

std::string describeHardware(const Hardware *hardware) {
  if (!hardware)
    return "not known\n";
  std::string text = hardware->name + " (" + hardware->arch + ")\n";
  for (const auto &[name, value] : hardware->facts) {
    char number[32];
    std::snprintf(number, sizeof(number), "%.15g", value);
    text += "- " + name + ": " + number;
    if (auto unit = hardware->units.find(name); unit != hardware->units.end())
      text += " (" + unit->second + ")";
    text += "\n";
  }
  for (const auto *list : {&hardware->instructions, &hardware->pitfalls})
    for (const std::string &sentence : *list)
      text += "- " + sentence + "\n";
  return text;
}

std::string describeFiles(const std::map<std::string, std::string> &files) {
  std::string text;
  for (const auto &[name, content] : files)
    text += name + ":\n```" + (name.ends_with(".cu") ? "cuda" : "json") + "\n" +
            content + (content.ends_with("\n") ? "" : "\n") + "```\n";
  return text;
}

} // namespace kclaw
