//===- List.cpp - kernelclaw-memory list ----------------------------------===//
#include "Subcommand.h"

#include <cstdio>
#include <memory>

using namespace kclaw;

static void print(const std::string &name, const std::string &kind,
                  const std::string &text) {
  std::printf("%-34s %-10s %s\n", name.c_str(), kind.c_str(), text.c_str());
}

static int list(const MemoryBank &bank, const std::string &what) {
  bool all = what.empty();
  if (all || what == "methods")
    for (const Method &one : bank.methods)
      print(one.name, "method", one.title);
  if (all || what == "cases")
    for (const Case &one : bank.cases)
      print(one.name, "case", one.advice);
  if (all || what == "predicates")
    for (const auto *conditions : {&bank.derived, &bank.predicates})
      for (const NamedCondition &one : *conditions)
        print(one.name, conditions == &bank.derived ? "derived" : "predicate",
              one.condition.text());
  if (all || what == "headroom")
    for (const NamedCondition &one : bank.headrooms)
      print(one.name, "headroom", one.condition.text());
  if (all || what == "lessons")
    for (const Lesson &one : bank.lessons)
      print(one.name, one.stage, one.cause);
  if (all || what == "hardware")
    for (const Hardware &one : bank.hardware)
      print(one.arch, "hardware", one.name);
  return Good;
}

std::function<int()> addList(CLI::App &app, const MemoryOptions &options) {
  auto what = std::make_shared<std::string>();
  app.add_option("KIND", *what, "only these; default: all")
      ->check(CLI::IsMember({"methods", "cases", "predicates", "headroom",
                             "lessons", "hardware"}));
  return [what, &options] {
    auto bank = openBank(options);
    return bank ? list(*bank, *what) : int(Failed);
  };
}
