//===- KeptStock.cpp - Which stock a region without a winner keeps --------===//
#include "KeptStock.h"
#include "Acceptance.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace kclaw {

using Status = AttemptResult::Status;

/// `StockReport::why` starts with the outcome (compareStocks).
bool KeptStock::isLasting() const {
  auto failed = [this](Outcome outcome) {
    return report.why.starts_with(std::string(name(outcome)) + ",");
  };
  return report.isDecided() && evidence != Evidence::None &&
         !failed(Outcome::Timeout) && !failed(Outcome::Fault) &&
         !failed(Outcome::Rejected);
}

/// Only one that got as far as a device says what its evidence is.
static const Evaluation *decidingOne(const Tree &tree) {
  const auto &history = tree.records();
  auto found = std::ranges::find_if(history, [](const AttemptRecord &record) {
    return record.evaluation.stock.isDecided() &&
           record.evaluation.evidence != Evidence::None;
  });
  return found == history.end() ? nullptr : &found->evaluation;
}

/// Choices name steps of one plan: another compiler's does not count.
static bool knows(const std::optional<StoreEntry> &stored,
                  const RegionTask &task) {
  return stored && !stored->won && stored->evaluation.stock.isDecided() &&
         toJson(stored->plan) == toJson(*task.libraryStock);
}

/// Whether the evaluator's answer could be used, and can be had.
static bool canJudge(const Run &run, const RegionTask &task) {
  return !run.options.compileOnly && run.noStock.empty() &&
         // A simulator's smaller sizes have no library stock of their own.
         task.reduced.empty() &&
         isAccepted(run.evaluator.evidence(), run.options, task.spec);
}

static void warnOnce(Run &run, const std::string &why) {
  if (!std::exchange(run.warnedOfStock, true))
    std::fprintf(stderr, "warning: stock is our own lowering alone: %s\n",
                 why.c_str());
}

static Expected<KeptStock> judged(Run &run, const RegionTask &task) {
  auto result = judgeLibraryStock(run, task);
  if (!result)
    return std::unexpected(result.error());
  KeptStock stock;
  if (result->status != Status::Judged) {
    if (result->status == Status::Broken)
      warnOnce(run, result->reason);
    stock.notJudged = std::move(*result);
    return stock;
  }
  const Evaluation &evaluation = result->record.evaluation;
  if (evaluation.rule == libraryAbsentRule) {
    warnOnce(run, evaluation.message);
    return stock;
  }
  stock.report = compareStocks(evaluation);
  stock.evidence = evaluation.evidence;
  return stock;
}

Expected<KeptStock> chooseKeptStock(Run &run, const RegionTask &task,
                                    const Tree &tree,
                                    const std::optional<StoreEntry> &stored) {
  if (!task.libraryStock)
    return KeptStock();
  if (const Evaluation *evaluation = decidingOne(tree))
    return KeptStock{evaluation->stock, evaluation->evidence, {}};
  // A resumed run goes by its own record.
  bool recorded = run.directory.libraryStock(task.spec.specHash).exists();
  if (!recorded && knows(stored, task))
    return KeptStock{stored->evaluation.stock, stored->evaluation.evidence, {}};
  return canJudge(run, task) ? judged(run, task) : KeptStock();
}

StockReport accepted(const KeptStock &stock, const AgentOptions &options,
                     const KernelSpec &spec) {
  StockReport report = stock.report;
  if (report.library && !isAccepted(stock.evidence, options, spec)) {
    report.library = false;
    report.why = "the libraries' is faster, but accept=simulated was not given";
    if (options.acceptSimulated)
      report.why = "the libraries' is faster, but only at reduced sizes";
  }
  return report;
}

std::string describe(const KeptStock &stock, const AgentOptions &options,
                     const KernelSpec &spec) {
  if (!stock.report.isDecided())
    return "";
  StockReport report = accepted(stock, options, spec);
  char times[96] = "";
  if (report.ownMicroseconds > 0 && report.libraryMicroseconds > 0)
    std::snprintf(times, sizeof(times),
                  " (libraries %.1f us, our own lowering %.1f us, %s)",
                  report.libraryMicroseconds, report.ownMicroseconds,
                  name(stock.evidence));
  if (report.library)
    return std::string("; stock is the libraries'") + times;
  return "; stock is our own lowering: " + report.why.substr(0, 200) + times;
}

void remember(const KeptStock &stock, const RegionTask &task,
              StoreEntry &entry) {
  if (!stock.isLasting())
    return;
  entry.plan = *task.libraryStock;
  entry.evaluation = Evaluation();
  entry.evaluation.stock = stock.report;
  entry.evaluation.evidence = stock.evidence;
}

} // namespace kclaw
