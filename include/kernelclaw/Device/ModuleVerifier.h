//===- ModuleVerifier.h - A module judged by another process ----*- C++ -*-===//
//
// What the compiler sees of --verify: it starts kernelclaw-run on the lowered
// module and reads its report. A crash or a hang of that process is a failed
// verification with its last words, never a crash of the compiler.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_DEVICE_MODULEVERIFIER_H
#define KERNELCLAW_DEVICE_MODULEVERIFIER_H

#include "kernelclaw/Plan/VerifyReport.h"

namespace kclaw {

/// Exit codes of kernelclaw-run; --verify never gives Mismatch.
struct RunExit {
  enum Code { Ok = 0, Failed = 1, Mismatch = 2, NoDevice = 3, Unverified = 4 };
};

struct VerifyRequest {
  std::string module;               ///< .mlir or .so
  std::vector<std::string> records; ///< ModuleRecord files
  std::string report;               ///< where kernelclaw-run writes it
  double timeoutSeconds = 300;
  /// kernelclaw-run; empty: $KERNELCLAW_RUN, else beside this program or the
  /// library that holds this code, else on PATH.
  std::string runPath;
};

/// Error::Code::Unavailable: it could not run (no kernelclaw-run, no device).
/// All else is a report: an output that is none, a crash and the time limit
/// make it Failed with rule "no-report", "crash" or "time-limit".
Expected<VerifyReport> verifyModule(const VerifyRequest &request);

} // namespace kclaw

#endif // KERNELCLAW_DEVICE_MODULEVERIFIER_H
