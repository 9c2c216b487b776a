//===- HiddenMemory.cpp - What a candidate must not reach -----------------===//
#include "HiddenMemory.h"
#include "DeviceSession.h"
#include "kernelclaw/Support/Check.h"

namespace kclaw {

Run<HiddenMemory> HiddenMemory::create(const DeviceSession &session,
                                       const std::string &what,
                                       uint64_t bytes) {
  HiddenMemory made;
  made.sizeBytes = bytes;
  auto full = [&](const Error &error) {
    return failRun(Outcome::Rejected, "memory",
                   "not judged: " + what + ": " + error.message);
  };
  if (session.whyNotHidden().empty()) {
    auto memory = VirtualMemory::create(session.api, session.device(), bytes);
    if (!memory)
      return full(memory.error());
    made.hidable.emplace(std::move(*memory));
    made.sizeBytes = made.hidable->bytes();
    return made;
  }
  Expected<DeviceMemory> memory = allocate(session.api, bytes);
  if (!memory)
    return full(memory.error());
  made.memory = std::move(*memory);
  return made;
}

CUdeviceptr HiddenMemory::take(uint64_t bytes) {
  CUdeviceptr start = base() + taken;
  taken += needed(bytes);
  KCL_CHECK(taken <= sizeBytes, "more taken than there is");
  return start;
}

/// A driver that cannot map leaves the device in an unknown state.
static Run<void> told(Expected<void> done) {
  if (done)
    return {};
  return failRun(Outcome::Rejected, "isolation",
                 "not judged: " + done.error().message, /*contextLost=*/true);
}

Run<void> HiddenMemory::show() {
  return hidable ? told(hidable->map()) : Run<void>();
}

Run<void> HiddenMemory::hide() {
  return hidable ? told(hidable->unmap()) : Run<void>();
}

} // namespace kclaw
