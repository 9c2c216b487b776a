//===- CheckSteps.h - Do the steps of a plan fit? ---------------*- C++ -*-===//
//
// Private part of checkPlan: one walk over the steps under one binding of
// names. Buffers have been checked; their sizes are known.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_PLAN_CHECKSTEPS_H
#define KERNELCLAW_LIB_PLAN_CHECKSTEPS_H

#include "kernelclaw/Plan/CheckPlan.h"

#include <set>

namespace kclaw {

constexpr int64_t maxWorkspaceBytes = int64_t(1) << 40;

std::unexpected<Error> invalid(const std::string &path,
                               const std::string &message);
/// "list[i]"
std::string indexed(const std::string &list, size_t i);
bool isIdentifier(const std::string &name);

class StepChecker {
public:
  /// `sizes`: bytes of each buffer of the plan.
  StepChecker(const Plan &plan, const KernelSpec &spec, Bindings bindings,
              std::map<std::string, int64_t> sizes)
      : plan(plan), spec(spec), bindings(std::move(bindings)),
        sizes(std::move(sizes)) {}

  Expected<void> tensorMaps();
  Expected<void> steps();
  Expected<void> prepare();
  /// Buffers that `steps` passed to a step.
  const std::set<std::string> &used() const { return referenced; }

private:
  Expected<int64_t> evaluate(const std::string &path, const Expr &expr,
                             int64_t low, int64_t high);
  Expected<const PlanBuffer *> findBuffer(const std::string &path,
                                          const std::string &name);
  bool mayUse(const PlanBuffer &buffer) const;
  Expected<void> check(const std::string &path, const std::vector<Step> &steps);
  Expected<void> checkPlace(const std::string &path, const Step &step);
  Expected<void> check(const std::string &path, const RepeatStep &step);
  Expected<void> check(const std::string &path, const WhenStep &step);
  Expected<void> check(const std::string &path, const KernelStep &step);
  Expected<void> check(const std::string &path, const MemsetStep &step);
  Expected<void> check(const std::string &path, const CopyStep &step);
  Expected<void> check(const std::string &path, const MatmulStep &step);
  Expected<void> check(const std::string &path, const ConvolutionStep &step);
  template <typename LibraryStep>
  Expected<void> checkLibrary(const std::string &path, const LibraryStep &step);
  Expected<int64_t> checkDims(const std::string &path,
                              const std::array<Expr, 3> &dims,
                              const int64_t (&limit)[3]);
  Expected<void> checkCluster(const std::string &path, const KernelStep &step);
  Expected<void> check(const std::string &path, const PlanArg &arg);
  Expected<void> checkMap(const std::string &path, const std::string &name);
  Expected<void> checkRange(const std::string &path, const std::string &name,
                            int64_t offset, int64_t bytes);
  Expected<void> checkTarget(const std::string &path, const std::string &name);
  Expected<void> checkSide(const std::string &path, const std::string &name,
                           const Expr &offsetExpr, const Expr &pitchExpr,
                           int64_t rows, int64_t rowBytes);

  const Plan &plan;
  const KernelSpec &spec;
  Bindings bindings;
  std::map<std::string, int64_t> sizes;
  std::set<std::string> referenced;
  bool inPrepare = false;
  int insideWhen = 0;
  int64_t rounds = 1; ///< how often the steps being checked run in a call
  int64_t launches = 0;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_PLAN_CHECKSTEPS_H
