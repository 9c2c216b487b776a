//===- RoleReplies.cpp - What roles answer, checked by code ---------------===//
#include "RoleReplies.h"

#include "Describe.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace kclaw {
namespace {

using json::Json;

bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

/// Numbers as written: "12.4", "1.5e+07". Digits in a name (fp64, d1, v4) are
/// none.
std::set<std::string> numbersIn(const std::string &text) {
  std::set<std::string> numbers;
  auto isName = [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
  };
  auto digits = [&](size_t i) {
    while (i < text.size() && isDigit(text[i]))
      ++i;
    return i;
  };
  for (size_t i = 0; i < text.size();) {
    if (!isDigit(text[i])) {
      ++i;
      continue;
    }
    size_t start = i;
    i = digits(i);
    if (i + 1 < text.size() && text[i] == '.' && isDigit(text[i + 1]))
      i = digits(i + 1);
    if (i < text.size() && text[i] == 'e') {
      size_t sign =
          i + 1 +
          (i + 1 < text.size() && (text[i + 1] == '+' || text[i + 1] == '-'));
      if (sign < text.size() && isDigit(text[sign]))
        i = digits(sign);
    }
    if (start == 0 || !isName(text[start - 1]))
      numbers.insert(text.substr(start, i - start));
  }
  return numbers;
}

std::string collapsed(const std::string &text) {
  std::string result;
  for (char c : text)
    if (!std::isspace(static_cast<unsigned char>(c)))
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  while (!result.empty() && result.back() == ' ')
    result.pop_back();
  return result;
}

std::vector<std::string> texts(const Json &list) {
  std::vector<std::string> result;
  for (const Json &each : list)
    result.push_back(each.get<std::string>());
  return result;
}

} // namespace

Expected<std::vector<Approach>> readApproaches(const Prompts &prompts) {
  auto text = prompts.text("approaches.json");
  if (!text)
    return std::unexpected(text.error());
  auto list =
      json::parseDocument(*text, "approaches.json", [](const json::Cursor &at) {
        return at.at("approaches").list([](const json::Cursor &row) {
          return Approach{row.at("name").string(), row.at("text").string()};
        });
      });
  if (list && list->empty())
    return makeError(Error::Code::Invalid, "approaches.json: it lists none");
  return list;
}

bool quotesNumber(const std::string &text, const std::string &shown) {
  std::set<std::string> known = numbersIn(shown);
  return std::ranges::any_of(numbersIn(text), [&](const std::string &number) {
    return number.size() > 1 && known.contains(number);
  });
}

bool isQuote(const std::string &quote, const std::string &text) {
  std::string wanted = collapsed(quote);
  return !wanted.empty() && collapsed(text).find(wanted) != std::string::npos;
}

Answer<Json> checkPlanner(Json plan, const Retrieved &gate,
                          const std::string &shown) {
  std::string method = plan["method"];
  Unusable problem; // all at once: there is one more try
  if (std::string why = gate.whyNot(method); !why.empty())
    problem = {"gate", why};
  std::vector<std::string> evidence = texts(plan["evidence"]);
  if (std::ranges::none_of(evidence, [&](const std::string &each) {
        return quotesNumber(each, shown);
      })) {
    std::string why = "evidence: none of it quotes a number that was "
                      "measured; quote the numbers as they are shown";
    problem = problem.why.empty()
                  ? Unusable{"evidence", why}
                  : Unusable{problem.rule, problem.why + "; " + why};
  }
  if (!problem.why.empty())
    return std::unexpected(problem);
  return plan;
}

void notePlanner(Decision &decision, const Json &plan) {
  decision.method = plan["method"];
  decision.bottleneck = plan["bottleneck"];
  decision.plan = plan["plan"];
  decision.evidence = texts(plan["evidence"]);
  for (const Json &row : plan["predicted"]) {
    std::string change = row["change"];
    decision.predicted[row["counter"]] = change == "up"     ? 1
                                         : change == "down" ? -1
                                                            : 0;
  }
}

Answer<Json> checkDiagnosis(Json diagnosis, const std::string &evidence) {
  for (const std::string &quote : texts(diagnosis["quotes"]))
    if (!isQuote(quote, evidence))
      return std::unexpected(
          Unusable{"quote", "quotes: '" + quote.substr(0, 120) +
                                "' is not in the evidence; copy it verbatim"});
  return diagnosis;
}

void noteDiagnosis(Decision &decision, const Json &diagnosis) {
  decision.rootCause = diagnosis["rootCause"];
  decision.fix = diagnosis["fix"];
  decision.quotes = texts(diagnosis["quotes"]);
}

Answer<std::string> readPlanEdits(const Reply &reply, const PlanFiles &files) {
  auto unusable = [](const std::string &why) {
    return std::unexpected(Unusable{"edits", why});
  };
  Edits edits = findEdits(reply.text);
  if (edits.cut)
    return unusable("the answer ends inside a block");
  if (edits.empty())
    return unusable("it holds neither a SEARCH/REPLACE block nor a whole file "
                    "in a ```cuda or ```json fence");
  auto changed = applyEdits(files, edits);
  if (!changed)
    return unusable(changed.error().message);
  if (*changed == files)
    return unusable("it changes nothing");
  auto plan = planFromFiles(*changed);
  if (!plan)
    return unusable(plan.error().message);
  if (auto parsed = parsePlan(*plan); !parsed)
    return unusable("plan.json: " + parsed.error().message);
  return *plan;
}

std::string describeLessons(const std::vector<const Lesson *> &lessons) {
  constexpr size_t most = 3;
  std::string text;
  for (size_t i = 0; i < std::min(lessons.size(), most); ++i)
    text +=
        "- cause: " + lessons[i]->cause + "\n  fix: " + lessons[i]->fix + "\n";
  return text.empty() ? "none known\n" : text;
}

std::string describeFailures(const Tree &tree) {
  constexpr size_t most = 5;
  std::string text;
  size_t shown = 0;
  for (auto record = tree.records().rbegin();
       record != tree.records().rend() && shown < most; ++record) {
    if (record->right() || !record->plan)
      continue;
    std::string why = firstBytes(record->evaluation.message, 200);
    for (const AttemptRecord &other : tree.records())
      if (other.decision.parent == record->number &&
          other.decision.phase == Phase::Repair && other.right())
        why = other.decision.rootCause;
    text += "- attempt " + std::to_string(record->number) + ", " +
            std::string(name(record->evaluation.outcome)) + ": " + why + "\n";
    ++shown;
  }
  return text.empty() ? "nothing yet\n" : text;
}

std::string describeChain(const std::vector<const AttemptRecord *> &chain) {
  constexpr size_t maxDiff = 3000;
  std::string text;
  for (const AttemptRecord *link : chain) {
    const Decision &decision = link->decision;
    text += "- attempt " + std::to_string(link->number);
    if (decision.phase == Phase::Repair)
      text += " tried to mend " + std::to_string(decision.parent) +
              "; cause that was assumed: " + decision.rootCause +
              "; fix: " + decision.fix;
    text += "\n  came out as " + std::string(name(link->evaluation.outcome)) +
            ": " + link->evaluation.message.substr(0, 400) + "\n";
    if (decision.phase == Phase::Repair && link != chain.back())
      text += firstBytes(link->diff, maxDiff) + "\n";
  }
  return text;
}

} // namespace kclaw
