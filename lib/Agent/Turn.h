//===- Turn.h - One thread of a run at a time -------------------*- C++ -*-===//
//
// Private. Regions are searched by several threads only so that several
// workers are busy; all else happens one at a time, in the order of asking.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_TURN_H
#define KERNELCLAW_LIB_AGENT_TURN_H

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace kclaw {

class Turn {
public:
  void take() {
    std::unique_lock lock(guard);
    uint64_t mine = nextTicket++;
    changed.wait(lock, [&] { return mine == served; });
  }
  void pass() {
    std::lock_guard lock(guard);
    ++served;
    changed.notify_all();
  }

private:
  std::mutex guard;
  std::condition_variable changed;
  uint64_t nextTicket = 0, served = 0;
};

/// Passes the turn on while it lives. Nothing for a null turn.
class PassedTurn {
public:
  explicit PassedTurn(Turn *turn) : turn(turn) {
    if (turn)
      turn->pass();
  }
  ~PassedTurn() {
    if (turn)
      turn->take();
  }
  PassedTurn(const PassedTurn &) = delete;

private:
  Turn *turn;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_TURN_H
