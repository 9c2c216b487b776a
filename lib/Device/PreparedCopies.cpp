//===- PreparedCopies.cpp - What prepare wrote, kept for later ------------===//
#include "PreparedCopies.h"
#include "RuleNames.h"

namespace kclaw {

static bool isKept(const ScratchNeed &need) {
  return need.persistent && need.bytes > 0;
}

Run<void> PreparedCopies::take(DeviceSession &session,
                               const std::vector<ScratchNeed> &needs,
                               const std::vector<GuardedBuffer> &scratch) {
  copies.resize(needs.size());
  for (size_t i = 0; i < needs.size(); ++i) {
    if (!isKept(needs[i]))
      continue;
    if (copies[i].get() == 0) {
      Expected<DeviceMemory> memory = allocate(session.api, needs[i].bytes);
      if (!memory)
        return failRun(Outcome::Rejected, "memory",
                       "not judged: a copy of '" + needs[i].name +
                           "': " + memory.error().message);
      copies[i] = std::move(*memory);
    }
    KCLAW_TRY(
        session.copy(copies[i].get(), scratch[i].address(), needs[i].bytes));
  }
  return {};
}

Run<void>
PreparedCopies::check(DeviceSession &session,
                      const std::vector<ScratchNeed> &needs,
                      const std::vector<GuardedBuffer> &scratch) const {
  for (size_t i = 0; i < copies.size(); ++i) {
    if (!isKept(needs[i]))
      continue;
    Run<CUdeviceptr> counters = session.resetCounters();
    if (!counters)
      return std::unexpected(counters.error());
    CUdeviceptr before = copies[i].get();
    CUdeviceptr now = scratch[i].address();
    uint64_t bytes = needs[i].bytes;
    void *args[] = {&before, &now, &bytes, &*counters};
    KCLAW_TRY(session.launch(session.kernels().countDifferent, bytes, args));
    auto different = session.readCounters();
    if (!different)
      return std::unexpected(different.error());
    if (different->first)
      return failRun(Outcome::Mismatch, rules::persistentWritten,
                     "two calls changed " + std::to_string(different->first) +
                         " bytes of the persistent buffer '" + needs[i].name +
                         "'; after prepare it is read-only");
  }
  return {};
}

} // namespace kclaw
