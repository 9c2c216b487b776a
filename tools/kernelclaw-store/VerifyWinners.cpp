//===- VerifyWinners.cpp - kernelclaw-store verify ------------------------===//
//
// What can be known of a stored winner without a device. Each check is a row of
// a table: a name for the report and a function that says what is wrong.
//
//===----------------------------------------------------------------------===//
#include "Commands.h"

#include "kernelclaw/Plan/CheckPlan.h"
#include "kernelclaw/Plan/WinRule.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace kclaw {
namespace {

struct Checked {
  const StoreKey &key;
  const StoreEntry &entry;
  const KernelSpec *spec; ///< null: the store does not have it
};

std::string checkHash(const Checked &winner) {
  if (!winner.spec)
    return "";
  std::string computed = computeSpecHash(*winner.spec);
  return computed == winner.key.specHash ? ""
                                         : "the region's hash is " + computed;
}

std::string checkPlanFits(const Checked &winner) {
  if (!winner.spec)
    return "";
  auto fits = checkPlan(winner.entry.plan, *winner.spec, false);
  return fits ? "" : fits.error().message;
}

std::string checkTunables(const Checked &winner) {
  for (const Tunable &tunable : winner.entry.plan.tunables)
    if (std::ranges::find(tunable.values, tunable.chosen) ==
        tunable.values.end())
      return tunable.name + "=" + std::to_string(tunable.chosen) +
             " is not one of its values";
  return "";
}

std::string checkEvidence(const Checked &winner) {
  const Evaluation &e = winner.entry.evaluation;
  if (e.evidence != winner.key.evidence)
    return std::string("its evidence is '") + name(e.evidence) + "'";
  if (e.arch != winner.key.arch && !e.arch.empty())
    return "it was judged for " + e.arch;
  return "";
}

std::string checkWins(const Checked &winner) {
  const Evaluation &e = winner.entry.evaluation;
  if (e.outcome != Outcome::Ok)
    return std::string("its outcome is ") + name(e.outcome);
  return WinRule{1.0}.whyNot(e);
}

std::string checkImages(const Checked &winner) {
  const std::vector<ModuleImage> &images = winner.entry.evaluation.images;
  for (const PlanModule &module : winner.entry.plan.modules) {
    auto image = std::ranges::find(images, module.name, &ModuleImage::module);
    if (image == images.end() || (image->cubin.empty() && image->ptx.empty()))
      return "module '" + module.name + "' has no compiled image";
    if (image->arch != winner.key.arch)
      return "module '" + module.name + "' is compiled for " + image->arch;
  }
  return "";
}

struct Check {
  const char *name;
  std::string (*whatIsWrong)(const Checked &);
};
constexpr Check checks[] = {
    {"hash", checkHash},         {"plan", checkPlanFits},
    {"tunables", checkTunables}, {"evidence", checkEvidence},
    {"verdict", checkWins},      {"images", checkImages}};

/// How many things are wrong with it; each is printed.
int verifyWinner(const Checked &winner) {
  int wrong = 0;
  for (const Check &check : checks) {
    std::string what = check.whatIsWrong(winner);
    if (what.empty())
      continue;
    std::printf("%.12s %s %s, %s: %s: %s\n", winner.key.specHash.c_str(),
                winner.key.arch.c_str(), winner.key.policy.c_str(),
                name(winner.key.evidence), check.name, what.c_str());
    ++wrong;
  }
  return wrong;
}

void verify(StoreTool &tool) {
  auto contents = tool.read();
  if (!contents)
    return;
  std::map<std::string, const KernelSpec *> specs;
  for (const KernelSpec &spec : contents->specs)
    specs[spec.specHash] = &spec;
  size_t winners = 0, wrong = 0, undescribed = 0, old = 0;
  for (const auto &[key, entry] : contents->entries) {
    if (!entry.won)
      continue;
    auto spec = specs.find(key.specHash);
    bool known = spec != specs.end();
    ++winners;
    undescribed += !known;
    old += key.rulesVersion < evaluatorRulesVersion;
    wrong += verifyWinner({key, entry, known ? spec->second : nullptr}) > 0;
  }
  for (const std::string &line : contents->damage)
    tool.fail({Error::Code::Io, line});
  std::printf("%s: %zu wrong, %zu of older rules (not used), %zu whose region "
              "is not in the store (plan and hash not checked)\n",
              counted(winners, "winner").c_str(), wrong, old, undescribed);
  if (wrong)
    tool.code = Failed;
}

} // namespace

void addVerify(CLI::App &app, StoreTool &tool) {
  auto file = std::make_shared<std::string>();
  auto again = std::make_shared<RejudgeOptions>();
  app.add_option("FILE", *file, "an exported file instead of the store");
  app.add_option("--rejudge", again->runs,
                 "run directories: judges the winners again, beside the stock "
                 "that these hold")
      ->take_all();
  app.add_option("--device", again->device,
                 "with --rejudge: cuda, sim or auto (default)")
      ->check(CLI::IsMember({"cuda", "sim", "auto"}));
  app.footer("Of every winner: its region's hash is right, its plan fits the "
             "region, tunables are\nchosen, evidence and verdict are those of "
             "its key, compiled images are there. Needs\nno device. Also reads "
             "all other rows. Exit code 1 when something is wrong or "
             "damaged.\nWith --rejudge winners of all rules are judged on the "
             "device instead: what wins is kept\nwith its new evaluation under "
             "the rules of now, what wins no more gives exit code 1.");
  app.callback([file, again, &tool] {
    if (!file->empty())
      tool.where = *file;
    again->runs.empty() ? verify(tool) : rejudge(*again, tool);
  });
}

} // namespace kclaw
