//===- Skeleton.h - Kernel skeletons of the memory bank ---------*- C++ -*-===//
//
// A skeleton is a folder of memorybank/skeletons with skeleton.json (which
// programs it serves, its tunables, its launch) and kernel.cu (CUDA with
// {{placeholders}}). Its conditions, derived numbers and score are integer
// expressions over facts of the region (rows, cols, vec, live, phases, ...)
// and the tunables. Format: memorybank/skeletons/README.md.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_EXPERT_SKELETON_H
#define KERNELCLAW_LIB_EXPERT_SKELETON_H

#include "OpTable.h"
#include "Schedule.h"
#include "kernelclaw/Plan/Expr.h"

#include <array>

namespace kclaw::expert {

/// One kernel of a skeleton, launched once, or once per phase.
struct SkeletonLaunch {
  std::array<Expr, 3> grid{Expr(1), Expr(1), Expr(1)};
  Expr block{1};
  Expr cluster{1};
  Expr sharedBytes{0};
};

struct Skeleton {
  std::string name;
  std::string file;  ///< of skeleton.json, for messages
  std::string title; ///< with {NAME} for tunables and facts
  Layout layout = Layout::Row;
  bool registers = true;
  bool perPhase = false;
  std::string loop, column, guard;
  bool tail = false;
  struct Knob {
    std::string name;
    std::vector<int64_t> values;
  };
  std::vector<Knob> tunables;
  std::vector<std::pair<std::string, Expr>> derived; ///< in order
  std::vector<Expr> conditions;
  Expr score{0};
  SkeletonLaunch launch;
  std::string kernel; ///< the skeleton whose kernel.cu it uses; empty: its own
  /// How a contraction multiplies: NAME of common/NAME.cuh, and a type in it
  /// where there are several.
  std::string mathHeader, math;
  std::string source; ///< kernel.cu
};

/// Everything the expert knows.
struct MemoryBank {
  OpTable ops;
  std::vector<Skeleton> skeletons;
  std::string prelude;                       ///< common/prelude.cuh
  std::map<std::string, std::string> shared; ///< common/NAME.cuh
  Bindings hardware;                         ///< integer facts of the target
};

Expected<Skeleton> parseSkeleton(const std::string &json,
                                 const std::string &source,
                                 const std::string &name,
                                 const std::string &file);
/// `folder` is memorybank; errors name file, key and what is wrong.
Expected<MemoryBank> loadMemoryBank(const std::string &folder);

/// The names in {{...}} of a template.
std::vector<std::string> placeholders(const std::string &text);

} // namespace kclaw::expert

#endif // KERNELCLAW_LIB_EXPERT_SKELETON_H
