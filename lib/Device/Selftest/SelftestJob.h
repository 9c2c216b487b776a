//===- SelftestJob.h - From a plan of the self-test to a job ----*- C++ -*-===//
#ifndef KERNELCLAW_LIB_DEVICE_SELFTEST_SELFTESTJOB_H
#define KERNELCLAW_LIB_DEVICE_SELFTEST_SELFTESTJOB_H

#include "SelftestPlan.h"

namespace kclaw {

/// Where the plans run.
struct SelftestDevice {
  bool simulated = false;
  std::string arch = "sm_90a"; ///< what sources are compiled for
};

/// A job as JSON text, not as a Job: what the worker makes of it, wrong plans
/// included, is the test.
struct SelftestJob {
  std::string id;
  std::string job;
  double timeoutSeconds = 0;
  /// Jobs of kind compile, the same for all plans of one problem at one size;
  /// the texts serve as keys of their answers.
  std::string stock, reference;
};

/// The job at the sizes for the device. Invalid where the files are not what
/// docs/selftest.md says.
Expected<SelftestJob> makeSelftestJob(const SelftestPlan &plan,
                                      std::span<const SelftestFile> files,
                                      const SelftestDevice &device);

/// The same job with what the answers to its compile jobs hold.
std::string withImages(const SelftestJob &job, const std::string &stockAnswer,
                       const std::string &referenceAnswer);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_SELFTEST_SELFTESTJOB_H
