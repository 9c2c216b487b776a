//===- Diagnose.cpp - kernelclaw-memory diagnose --------------------------===//
#include "Subcommand.h"

#include "kernelclaw/Memory/Gate.h"

#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>

using namespace kclaw;

namespace {
struct Arguments {
  std::string spec, plan, evaluation, arch = "sm_90a";
  uint64_t seed = 1;
};
} // namespace

static Expected<std::string> readText(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file)
    return makeError(Error::Code::Io, "cannot read '" + path + "'");
  return text.str();
}

/// The file's content, parsed; nothing where no file is named.
template <typename Parse>
static auto readAs(const std::string &path, Parse parse)
    -> decltype(parse(std::string())) {
  auto text = readText(path);
  if (!text)
    return std::unexpected(text.error());
  auto parsed = parse(*text);
  if (!parsed)
    return std::unexpected(parsed.error().context(path));
  return parsed;
}

static void print(const Diagnosis &diagnosis, uint64_t seed) {
  std::printf("features\n");
  for (const auto &[name, value] : diagnosis.features)
    std::printf("    %-24s %.6g\n", name.c_str(), value);
  std::printf("predicates that hold\n");
  for (const std::string &name : diagnosis.predicates)
    std::printf("    %s\n", name.c_str());
  std::printf("headroom: %s\n", diagnosis.headroom.c_str());
  if (diagnosis.match)
    std::printf("case: %s\n%s", diagnosis.match->name.c_str(),
                wrap(diagnosis.match->advice, "    ").c_str());
  else
    std::printf("case: none fits; every method whose preconditions hold is "
                "allowed\n");
  std::printf("allowed, without experience\n");
  for (const Ranked &one : rank(diagnosis, {}, {}, seed))
    std::printf("    %-28s %s\n", one.method->name.c_str(),
                one.method->title.c_str());
  std::printf("refused\n");
  for (const Refusal &one : diagnosis.refused)
    std::printf("    %-28s %s\n", one.method.c_str(), one.why.c_str());
}

static int run(const MemoryBank &bank, const Arguments &arguments) {
  auto spec = readAs(arguments.spec, parseKernelSpec);
  if (!spec)
    return fail(spec.error().message);
  FeatureInput input{*spec};
  std::optional<Plan> plan;
  if (!arguments.plan.empty()) {
    auto read = readAs(arguments.plan, parsePlan);
    if (!read)
      return fail(read.error().message);
    plan = std::move(*read);
    input.plan = &*plan;
  }
  std::optional<Evaluation> evaluation;
  if (!arguments.evaluation.empty()) {
    auto read = readAs(arguments.evaluation, parseEvaluation);
    if (!read)
      return fail(read.error().message);
    evaluation = std::move(*read);
    input.evaluation = &*evaluation;
  }
  const Hardware *hardware = bank.target(arguments.arch);
  if (!hardware)
    return fail("no hardware of architecture '" + arguments.arch +
                "'; kernelclaw-memory list hardware prints them");
  input.hardware = &hardware->facts;
  print(diagnose(bank, extractFeatures(input)), arguments.seed);
  return Good;
}

std::function<int()> addDiagnose(CLI::App &app, const MemoryOptions &options) {
  auto arguments = std::make_shared<Arguments>();
  app.add_option("--spec", arguments->spec, "spec.json of a region")
      ->required();
  app.add_option("--plan", arguments->plan, "plan.json of an attempt");
  app.add_option("--evaluation", arguments->evaluation,
                 "its evaluation.json, best with a profile");
  app.add_option("--arch", arguments->arch, "target (default: sm_90a)");
  app.add_option("--seed", arguments->seed, "of the order that is drawn");
  return [arguments, &options] {
    auto bank = openBank(options);
    return bank ? run(*bank, *arguments) : int(Failed);
  };
}
