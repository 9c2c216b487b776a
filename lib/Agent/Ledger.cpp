//===- Ledger.cpp - What was spent, and what may still be -----------------===//
#include "Ledger.h"

#include <algorithm>
#include <cstdio>
#include <limits>

namespace kclaw {
namespace {

std::string decimal(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g", value);
  return text;
}

} // namespace

Expected<void> Ledger::reserve(const Usage &bound) const {
  int64_t tokens = used.inputTokens + used.outputTokens;
  int64_t next = bound.inputTokens + bound.outputTokens;
  if (budget.maxTokens > 0 && tokens + next > budget.maxTokens)
    return makeError(Error::Code::Budget,
                     "max-tokens: " + std::to_string(tokens) +
                         " spent, the next call may need " +
                         std::to_string(next) + ", the cap is " +
                         std::to_string(budget.maxTokens));
  if (budget.maxDollars > 0 && used.dollars + bound.dollars > budget.maxDollars)
    return makeError(Error::Code::Budget,
                     "max-usd: " + decimal(used.dollars) +
                         " spent, the next call may need " +
                         decimal(bound.dollars) + ", the cap is " +
                         decimal(budget.maxDollars));
  if (secondsLeft() <= 0)
    return makeError(Error::Code::Budget,
                     "max-seconds: " + decimal(budget.maxSeconds) +
                         " s are over" +
                         (secondsBefore > 0 ? ", " + decimal(secondsBefore) +
                                                  " s of them before this "
                                                  "resume"
                                            : ""));
  return {};
}

double Ledger::secondsLeft() const {
  if (budget.maxSeconds <= 0)
    return std::numeric_limits<double>::infinity();
  std::chrono::duration<double> passed =
      std::chrono::steady_clock::now() - start;
  return budget.maxSeconds - secondsBefore - passed.count();
}

bool Ledger::mustWaitForDevice(double wanted) const {
  return budget.maxGpuSeconds > 0 && reservedDevice > 0 &&
         budget.maxGpuSeconds - deviceSeconds - reservedDevice < wanted;
}

Expected<double> Ledger::reserveDeviceSeconds(double wanted) {
  if (auto inTime = reserve({}); !inTime)
    return std::unexpected(inTime.error());
  if (budget.maxGpuSeconds <= 0) {
    reservedDevice += wanted;
    return wanted;
  }
  double left = budget.maxGpuSeconds - deviceSeconds - reservedDevice;
  if (left <= 0)
    return makeError(Error::Code::Budget,
                     "max-gpu-seconds: " + decimal(budget.maxGpuSeconds) +
                         " s are used up");
  wanted = std::min(wanted, left);
  reservedDevice += wanted;
  return wanted;
}

void Ledger::book(const Usage &usage) {
  used.inputTokens += usage.inputTokens;
  used.outputTokens += usage.outputTokens;
  used.dollars += usage.dollars;
  used.seconds += usage.seconds;
}

} // namespace kclaw
