//===- OpTable.h - What each Torch op computes, as data ---------*- C++ -*-===//
//
// Loads memorybank/skeletons/ops/*.json. A row gives an op's operands, what it
// reduces over, and a body of statements in its compute type {C}:
//   "m = @max {x}"                      a reduction
//   "e = exp({x} - {m})"                a CUDA expression per element
//   "if weight: y = {y} * {weight}"     only when the operand is given
//   "if alpha != 1: b = {alpha} * {b}"  by a literal's value
//   "y = @dot {a} {b}"                  a contraction
// A view row has no body: it only re-arranges dimensions. Format and names:
// memorybank/skeletons/README.md. Values; immutable once loaded.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_EXPERT_OPTABLE_H
#define KERNELCLAW_LIB_EXPERT_OPTABLE_H

#include "kernelclaw/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace kclaw::expert {

/// `NAME`, `NAME == A,B`, `NAME != A,B`; empty: always.
struct Condition {
  std::string name;
  enum class Kind { Always, Present, AnyOf, NoneOf } kind = Kind::Always;
  std::vector<std::string> values;
};

struct Statement {
  Condition condition;
  std::string target;
  std::string reduction; ///< "sum", "max", "dot", ...; empty: a map
  std::string text;      ///< with {names}
};

/// Which dimensions of the first tensor operand a row's reductions run over.
struct ReduceOver {
  enum class Kind {
    None,
    All,      ///< every dimension
    Dims,     ///< the integer or list operand; None or empty: all
    Trailing, ///< as many trailing dimensions as the list operand is long
    Groups,   ///< dimension 1 is split into the operand's groups; all but
              ///< batch and group are reduced
    From,     ///< dimensions >= number
    Except,   ///< all dimensions but number
  };
  Kind kind = Kind::None;
  std::string operand;
  int number = 0;
};

enum class ViewKind { None, Same, Reshape, Expand, Permute, Transpose };

struct OpRow {
  std::string name;
  std::vector<std::string> operands;
  ViewKind view = ViewKind::None;
  /// "result", "promote" (of all tensor operands), or an operand's name.
  std::string compute = "result";
  ReduceOver over;
  /// Operands whose dimension 0 lies at this dimension of the first operand.
  std::map<std::string, int> align;
  /// What the last two dimensions of the operands of "@dot" are: "mk nk".
  std::vector<std::string> contract;
  std::vector<Statement> body;
  std::vector<std::string> results;
  std::string file; ///< for messages
};

using OpTable = std::map<std::string, OpRow, std::less<>>;

/// The rows of one file's text; `file` names it in errors.
Expected<OpTable> parseOpTable(const std::string &text,
                               const std::string &file);
/// All of `folder`; an op in two files is an error.
Expected<OpTable> loadOpTable(const std::string &folder);

/// The names in `{...}` of a statement's text.
std::vector<std::string> bracedNames(const std::string &text);

} // namespace kclaw::expert

#endif // KERNELCLAW_LIB_EXPERT_OPTABLE_H
