//===- attempts.cpp - How many attempts experience saves ------------------===//
//
//   learning_attempts SPECS TABLE FACTS [SPLITS]
//
// SPECS: one {"name", "spec"} a line. TABLE: rows of measure.py. FACTS: a file
// of memorybank/hardware. Of the regions a random half teaches and the other
// half is searched, SPLITS (20) times. A search tries the plans of a region in
// the order that Memory/Gate.h ranks them, again after every attempt, until
// one is within 90 % of the region's best. Prints a table in Markdown.
//
//===----------------------------------------------------------------------===//
#include "Support/Json.h"
#include "kernelclaw/Memory/Gate.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <random>
#include <set>

using namespace kclaw;

namespace {

struct Arm {
  Method method;
  double microseconds = 0; ///< 0: failed
};
struct Region {
  std::string name, kind;
  std::map<std::string, double> features;
  std::vector<Arm> arms; ///< in the expert's order
  double best = 0, median = 0;
};

std::vector<json::Json> readLines(const char *path) {
  std::ifstream file(path);
  if (!file) {
    std::fprintf(stderr, "learning_attempts: cannot read %s\n", path);
    std::exit(1);
  }
  std::vector<json::Json> rows;
  for (std::string line; std::getline(file, line);)
    rows.push_back(json::Json::parse(line));
  return rows;
}

std::vector<Region> readRegions(const char *specs, const char *table,
                                const Facts &facts) {
  std::vector<Region> regions;
  auto rows = readLines(table);
  for (const json::Json &line : readLines(specs)) {
    auto spec = parseKernelSpec(line["spec"].dump());
    if (!spec) {
      std::fprintf(stderr, "%s\n", spec.error().message.c_str());
      std::exit(1);
    }
    Region region;
    region.name = line["name"].get<std::string>();
    region.kind = region.name.substr(0, region.name.find('-'));
    region.features = extractFeatures({*spec, nullptr, nullptr, &facts});
    std::vector<double> times;
    for (const json::Json &row : rows) {
      if (row["region"] != region.name)
        continue;
      Arm arm;
      arm.method.name = row["skeleton"].get<std::string>();
      for (auto &[name, value] : row["parameters"].items())
        arm.method.name += " " + name + "=" + value.dump();
      if (row["outcome"] == "ok")
        times.push_back(arm.microseconds = row["microseconds"].get<double>());
      region.arms.push_back(arm);
    }
    if (times.empty())
      continue;
    std::ranges::sort(times);
    region.best = times[0];
    region.median = times[times.size() / 2];
    regions.push_back(std::move(region));
  }
  return regions;
}

std::vector<Experience> learn(const std::vector<const Region *> &regions) {
  std::vector<Experience> rows;
  for (const Region *region : regions)
    for (const Arm &arm : region->arms) {
      Experience row;
      row.context = region->features;
      row.method = arm.method.name;
      row.outcome = arm.microseconds > 0 ? Outcome::Ok : Outcome::Mismatch;
      row.gain = arm.microseconds > 0 ? region->median / arm.microseconds : 0;
      rows.push_back(row);
    }
  return rows;
}

enum class Order { Expert, None, Learned, Both };

/// Attempts until one is within 90 % of the best.
int search(const Region &region, Order order,
           const std::vector<Experience> &rows, uint64_t seed) {
  static const Case byPlace{};
  std::set<const Method *> tried;
  for (int attempt = 1;; ++attempt) {
    Diagnosis diagnosis;
    diagnosis.features = region.features;
    if (order == Order::Both)
      diagnosis.match = &byPlace; // prior by the expert's order
    for (const Arm &arm : region.arms)
      if (!tried.contains(&arm.method))
        diagnosis.allowed.push_back(&arm.method);
    const Method *next = diagnosis.allowed[0];
    if (order != Order::Expert)
      next = rank(diagnosis, rows, {}, seed + uint64_t(attempt))[0].method;
    tried.insert(next);
    for (const Arm &arm : region.arms)
      if (&arm.method == next && arm.microseconds > 0 &&
          arm.microseconds * 0.9 <= region.best)
        return attempt;
  }
}

double quantile(std::vector<double> values, double part) {
  std::ranges::sort(values);
  return values[size_t(std::lround(part * double(values.size() - 1)))];
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 4) {
    std::fprintf(stderr,
                 "usage: learning_attempts SPECS TABLE FACTS [SPLITS]\n");
    return 2;
  }
  Facts facts;
  std::ifstream file(argv[3]);
  auto hardware = json::Json::parse(file);
  for (auto &[name, fact] : hardware["facts"].items())
    if (fact["value"].is_number())
      facts[name] = fact["value"].get<double>();
  std::vector<Region> regions = readRegions(argv[1], argv[2], facts);
  int splits = argc > 4 ? std::atoi(argv[4]) : 20;
  size_t arms = 0;
  for (const Region &region : regions)
    arms += region.arms.size();
  constexpr const char *names[] = {
      "no experience: the same estimator without rows",
      "experience of the other half",
      "experience, and the expert's order as prior",
      "the expert's own order, fixed"};
  constexpr Order orders[] = {Order::None, Order::Learned, Order::Both,
                              Order::Expert};
  std::vector<double> means[4], ratios[4];
  for (int split = 0; split < splits; ++split) {
    std::vector<const Region *> all;
    for (const Region &region : regions)
      all.push_back(&region);
    std::mt19937_64 random(uint64_t(split) + 1);
    for (size_t i = all.size() - 1; i > 0; --i)
      std::swap(all[i], all[random() % (i + 1)]);
    std::vector<const Region *> half(all.begin(), all.begin() + all.size() / 2);
    std::vector<Experience> rows = learn(half);
    for (int k = 0; k < 4; ++k) {
      double sum = 0;
      for (size_t i = all.size() / 2; i < all.size(); ++i)
        sum += search(*all[i], orders[k],
                      orders[k] == Order::Learned || orders[k] == Order::Both
                          ? rows
                          : std::vector<Experience>(),
                      uint64_t(split) * 1000003 + i * 101);
      means[k].push_back(sum / double(all.size() - all.size() / 2));
      ratios[k].push_back(means[k].back() / means[0].back());
    }
  }
  std::printf("%zu regions, %zu plans; %d random splits, half teaches, half is "
              "searched\n\n",
              regions.size(), arms, splits);
  std::printf(
      "| order of attempts | attempts to 90 %% of the best, median of "
      "splits | 10 to 90 %% of splits | against none |\n|---|---|---|---|\n");
  for (int k = 0; k < 4; ++k)
    std::printf("| %s | %.2f | %.2f - %.2f | %.2fx (%.2f - %.2f) |\n", names[k],
                quantile(means[k], 0.5), quantile(means[k], 0.1),
                quantile(means[k], 0.9), quantile(ratios[k], 0.5),
                quantile(ratios[k], 0.1), quantile(ratios[k], 0.9));
  return 0;
}
