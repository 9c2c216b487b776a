//===- KernelWriter.h - Phases of a program as CUDA text --------*- C++ -*-===//
//
// Writes the parts of a kernel that depend on the region; the skeleton's
// template supplies the rest and fixes these names: `row` (this thread's row,
// of VEC rows in the Column layout), `active` (the row exists), `leader` (this
// thread stores row results), `idx_t`, VEC, and rowReduce<Op>(value). In the
// pieces, k is the column of a packet, i the lane in it, j the item.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_EXPERT_KERNELWRITER_H
#define KERNELCLAW_LIB_EXPERT_KERNELWRITER_H

#include "Access.h"

#include <set>

namespace kclaw::expert {

/// How the template walks the columns.
struct Walk {
  bool registers = true; ///< values stay in registers across phases
  std::string loop;      ///< "for (int j = 0; j < ITEMS; ++j)"; empty: none
  std::string column;    ///< k of an item; empty: the template declares k
  std::string guard;     ///< k is in range; empty: always
  int width = 1;         ///< elements a packet
  bool tail = false;     ///< the template never passes a partial packet
};

class KernelWriter {
public:
  KernelWriter(const KernelSpec &spec, const Program &program,
               const Schedule &schedule, Walk walk);

  /// Loads and maps that need no column: before the first phase.
  std::string prologue() const { return rowValues(0); }
  /// Phase `phase` over all items of this thread.
  std::string phase(int phase) const;
  /// Accumulators of `phase` combined over the row's threads, then the row
  /// values that follow.
  std::string finish(int phase) const;
  /// All phases, finished, and row results.
  std::string body() const;
  std::string storeRows() const;

  /// Reductions of a phase, with the type they are accumulated in.
  struct Accumulator {
    int node;
    std::string type, functor;
  };
  std::vector<Accumulator> accumulators(int phase) const;
  /// For kernels of one phase: what earlier phases left in partsN[row][split]
  /// combined, and the row values that follow.
  std::string combineParts(int phase) const;
  /// This block's share of `phase` into partsN.
  std::string writeParts(int phase) const;
  /// "double *__restrict__ parts5, ..."; empty without reductions.
  std::string partParameters() const;

  /// Row values of `level` from accumulators that are row-wide already.
  std::string rowValues(int level) const;
  std::string reduceResult(const Accumulator &accumulator,
                           const std::string &value) const;
  bool rowArrays() const;

private:
  bool computedIn(int node, int phase) const;
  std::vector<bool> nodesOf(int phase) const;
  std::string reference(int node) const;
  std::string expression(int node) const;
  std::string countText(const Node &node) const;
  std::string loads(const std::vector<bool> &nodes, int phase) const;
  std::string loadItem(int node) const;
  std::string lanes(const std::vector<bool> &nodes, int phase) const;
  std::string stores(int phase) const;
  std::string storeItem(const Output &output) const;
  std::string rowLoad(int node) const;
  std::string itemLoop(const std::string &inner) const;
  std::string forLanes(const std::string &inner) const;
  PackKind packOf(int node) const;
  Access accessOf(int node) const;

  const KernelSpec &spec;
  const Program &program;
  const Schedule &schedule;
  Walk walk;
};

/// "const float *__restrict__ arg0, ..., float *__restrict__ res0": the
/// arguments the program reads, then its results.
std::vector<int> usedArguments(const Program &program,
                               const Schedule &schedule);
std::string parameterList(const KernelSpec &spec, const Program &program,
                          const Schedule &schedule);

/// What sizes must fulfil where packets of `width` are right for these ones.
std::set<std::string> packRequirements(const Program &program,
                                       const Schedule &schedule, int width,
                                       bool tail);

/// The widest packet, in elements, that the large tensors allow.
int widestPacket(const KernelSpec &spec, const Program &program,
                 const Schedule &schedule, bool tail);

} // namespace kclaw::expert

#endif // KERNELCLAW_LIB_EXPERT_KERNELWRITER_H
