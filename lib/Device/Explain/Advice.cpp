//===- Advice.cpp - What to try after an evaluation -----------------------===//
#include "Advice.h"
#include "EmbeddedText.h"
#include "Files.h"
#include "Support/Json.h"

#include <algorithm>
#include <cstdlib>

namespace kclaw {
namespace {

using json::Cursor;

/// What an evaluation offers to the columns of the table.
struct Facts {
  std::string outcome;
  std::vector<std::string> rules; ///< the one that decided, and findings' tools
  std::vector<std::string> patterns;
  bool slower = false;
  bool spills = false;
};

Facts factsOf(const Evaluation &evaluation) {
  Facts facts;
  facts.outcome = name(evaluation.outcome);
  facts.rules.push_back(evaluation.rule);
  for (const ErrorPattern &pattern : evaluation.explanation.patterns)
    facts.patterns.push_back(pattern.name);
  facts.slower = evaluation.outcome == Outcome::Ok && evaluation.speedup > 0 &&
                 evaluation.speedup <= 1;
  facts.spills = std::ranges::any_of(
      evaluation.resources,
      [](const ResourceReport &report) { return report.spillBytes > 0; });
  return facts;
}

/// A string or a list of strings.
std::vector<std::string> words(const Cursor &at) {
  if (!at.present())
    return {};
  if (at.get()->is_string())
    return {at.string()};
  return at.list([](const Cursor &each) { return each.string(); });
}

/// Nothing asked for fits everything.
bool fits(const std::vector<std::string> &asked,
          const std::vector<std::string> &had) {
  return asked.empty() ||
         std::ranges::any_of(asked, [&had](const std::string &word) {
           return std::ranges::find(had, word) != had.end();
         });
}

} // namespace

Expected<std::vector<std::string>> adviceFor(const Evaluation &evaluation,
                                             const std::string &table) {
  Facts facts = factsOf(evaluation);
  auto read = [&facts](const Cursor &at) {
    std::vector<std::string> advice;
    at.only({"about", "rows"});
    at.at("rows").list([&](const Cursor &row) {
      row.only({"outcome", "rule", "pattern", "slower", "spills", "advice"});
      auto texts = words(row.at("advice"));
      bool speaks = fits(words(row.find("outcome")), {facts.outcome}) &&
                    fits(words(row.find("rule")), facts.rules) &&
                    fits(words(row.find("pattern")), facts.patterns) &&
                    (!row.find("slower").boolean() || facts.slower) &&
                    (!row.find("spills").boolean() || facts.spills);
      for (const std::string &text : texts)
        if (speaks && std::ranges::find(advice, text) == advice.end())
          advice.push_back(text);
      return 0;
    });
    return advice;
  };
  return json::parseDocument(table, "advice", read);
}

Expected<std::string> adviceTable() {
  if (const char *file = std::getenv("KERNELCLAW_ADVICE"); file && *file)
    return readFile(file);
  return adviceText();
}

} // namespace kclaw
