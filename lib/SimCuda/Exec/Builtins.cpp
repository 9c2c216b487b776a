//===- Builtins.cpp - vprintf, malloc, free, __assertfail -----------------===//
#include "Builtins.h"
#include "Access.h"
#include "Fault.h"
#include "Printf.h"

#include <cstdio>
#include <cstring>

namespace kclaw::sim {

namespace {

/// The k-th parameter triple's place in the lane's frame; results come first.
template <class T> T argument(Warp &w, const Inst &i, unsigned lane, size_t k) {
  const auto &refs = w.split().function->refs;
  T value;
  std::memcpy(&value,
              localFrame(w, lane) + refs[i.firstRef + 3 * (size_t(i.imm) + k)],
              sizeof value);
  return value;
}

template <class T>
void giveBack(Warp &w, const Inst &i, unsigned lane, T value) {
  if (i.imm == 0)
    return;
  std::memcpy(localFrame(w, lane) + w.split().function->refs[i.firstRef],
              &value, sizeof value);
}

/// A string at a generic address, checked byte by byte.
std::string stringAt(Warp &w, const Inst &i, unsigned lane, uint64_t address) {
  std::string text;
  for (;; ++address) {
    char c = char(
        *resolveOne(w, i, lane, Window::Generic, address, 1, AccessKind::Load));
    if (!c)
      return text;
    text += c;
  }
}

void runPrintf(Warp &w, const Inst &i) {
  activeLanes(w, [&](unsigned l) {
    std::string format = stringAt(w, i, l, argument<uint64_t>(w, i, l, 0));
    PrintfArguments arguments;
    uint64_t at = argument<uint64_t>(w, i, l, 1);
    arguments.word = [&](unsigned bytes) {
      at = (at + bytes - 1) / bytes * bytes;
      uint64_t value = 0;
      std::memcpy(
          &value,
          resolveOne(w, i, l, Window::Generic, at, bytes, AccessKind::Load),
          bytes);
      at += bytes;
      return value;
    };
    arguments.string = [&](uint64_t address) {
      return address ? stringAt(w, i, l, address) : std::string("(null)");
    };
    auto [text, count] = formatPrintf(format, arguments);
    std::fwrite(text.data(), 1, text.size(), stdout);
    giveBack(w, i, l, int32_t(count));
  });
}

void runMalloc(Warp &w, const Inst &i) {
  activeLanes(w, [&](unsigned l) {
    DeviceHeap &heap = w.block->grid->memory->heap();
    giveBack(w, i, l, uint64_t(heap.allocate(argument<uint64_t>(w, i, l, 0))));
  });
}

void runFree(Warp &w, const Inst &i) {
  activeLanes(w, [&](unsigned l) {
    auto address = argument<uint64_t>(w, i, l, 0);
    if (address && !w.block->grid->memory->heap().release(address))
      fail(w, i, FaultKind::OutOfBounds, l, address,
           "free of an address that malloc did not give, or freed before");
  });
}

/// (message, file, line, function, bytes of a character)
void runAssertFail(Warp &w, const Inst &i) {
  auto lane = unsigned(__builtin_ctz(w.active));
  std::string message = stringAt(w, i, lane, argument<uint64_t>(w, i, lane, 0));
  std::string file = stringAt(w, i, lane, argument<uint64_t>(w, i, lane, 1));
  auto line = argument<uint32_t>(w, i, lane, 2);
  std::string function =
      stringAt(w, i, lane, argument<uint64_t>(w, i, lane, 3));
  Dim3 block = w.block->index;
  Dim3 thread = w.block->threadIndex(w.index * lanes + lane);
  std::fprintf(stderr,
               "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion "
               "`%s` failed.\n",
               file.c_str(), line, function.c_str(), block.x, block.y, block.z,
               thread.x, thread.y, thread.z, message.c_str());
  fail(w, i, FaultKind::Assert, lane, 0,
       file + ":" + std::to_string(line) + ": " + function + ": " + message);
}

struct BuiltinRow {
  std::string_view name;
  Handler handler;
};
constexpr BuiltinRow rows[] = {
    {"vprintf", runPrintf},
    {"malloc", runMalloc},
    {"free", runFree},
    {"__assertfail", runAssertFail},
};

} // namespace

Handler findBuiltin(std::string_view name) {
  for (const BuiltinRow &row : rows)
    if (row.name == name)
      return row.handler;
  return nullptr;
}

} // namespace kclaw::sim
