//===- Explain.cpp - learned explain --------------------------------------===//
//
// Sums by evidence and device, which are never mixed. Gains are geometric means
// by weight; a failure has none. A prediction was right when the measured
// ratio went the predicted way, by more than 2 %.
//
//===----------------------------------------------------------------------===//
#include "Learned.h"

#include <cmath>
#include <cstdio>
#include <map>

namespace kclaw {
namespace {

constexpr double unchangedWithin = 0.02;

struct Sum {
  int rows = 0, ok = 0, faster = 0, predictions = 0, right = 0;
  double weight = 0, logGain = 0;
};

int direction(double ratio) {
  return ratio > 1 + unchangedWithin ? 1 : ratio < 1 - unchangedWithin ? -1 : 0;
}

void add(Sum &sum, const Experience &e) {
  ++sum.rows;
  sum.ok += e.outcome == Outcome::Ok;
  sum.faster += e.gain > 1;
  if (e.gain > 0) {
    sum.weight += e.weight;
    sum.logGain += e.weight * std::log(e.gain);
  }
  for (const auto &[counter, sign] : e.predicted)
    if (auto it = e.measured.find(counter); it != e.measured.end()) {
      ++sum.predictions;
      sum.right += direction(it->second) == sign;
    }
}

void print(const std::string &what, const Sum &sum) {
  std::printf("  %-40s %d attempts, %d right, %d faster", what.c_str(),
              sum.rows, sum.ok, sum.faster);
  if (sum.weight > 0)
    std::printf(", mean gain %.2fx", std::exp(sum.logGain / sum.weight));
  if (sum.predictions)
    std::printf(", %d of %d predictions right", sum.right, sum.predictions);
  std::printf("\n");
}

void explainRow(const Experience &e) {
  std::printf("%s\nregion %s (%s), policy %s, arch %s\n", oneLine(e).c_str(),
              e.specHash.c_str(), e.family.c_str(), e.policy.c_str(),
              e.arch.c_str());
  std::printf("case: %s\n",
              e.caseName.empty() ? "none fitted" : e.caseName.c_str());
  constexpr const char *words[] = {"down", "unchanged", "up"};
  for (const auto &[counter, sign] : e.predicted) {
    auto it = e.measured.find(counter);
    std::printf("  %-24s predicted %s, ", counter.c_str(), words[sign + 1]);
    if (it == e.measured.end())
      std::printf("not measured\n");
    else
      std::printf("measured %.2fx\n", it->second);
  }
  std::printf("context:\n");
  for (const auto &[feature, value] : e.context)
    std::printf("  %-24s %g\n", feature.c_str(), value);
}

void explain(const std::string &what, const ExperienceFilter &filter,
             const LearnedTool &tool) {
  auto store = tool.open();
  if (!store)
    return;
  auto rows = store->experiences(filter);
  if (!rows)
    return tool.fail(rows.error());
  std::map<std::string, std::map<std::string, Sum>> methods;
  for (const Experience &e : *rows) {
    if (e.id == what)
      return explainRow(e);
    if (what.empty() || e.method == what)
      add(methods[e.method][std::string(name(e.evidence)) +
                            (e.device.empty() ? "" : " on " + e.device)],
          e);
  }
  for (const auto &[method, sums] : methods) {
    std::printf("%s\n", method.c_str());
    for (const auto &[place, sum] : sums)
      print(place, sum);
  }
  if (methods.empty())
    tool.fail({Error::Code::Invalid,
               what.empty() ? "no such experience"
                            : "'" + what +
                                  "' is neither the method nor the id of an "
                                  "experience; learned list has them"});
}

} // namespace

void addLearnedExplain(CLI::App &app, const LearnedTool &tool) {
  auto filter = addFilter(app);
  auto what = std::make_shared<std::string>();
  app.add_option("WHAT", *what,
                 "a method, or run/region/attempt; none: every method");
  app.footer("Of a method: by evidence and device, how often it was tried, "
             "right, faster, its mean\ngain over the parent, and how many of "
             "its predictions came true. Of an experience:\nits context, what "
             "was predicted and what was measured.");
  app.callback([=] { explain(*what, *filter, tool); });
}

} // namespace kclaw
