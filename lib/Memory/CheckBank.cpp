//===- CheckBank.cpp - That all of the memory bank can be used ------------===//
#include "kernelclaw/Memory/CheckBank.h"

#include "CheckUse.h"
#include "Goals.h"

#include <algorithm>
#include <cstdio>

namespace kclaw {
namespace {

class Checker {
public:
  Checker(const MemoryBank &bank, const Witnesses &held,
          const CheckOptions &options)
      : bank(bank), held(held), options(options), search(bank, held.base) {
    report.witnesses.base = held.base;
  }

  CheckReport run();

private:
  /// A held witness of the goal, or one that is searched for.
  const Witness *show(Witness goal);
  std::optional<Witness> searchFor(const Witness &goal) const;
  bool shows(const Witness &goal, const Witness &witness) const;

  void checkCase(const Case &one);
  void checkMethods(const Case &one, const Witness &reached);
  void checkPreconditions(const Method &method);
  void checkStale(const Witness &witness);
  std::string shadowedBy(const Case &one) const;
  void fail(const std::string &text) { report.errors.push_back(text); }
  /// Of something that was not shown.
  void failUnshown(const std::string &text) {
    fail(text + (options.search ? "" : " (by the witnesses that are held)"));
  }

  const MemoryBank &bank;
  const Witnesses &held;
  CheckOptions options;
  WitnessSearch search;
  CheckReport report;
};

/// The same for every run and machine.
uint64_t seedOf(const Witness &goal) {
  uint64_t hash = 1469598103934665603u;
  for (char c : goal.caseName + "/" + goal.without + "/" + goal.method + "/" +
                    goal.precondition)
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

bool sameGoal(const Witness &a, const Witness &b) {
  return a.caseName == b.caseName && a.without == b.without &&
         a.method == b.method && a.precondition == b.precondition;
}

std::string textOf(const Witness &witness) {
  std::string text = witness.level;
  for (const auto &[name, value] : witness.changes) {
    char number[32];
    std::snprintf(number, sizeof number, "%.6g", value);
    text += ", " + name + "=" + number;
  }
  return "{" + text + "}";
}

bool Checker::shows(const Witness &goal, const Witness &witness) const {
  std::vector<Clause> clauses = clausesOf(bank, goal);
  Scope scope(bank, search.features(witness.level, witness.changes));
  return !clauses.empty() && search.consistent(scope) &&
         std::ranges::all_of(clauses, [&](const Clause &clause) {
           return clause.holds(scope);
         });
}

/// A seed's case is about a region without a plan, all others about one with.
std::optional<Witness> Checker::searchFor(const Witness &goal) const {
  auto found = std::ranges::find(bank.cases, goal.caseName, &Case::name);
  bool seed = found->scope == "seed";
  std::vector<Clause> clauses = clausesOf(bank, goal);
  for (const std::string &level : WitnessSearch::levels()) {
    bool flipped = goal.without.ends_with("specOnly");
    bool about = (level == "spec") == (seed != flipped);
    if (!about)
      continue;
    if (auto changes = search.find(clauses, level, seedOf(goal))) {
      Witness witness = goal;
      witness.level = level;
      witness.changes = std::move(*changes);
      return witness;
    }
  }
  return std::nullopt;
}

const Witness *Checker::show(Witness goal) {
  for (const Witness &witness : held.list)
    if (sameGoal(goal, witness) && shows(goal, witness)) {
      report.witnesses.list.push_back(witness);
      return &report.witnesses.list.back();
    }
  auto found = options.search ? searchFor(goal) : std::nullopt;
  if (!found)
    return nullptr;
  ++report.found;
  report.witnesses.list.push_back(std::move(*found));
  return &report.witnesses.list.back();
}

/// The case that takes what fits `one`; empty when nothing fits it.
std::string Checker::shadowedBy(const Case &one) const {
  for (const Witness &witness : held.list) {
    if (witness.caseName != one.name || !witness.without.empty())
      continue;
    Scope scope(bank, search.features(witness.level, witness.changes));
    auto takes = std::ranges::find_if(
        bank.cases, [&](const Case &other) { return fits(other, scope); });
    if (takes != bank.cases.end() && takes->name != one.name &&
        fits(one, scope))
      return takes->name;
  }
  if (!options.search)
    return "";
  MemoryBank alone = bank;
  std::erase_if(alone.cases,
                [&](const Case &other) { return other.name != one.name; });
  WitnessSearch own(alone, held.base);
  Witness goal{one.name, "", "", "", "", {}};
  std::vector<Clause> clauses = clausesOf(alone, goal);
  for (const std::string &level : WitnessSearch::levels())
    if (auto changes = own.find(clauses, level, seedOf(goal))) {
      Scope scope(bank, own.features(level, *changes));
      for (const Case &earlier : bank.cases)
        if (fits(earlier, scope))
          return earlier.name;
    }
  return "";
}

void Checker::checkCase(const Case &one) {
  ++report.cases;
  const Witness *reached = show({one.name, "", "", "", "", {}});
  if (!reached) {
    std::string by = shadowedBy(one);
    failUnshown("case " + one.name +
                (by.empty() ? " cannot be reached: its parts exclude each other"
                            : " is shadowed by case " + by));
    return;
  }
  Witness shown = *reached;
  checkMethods(one, shown);
  for (const std::string &part : partsOf(one)) {
    ++report.parts;
    if (!show({one.name, part, "", "", "", {}}))
      failUnshown(
          "case " + one.name + ": its part '" + part +
          "' is unused: where all others hold and no earlier case fits, it "
          "holds, too");
  }
}

/// That each method which the case lists can be applied there.
void Checker::checkMethods(const Case &one, const Witness &reached) {
  for (const std::string &method : one.allowed) {
    Witness goal{one.name, "", method, "", "", {}};
    Witness same = reached;
    same.method = method;
    if (!shows(goal, same) && !show(goal))
      failUnshown("case " + one.name + " lists method " + method +
                  ", whose preconditions never hold there: unused");
  }
}

void Checker::checkPreconditions(const Method &method) {
  ++report.methods;
  std::vector<std::string> cases;
  for (const Case &one : bank.cases)
    if (std::ranges::count(one.allowed, method.name))
      cases.push_back(one.name);
  if (cases.empty())
    fail("method " + method.name + " is unused: no case allows it");
  for (const NamedCondition &precondition : method.preconditions) {
    ++report.preconditions;
    // A case that already has a witness first: no search is needed.
    for (const Witness &witness : held.list)
      if (witness.method == method.name &&
          witness.precondition == precondition.name)
        if (auto own = std::ranges::find(cases, witness.caseName);
            own != cases.end())
          std::rotate(cases.begin(), own, own + 1);
    bool matters = std::ranges::any_of(cases, [&](const std::string &name) {
      return show({name, "", method.name, precondition.name, "", {}}) !=
             nullptr;
    });
    if (!matters && !cases.empty())
      failUnshown(
          "method " + method.name + ": its precondition '" + precondition.name +
          "' (" + precondition.condition.text() +
          ") is unused: in no case that allows it it alone is violated");
  }
}

/// A held witness of something that is no longer there.
void Checker::checkStale(const Witness &witness) {
  Scope scope(bank, search.features(witness.level, witness.changes));
  auto takes = std::ranges::find_if(
      bank.cases, [&](const Case &one) { return fits(one, scope); });
  std::string taker =
      takes == bank.cases.end() ? "no case" : "case " + takes->name;
  auto own = std::ranges::find(bank.cases, witness.caseName, &Case::name);
  if (own == bank.cases.end()) {
    fail("case " + witness.caseName + " is gone: " + taker +
         " takes what it was for, such as " + textOf(witness));
    return;
  }
  std::vector<std::string> parts = partsOf(*own);
  if (!witness.without.empty() && !std::ranges::count(parts, witness.without)) {
    bool over = takes != bank.cases.end() && takes->name == own->name;
    fail("case " + own->name +
         (over ? " is over-general: without '" : " has lost its part '") +
         witness.without + "'" +
         (over ? " it takes what is not meant for it" : "") + ", such as " +
         textOf(witness));
    return;
  }
  if (witness.method.empty())
    return;
  if (!std::ranges::count(own->allowed, witness.method)) {
    fail("case " + own->name + " has lost method " + witness.method +
         ", which applies there, such as at " + textOf(witness));
    return;
  }
  const Method *method = bank.method(witness.method);
  bool known = witness.precondition.empty() ||
               std::ranges::count(method->preconditions, witness.precondition,
                                  &NamedCondition::name);
  if (known)
    return;
  bool allowed = std::ranges::all_of(
      method->preconditions,
      [&](const NamedCondition &one) { return permits(one, scope, &*own); });
  fail("method " + method->name +
       (allowed ? " is over-general: without its precondition '"
                : " has lost its precondition '") +
       witness.precondition + "'" +
       (allowed ? " case " + own->name + " allows it" : "") + " at " +
       textOf(witness));
}

CheckReport Checker::run() {
  checkUse(bank, report);
  for (const Case &one : bank.cases)
    checkCase(one);
  for (const Method &method : bank.methods)
    checkPreconditions(method);
  if (!options.renew)
    for (const Witness &witness : held.list)
      checkStale(witness);
  return std::move(report);
}

} // namespace

std::map<std::string, double> featuresOf(const Witnesses &witnesses,
                                         const Witness &witness) {
  static const MemoryBank none;
  return WitnessSearch(none, witnesses.base)
      .features(witness.level, witness.changes);
}

CheckReport checkBank(const MemoryBank &bank, const Witnesses &held,
                      const CheckOptions &options) {
  return Checker(bank, held, options).run();
}

} // namespace kclaw
