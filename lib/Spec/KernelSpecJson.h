//===- KernelSpecJson.h - KernelSpec inside other documents -----*- C++ -*-===//
//
// Private: for documents that hold a spec (a Job) without parsing twice.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SPEC_KERNELSPECJSON_H
#define KERNELCLAW_LIB_SPEC_KERNELSPECJSON_H

#include "Support/Json.h"
#include "kernelclaw/Spec/KernelSpec.h"

namespace kclaw::json {

Json write(const KernelSpec &spec);
KernelSpec readKernelSpec(const Cursor &at);

} // namespace kclaw::json

#endif // KERNELCLAW_LIB_SPEC_KERNELSPECJSON_H
