//===- Access.h - Where a tensor's element lies -----------------*- C++ -*-===//
//
// A row-major tensor's offset as a function of row and column index, and how
// a packet of neighbouring elements is read: as a vector, as one repeated
// value, or element by element.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_EXPERT_ACCESS_H
#define KERNELCLAW_LIB_EXPERT_ACCESS_H

#include "Schedule.h"

namespace kclaw::expert {

enum class PackKind { Vector, Splat, Gather };

class Access {
public:
  Access(const AtomSpace &atoms, const Schedule &schedule, const Dims &dims);

  /// Offsets in elements: "row * 393", "k / 7 % 12 * 49 + k % 7", or "0".
  std::string rowOffset(const std::string &row) const;
  std::string columnOffset(const std::string &column) const;

  /// For packets of `width` along the packet axis of the layout. `tail`: a
  /// packet that would run over the end is never read as a packet.
  PackKind pack(int width, bool tail) const;

  /// Expressions that must hold where the sizes are others, so that packets
  /// may be read as `pack` says here.
  std::vector<std::string> packRequirements(int width, bool tail) const;

  /// A condition that holds for one of all the (row, column) pairs that lie
  /// at the same element; empty when there is only one.
  std::string once(const std::string &row, const std::string &column) const;

private:
  /// coordinate = index / divisor % size; contributes coordinate * stride.
  struct Term {
    Extent divisor, size, stride;
  };
  std::vector<Term> collect(const AtomSpace &atoms, const AtomList &axis,
                            const Dims &dims) const;
  static std::string offset(const std::vector<Term> &terms,
                            const std::string &index);
  static std::string coordinate(const std::vector<Term> &terms, size_t term,
                                const std::string &index);

  Layout layout;
  std::vector<Term> rowTerms, columnTerms; ///< innermost first
};

} // namespace kclaw::expert

#endif // KERNELCLAW_LIB_EXPERT_ACCESS_H
