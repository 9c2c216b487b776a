//===- Partition.h - Which compute ops share a region -----------*- C++ -*-===//
//
// Private to the library.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_OUTLINE_PARTITION_H
#define KERNELCLAW_LIB_OUTLINE_PARTITION_H

#include "Body.h"

namespace kclaw::outline {

enum class Granularity { Auto, Op, Fusion, Function };

std::optional<Granularity> parseGranularity(llvm::StringRef text);

struct Partition {
  /// Indices into Body::nodes, each group sorted.
  std::vector<llvm::SmallVector<unsigned>> groups;
  /// "op", "fusion" or "function", for #claw.region.
  llvm::StringRef kind;
};

/// Every compute op is in exactly one group; no group depends on itself through
/// another group or an op outside.
Partition partition(const Body &body, Granularity granularity);

} // namespace kclaw::outline

#endif // KERNELCLAW_LIB_OUTLINE_PARTITION_H
