//===- Extent.h - A size, as a number and as names --------------*- C++ -*-===//
//
// What a plan writes for a size, so that the same plan serves other sizes: the
// names of the dimensions it is a product of. The text is C++ and an
// expression of plans alike.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_EXPERT_EXTENT_H
#define KERNELCLAW_LIB_EXPERT_EXTENT_H

#include <cstdint>
#include <string>

namespace kclaw::expert {

struct Extent {
  int64_t value = 1;      ///< in this region
  std::string text = "1"; ///< "d0 * d1", "4 * d1", "8192"
  bool named = false;     ///< some name is in the text

  Extent() = default;
  Extent(int64_t value) : value(value), text(std::to_string(value)) {}
  Extent(int64_t value, const std::string &name)
      : value(value), text(name), named(true) {}

  /// The text as an operand of * / %.
  std::string factor() const {
    return text.find(' ') == std::string::npos ? text : "(" + text + ")";
  }
};

inline Extent operator*(const Extent &a, const Extent &b) {
  if (!a.named && !b.named)
    return Extent(a.value * b.value);
  if (!a.named && a.value == 1)
    return b;
  if (!b.named && b.value == 1)
    return a;
  return Extent(a.value * b.value, a.text + " * " + b.text);
}

} // namespace kclaw::expert

#endif // KERNELCLAW_LIB_EXPERT_EXTENT_H
