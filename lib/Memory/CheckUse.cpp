//===- CheckUse.cpp - That each entry is used -----------------------------===//
#include "CheckUse.h"

#include "LessonMatch.h"
#include "Names.h"

#include <algorithm>

namespace kclaw {

/// What conditions, signatures and cases read.
static NameSet namesRead(const MemoryBank &bank) {
  NameSet read;
  auto add = [&](const Condition &condition) {
    for (const std::string &name : condition.names())
      read.insert(name);
  };
  for (const auto *list : {&bank.derived, &bank.predicates, &bank.headrooms})
    for (const NamedCondition &entry : *list)
      add(entry.condition);
  for (const Method &method : bank.methods)
    for (const NamedCondition &entry : method.preconditions)
      add(entry.condition);
  for (const Case &one : bank.cases) {
    add(one.when);
    read.insert(one.bottleneck);
    read.insert(one.structure);
    for (const std::string &term : one.signature)
      read.insert(term.starts_with("not ") ? term.substr(4) : term);
    for (const std::string &tier : splitTiers(one.headroom))
      read.insert(tier);
  }
  return read;
}

/// Whether the earlier lesson speaks wherever the later one does.
static bool hides(const Lesson &earlier, const Lesson &later) {
  bool sameOutcome =
      earlier.outcome.empty() || earlier.outcome == later.outcome;
  bool sameRule = earlier.rule.empty() || earlier.rule == later.rule;
  return earlier.stage == later.stage && sameOutcome && sameRule &&
         matchesText(earlier, later.example);
}

static void checkLessons(const MemoryBank &bank, CheckReport &report) {
  for (size_t i = 0; i < bank.lessons.size(); ++i) {
    const Lesson &lesson = bank.lessons[i];
    ++report.lessons;
    if (!matchesText(lesson, lesson.example))
      report.errors.push_back("lesson " + lesson.name +
                              ": its pattern does not match its example");
    for (size_t j = 0; j < i; ++j)
      if (hides(bank.lessons[j], lesson))
        report.errors.push_back("lesson " + lesson.name + " is hidden by " +
                                bank.lessons[j].name +
                                ", which matches its example, too");
  }
}

void checkUse(const MemoryBank &bank, CheckReport &report) {
  NameSet read = namesRead(bank);
  struct Row {
    const char *what;
    const std::vector<NamedCondition> &list;
  };
  for (const Row &row :
       {Row{"derived number", bank.derived}, Row{"predicate", bank.predicates},
        Row{"headroom tier", bank.headrooms}})
    for (const NamedCondition &entry : row.list)
      if (!read.contains(entry.name))
        report.errors.push_back(std::string(row.what) + " " + entry.name +
                                " is unused: nothing reads it");
  checkLessons(bank, report);
}

} // namespace kclaw
