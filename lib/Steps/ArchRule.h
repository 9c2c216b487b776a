//===- ArchRule.h - Which code runs on which device -------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_STEPS_ARCHRULE_H
#define KERNELCLAW_LIB_STEPS_ARCHRULE_H

#include <string>

namespace kclaw {

/// "sm_90a", "sm_80" (cubin) or "ptx_80" on a device of compute capability
/// major.minor.
bool archRuns(const std::string &entry, int major, int minor);
/// The same for a list separated by spaces.
bool anyArchRuns(const std::string &list, int major, int minor);

} // namespace kclaw

#endif // KERNELCLAW_LIB_STEPS_ARCHRULE_H
