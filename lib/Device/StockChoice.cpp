//===- StockChoice.cpp - Our own lowering or the libraries ----------------===//
#include "StockChoice.h"

#include <cstdio>
#include <map>

namespace kclaw {

/// Of the candidate's, for the trial: it only has to tell which is faster.
constexpr double timingShare = 0.25;

/// The library stock in the candidate's place, and nothing that is for winners.
static Job trialOf(const Job &job) {
  Job trial = job;
  trial.id = job.id + "-library-stock";
  trial.candidate = *job.libraryStock;
  trial.libraryStock.reset();
  trial.incumbent.reset();
  trial.images.clear();
  trial.incumbentImages.clear();
  trial.maxTimingSeconds = timingShare * job.maxTimingSeconds;
  trial.timeoutSeconds = job.timeoutSeconds / 3;
  trial.replaySeed = 0;
  trial.deterministic = trial.profile = trial.energy = false;
  trial.explain = trial.checks = false;
  trial.confirmProcesses = 0;
  return trial;
}

/// Once a process for each library that is not there.
static void warnAbsent(const Evaluation &evaluation) {
  static bool warned = false;
  if (evaluation.rule != libraryAbsentRule || warned)
    return;
  warned = true;
  std::fprintf(stderr, "warning: stock is our own lowering alone: %s\n",
               evaluation.message.c_str());
}

Job withStock(const Job &job, const StockReport &report) {
  Job settled = job;
  if (report.library && job.libraryStock) {
    settled.stock = *job.libraryStock;
    settled.stockImages.clear();
    applyChoices(settled.stock, report.choices);
  }
  settled.libraryStock.reset();
  return settled;
}

Job settleStock(const Job &job, const Trial &trial, StockReport &report) {
  static std::map<std::string, StockReport> known;
  // The simulator's smaller sizes have no library stock of their own.
  if (!job.reduced.empty()) {
    report.why = "judged at reduced sizes, where stock is our own lowering";
    return withStock(job, report);
  }
  std::string key = job.arch + job.spec.specHash + toJson(*job.libraryStock);
  auto [entry, fresh] = known.try_emplace(key);
  if (fresh) {
    Evaluation evaluation = trial(trialOf(job));
    warnAbsent(evaluation);
    entry->second = compareStocks(evaluation);
  }
  report = entry->second;
  return withStock(job, report);
}

} // namespace kclaw
