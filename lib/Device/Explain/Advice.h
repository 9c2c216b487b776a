//===- Advice.h - What to try after an evaluation ---------------*- C++ -*-===//
//
// memorybank/diagnosis/advice.json travels inside the worker as text; this only
// finds the rows that fit. KERNELCLAW_ADVICE names another file.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_EXPLAIN_ADVICE_H
#define KERNELCLAW_LIB_DEVICE_EXPLAIN_ADVICE_H

#include "kernelclaw/Plan/Evaluation.h"

namespace kclaw {

/// The sentences of all rows that fit, in the table's order. Invalid names the
/// row that cannot be read.
Expected<std::vector<std::string>> adviceFor(const Evaluation &evaluation,
                                             const std::string &table);

/// The table inside the worker, or the one that KERNELCLAW_ADVICE names.
Expected<std::string> adviceTable();

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_EXPLAIN_ADVICE_H
