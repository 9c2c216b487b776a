//===- Show.cpp - kernelclaw-memory show and explain ----------------------===//
#include "Subcommand.h"

#include <algorithm>
#include <cstdio>
#include <memory>

using namespace kclaw;

static void line(const char *key, const std::string &text) {
  if (!text.empty())
    std::printf("%s\n%s", key, wrap(text, "    ").c_str());
}

static std::string join(const std::vector<std::string> &parts) {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : ", ") + part;
  return text;
}

static void show(const NamedCondition &one) {
  std::printf("%s: %s\n", one.name.c_str(), one.condition.text().c_str());
  line("  meaning", one.meaning);
  line("  source", one.source);
}

static void show(const Case &one) {
  std::printf("case %s: %s x %s x headroom %s\n", one.name.c_str(),
              one.bottleneck.c_str(), one.structure.c_str(),
              one.headroom.c_str());
  line("  signature", join(one.signature));
  line("  when", one.when.text());
  line("  allowed", join(one.allowed));
  for (const auto &[method, why] : one.forbidden)
    line(("  forbidden: " + method).c_str(), why);
  line("  advice", one.advice);
}

static void show(const Method &one) {
  std::printf("method %s (%s): %s\n", one.name.c_str(), one.scope.c_str(),
              one.title.c_str());
  line("  when", one.when);
  line("  why", one.why);
  line("  how", one.how);
  std::vector<std::string> expected;
  for (const auto &[counter, direction] : one.expect)
    expected.push_back(counter + (direction > 0   ? " up"
                                  : direction < 0 ? " down"
                                                  : " same"));
  line("  expect", join(expected));
  for (const NamedCondition &precondition : one.preconditions)
    line(("  precondition: " + precondition.name).c_str(),
         precondition.condition.text() + " - " + precondition.meaning);
  for (const std::string &hazard : one.hazards)
    line("  hazard", hazard);
}

static void show(const Lesson &one) {
  std::printf("lesson %s (%s): /%s/\n", one.name.c_str(), one.stage.c_str(),
              one.pattern.c_str());
  line("  example", one.example);
  line("  cause", one.cause);
  line("  fix", one.fix);
}

static void show(const Hardware &one) {
  std::printf("%s: %s\n", one.arch.c_str(), one.name.c_str());
  for (const auto &[name, value] : one.facts)
    std::printf("    %-24s %.10g\n", name.c_str(), value);
  for (const std::string &text : one.instructions)
    line("  instruction", text);
  for (const std::string &text : one.pitfalls)
    line("  pitfall", text);
}

/// Shows the entry of a list that is called so.
template <typename Entry>
static bool showIn(const std::vector<Entry> &list, const std::string &name,
                   std::string Entry::*key = &Entry::name) {
  auto found = std::ranges::find(list, name, key);
  if (found == list.end())
    return false;
  show(*found);
  return true;
}

static bool showAny(const MemoryBank &bank, const std::string &name) {
  bool found = showIn(bank.methods, name);
  found |= showIn(bank.cases, name);
  for (const auto *list : {&bank.derived, &bank.predicates, &bank.headrooms})
    found |= showIn(*list, name);
  found |= showIn(bank.lessons, name);
  return found | showIn(bank.hardware, name, &Hardware::arch);
}

std::function<int()> addShow(CLI::App &app, const MemoryOptions &options) {
  auto name = std::make_shared<std::string>();
  app.add_option("NAME", *name,
                 "a method, case, predicate, derived number, tier, lesson or "
                 "architecture")
      ->required();
  return [name, &options] {
    auto bank = openBank(options);
    if (!bank)
      return int(Failed);
    return showAny(*bank, *name)
               ? int(Good)
               : fail("nothing is called '" + *name +
                      "'; kernelclaw-memory list prints all names");
  };
}

static int explain(const MemoryBank &bank, const std::string &name) {
  const Method *method = bank.method(name);
  if (!method)
    return fail("no method is called '" + name +
                "'; kernelclaw-memory list methods prints them");
  show(*method);
  for (const Case &one : bank.cases) {
    auto place = std::ranges::find(one.allowed, name);
    if (place != one.allowed.end())
      std::printf("  allowed in %s, place %d of %zu\n", one.name.c_str(),
                  int(place - one.allowed.begin()) + 1, one.allowed.size());
    if (auto why = one.forbidden.find(name); why != one.forbidden.end())
      std::printf("  forbidden in %s: %s\n", one.name.c_str(),
                  why->second.c_str());
  }
  std::printf("  example\n%s", method->example.c_str());
  return Good;
}

std::function<int()> addExplain(CLI::App &app, const MemoryOptions &options) {
  auto name = std::make_shared<std::string>();
  app.add_option("METHOD", *name, "a method's name")->required();
  return [name, &options] {
    auto bank = openBank(options);
    return bank ? explain(*bank, *name) : int(Failed);
  };
}
