//===- Factor.h - An operand of a contraction, as it is read ----*- C++ -*-===//
//
// Which way an operand's neighbouring elements lie, how many of them one copy
// may move, and its offsets as functions of (row, k), where `row` counts
// batch x M or batch x N.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_EXPERT_FACTOR_H
#define KERNELCLAW_LIB_EXPERT_FACTOR_H

#include "Access.h"

#include <set>

namespace kclaw::expert {

struct Factor {
  int argument = -1;
  DType type = DType::f32;
  int64_t elements = 1;
  Extent size;            ///< M or N
  bool depthwise = true;  ///< neighbours lie along k, else along the rows
  int width = 1;          ///< elements of the widest copy, at most 16 bytes
  std::string row, depth; ///< offsets, of "row" and of "k"
  std::set<std::string> requirements; ///< of sizes, for `width`
};

/// Operand 0 or 1 of the schedule's contraction.
Factor factorOf(const KernelSpec &spec, const Program &program,
                const Schedule &schedule, size_t operand);

/// `struct NAME` for the template: Element, depthwise, width, row(), depth().
std::string factorText(const Factor &factor, const std::string &name);

} // namespace kclaw::expert

#endif // KERNELCLAW_LIB_EXPERT_FACTOR_H
