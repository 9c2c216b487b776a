//===- Verify.h - kernelclaw-run --verify -----------------------*- C++ -*-===//
//
// A lowered module against the record of what it must compute. Prints a row per
// result and distribution, and a last line "verify: PASS" (or FAIL, or
// UNVERIFIED with the reason).
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_TOOLS_RUN_VERIFY_H
#define KERNELCLAW_TOOLS_RUN_VERIFY_H

#include "kernelclaw/Plan/VerifyReport.h"

#include <string>
#include <vector>

namespace kclaw {

struct VerifyOptions {
  std::string module;
  /// ModuleRecord files; an empty name stands for MODULE.verify.json.
  std::vector<std::string> records;
  std::string json; ///< where the report goes as JSON; empty: nowhere
};

/// Error::Code::Unavailable without a device; Invalid for a malformed record.
Expected<VerifyReport> verify(const VerifyOptions &options);

} // namespace kclaw

#endif // KERNELCLAW_TOOLS_RUN_VERIFY_H
