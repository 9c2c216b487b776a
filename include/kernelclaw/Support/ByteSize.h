//===- ByteSize.h - Bytes of a shape ----------------------------*- C++ -*-===//
//
// The one product that a hostile or mistaken shape can make wrap.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_SUPPORT_BYTESIZE_H
#define KERNELCLAW_SUPPORT_BYTESIZE_H

#include <cstdint>
#include <optional>
#include <span>

namespace kclaw {

/// Bytes of an array of these sizes; a size that is not known (negative) counts
/// as 1. Nothing where that is more than 2^63-1.
constexpr std::optional<int64_t> byteSize(std::span<const int64_t> sizes,
                                          int64_t elementBytes) {
  int64_t bytes = elementBytes;
  bool wrapped = false;
  for (int64_t size : sizes) {
    if (size == 0)
      return 0;
    wrapped |= __builtin_mul_overflow(bytes, size < 0 ? 1 : size, &bytes);
  }
  if (wrapped)
    return std::nullopt;
  return bytes;
}

} // namespace kclaw

#endif // KERNELCLAW_SUPPORT_BYTESIZE_H
