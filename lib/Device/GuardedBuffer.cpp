//===- GuardedBuffer.cpp - Device memory between guard bands --------------===//
#include "GuardedBuffer.h"

namespace kclaw {

constexpr uint64_t guard = 4096;
constexpr uint64_t slack = 256; // room for the exact placement
constexpr uint8_t guardByte = 0xc3;

uint64_t guardedOffset(int64_t alignmentBytes, Placement placement) {
  bool coarse = alignmentBytes <= 0 || alignmentBytes >= 256;
  return guard + (placement == Placement::Exact && !coarse
                      ? static_cast<uint64_t>(alignmentBytes)
                      : 0);
}

uint64_t guardedBytes(uint64_t bytes) { return bytes + 2 * guard + slack; }

Run<GuardedBuffer> GuardedBuffer::create(DeviceSession &session,
                                         std::string name, uint64_t bytes,
                                         int64_t alignmentBytes) {
  Expected<DeviceMemory> memory = allocate(session.api, guardedBytes(bytes));
  if (!memory)
    return failRun(Outcome::Rejected, "memory",
                   "not judged: " + name + ": " + memory.error().message);
  return GuardedBuffer(std::move(*memory), std::move(name), bytes,
                       alignmentBytes);
}

Run<void> GuardedBuffer::armGuards(DeviceSession &session) const {
  uint64_t before = address() - memory.get();
  uint64_t after = guardedBytes(dataBytes) - before - dataBytes;
  KCLAW_TRY(session.fill(memory.get(), before, guardByte));
  return session.fill(address() + dataBytes, after, guardByte);
}

Run<void> GuardedBuffer::checkGuards(DeviceSession &session) const {
  uint64_t before = address() - memory.get();
  std::tuple<const char *, CUdeviceptr, uint64_t> bands[] = {
      {"before", memory.get(), before},
      {"after", address() + dataBytes,
       guardedBytes(dataBytes) - before - dataBytes}};
  for (auto [side, start, bytes] : bands) {
    Run<CUdeviceptr> counters = session.resetCounters();
    if (!counters)
      return std::unexpected(counters.error());
    int value = guardByte;
    void *args[] = {&start, &bytes, &value, &*counters};
    KCLAW_TRY(session.launch(session.kernels().checkBytes, bytes, args));
    auto written = session.readCounters();
    if (!written)
      return std::unexpected(written.error());
    if (written->first == 0)
      continue;
    int64_t offset = static_cast<int64_t>(start + written->second) -
                     static_cast<int64_t>(address());
    return failRun(Outcome::Fault, "guard-band",
                   "wrote " + std::to_string(written->first) + " bytes " +
                       side + " '" + name + "' (" + std::to_string(dataBytes) +
                       " bytes), first at byte " + std::to_string(offset));
  }
  return {};
}

} // namespace kclaw
