//===- GuardedBuffer.cpp - Device memory between guard bands --------------===//
#include "GuardedBuffer.h"

namespace kclaw {

constexpr uint64_t guard = 4096;
constexpr uint64_t slack = 256; // room for the exact placement
constexpr uint8_t guardByte = 0xc3;

static bool isCoarse(int64_t alignmentBytes) {
  return alignmentBytes <= 0 || alignmentBytes >= 256;
}

uint64_t guardedOffset(int64_t alignmentBytes, Placement placement) {
  return guard + (placement == Placement::Exact && !isCoarse(alignmentBytes)
                      ? static_cast<uint64_t>(alignmentBytes)
                      : 0);
}

uint64_t guardedBytes(uint64_t bytes) { return bytes + 2 * guard + slack; }

uint64_t GuardedBuffer::bytesBefore() const {
  if (banded)
    return guardedOffset(alignmentBytes, placement);
  return isShifted() ? static_cast<uint64_t>(alignmentBytes) : 0;
}

uint64_t GuardedBuffer::bytesAfter() const {
  return banded ? guardedBytes(dataBytes) - bytesBefore() - dataBytes : 0;
}

Run<GuardedBuffer> GuardedBuffer::create(DeviceSession &session,
                                         std::string name, uint64_t bytes,
                                         int64_t alignmentBytes) {
  bool banded = !session.isSimulated();
  GuardedBuffer made(std::move(name), bytes, alignmentBytes, banded);
  auto provide = [&](DeviceMemory &target, uint64_t size) -> Run<void> {
    Expected<DeviceMemory> memory = allocate(session.api, size);
    if (!memory)
      return failRun(Outcome::Rejected, "memory",
                     "not judged: " + made.name + ": " +
                         memory.error().message);
    target = std::move(*memory);
    return {};
  };
  KCLAW_TRY(provide(made.memory, needed(session, bytes)));
  if (!banded && !isCoarse(alignmentBytes))
    KCLAW_TRY(provide(made.exactMemory,
                      bytes + static_cast<uint64_t>(alignmentBytes)));
  return made;
}

GuardedBuffer GuardedBuffer::within(HiddenMemory &chunk, std::string name,
                                    uint64_t bytes, int64_t alignmentBytes) {
  GuardedBuffer made(std::move(name), bytes, alignmentBytes, /*banded=*/true);
  made.cut = chunk.take(guardedBytes(bytes));
  return made;
}

Run<void> GuardedBuffer::armGuards(DeviceSession &session) const {
  KCLAW_TRY(session.fill(base(), bytesBefore(), guardByte));
  KCLAW_TRY(session.forget(base(), bytesBefore()));
  return session.fill(address() + dataBytes, bytesAfter(), guardByte);
}

Run<void> GuardedBuffer::checkGuards(DeviceSession &session) const {
  std::tuple<const char *, CUdeviceptr, uint64_t> bands[] = {
      {"before", base(), bytesBefore()},
      {"after", address() + dataBytes, bytesAfter()}};
  for (auto [side, start, bytes] : bands) {
    if (bytes == 0)
      continue;
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
