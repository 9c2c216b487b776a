//===- Show.cpp - kernelclaw-store show -----------------------------------===//
#include "Commands.h"

#include <cstdio>

namespace kclaw {
namespace {

struct ShowOptions {
  std::string hash;
  bool source = false;
};

void print(const char *label, const std::string &text) {
  if (!text.empty())
    std::printf("  %-12s%s\n", label, text.c_str());
}

std::string microseconds(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f us", value);
  return text;
}

void printTimes(const Evaluation &e) {
  if (e.time.empty())
    return;
  char interval[64] = "";
  if (e.speedupInterval.known())
    std::snprintf(interval, sizeof interval, " (%.2f to %.2f)",
                  e.speedupInterval.low, e.speedupInterval.high);
  print("speed", speedupOf(e) + interval + ": " +
                     microseconds(e.time.medianMicroseconds) + ", stock " +
                     microseconds(e.stockTime.medianMicroseconds));
}

void printWinner(const StoreEntry &entry, bool source) {
  const Evaluation &e = entry.evaluation;
  print("plan", entry.plan.title);
  printTimes(e);
  print("device", describe(e.device));
  print("driver", e.driverVersion);
  print("nvrtc", e.nvrtcVersion);
  print("precision", e.precisionClass);
  print("repeatable", e.bitwiseRepeatable ? "bitwise" : "no");
  std::string tunables;
  for (const Tunable &tunable : entry.plan.tunables)
    tunables += (tunables.empty() ? "" : ", ") + tunable.name + "=" +
                std::to_string(tunable.chosen);
  print("tunables", tunables);
  for (const ResourceReport &r : e.resources)
    print("kernel", r.kernel + ": " + std::to_string(r.registers) +
                        " registers, " + std::to_string(r.spillBytes) +
                        " bytes spilled, " +
                        std::to_string(r.staticSharedBytes) + " bytes shared");
  for (const ModuleImage &image : e.images)
    print("image", image.module + " " + image.arch + ": cubin " +
                       std::to_string(image.cubin.size()) + " bytes, ptx " +
                       std::to_string(image.ptx.size()) + " bytes");
  print("provenance", entry.provenance);
  if (source)
    for (const PlanModule &module : entry.plan.modules)
      std::printf("\n// module %s\n%s\n", module.name.c_str(),
                  module.kind == PlanModule::Kind::Cubin
                      ? "// a cubin"
                      : module.source.c_str());
}

void show(const ShowOptions &options, StoreTool &tool) {
  auto contents = tool.read();
  if (!contents)
    return;
  bool found = false;
  auto fits = [&](const std::string &hash) {
    return hash.starts_with(options.hash) && (found = true);
  };
  for (const KernelSpec &spec : contents->specs)
    if (fits(spec.specHash))
      std::printf("region %s (%s, policy %s)\n%s\n\n", spec.specHash.c_str(),
                  spec.family.c_str(), name(spec.policy), spec.listing.c_str());
  for (const auto &[key, entry] : contents->entries) {
    if (!fits(key.specHash))
      continue;
    std::printf("%s %s for %s, %s, %s, rules %d\n",
                entry.won ? "winner" : "kept stock", key.specHash.c_str(),
                key.arch.c_str(), key.policy.c_str(), name(key.evidence),
                key.rulesVersion);
    print("reason", entry.reason);
    if (entry.won)
      printWinner(entry, options.source);
  }
  for (const Refutation &row : contents->refuted)
    if (fits(row.specHash)) {
      std::printf("refuted plan of %s for %s, %s\n", row.specHash.c_str(),
                  row.arch.c_str(), row.policy.c_str());
      print("reason", row.reason);
    }
  if (!found)
    tool.fail({Error::Code::Invalid, "no region's hash begins with '" +
                                         options.hash +
                                         "'; kernelclaw-store list has them"});
}

} // namespace

void addShow(CLI::App &app, StoreTool &tool) {
  auto options = std::make_shared<ShowOptions>();
  app.add_option("HASH", options->hash, "the region's hash or its beginning")
      ->required();
  app.add_flag("--source", options->source, "also the kernels' sources");
  app.callback([options, &tool] { show(*options, tool); });
}

} // namespace kclaw
