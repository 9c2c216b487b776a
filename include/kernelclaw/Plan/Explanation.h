//===- Explanation.h - Which elements are wrong, and where ------*- C++ -*-===//
//
// Part of an Evaluation whose job asked to explain: the first result that is
// out of budget, element by element, and the data it was found on. JSON form:
// docs/schema/evaluation.schema.json. Plain values.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_PLAN_EXPLANATION_H
#define KERNELCLAW_PLAN_EXPLANATION_H

#include <cstdint>
#include <string>
#include <vector>

namespace kclaw {

/// An element whose error is above the bound (or differs, for integers).
struct WrongElement {
  int64_t index = 0; ///< flat, row-major
  double got = 0;
  double want = 0;        ///< f64 reference, rounded to the result's type
  double stock = 0;       ///< what stock computes
  double error = 0;       ///< |got - want| / scale, scale as for the budget
  bool unwritten = false; ///< still holds what the judge left there
};

/// Where wrong elements cluster.
struct ErrorPattern {
  /// "all", "single", "tail", "head", "range", "stride", "row", "column",
  /// "outer", "tile", "thread", "block", "scattered": the word advice is
  /// looked up by.
  std::string name;
  std::string text; ///< for people
};

struct Explanation {
  /// The data that were in use last: distribution, how much milder than usual,
  /// and the number of the draw. With the seed they give the data again.
  std::string distribution;
  int level = 0;
  uint64_t draw = 0;
  uint64_t seed = 0; ///< the evaluation's
  /// Of the result that is wrong; -1: none was found wrong.
  int result = -1;
  std::string dtype;
  std::vector<int64_t> shape;
  int64_t elements = 0;
  int64_t wrong = 0;
  int64_t unwritten = 0; ///< of those wrong
  double bound = 0;
  std::vector<WrongElement> first; ///< at most ten, by index
  std::vector<ErrorPattern> patterns;
  std::string note; ///< "no element errs more than the bound: ..."

  bool empty() const { return distribution.empty() && result < 0; }
};

} // namespace kclaw

#endif // KERNELCLAW_PLAN_EXPLANATION_H
