//===- DescribeEstimate.cpp - An estimate for people ----------------------===//
#include "kernelclaw/Agent/Estimate.h"

#include <cstdio>

namespace kclaw {
namespace {

template <typename... Args>
std::string format(const char *pattern, Args... args) {
  char text[256];
  std::snprintf(text, sizeof(text), pattern, args...);
  return text;
}

std::string thousands(int64_t tokens) {
  return tokens < 10'000 ? std::to_string(tokens)
                         : std::to_string(tokens / 1000) + "k";
}

int64_t tokens(const Usage &usage) {
  return usage.inputTokens + usage.outputTokens;
}

std::string dollars(const Estimate &estimate, const Usage &low,
                    const Usage &high) {
  return estimate.priced ? format("$%.2f-%.2f", low.dollars, high.dollars)
                         : std::string("not priced");
}

std::string row(const Estimate &estimate, const RegionEstimate &region) {
  std::string text =
      format("%-24.24s %5.1f %% %8.1fx %9.2f us%s ", region.symbol.c_str(),
             100 * region.timeShare, region.headroom, region.stockMicroseconds,
             region.stockMeasured ? " " : "*");
  if (!region.whyNothing.empty())
    return text + "no call: " + region.whyNothing.substr(0, 60) + "\n";
  return text + format("%4lld-%-4lld %8s-%-8s %s\n",
                       static_cast<long long>(region.callsLow),
                       static_cast<long long>(region.callsHigh),
                       thousands(tokens(region.low)).c_str(),
                       thousands(tokens(region.high)).c_str(),
                       dollars(estimate, region.low, region.high).c_str());
}

std::string caps(const Budget &budget) {
  std::string text;
  if (budget.maxDollars > 0)
    text += format(" max-usd=%.4g", budget.maxDollars);
  if (budget.maxTokens > 0)
    text += " max-tokens=" + std::to_string(budget.maxTokens);
  return text.empty() ? " no cap on tokens or dollars" : text;
}

} // namespace

std::string describe(const Estimate &estimate, const AgentOptions &options) {
  std::string text =
      "estimate for " + options.provider + ", strategy " + options.strategy +
      ", max-attempts=" + std::to_string(options.budget.maxAttempts) + "\n" +
      format("%-24s %7s %9s %12s  %-9s %-17s %s\n", "region", "share",
             "headroom", "stock", "calls", "tokens", "dollars");
  bool modelled = false;
  for (const RegionEstimate &region : estimate.regions) {
    text += row(estimate, region);
    modelled |= !region.stockMeasured;
  }
  text += format("in all: %lld to %lld calls, %s to %s tokens, %s;",
                 static_cast<long long>(estimate.callsLow),
                 static_cast<long long>(estimate.callsHigh),
                 thousands(tokens(estimate.low)).c_str(),
                 thousands(tokens(estimate.high)).c_str(),
                 dollars(estimate, estimate.low, estimate.high).c_str()) +
          caps(options.budget) + "\n";
  if (modelled)
    text +=
        "* modelled from the operations' bytes and launches, not measured\n";
  text +=
      "\nwhat would leave this machine: " + std::to_string(estimate.textBytes) +
      " bytes in first questions\n"
      "  prompts of the memory bank (memorybank/prompts), tools and their "
      "schemas\n"
      "  each region: its operations, its tensors' names, shapes, types "
      "and domains,\n"
      "  the generated header, precision policy, architecture, bytes and "
      "flops\n"
      "later questions add: the model's own kernels, what the evaluator "
      "found (verdicts,\n"
      "  errors, compiler logs, times, counters), cards and skeletons of "
      "the memory bank\n"
      "never: weights and other tensor data, file names, keys, the rest "
      "of the module\n";
  return text;
}

} // namespace kclaw
