//===- Check.h - Our own invariants -----------------------------*- C++ -*-===//
//
// KCL_CHECK states what our own code guarantees; it never checks input. It is
// on in the dev and asan presets (`assert` is off everywhere, because the
// packaged LLVM was built with NDEBUG).
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_SUPPORT_CHECK_H
#define KERNELCLAW_SUPPORT_CHECK_H

#include <cstdio>
#include <cstdlib>

#ifdef KCL_ENABLE_CHECKS
#define KCL_CHECK(cond, message)                                               \
  do {                                                                         \
    if (!(cond)) {                                                             \
      std::fprintf(stderr, "%s:%d: invariant broken: %s (%s)\n", __FILE__,     \
                   __LINE__, message, #cond);                                  \
      std::abort();                                                            \
    }                                                                          \
  } while (false)
#else
#define KCL_CHECK(cond, message)                                               \
  do {                                                                         \
  } while (false)
#endif

#endif // KERNELCLAW_SUPPORT_CHECK_H
