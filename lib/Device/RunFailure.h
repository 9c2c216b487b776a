//===- RunFailure.h - Why a plan could not be judged further ----*- C++ -*-===//
//
// A value, not an error of ours: it becomes the Evaluation's outcome.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_RUNFAILURE_H
#define KERNELCLAW_LIB_DEVICE_RUNFAILURE_H

#include "kernelclaw/Plan/Evaluation.h"

namespace kclaw {

struct RunFailure {
  Outcome outcome = Outcome::Rejected;
  std::string rule;
  std::string message;
  /// The context is unusable (sticky error, hang): this process must end.
  bool contextLost = false;
};

template <typename T> using Run = std::expected<T, RunFailure>;

inline std::unexpected<RunFailure> failRun(Outcome outcome, std::string rule,
                                           std::string message,
                                           bool contextLost = false) {
  return std::unexpected<RunFailure>(
      RunFailure{outcome, std::move(rule), std::move(message), contextLost});
}

} // namespace kclaw

// Returns from the enclosing function when the expression holds a failure.
#define KCLAW_TRY(EXPRESSION)                                                  \
  do {                                                                         \
    if (auto tried = (EXPRESSION); !tried)                                     \
      return std::unexpected(tried.error());                                   \
  } while (false)

#endif // KERNELCLAW_LIB_DEVICE_RUNFAILURE_H
