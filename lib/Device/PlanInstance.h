//===- PlanInstance.h - A plan at concrete sizes, ready to run --*- C++ -*-===//
//
// Evaluates a plan's expressions, loads its images and fills the structs of
// the step ABI; `run` then only calls kclStep... (what the lowered module does
// too). Owns modules and constants; scratch buffers, arguments and results are
// the caller's. One thread, one stream.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_PLANINSTANCE_H
#define KERNELCLAW_LIB_DEVICE_PLANINSTANCE_H

#include "Problem.h"
#include "Program.h"
#include "kernelclaw/Plan/Plan.h"
#include "kernelclaw/Steps/kcl_steps.h"

#include <deque>
#include <memory>

namespace kclaw {

/// Bytes of each argument and result, as the plan sees them (the reference's
/// float results are f64).
struct BorderSizes {
  std::vector<uint64_t> arguments;
  std::vector<uint64_t> results;
};

/// Steps of the ABI with the storage their pointers lead to.
struct ResolvedStep {
  enum class Kind { Kernel, Memset, Copy } kind = Kind::Kernel;
  kcl_kernel_step kernel = {};
  kcl_memset_step memset = {};
  kcl_copy_step copy = {};
  std::string module, entry;
  std::vector<uint64_t> values;
  std::vector<void *> pointers;
};

class PlanInstance : public Program {
public:
  /// Evaluates sizes only. Rejected/"plan" when an expression or a name is
  /// wrong, or a step leaves its buffer.
  static Run<PlanInstance> create(const Plan &plan, const Problem &problem,
                                  BorderSizes sizes);
  PlanInstance(PlanInstance &&other) noexcept = default;
  PlanInstance &operator=(PlanInstance &&other) noexcept = delete;
  ~PlanInstance() override;

  /// Whether all of the plan's requirements can be evaluated and hold.
  static bool requirementsHold(const Plan &plan, const Problem &problem);

  const std::vector<ScratchNeed> &scratch() const override { return needs; }
  const Bindings &bindings() const { return names; }
  /// The steps of `run`, for the addresses bound last.
  const std::deque<ResolvedStep> &boundSteps() const { return steps; }

  /// Loads images (again: globals start over) and uploads constants.
  /// LaunchError/"load" when the driver refuses.
  Run<void> load(const std::vector<ModuleImage> &images);
  /// Fills the structs for these addresses.
  Run<void> bind(const BoundAddresses &addresses) override;
  /// Enqueues the steps on the stream. LaunchError/"launch" when refused.
  Run<void> run(void *stream) override;
  Run<void> prepare(void *stream) override;

private:
  struct Location {
    PlanBuffer::Kind kind;
    size_t index;
    uint64_t bytes;
  };
  PlanInstance(const Plan &plan, Bindings names)
      : plan(&plan), names(std::move(names)) {}
  Run<void> locateBuffers(const Problem &problem, const BorderSizes &sizes);
  Run<Location> find(const std::string &buffer, const std::string &path) const;
  Run<int64_t> evaluate(const Expr &expr, const std::string &path) const;
  Run<uint64_t> evaluateSize(const Expr &expr, const std::string &path) const;
  Run<void *> address(const BoundAddresses &addresses,
                      const std::string &buffer, const Expr &offset,
                      uint64_t bytes, const std::string &path) const;
  Run<void> resolve(const std::vector<Step> &steps, const std::string &path,
                    const BoundAddresses &addresses,
                    std::deque<ResolvedStep> &resolved);
  Run<void> resolveKernel(const KernelStep &step, const std::string &path,
                          const BoundAddresses &addresses,
                          ResolvedStep &resolved);
  Run<void> resolveArg(const PlanArg &arg, const std::string &path,
                       const BoundAddresses &addresses, uint64_t &value) const;
  Run<void> resolveMemset(const MemsetStep &step, const std::string &path,
                          const BoundAddresses &addresses,
                          kcl_memset_step &resolved) const;
  Run<void> resolveCopy(const CopyStep &step, const std::string &path,
                        const BoundAddresses &addresses,
                        kcl_copy_step &resolved) const;
  Run<void *> function(const ResolvedStep &step);
  Run<void> enqueue(const std::deque<ResolvedStep> &steps, void *stream);
  Run<void> uploadConstants();
  void unloadModules();

  const Plan *plan;
  Bindings names;
  std::map<std::string, Location> buffers;
  std::vector<ScratchNeed> needs;
  std::vector<std::pair<std::string, kcl_module *>> modules;
  std::vector<void *> constants;
  std::deque<ResolvedStep> steps;
  std::deque<ResolvedStep> prepareSteps;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_PLANINSTANCE_H
