//===- JobJson.h - Jobs inside other documents ------------------*- C++ -*-===//
//
// Private: a ModuleRecord holds jobs.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_PLAN_JOBJSON_H
#define KERNELCLAW_LIB_PLAN_JOBJSON_H

#include "Support/Json.h"
#include "kernelclaw/Plan/Job.h"

namespace kclaw::json {

Json write(const Job &job);
Job readJob(const Cursor &at);

} // namespace kclaw::json

#endif // KERNELCLAW_LIB_PLAN_JOBJSON_H
