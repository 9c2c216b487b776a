//===- Ledger.h - What was spent, and what may still be ---------*- C++ -*-===//
//
// Private. Caps are hard: a call is made only if its upper bound still fits
// beside what was spent and what calls under way have reserved, and within the
// share of its region while there are shares. From any thread.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_LEDGER_H
#define KERNELCLAW_LIB_AGENT_LEDGER_H

#include "kernelclaw/Agent/Agent.h"

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>

namespace kclaw {

class Ledger {
  struct Books;

public:
  /// `secondsBefore`: what earlier processes spent on the same run.
  explicit Ledger(const Budget &budget, double secondsBefore = 0);

  /// What one call holds of the budget, until it is settled or dropped.
  class Reservation {
  public:
    Reservation(Reservation &&) = default;
    Reservation &operator=(Reservation &&) = delete;
    ~Reservation() { release(); }
    const Usage &bound() const { return held; }
    /// Books what the call used instead and returns it. More than the bound is
    /// booked, too, and raises later bounds by as much; what cannot be
    /// (negative, not a number, more than `absurd` times the bound) is booked
    /// by the bound.
    Usage settle(const Usage &claimed);
    /// Holds `bound` instead, if that fits.
    bool raise(const Usage &bound);
    void release();

  private:
    friend class Ledger;
    Reservation(std::shared_ptr<Books> books, const Usage &bound,
                const std::string &region)
        : books(std::move(books)), held(bound), region(region) {}
    std::shared_ptr<Books> books; ///< null once settled or released
    Usage held;
    std::string region;
  };
  static constexpr int64_t absurd = 16;

  /// Error::Code::Budget, naming the cap, when `bound` does not fit. `region`
  /// (a specHash) pays.
  Expected<Reservation> reserve(const Usage &bound,
                                const std::string &region = "");
  /// Whether `bound` does not fit now, but may once calls under way end.
  bool mustWait(const Usage &bound, const std::string &region = "") const;
  /// Until a reservation ends, or a moment passes.
  void waitForRelease() const;

  /// Until max-seconds are over; infinity without that cap.
  double secondsLeft() const;
  std::string timeIsOver() const; ///< the message when there are none left

  /// The time limit of one evaluation, within the cap on device time and what
  /// evaluations under way have reserved of it; until releaseDevice.
  Expected<double> reserveDeviceSeconds(double wanted);
  void releaseDevice(double reserved);
  /// Whether less than `wanted` is free, and some of the rest may come back.
  bool mustWaitForDevice(double wanted) const;

  /// What a region may have used in all, of the caps that there are.
  struct Share {
    double tokens = 0, dollars = 0;
  };
  /// By region; one that is not named may use what there is. Where shares add
  /// up to no more than is left, who asks first decides nothing.
  void share(std::map<std::string, Share> shares);
  /// Whether a call of the region was refused by its share alone.
  bool shareReached(const std::string &region) const;

  /// What was used without a reservation: by earlier processes.
  void book(const Usage &usage, const std::string &region = "");
  void bookDevice(double seconds);
  Usage spent() const;
  Usage spentBy(const std::string &region) const;
  double deviceSecondsSpent() const;

private:
  std::shared_ptr<Books> books;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_LEDGER_H
