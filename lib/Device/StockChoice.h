//===- StockChoice.h - Our own lowering or the libraries --------*- C++ -*-===//
//
// A job may bring two stocks. The one with library steps is judged like a
// candidate, against our own lowering: it must be right within the family's
// bound, and faster. Then it takes own lowering's place, for comparing times
// and for the error budget; else our own lowering stays, and the report says
// why. What came out is kept for the next job of the region.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_STOCKCHOICE_H
#define KERNELCLAW_LIB_DEVICE_STOCKCHOICE_H

#include "kernelclaw/Plan/Job.h"

#include <functional>

namespace kclaw {

/// Judges a job.
using Trial = std::function<Evaluation(const Job &job)>;

/// `job` with the stock that `report` says, and no other.
Job withStock(const Job &job, const StockReport &report);

/// `job` with one stock, and in `report` which.
Job settleStock(const Job &job, const Trial &trial, StockReport &report);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_STOCKCHOICE_H
