//===- Report.h - An evaluation for people ----------------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_DEVICE_EXPLAIN_REPORT_H
#define KERNELCLAW_LIB_DEVICE_EXPLAIN_REPORT_H

#include "kernelclaw/Plan/Evaluation.h"

namespace kclaw {

struct ReportOptions {
  std::string subject;   ///< "my.cu", "attempt 3 of region main_0"
  bool allErrors = true; ///< the table of errors, also when all are in budget
  bool log = true;       ///< the compiler's log, also when it compiled
};

/// Several lines, ending in a newline. `advice` comes last.
std::string renderReport(const Evaluation &evaluation,
                         const std::vector<std::string> &advice,
                         const ReportOptions &options);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_EXPLAIN_REPORT_H
