//===- Program.h - What a contender runs ------------------------*- C++ -*-===//
//
// A plan at concrete sizes (PlanInstance) or an entry of a lowered module
// (EntryProgram): the judge treats both alike. One thread, one stream; scratch,
// arguments and results are the caller's.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_PROGRAM_H
#define KERNELCLAW_LIB_DEVICE_PROGRAM_H

#include "RunFailure.h"

#include <string>
#include <vector>

namespace kclaw {

/// A workspace or persistent buffer that the caller must provide.
struct ScratchNeed {
  std::string name;
  uint64_t bytes = 0;
  bool persistent = false;
};

/// Device addresses for one run; scratch in the order of `scratch()`.
struct BoundAddresses {
  std::vector<void *> arguments;
  std::vector<void *> results;
  std::vector<void *> scratch;
};

class Program {
public:
  virtual ~Program() = default;
  virtual const std::vector<ScratchNeed> &scratch() const = 0;
  /// The next runs use these addresses.
  virtual Run<void> bind(const BoundAddresses &addresses) = 0;
  /// Enqueue on the stream. LaunchError when refused.
  virtual Run<void> prepare(void *stream) = 0;
  virtual Run<void> run(void *stream) = 0;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_PROGRAM_H
