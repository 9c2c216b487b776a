//===- Memset.cpp - cuMemset* ---------------------------------------------===//
#include "Copy.h"

#include <algorithm>

namespace kclaw::sim::api {

void checkSet(const Set &s) {
  require(s.elementSize == 1 || s.elementSize == 2 || s.elementSize == 4);
  require(s.dst % s.elementSize == 0);
  if (!s.width || !s.height)
    return;
  size_t row = s.width * s.elementSize;
  require(s.height == 1 || (s.pitch >= row && s.pitch % s.elementSize == 0));
  require(covered(s.dst, (s.height - 1) * s.pitch + row));
}

template <class T> static void fill(uintptr_t at, T value, size_t count) {
  std::fill_n(reinterpret_cast<T *>(at), count, value);
}

void runSet(const Set &s) {
  if (!s.width || !s.height)
    return;
  checkSet(s);
  for (size_t y = 0; y < s.height; ++y) {
    uintptr_t row = s.dst + y * s.pitch;
    if (s.elementSize == 1)
      fill(row, uint8_t(s.value), s.width);
    else if (s.elementSize == 2)
      fill(row, uint16_t(s.value), s.width);
    else
      fill(row, uint32_t(s.value), s.width);
    markWritten(row, s.width * s.elementSize);
  }
  driver().clockNanoseconds += estimateNanoseconds(
      driver().model(), Traffic::Device, s.width * s.height * s.elementSize);
}

static CUresult set(CUdeviceptr to, size_t pitch, unsigned value,
                    unsigned elementBytes, size_t width, size_t height,
                    CUstream stream, bool synchronous) {
  return call(Needs::Context, [&] {
    Stream &s = streamOf(stream);
    if (synchronous)
      refuseCapture(s);
    Set what = {};
    what.dst = to;
    what.pitch = pitch;
    what.value = value;
    what.elementSize = elementBytes;
    what.width = width;
    what.height = height;
    checkSet(what);
    enqueue(s, {what});
  });
}

} // namespace kclaw::sim::api

using namespace kclaw::sim::api;

#define KCL_MEMSET(SUFFIX, TYPE, BYTES)                                        \
  KCL_API cuMemsetD##SUFFIX##_v2(CUdeviceptr to, TYPE value, size_t n) {       \
    return set(to, 0, value, BYTES, n, 1, nullptr, true);                      \
  }                                                                            \
  KCL_API cuMemsetD##SUFFIX##Async(CUdeviceptr to, TYPE value, size_t n,       \
                                   CUstream stream) {                          \
    return set(to, 0, value, BYTES, n, 1, stream, false);                      \
  }                                                                            \
  KCL_API cuMemsetD2D##SUFFIX##_v2(CUdeviceptr to, size_t pitch, TYPE value,   \
                                   size_t width, size_t height) {              \
    return set(to, pitch, value, BYTES, width, height, nullptr, true);         \
  }                                                                            \
  KCL_API cuMemsetD2D##SUFFIX##Async(CUdeviceptr to, size_t pitch, TYPE value, \
                                     size_t width, size_t height,              \
                                     CUstream stream) {                        \
    return set(to, pitch, value, BYTES, width, height, stream, false);         \
  }
KCL_MEMSET(8, unsigned char, 1)
KCL_MEMSET(16, unsigned short, 2)
KCL_MEMSET(32, unsigned, 4)
