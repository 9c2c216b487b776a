//===- Ledger.cpp - What was spent, and what may still be -----------------===//
#include "Ledger.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <set>

namespace kclaw {
namespace {

std::string decimal(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g", value);
  return text;
}

constexpr int64_t mostTokens = std::numeric_limits<int64_t>::max() / 4;

int64_t tokensOf(const Usage &usage) {
  return usage.inputTokens + usage.outputTokens;
}

int64_t clamp(int64_t tokens) {
  return std::clamp<int64_t>(tokens, 0, mostTokens / 2);
}

void add(Usage &to, const Usage &usage) {
  to.inputTokens = clamp(to.inputTokens + clamp(usage.inputTokens));
  to.outputTokens = clamp(to.outputTokens + clamp(usage.outputTokens));
  to.cachedInputTokens += usage.cachedInputTokens;
  to.dollars += usage.dollars;
  to.seconds += usage.seconds;
}

/// `claimed`, or `bound` where it is nothing that a call can use. A bound of 0
/// says that the provider does not count: what it claims is taken, if sane.
int64_t believable(int64_t claimed, int64_t bound) {
  int64_t most =
      bound > 0 ? std::min(bound, mostTokens / Ledger::absurd) * Ledger::absurd
                : int64_t(1) << 32;
  return claimed < 0 || claimed > most ? bound : claimed;
}
double believable(double claimed, double bound) {
  double most = bound > 0 ? bound * Ledger::absurd : 1e6;
  return !(claimed >= 0 && claimed <= most) ? bound : claimed;
}

} // namespace

struct Ledger::Books {
  const Budget budget;
  const double secondsBefore;
  const std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();

  mutable std::mutex guard;
  mutable std::condition_variable released;
  Usage used;
  Usage reserved; ///< by calls under way
  int underWay = 0;
  double overrun = 1; ///< the most that a call used over its bound
  double deviceSeconds = 0;
  double reservedDevice = 0;           ///< by evaluations under way
  std::map<std::string, Usage> usedBy; ///< by region; part of `used`
  std::map<std::string, Share> shares;
  std::set<std::string> shareReached;

  Books(const Budget &budget, double secondsBefore)
      : budget(budget), secondsBefore(secondsBefore) {}

  Usage raised(Usage bound) const {
    bound.inputTokens = clamp(bound.inputTokens);
    bound.outputTokens = clamp(bound.outputTokens);
    if (overrun > 1) {
      bound.inputTokens =
          int64_t(std::ceil(double(bound.inputTokens) * overrun));
      bound.outputTokens =
          int64_t(std::ceil(double(bound.outputTokens) * overrun));
      bound.dollars *= overrun;
    }
    return bound;
  }

  bool fits(const Usage &bound, bool besideOthers) const {
    int64_t tokens = tokensOf(used) + tokensOf(bound);
    double dollars = used.dollars + bound.dollars;
    if (besideOthers) {
      tokens += tokensOf(reserved);
      dollars += reserved.dollars;
    }
    return (budget.maxTokens <= 0 || tokens <= budget.maxTokens) &&
           (budget.maxDollars <= 0 || dollars <= budget.maxDollars);
  }

  /// Why a call that fits the whole budget is beyond its region's part of it;
  /// empty: it is not. A region has one call under way at a time.
  std::string whyBeyondShare(const Usage &bound,
                             const std::string &region) const {
    auto share = shares.find(region);
    if (share == shares.end())
      return "";
    Usage spent = usageOf(region);
    double tokens = double(tokensOf(spent) + tokensOf(bound));
    double dollars = spent.dollars + bound.dollars;
    const auto &[mostTokens, mostDollars] = share->second;
    std::string why;
    if (budget.maxTokens > 0 && tokens > mostTokens)
      why = "max-tokens: the region's share, " + decimal(mostTokens);
    else if (budget.maxDollars > 0 && dollars > mostDollars)
      why = "max-usd: the region's share, $" + decimal(mostDollars);
    return why.empty() ? "" : why + ", is used up";
  }

  Usage usageOf(const std::string &region) const {
    auto found = usedBy.find(region);
    return found == usedBy.end() ? Usage() : found->second;
  }

  void book(const Usage &usage, const std::string &region) {
    add(used, usage);
    add(usedBy[region], usage);
  }

  void hold(const Usage &bound) {
    add(reserved, bound);
    ++underWay;
  }

  void free(const Usage &held) {
    reserved.inputTokens -= held.inputTokens;
    reserved.outputTokens -= held.outputTokens;
    // Sums of doubles do not cancel; no call under way means nothing reserved.
    reserved.dollars = --underWay ? reserved.dollars - held.dollars : 0;
    released.notify_all();
  }
};

Ledger::Ledger(const Budget &budget, double secondsBefore)
    : books(std::make_shared<Books>(budget, secondsBefore)) {}

Usage Ledger::Reservation::settle(const Usage &claimed) {
  Usage usage = claimed;
  usage.inputTokens = believable(claimed.inputTokens, held.inputTokens);
  usage.outputTokens = believable(claimed.outputTokens, held.outputTokens);
  usage.cachedInputTokens =
      std::clamp<int64_t>(claimed.cachedInputTokens, 0, usage.inputTokens);
  usage.dollars = believable(claimed.dollars, held.dollars);
  usage.seconds = claimed.seconds >= 0 && std::isfinite(claimed.seconds)
                      ? claimed.seconds
                      : 0;
  if (!books)
    return usage;
  std::lock_guard lock(books->guard);
  books->book(usage, region);
  if (tokensOf(held) > 0)
    books->overrun = std::max(books->overrun,
                              double(tokensOf(usage)) / double(tokensOf(held)));
  if (held.dollars > 0)
    books->overrun = std::max(books->overrun, usage.dollars / held.dollars);
  books->free(held);
  books.reset();
  return usage;
}

bool Ledger::Reservation::raise(const Usage &bound) {
  if (!books)
    return false;
  std::lock_guard lock(books->guard);
  books->free(held);
  bool fits = books->fits(bound, /*besideOthers=*/true) &&
              books->whyBeyondShare(bound, region).empty();
  if (fits)
    held = bound;
  books->hold(held);
  return fits;
}

void Ledger::Reservation::release() {
  if (!books)
    return;
  std::lock_guard lock(books->guard);
  books->free(held);
  books.reset();
}

Expected<Ledger::Reservation> Ledger::reserve(const Usage &bound,
                                              const std::string &region) {
  std::lock_guard lock(books->guard);
  Usage next = books->raised(bound);
  int64_t tokens = tokensOf(books->used) + tokensOf(books->reserved);
  double dollars = books->used.dollars + books->reserved.dollars;
  const Budget &budget = books->budget;
  // First: what others have reserved must not decide which of the two it is.
  if (std::string why = books->whyBeyondShare(next, region); !why.empty()) {
    books->shareReached.insert(region);
    return makeError(Error::Code::Budget, why);
  }
  if (budget.maxTokens > 0 && tokens + tokensOf(next) > budget.maxTokens)
    return makeError(Error::Code::Budget,
                     "max-tokens: " + std::to_string(tokens) +
                         " spent, the next call may need " +
                         std::to_string(tokensOf(next)) + ", the cap is " +
                         std::to_string(budget.maxTokens));
  if (budget.maxDollars > 0 && dollars + next.dollars > budget.maxDollars)
    return makeError(Error::Code::Budget,
                     "max-usd: " + decimal(dollars) +
                         " spent, the next call may need " +
                         decimal(next.dollars) + ", the cap is " +
                         decimal(budget.maxDollars));
  if (secondsLeft() <= 0)
    return makeError(Error::Code::Budget, timeIsOver());
  books->hold(next);
  return Reservation(books, next, region);
}

bool Ledger::mustWait(const Usage &bound, const std::string &region) const {
  std::lock_guard lock(books->guard);
  Usage next = books->raised(bound);
  return !books->fits(next, true) && books->fits(next, false) &&
         books->whyBeyondShare(next, region).empty() && secondsLeft() > 0;
}

void Ledger::waitForRelease() const {
  std::unique_lock lock(books->guard);
  books->released.wait_for(lock, std::chrono::milliseconds(50));
}

double Ledger::secondsLeft() const {
  if (books->budget.maxSeconds <= 0)
    return std::numeric_limits<double>::infinity();
  std::chrono::duration<double> passed =
      std::chrono::steady_clock::now() - books->start;
  return books->budget.maxSeconds - books->secondsBefore - passed.count();
}

std::string Ledger::timeIsOver() const {
  double before = books->secondsBefore;
  return "max-seconds: " + decimal(books->budget.maxSeconds) + " s are over" +
         (before > 0 ? ", " + decimal(before) + " s of them before this resume"
                     : "");
}

bool Ledger::mustWaitForDevice(double wanted) const {
  std::lock_guard lock(books->guard);
  double cap = books->budget.maxGpuSeconds;
  return cap > 0 && books->reservedDevice > 0 &&
         cap - books->deviceSeconds - books->reservedDevice < wanted;
}

Expected<double> Ledger::reserveDeviceSeconds(double wanted) {
  if (secondsLeft() <= 0)
    return makeError(Error::Code::Budget, timeIsOver());
  std::lock_guard lock(books->guard);
  double cap = books->budget.maxGpuSeconds;
  if (cap > 0) {
    double left = cap - books->deviceSeconds - books->reservedDevice;
    if (left <= 0)
      return makeError(Error::Code::Budget,
                       "max-gpu-seconds: " + decimal(cap) + " s are used up");
    wanted = std::min(wanted, left);
  }
  books->reservedDevice += wanted;
  return wanted;
}

void Ledger::releaseDevice(double reserved) {
  std::lock_guard lock(books->guard);
  books->reservedDevice -= reserved;
  books->released.notify_all();
}

void Ledger::share(std::map<std::string, Share> shares) {
  std::lock_guard lock(books->guard);
  books->shares = std::move(shares);
  books->shareReached.clear();
}

bool Ledger::shareReached(const std::string &region) const {
  std::lock_guard lock(books->guard);
  return books->shareReached.contains(region);
}

void Ledger::book(const Usage &usage, const std::string &region) {
  std::lock_guard lock(books->guard);
  books->book(usage, region);
}

void Ledger::bookDevice(double seconds) {
  std::lock_guard lock(books->guard);
  books->deviceSeconds += seconds;
}

Usage Ledger::spent() const {
  std::lock_guard lock(books->guard);
  return books->used;
}

Usage Ledger::spentBy(const std::string &region) const {
  std::lock_guard lock(books->guard);
  return books->usageOf(region);
}

double Ledger::deviceSecondsSpent() const {
  std::lock_guard lock(books->guard);
  return books->deviceSeconds;
}

} // namespace kclaw
