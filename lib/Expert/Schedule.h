//===- Schedule.h - Rows, columns and phases of a program -------*- C++ -*-===//
//
// Orders a program as a loop nest: rows (atoms no reduction touches) by
// columns (atoms that every reduction runs over), in phases that reductions
// separate. Without reductions there is one row, and the columns are all
// elements. Full values vary with the column; row values do not. A contraction
// has its own layout: rows are batch x M, columns N, and what follows it is
// pointwise in (row, column).
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_EXPERT_SCHEDULE_H
#define KERNELCLAW_LIB_EXPERT_SCHEDULE_H

#include "Program.h"

namespace kclaw::expert {

/// Row: neighbouring addresses along the columns. Column: along the rows.
/// Product: a contraction, packets along the columns.
enum class Layout { Row, Column, Product };

struct NodePlan {
  bool needed = false;
  bool full = false;
  int level = 0;     ///< reductions on the longest path to it
  int phase = 0;     ///< where it is first used (full values)
  int last = 0;      ///< the last phase that uses it
  bool kept = false; ///< used in a later phase too
};

struct Schedule {
  AtomList rows, columns; ///< outermost first
  Layout layout = Layout::Row;
  int phases = 1;
  std::vector<NodePlan> nodes;

  int64_t rowCount = 1, columnCount = 1;
  bool fullResults = false; ///< some result varies with the column
  /// 32-bit registers per element that live across phases.
  int live = 1;

  int product = -1; ///< the node of the contraction (Product)
  AtomList batch;   ///< the outermost of `rows` (Product)
  AtomList depth;   ///< what the contraction sums over (Product)
};

/// The error says why the program is not rows by columns.
Expected<Schedule> scheduleProgram(const Program &program,
                                   const KernelSpec &spec);
/// The same for a program whose contraction is node `product`.
Expected<Schedule> scheduleProduct(const Program &program, int product);
/// The contraction that results need; -1: none.
int findProduct(const Program &program);

} // namespace kclaw::expert

#endif // KERNELCLAW_LIB_EXPERT_SCHEDULE_H
