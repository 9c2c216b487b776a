//===- VerifyReport.h - Whether a module computes what it must --*- C++ -*-===//
//
// The answer to a ModuleRecord, one row per result and distribution. JSON form:
// docs/schema/verify-report.schema.json. Plain values.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_PLAN_VERIFYREPORT_H
#define KERNELCLAW_PLAN_VERIFYREPORT_H

#include "kernelclaw/Plan/Evaluation.h"

namespace kclaw {

/// Unverified: nothing was found wrong, because nothing could be judged.
enum class VerifyStatus { Passed, Failed, Unverified };
const char *name(VerifyStatus status); ///< "passed", "failed", "unverified"

struct EntryReport {
  std::string entry;
  VerifyStatus status = VerifyStatus::Unverified;
  std::string rule;    ///< what decided: "budget", "guard-band", "memory", ...
  std::string message; ///< for people
  std::vector<ResultError> errors;
  uint64_t regionsWon = 0; ///< of one call, as the module counts them
  uint64_t regionsStock = 0;
};

struct VerifyReport {
  std::string device;
  std::vector<EntryReport> entries;
  /// The device's context is gone; the process must end without cleaning up.
  /// Not part of the JSON form.
  bool contextLost = false;

  /// Failed if any entry is, else Unverified if any is (or there is none).
  VerifyStatus status() const;
  /// "main: budget: result 0 on ..." of the entries that decide.
  std::string reason() const;
};

std::string toJson(const VerifyReport &report);
Expected<VerifyReport> parseVerifyReport(const std::string &json);

} // namespace kclaw

#endif // KERNELCLAW_PLAN_VERIFYREPORT_H
