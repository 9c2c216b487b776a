//===- List.cpp - kernelclaw-store list -----------------------------------===//
#include "Commands.h"

#include <cstdio>
#include <map>

namespace kclaw {
namespace {

struct ListOptions {
  std::string arch, evidence;
  bool kept = false;
};

void list(const ListOptions &options, StoreTool &tool) {
  auto contents = tool.read();
  if (!contents)
    return;
  std::map<std::string, std::string> families;
  for (const KernelSpec &spec : contents->specs)
    families[spec.specHash] = spec.family;
  size_t winners = 0, kept = 0;
  for (const auto &[key, entry] : contents->entries) {
    (entry.won ? winners : kept) += 1;
    bool wanted =
        (entry.won || options.kept) &&
        (options.arch.empty() || options.arch == key.arch) &&
        (options.evidence.empty() || options.evidence == name(key.evidence));
    if (!wanted)
      continue;
    std::string old = key.rulesVersion < evaluatorRulesVersion
                          ? ", rules " + std::to_string(key.rulesVersion)
                          : "";
    std::printf(
        "%.12s  %-11s %-8s %s, %s%s: %s\n", key.specHash.c_str(),
        families[key.specHash].c_str(), key.arch.c_str(), key.policy.c_str(),
        name(key.evidence), old.c_str(),
        entry.won
            ? (speedupOf(entry.evaluation) + ", " + entry.plan.title).c_str()
            : ("kept stock: " + entry.reason).c_str());
  }
  std::printf("%s, %s, %s, %s, %s\n", counted(winners, "winner").c_str(),
              (std::to_string(kept) + " kept stock").c_str(),
              counted(contents->refuted.size(), "refuted plan").c_str(),
              counted(contents->experiences.size(), "experience").c_str(),
              counted(contents->lessons.size(), "lesson candidate").c_str());
  for (const std::string &line : contents->damage)
    tool.fail({Error::Code::Io, line});
}

} // namespace

void addList(CLI::App &app, StoreTool &tool) {
  auto options = std::make_shared<ListOptions>();
  app.add_option("--arch", options->arch, "only this architecture (sm_90a)");
  app.add_option("--evidence", options->evidence, "only this evidence")
      ->check(CLI::IsMember({"measured", "simulated", "simulated, reduced"}));
  app.add_flag("--kept", options->kept, "also regions that kept stock");
  app.footer("A line: the region's hash, its family, architecture, policy, "
             "evidence, speed-up,\nthe plan's title. Winners of older rules "
             "are not used: they say which rules.");
  app.callback([options, &tool] { list(*options, tool); });
}

} // namespace kclaw
