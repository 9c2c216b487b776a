//===- SourcePlan.h - A plan from comments in a CUDA source -----*- C++ -*-===//
//
// Lines "// claw: ..." beside the kernels are the launch recipe of a
// hand-written file (docs/worker-tools.md has the words). What they leave out
// is taken from the kernels' parameters: pointers are the spec's tensors by
// name, else in order; integers are dimensions and tunables by name.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_EXPLAIN_SOURCEPLAN_H
#define KERNELCLAW_LIB_DEVICE_EXPLAIN_SOURCEPLAN_H

#include "kernelclaw/Plan/Plan.h"
#include "kernelclaw/Spec/KernelSpec.h"

namespace kclaw {

/// `file` names the source in errors ("my.cu:12: ..."), its stem the module.
Expected<Plan> planFromSource(const std::string &source,
                              const std::string &file, const KernelSpec &spec);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_EXPLAIN_SOURCEPLAN_H
