//===- PhaseClock.h - Where a judgement's seconds went ----------*- C++ -*-===//
//
// Wall time by phase. Phases nest, and time counts for the innermost only, so
// that the table's rows add up to the whole. What is only enqueued counts where
// it is waited for. One thread.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_PHASECLOCK_H
#define KERNELCLAW_LIB_DEVICE_PHASECLOCK_H

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace kclaw {

class PhaseClock {
public:
  using Time = std::chrono::steady_clock::time_point;
  explicit PhaseClock(Time (*now)() = std::chrono::steady_clock::now)
      : now(now) {}

  /// Begins a new table.
  void reset() {
    table.clear();
    open.clear();
  }
  void enter(const char *phase) {
    charge();
    open.push_back(phase);
  }
  void leave() {
    charge();
    if (!open.empty())
      open.pop_back();
  }
  /// Seconds by phase so far.
  const std::map<std::string, double> &seconds() {
    charge();
    return table;
  }

private:
  void charge() {
    Time time = now();
    if (!open.empty())
      table[open.back()] +=
          std::chrono::duration<double>(time - charged).count();
    charged = time;
  }

  Time (*now)();
  Time charged{};
  std::vector<const char *> open;
  std::map<std::string, double> table;
};

/// Time counts for `phase` while this lives.
class Phase {
public:
  Phase(PhaseClock &clock, const char *phase) : clock(clock) {
    clock.enter(phase);
  }
  ~Phase() { clock.leave(); }
  Phase(const Phase &) = delete;
  Phase &operator=(const Phase &) = delete;

private:
  PhaseClock &clock;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_PHASECLOCK_H
