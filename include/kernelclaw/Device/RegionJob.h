//===- RegionJob.h - A region's task from a run directory -------*- C++ -*-===//
#ifndef KERNELCLAW_DEVICE_REGIONJOB_H
#define KERNELCLAW_DEVICE_REGIONJOB_H

#include "kernelclaw/Plan/Job.h"

namespace kclaw {

/// What RUN/regions/HASH holds (docs/run-directory.md): spec, stocks, reference
/// and smaller sizes; a job without a candidate. Errors name the file.
Expected<Job> readRegionJob(const std::string &folder);

} // namespace kclaw

#endif // KERNELCLAW_DEVICE_REGIONJOB_H
