//===- ResourceParse.h - Registers and spills out of ptxas -v ---*- C++ -*-===//
#ifndef KERNELCLAW_LIB_DEVICE_RESOURCEPARSE_H
#define KERNELCLAW_LIB_DEVICE_RESOURCEPARSE_H

#include "kernelclaw/Plan/Evaluation.h"

namespace kclaw {

/// One row a kernel, in the log's order.
std::vector<ResourceReport> parseResources(const std::string &log);

/// Without NULs and what `parseResources` reads, cut in the middle to `limit`.
std::string boundLog(const std::string &log, size_t limit = 16384);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_RESOURCEPARSE_H
