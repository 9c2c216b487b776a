//===- Acceptance.h - Evidence that may be embedded -------------*- C++ -*-===//
//
// Private. Measured evidence always may; simulated where accept=simulated was
// given.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_ACCEPTANCE_H
#define KERNELCLAW_LIB_AGENT_ACCEPTANCE_H

#include "kernelclaw/Agent/Agent.h"

namespace kclaw {

/// Reduced sizes do not do for a tensor so large that an index into it may need
/// more than 32 bits: no smaller size shows what goes wrong there.
bool isAccepted(Evidence evidence, const AgentOptions &options,
                const KernelSpec &spec);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_ACCEPTANCE_H
