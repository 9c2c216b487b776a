//===- cuda_emulation.h - CUDA C++ as host code, for tests ------*- C++ -*-===//
//
// Included before a generated kernel, which then compiles as plain C++. Each
// thread of a block is a fiber; blocks run one after the other. Barriers wait
// for all fibers, shuffles for all lanes of a warp; a fiber that never gets
// there is reported as a deadlock. One translation unit per kernel.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_UNITTESTS_EXPERT_CUDA_EMULATION_H
#define KERNELCLAW_UNITTESTS_EXPERT_CUDA_EMULATION_H

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#include <utility>
#include <vector>

// All else is hidden, so that libraries of several kernels share nothing.
#define KCLAW_VISIBLE __attribute__((visibility("default")))
#define __global__ KCLAW_VISIBLE
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __shared__ static

struct Dim3 {
  unsigned x = 1, y = 1, z = 1;
};
static Dim3 threadIdx, blockIdx, blockDim, gridDim;

inline float __int_as_float(int bits) {
  float value;
  memcpy(&value, &bits, 4);
  return value;
}
inline double __longlong_as_double(long long bits) {
  double value;
  memcpy(&value, &bits, 8);
  return value;
}
inline float rsqrt(float x) { return 1 / sqrtf(x); }
inline double rsqrt(double x) { return 1 / sqrt(x); }

namespace emulation {

enum class State { Ready, Barrier, Shuffle, Done };

struct Fiber {
  ucontext_t context;
  std::vector<char> stack;
  State state = State::Ready;
  unsigned shuffles = 0;
};

inline std::vector<Fiber> fibers;
inline std::vector<uint64_t> slots[2];
inline ucontext_t scheduler;
inline unsigned current;
inline void *kernel;
inline void **arguments;

inline void wait(State state) {
  Fiber &fiber = fibers[current];
  fiber.state = state;
  swapcontext(&fiber.context, &scheduler);
}

/// Kernels take pointers only; the calling convention lets a caller pass more
/// than the callee reads, so one call serves every count.
constexpr int maxArguments = 32;

template <size_t... I> void call(std::index_sequence<I...>) {
  using Kernel = void (*)(decltype(void(I), (void *)nullptr)...);
  reinterpret_cast<Kernel>(kernel)(arguments[I]...);
}

inline void enter() {
  call(std::make_index_sequence<maxArguments>());
  fibers[current].state = State::Done;
  swapcontext(&fibers[current].context, &scheduler);
}

/// Lanes [first, first + 32) or all fibers: released when none is still on its
/// way there; a finished fiber is not waited for.
inline bool release(unsigned first, unsigned last, State state) {
  bool any = false;
  for (unsigned i = first; i < last; ++i) {
    if (fibers[i].state != state && fibers[i].state != State::Done)
      return false;
    any |= fibers[i].state == state;
  }
  for (unsigned i = first; any && i < last; ++i)
    if (fibers[i].state == state)
      fibers[i].state = State::Ready;
  return any;
}

/// False on a deadlock.
inline bool runBlock() {
  unsigned count = unsigned(fibers.size());
  for (Fiber &fiber : fibers) {
    fiber.state = State::Ready;
    getcontext(&fiber.context);
    fiber.context.uc_stack = {fiber.stack.data(), 0, fiber.stack.size()};
    fiber.context.uc_link = &scheduler;
    makecontext(&fiber.context, enter, 0);
  }
  while (true) {
    bool progress = false, alive = false;
    for (current = 0; current < count; ++current) {
      if (fibers[current].state != State::Ready)
        continue;
      threadIdx.x = current;
      progress = true;
      swapcontext(&scheduler, &fibers[current].context);
    }
    for (unsigned warp = 0; warp < count; warp += 32)
      progress |=
          release(warp, warp + 32 < count ? warp + 32 : count, State::Shuffle);
    progress |= release(0, count, State::Barrier);
    for (Fiber &fiber : fibers)
      alive |= fiber.state != State::Done;
    if (!alive)
      return true;
    if (!progress)
      return false;
  }
}

} // namespace emulation

inline void __syncthreads() { emulation::wait(emulation::State::Barrier); }

template <class T> T __shfl_xor_sync(unsigned, T value, int lanes) {
  using namespace emulation;
  static_assert(sizeof(T) <= 8);
  unsigned self = current, parity = fibers[self].shuffles++ % 2;
  memcpy(&slots[parity][self], &value, sizeof(T));
  wait(State::Shuffle);
  memcpy(&value,
         &slots[parity][(self & ~31u) | ((self & 31u) ^ unsigned(lanes))],
         sizeof(T));
  return value;
}

/// `arguments` has room for maxArguments. Returns 0, or 1 on a deadlock.
extern "C" KCLAW_VISIBLE int emulateLaunch(void *kernel, void **arguments,
                                           unsigned gridX, unsigned gridY,
                                           unsigned block) {
  using namespace emulation;
  emulation::kernel = kernel;
  emulation::arguments = arguments;
  gridDim = {gridX, gridY, 1};
  blockDim = {block, 1, 1};
  fibers = std::vector<Fiber>(block);
  for (Fiber &fiber : fibers)
    fiber.stack.resize(64 * 1024);
  for (std::vector<uint64_t> &slot : slots)
    slot.assign((block + 31) / 32 * 32, 0);
  for (unsigned y = 0; y < gridY; ++y)
    for (unsigned x = 0; x < gridX; ++x) {
      blockIdx = {x, y, 0};
      if (!runBlock())
        return 1;
    }
  return 0;
}

#endif // KERNELCLAW_UNITTESTS_EXPERT_CUDA_EMULATION_H
