//===- Readers.cpp - One file of the memory bank, read --------------------===//
#include "Readers.h"

#include "Support/Json.h"

#include <algorithm>
#include <regex>

namespace kclaw {

using json::Cursor;

/// `owner`: what the condition belongs to, for errors.
static Condition readCondition(const Cursor &at, const NameSet &known,
                               const std::string &owner) {
  Expected<Condition> condition = Condition::parse(at.string("1"));
  if (!condition) {
    at.fail(owner + ": " + condition.error().message);
    return {};
  }
  for (const std::string &name : condition->names())
    if (!known.contains(name))
      at.fail(owner + ": " + unknownName("name", name, known));
  return *condition;
}

/// A text that must be there and say something.
static std::string readText(const Cursor &at) {
  std::string text = at.string();
  if (at.present() && text.empty())
    at.fail("is empty");
  return text;
}

static std::vector<std::string> readTexts(const Cursor &at) {
  return at.list(readText);
}

Expected<Hardware> readHardware(const std::string &text) {
  return json::parseDocument(text, "hardware", [](Cursor at) {
    at.only({"about", "name", "arch", "facts", "instructions", "pitfalls"});
    Hardware hardware;
    hardware.name = readText(at.at("name"));
    hardware.arch = readText(at.at("arch"));
    at.at("facts").members([&](const std::string &name, const Cursor &fact) {
      fact.only({"value", "unit", "source"});
      hardware.facts[name] = fact.at("value").number();
      hardware.units[name] = readText(fact.at("unit"));
      readText(fact.at("source"));
    });
    hardware.instructions = readTexts(at.at("instructions"));
    hardware.pitfalls = readTexts(at.at("pitfalls"));
    return hardware;
  });
}

Expected<std::vector<NamedCondition>>
readConditions(const std::string &text, const char *key, NameSet &known) {
  return json::parseDocument(text, "conditions", [&](Cursor all) {
    return all.list([&](Cursor at) {
      at.only({"name", "meaning", "source", key});
      NamedCondition entry;
      entry.name = readText(at.at("name"));
      entry.meaning = readText(at.at("meaning"));
      entry.source = at.find("source").string();
      entry.condition = readCondition(at.at(key), known, entry.name);
      if (!known.insert(entry.name).second)
        at.at("name").fail("'" + entry.name + "' is taken");
      return entry;
    });
  });
}

static constexpr json::EnumRow<int> directions[] = {
    {"up", 1}, {"down", -1}, {"same", 0}};

static std::map<std::string, int> readExpect(const Cursor &at) {
  std::map<std::string, int> expect;
  at.members([&](const std::string &name, const Cursor &direction) {
    if (name != "time" && !isCounter(name))
      direction.fail("'" + name +
                     "' is neither 'time' nor a counter of "
                     "Support/Counters.h");
    expect[name] = direction.oneOf(directions, 0);
  });
  if (at.present() && expect.size() < 2)
    at.fail("wants at least two entries");
  return expect;
}

static constexpr json::EnumRow<int> methodScopes[] = {{"kernel", 0},
                                                      {"graph", 1}};

Expected<Method> readMethod(const std::string &text, const NameSet &known) {
  return json::parseDocument(text, "method", [&](Cursor at) {
    at.only({"title", "scope", "when", "why", "how", "expect", "preconditions",
             "hazards", "repeatable"});
    Method method;
    method.repeatable = at.find("repeatable").boolean(false);
    method.title = readText(at.at("title"));
    method.when = readText(at.at("when"));
    method.why = readText(at.at("why"));
    method.how = readText(at.at("how"));
    at.at("scope").oneOf(methodScopes, 0);
    method.scope = at.find("scope").string();
    method.expect = readExpect(at.at("expect"));
    method.hazards = readTexts(at.at("hazards"));
    method.preconditions = at.at("preconditions").list([&](Cursor entry) {
      entry.only({"name", "condition", "meaning"});
      NamedCondition precondition;
      precondition.name = readText(entry.at("name"));
      precondition.meaning = readText(entry.at("meaning"));
      precondition.condition =
          readCondition(entry.at("condition"), known, precondition.name);
      return precondition;
    });
    if (at.find("preconditions").present() && method.preconditions.empty())
      at.at("preconditions").fail("wants at least one");
    for (const NamedCondition &one : method.preconditions)
      if (std::ranges::count(method.preconditions, one.name,
                             &NamedCondition::name) > 1)
        at.at("preconditions").fail("'" + one.name + "' is there twice");
    return method;
  });
}

namespace {
class CaseReader {
public:
  CaseReader(const MemoryBank &bank, const NameSet &known)
      : bank(bank), known(known) {
    for (const NamedCondition &predicate : bank.predicates)
      predicates.insert(predicate.name);
    for (const NamedCondition &tier : bank.headrooms)
      tiers.insert(tier.name);
    for (const Method &method : bank.methods)
      methods.insert(method.name);
  }

  Case operator()(const Cursor &at) const {
    at.only({"name", "bottleneck", "structure", "headroom", "scope",
             "signature", "when", "allowed", "forbidden", "advice", "unknown"});
    Case one;
    one.name = readText(at.at("name"));
    one.bottleneck = nameOrAny(at.at("bottleneck"), one, predicates);
    one.structure = nameOrAny(at.at("structure"), one, predicates);
    one.headroom = readText(at.at("headroom"));
    for (const std::string &tier : splitTiers(one.headroom))
      if (tier != "any")
        check(at.at("headroom"), one, "tier", tier, tiers);
    at.at("scope").oneOf(caseScopes, 0);
    one.scope = at.find("scope").string();
    one.signature = at.at("signature").list([&](Cursor term) {
      std::string text = readText(term);
      std::string name = text.starts_with("not ") ? text.substr(4) : text;
      check(term, one, "predicate", name, predicates);
      return text;
    });
    if (at.find("when").present())
      one.when = readCondition(at.find("when"), known, "case " + one.name);
    one.allowed = at.at("allowed").list([&](Cursor method) {
      std::string name = readText(method);
      check(method, one, "method", name, methods);
      return name;
    });
    if (one.allowed.empty())
      at.at("allowed").fail("wants at least one method");
    at.find("forbidden")
        .members([&](const std::string &name, const Cursor &why) {
          check(why, one, "method", name, methods);
          one.forbidden[name] = readText(why);
        });
    one.advice = readText(at.at("advice"));
    one.unknownPasses = at.find("unknown").oneOf(unknowns, 0) != 0;
    for (const std::string &name : one.allowed)
      if (one.forbidden.contains(name))
        at.at("forbidden").fail("'" + name + "' is allowed, too");
    return one;
  }

private:
  static constexpr json::EnumRow<int> caseScopes[] = {
      {"kernel", 0}, {"graph", 1}, {"seed", 2}};

  static constexpr json::EnumRow<int> unknowns[] = {{"refuses", 0},
                                                    {"passes", 1}};

  static void check(const Cursor &at, const Case &one, const char *what,
                    const std::string &name, const NameSet &names) {
    if (!names.contains(name))
      at.fail("case " + one.name + ": " + unknownName(what, name, names));
  }

  static std::string nameOrAny(const Cursor &at, const Case &one,
                               const NameSet &names) {
    std::string name = readText(at);
    if (name != "any")
      check(at, one, "predicate", name, names);
    return name;
  }

  const MemoryBank &bank;
  const NameSet &known;
  NameSet predicates, tiers, methods;
};

constexpr json::EnumRow<int> stages[] = {{"compile", 0},
                                         {"ptxas", 1},
                                         {"launch", 2},
                                         {"numerics", 3},
                                         {"timing", 4}};
} // namespace

Expected<std::vector<Case>> readCases(const std::string &text,
                                      const MemoryBank &bank,
                                      const NameSet &known) {
  CaseReader read(bank, known);
  return json::parseDocument(text, "cases",
                             [&](Cursor all) { return all.list(read); });
}

static void checkOutcome(const Cursor &at, const std::string &outcome) {
  for (int i = 0; i <= int(Outcome::Ok); ++i)
    if (outcome.empty() || outcome == name(Outcome(i)))
      return;
  at.fail("'" + outcome + "' is no outcome of an evaluation");
}

Expected<std::vector<Lesson>> readLessons(const std::string &text,
                                          const std::string &stage) {
  bool known = std::ranges::any_of(
      stages, [&](const auto &row) { return row.first == stage; });
  if (!known)
    return makeError(Error::Code::Invalid,
                     "'" + stage +
                         "' is no stage; accepted: compile, ptxas, launch, "
                         "numerics, timing");
  return json::parseDocument(text, "lessons", [&](Cursor all) {
    return all.list([&](Cursor at) {
      at.only(
          {"name", "outcome", "rule", "pattern", "example", "cause", "fix"});
      Lesson lesson;
      lesson.stage = stage;
      lesson.name = readText(at.at("name"));
      lesson.pattern = readText(at.at("pattern"));
      lesson.example = readText(at.at("example"));
      lesson.cause = readText(at.at("cause"));
      lesson.fix = readText(at.at("fix"));
      lesson.outcome = at.find("outcome").string();
      lesson.rule = at.find("rule").string();
      checkOutcome(at.find("outcome"), lesson.outcome);
      try {
        std::regex ignored(lesson.pattern);
      } catch (const std::regex_error &wrong) {
        at.at("pattern").fail("is no ECMAScript regular expression: " +
                              std::string(wrong.what()));
      }
      return lesson;
    });
  });
}

} // namespace kclaw
