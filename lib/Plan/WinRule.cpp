//===- WinRule.cpp - When a candidate beats stock -------------------------===//
#include "kernelclaw/Plan/WinRule.h"

#include <cstdio>

namespace kclaw {

static std::string decimals(const char *format, double a, double b) {
  char text[96];
  std::snprintf(text, sizeof text, format, a, b);
  return text;
}

std::string WinRule::whyNot(const Evaluation &evaluation) const {
  const SpeedupInterval &interval = evaluation.speedupInterval;
  const Confirmation &confirmation = evaluation.confirmation;
  if (evaluation.speedup == 0)
    return "it was not timed";
  if (!(evaluation.speedup >= minSpeedup))
    return decimals("%.3fx of stock is less than %.3fx", evaluation.speedup,
                    minSpeedup);
  if (interval.known() && !(interval.low > 1))
    return decimals("its speedup may be none: interval %.3f to %.3f",
                    interval.low, interval.high);
  if (confirmation.asked > 0 && !confirmation.held)
    return "not confirmed: " + confirmation.reason;
  return "";
}

} // namespace kclaw
