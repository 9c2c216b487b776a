//===- SourceTemplate.h - A .cu to start from -------------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_DEVICE_EXPLAIN_SOURCETEMPLATE_H
#define KERNELCLAW_LIB_DEVICE_EXPLAIN_SOURCETEMPLATE_H

#include "kernelclaw/Spec/KernelSpec.h"

namespace kclaw {

/// Claw lines, a kernel over all arguments and results with an empty body, and
/// the region's listing as a comment.
std::string sourceTemplate(const KernelSpec &spec);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_EXPLAIN_SOURCETEMPLATE_H
