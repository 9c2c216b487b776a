//===- Ledger.h - What was spent, and what may still be ---------*- C++ -*-===//
//
// Private. Caps are hard: a call is made only if its upper bound still fits.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_LEDGER_H
#define KERNELCLAW_LIB_AGENT_LEDGER_H

#include "kernelclaw/Agent/Agent.h"

#include <chrono>

namespace kclaw {

class Ledger {
public:
  /// `secondsBefore`: what earlier processes spent on the same run.
  explicit Ledger(const Budget &budget, double secondsBefore = 0)
      : budget(budget), secondsBefore(secondsBefore) {}

  /// Error::Code::Budget, naming the cap, when `bound` does not fit.
  Expected<void> reserve(const Usage &bound) const;
  /// Until max-seconds are over; infinity without that cap.
  double secondsLeft() const;
  /// The time limit of one evaluation, within the cap on device time and what
  /// evaluations under way have reserved of it; until releaseDevice.
  Expected<double> reserveDeviceSeconds(double wanted);
  void releaseDevice(double reserved) { reservedDevice -= reserved; }
  /// Whether less than `wanted` is free, and some of the rest may come back.
  bool mustWaitForDevice(double wanted) const;

  void book(const Usage &usage);
  void bookDevice(double seconds) { deviceSeconds += seconds; }
  const Usage &spent() const { return used; }

private:
  Budget budget;
  double secondsBefore;
  Usage used;
  double deviceSeconds = 0;
  double reservedDevice = 0; ///< by evaluations under way
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_LEDGER_H
