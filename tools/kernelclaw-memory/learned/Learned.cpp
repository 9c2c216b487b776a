//===- Learned.cpp - The table of `learned`, and what its rows share ------===//
#include "Learned.h"

#include <cstdio>

namespace kclaw {

void LearnedTool::fail(const Error &error) const {
  std::fprintf(stderr, "%s: error: %s\n", tool.c_str(), error.message.c_str());
  code = 1;
}

std::unique_ptr<Store> LearnedTool::open() const {
  auto store = openStore(where);
  if (store)
    return std::move(*store);
  fail(store.error());
  return nullptr;
}

std::shared_ptr<ExperienceFilter> addFilter(CLI::App &app) {
  auto filter = std::make_shared<ExperienceFilter>();
  filter->evidence = std::nullopt;
  struct {
    const char *flag;
    std::string &part;
    const char *help;
  } texts[] = {
      {"--arch", filter->arch, "only of this architecture (sm_90a)"},
      {"--family", filter->family, "only of this operator family"},
      {"--method", filter->method, "only of this method"},
      {"--device", filter->device, "only on this device model"},
      {"--region", filter->specHash, "only of the region with this hash"},
      {"--run", filter->run, "only of this run"}};
  for (auto &[flag, part, help] : texts)
    app.add_option(flag, part, help);
  static const std::map<std::string, Evidence> evidences = {
      {"measured", Evidence::Measured},
      {"simulated", Evidence::Simulated},
      {"reduced", Evidence::SimulatedReduced},
      {"none", Evidence::None}};
  app.add_option_function<Evidence>(
         "--evidence", [filter](Evidence e) { filter->evidence = e; },
         "only of this evidence: measured, simulated, reduced (simulated at "
         "smaller sizes), none (failed before anything ran)")
      ->transform(CLI::CheckedTransformer(evidences).description("EVIDENCE"));
  return filter;
}

std::string oneLine(const Experience &e) {
  std::string text = e.id + "  " + e.method + "  " + name(e.outcome);
  if (!e.rule.empty())
    text += " (" + e.rule + ")";
  char number[48];
  std::snprintf(number, sizeof number, ", %.2fx", e.gain);
  if (e.gain > 0)
    text += number;
  text += std::string(", ") + name(e.evidence);
  if (!e.device.empty())
    text += " on " + e.device;
  std::snprintf(number, sizeof number, ", weight %g", e.weight);
  return e.weight == 1 ? text : text + number;
}

namespace {
struct Command {
  const char *name, *summary;
  void (*add)(CLI::App &, const LearnedTool &);
};
constexpr Command commands[] = {
    {"list", "one line an experience, or a lesson candidate", addLearnedList},
    {"explain", "how a method did, or all of one experience",
     addLearnedExplain},
    {"export", "write it as a file that others can merge", addLearnedExport},
    {"merge", "take in exported files, weighing less than own rows",
     addLearnedMerge},
    {"forget", "remove experiences or a lesson candidate", addLearnedForget},
};
} // namespace

void addLearned(CLI::App &learned, const LearnedTool &tool) {
  learned.require_subcommand(1);
  for (const Command &command : commands) {
    CLI::App *sub = learned.add_subcommand(command.name, command.summary);
    sub->fallthrough();
    command.add(*sub, tool);
  }
}

} // namespace kclaw
