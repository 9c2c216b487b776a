//===- Program.h - A region as loads, maps and reductions -------*- C++ -*-===//
//
// What the generators see of a region: every op expanded, through the op
// table, into per-element CUDA expressions and reductions over atoms.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_EXPERT_PROGRAM_H
#define KERNELCLAW_LIB_EXPERT_PROGRAM_H

#include "Atoms.h"
#include "OpTable.h"
#include "kernelclaw/Spec/KernelSpec.h"

namespace kclaw::expert {

struct Node {
  enum class Kind {
    Load,    ///< of region argument `argument`
    Literal, ///< `text`
    Map,     ///< `text` with {0}, {1}, ... for the inputs, {n} for the
             ///< number of elements along `over`
    Reduce,  ///< of inputs[0] over `over`; `text` names the reduction
    Dot,     ///< sum over `over` of inputs[0] times inputs[1]: loads of their
             ///< own, whose atoms but `over` are those of the result
    Index,   ///< the coordinate along `over`, row-major
  };
  Kind kind = Kind::Map;
  std::string type; ///< C++ type of the value in a register
  std::string text;
  std::vector<int> inputs;
  Dims dims = {};
  int argument = -1;
  AtomList over = {};
};

/// Region result `result` is the value of `node`.
struct Output {
  int node = -1;
  int result = -1;
};

struct Program {
  AtomSpace atoms;
  std::vector<Node> nodes; ///< inputs before users
  std::vector<Output> outputs;
  /// False: a result has a size that is no name's, nor a product of names.
  bool resizable = true;
};

/// The error says which op has no row, or what a row cannot express.
Expected<Program> lowerGraph(const KernelSpec &spec, const OpTable &table);

} // namespace kclaw::expert

#endif // KERNELCLAW_LIB_EXPERT_PROGRAM_H
