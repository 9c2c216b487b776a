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

#include "LibraryObjects.h"
#include "Problem.h"
#include "Program.h"
#include "kernelclaw/Plan/Plan.h"
#include "kernelclaw/Steps/kcl_steps.h"

#include <array>
#include <deque>
#include <memory>

namespace kclaw {

/// Bytes of each argument and result, as the plan sees them (the reference's
/// float results are f64).
struct BorderSizes {
  std::vector<uint64_t> arguments;
  std::vector<uint64_t> results;
};

/// A CUtensorMap.
struct alignas(64) EncodedTensorMap {
  std::array<char, 128> bytes;
};

/// Steps of the ABI with the storage their pointers lead to. A repeat is
/// resolved to the steps of all its rounds.
struct ResolvedStep {
  enum class Kind {
    Kernel,
    Memset,
    Copy,
    Matmul,
    Convolution
  } kind = Kind::Kernel;
  kcl_kernel_step kernel = {};
  kcl_memset_step memset = {};
  kcl_copy_step copy = {};
  kcl_matmul_step matmul = {};
  kcl_convolution_step convolution = {};
  std::string path; ///< of library steps: "steps[2]"
  std::string module, entry;
  std::vector<uint64_t> values;
  std::vector<EncodedTensorMap> tensorMaps;
  std::vector<void *> pointers; ///< into values and tensorMaps
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
  bool preparesNothing() const { return plan->prepare.empty(); }
  /// The steps of `run`, for the addresses bound last.
  const std::deque<ResolvedStep> &boundSteps() const { return steps; }

  /// Loads images (again: globals start over) and uploads constants.
  /// LaunchError/"load" when the driver refuses.
  Run<void> load(const std::vector<ModuleImage> &images);
  /// Mismatch/"constant-written" when a constant no longer holds what the plan
  /// says: it would be state that outlives a call. After all work has ended.
  Run<void> checkConstants() const;
  /// Fills the structs for these addresses.
  Run<void> bind(const BoundAddresses &addresses) override;
  /// Enqueues the steps on the stream. LaunchError/"launch" when refused.
  Run<void> run(void *stream) override;
  Run<void> prepare(void *stream) override;
  bool hasLibrarySteps() const;
  /// Times what cuBLASLt and cuDNN offer for the bound steps and takes the
  /// fastest. Waits.
  Run<std::vector<LibraryChoice>> chooseAlgorithms(void *stream);

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
  Run<void> resolveStep(const Step &step, const std::string &path,
                        const BoundAddresses &addresses,
                        std::deque<ResolvedStep> &resolved);
  Run<void> resolveRepeat(const RepeatStep &step, const std::string &path,
                          const BoundAddresses &addresses,
                          std::deque<ResolvedStep> &resolved);
  Run<void> resolveArgs(const KernelStep &step, const std::string &path,
                        const BoundAddresses &addresses,
                        ResolvedStep &resolved) const;
  Run<void> encodeMap(const std::string &name, const std::string &path,
                      const BoundAddresses &addresses,
                      EncodedTensorMap &encoded) const;
  Run<void> resolveArg(const PlanArg &arg, const std::string &path,
                       const BoundAddresses &addresses, uint64_t &value) const;
  Run<void> resolveMemset(const MemsetStep &step, const std::string &path,
                          const BoundAddresses &addresses,
                          kcl_memset_step &resolved) const;
  Run<void> resolveCopy(const CopyStep &step, const std::string &path,
                        const BoundAddresses &addresses,
                        kcl_copy_step &resolved) const;
  // ResolveLibrary.cpp.
  Run<std::vector<void *>>
  operandAddresses(const std::vector<LibraryOperand> &operands,
                   const std::string &path,
                   const BoundAddresses &addresses) const;
  Run<void> resolveScratch(const std::string &buffer, const std::string &path,
                           const BoundAddresses &addresses, void *&workspace,
                           uint64_t &bytes) const;
  Run<void> resolveMatmul(const MatmulStep &step, const std::string &path,
                          const BoundAddresses &addresses,
                          kcl_matmul_step &resolved);
  Run<void> resolveConvolution(const ConvolutionStep &step,
                               const std::string &path,
                               const BoundAddresses &addresses,
                               kcl_convolution_step &resolved);
  Run<void *> function(const ResolvedStep &step);
  Run<void> enqueue(const std::deque<ResolvedStep> &steps, void *stream);
  Run<void> uploadConstants();
  void unloadModules();

  const Plan *plan;
  Bindings names;
  std::map<std::string, Location> buffers;
  std::vector<uint64_t> flags; ///< addresses of the whens around, while binding
  std::vector<ScratchNeed> needs;
  std::vector<std::pair<std::string, kcl_module *>> modules;
  std::vector<void *> constants;
  LibraryObjects library;
  std::deque<ResolvedStep> steps;
  std::deque<ResolvedStep> prepareSteps;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_PLANINSTANCE_H
