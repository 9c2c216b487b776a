//===- Selftest.h - The judge judged ----------------------------*- C++ -*-===//
//
// Plans that cheat, each in one way, and honest ones that look odd. Every
// cheat must be caught by the rule meant for it, and no honest plan refused.
// The plans travel inside the worker; docs/selftest.md says how they are
// written.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_DEVICE_SELFTEST_H
#define KERNELCLAW_DEVICE_SELFTEST_H

#include <string>

namespace kclaw {

struct SelftestOptions {
  std::string device = "cuda"; ///< cuda | sim | auto (Cuda/DriverChoice.h)
  std::string only;            ///< a plan's name; empty: all
  /// A folder with plans to judge instead of those inside, in the same form
  /// (docs/selftest.md); its problems/ adds to those inside.
  std::string plans;
  std::string json;       ///< a file for the table as JSON; empty: none
  std::string workerPath; ///< this executable
  bool verbose = false;
  /// Print the jobs, one a line, and judge nothing; needs no device. Those for
  /// the simulator with device=sim.
  bool jobsOnly = false;
};

/// Prints one line a plan and a summary to standard output. Exit code: 0 when
/// every plan that runs on the device was found as predicted, 1 when not or
/// when nothing could be judged, 2 for a plan that is not there.
int runSelftest(const SelftestOptions &options);

} // namespace kclaw

#endif // KERNELCLAW_DEVICE_SELFTEST_H
