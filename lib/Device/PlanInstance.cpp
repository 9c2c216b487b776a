//===- PlanInstance.cpp - Buffers, modules and running --------------------===//
//
// PlanResolve.cpp has the expressions and the step structs.
//
//===----------------------------------------------------------------------===//
#include "PlanInstance.h"
#include "DeviceSession.h"
#include "RuleNames.h"
#include "kernelclaw/Cuda/DriverApi.h"

#include <algorithm>

namespace kclaw {

static Bindings namesOf(const Plan &plan, const Problem &problem) {
  Bindings names = problem.dims;
  for (const Tunable &tunable : plan.tunables) {
    bool listed = false;
    for (int64_t value : tunable.values)
      listed |= value == tunable.chosen;
    names[tunable.name] = listed || tunable.values.empty()
                              ? tunable.chosen
                              : tunable.values.front();
  }
  return names;
}

Run<PlanInstance> PlanInstance::create(const Plan &plan, const Problem &problem,
                                       BorderSizes sizes) {
  PlanInstance instance(plan, namesOf(plan, problem));
  KCLAW_TRY(instance.locateBuffers(problem, sizes));
  for (size_t i = 0; i < plan.requirements.size(); ++i) {
    std::string path = "requirements[" + std::to_string(i) + "]";
    Run<int64_t> holds = instance.evaluate(Expr(plan.requirements[i]), path);
    if (!holds)
      return std::unexpected(holds.error());
    if (*holds == 0)
      return failRun(Outcome::Rejected, "requirement",
                     path + ": '" + plan.requirements[i] +
                         "' does not hold at these sizes");
  }
  return instance;
}

bool PlanInstance::requirementsHold(const Plan &plan, const Problem &problem) {
  PlanInstance instance(plan, namesOf(plan, problem));
  for (const std::string &requirement : plan.requirements)
    if (Run<int64_t> holds = instance.evaluate(Expr(requirement), "");
        !holds || *holds == 0)
      return false;
  return true;
}

PlanInstance::~PlanInstance() {
  unloadModules();
  for (void *constant : constants)
    kclConstantUnload(constant, nullptr);
}

void PlanInstance::unloadModules() {
  for (auto &[name, module] : modules)
    kclModuleUnload(module, nullptr);
  modules.clear();
}

Run<void> PlanInstance::locateBuffers(const Problem &problem,
                                      const BorderSizes &sizes) {
  size_t constantCount = 0;
  for (size_t i = 0; i < plan->buffers.size(); ++i) {
    const PlanBuffer &buffer = plan->buffers[i];
    std::string path = "buffers[" + std::to_string(i) + "]";
    Location location{buffer.kind, 0, 0};
    switch (buffer.kind) {
    case PlanBuffer::Kind::Argument:
    case PlanBuffer::Kind::Result: {
      const std::vector<uint64_t> &border =
          buffer.kind == PlanBuffer::Kind::Argument ? sizes.arguments
                                                    : sizes.results;
      if (buffer.index < 0 ||
          static_cast<size_t>(buffer.index) >= border.size())
        return failRun(Outcome::Rejected, "plan",
                       path + ".index: " + std::to_string(buffer.index) +
                           " is outside of the spec's " +
                           std::to_string(border.size()));
      location.index = static_cast<size_t>(buffer.index);
      location.bytes = border[location.index];
      break;
    }
    case PlanBuffer::Kind::Constant:
      location.index = constantCount++;
      location.bytes = buffer.data.size();
      break;
    case PlanBuffer::Kind::Workspace:
    case PlanBuffer::Kind::Persistent: {
      Run<uint64_t> bytes = evaluateSize(buffer.sizeBytes, path + ".sizeBytes");
      if (!bytes)
        return std::unexpected(bytes.error());
      location.index = needs.size();
      location.bytes = *bytes;
      needs.push_back(
          {buffer.name, *bytes, buffer.kind == PlanBuffer::Kind::Persistent});
      break;
    }
    }
    buffers[buffer.name] = location;
  }
  return {};
}

/// What the simulator says of a module that it refused.
static std::string reportOf(const DriverApi &api) {
  std::string report = api.faultReport();
  return report.empty() ? "" : "; " + report;
}

Run<void> PlanInstance::load(const std::vector<ModuleImage> &images) {
  kcl_call call = {};
  unloadModules();
  for (const ModuleImage &image : images) {
    const void *bytes = image.cubin.empty()
                            ? static_cast<const void *>(image.ptx.data())
                            : image.cubin.data();
    uint64_t size = image.cubin.empty() ? image.ptx.size() : image.cubin.size();
    kcl_module *module = nullptr;
    if (kclModuleLoad(bytes, size, &module, &call) != KCL_OK)
      return failRun(Outcome::LaunchError, "load",
                     "module '" + image.module + "': " + call.error +
                         reportOf(*DriverApi::get()));
    modules.emplace_back(image.module, module);
  }
  if (constants.empty())
    KCLAW_TRY(uploadConstants());
  // Functions of unloaded modules are gone: look the bound ones up again.
  for (std::deque<ResolvedStep> *list : {&steps, &prepareSteps})
    for (ResolvedStep &step : *list)
      if (step.kind == ResolvedStep::Kind::Kernel) {
        Run<void *> found = function(step);
        if (!found)
          return std::unexpected(found.error());
        step.kernel.function = *found;
      }
  return {};
}

Run<void> PlanInstance::uploadConstants() {
  kcl_call call = {};
  for (const PlanBuffer &buffer : plan->buffers) {
    if (buffer.kind != PlanBuffer::Kind::Constant)
      continue;
    void *constant = nullptr;
    if (kclConstantLoad(buffer.data.data(), buffer.data.size(), &constant,
                        &call) != KCL_OK)
      return failRun(Outcome::Rejected, "memory",
                     "constant '" + buffer.name + "': " + call.error);
    constants.push_back(constant);
  }
  if (!constants.empty() && kclConstantsWait(&call) != KCL_OK)
    return failRun(Outcome::Rejected, "memory", call.error);
  return {};
}

Run<void> PlanInstance::checkConstants() const {
  const DriverApi &api = *DriverApi::get();
  size_t index = 0;
  for (const PlanBuffer &buffer : plan->buffers) {
    if (buffer.kind != PlanBuffer::Kind::Constant)
      continue;
    std::vector<uint8_t> now(buffer.data.size());
    auto address = reinterpret_cast<CUdeviceptr>(constants[index++]);
    if (now.empty())
      continue;
    if (CUresult result = api.cuMemcpyDtoH(now.data(), address, now.size());
        result != CUDA_SUCCESS)
      return std::unexpected(
          classify(api, result, "reading constant '" + buffer.name + "'"));
    if (now != buffer.data)
      return failRun(Outcome::Mismatch, rules::constantWritten,
                     "the candidate changed constant '" + buffer.name +
                         "'; constants are read-only, use a workspace");
  }
  return {};
}

/// The driver reads one pointer a parameter of the kernel, however many the
/// plan passes: a wrong count would read past our list, and a wrong size past
/// what a pointer of it leads to.
static Run<void> checkParameters(void *kernel, const ResolvedStep &step) {
  const DriverApi &api = *DriverApi::get();
  if (!api.cuKernelGetParamInfo)
    return {};
  auto isMap = [&step](size_t index) {
    const void *pointer = step.pointers[index];
    return std::ranges::any_of(step.tensorMaps,
                               [pointer](const EncodedTensorMap &map) {
                                 return map.bytes.data() == pointer;
                               });
  };
  size_t offset = 0;
  size_t size = 0;
  size_t count = 0;
  auto parameter = [&](size_t index) {
    return api.cuKernelGetParamInfo(static_cast<CUkernel>(kernel), index,
                                    &offset, &size) == CUDA_SUCCESS;
  };
  auto wrong = [&](const std::string &why) {
    return failRun(Outcome::LaunchError, "arguments",
                   "kernel '" + step.entry + "'" + why);
  };
  for (; parameter(count); ++count) {
    std::string which = ": parameter " + std::to_string(count) + " takes " +
                        std::to_string(size) + " bytes; ";
    bool map = count < step.pointers.size() && isMap(count);
    if (map && size != sizeof(EncodedTensorMap))
      return wrong(which + "the plan passes a tensor map: declare it const "
                           "__grid_constant__ CUtensorMap");
    if (!map && size > 8)
      return wrong(which + "pass pointers, numbers and tensor maps only");
  }
  if (count == step.pointers.size())
    return {};
  return wrong(" has " + std::to_string(count) +
               " parameters, the plan passes " +
               std::to_string(step.pointers.size()) +
               " (a flag for each 'when' around it included)");
}

Run<void *> PlanInstance::function(const ResolvedStep &step) {
  kcl_call call = {};
  for (auto &[name, module] : modules) {
    if (name != step.module)
      continue;
    void *found = nullptr;
    if (kclModuleFunction(module, step.entry.c_str(), step.kernel.shared_bytes,
                          &found, &call) != KCL_OK)
      return failRun(Outcome::LaunchError, "load",
                     "module '" + name + "': " + call.error +
                         "; is the kernel declared extern \"C\" __global__?");
    KCLAW_TRY(checkParameters(found, step));
    return found;
  }
  return failRun(Outcome::Rejected, "plan",
                 "no module '" + step.module + "' in the plan");
}

static int32_t start(const ResolvedStep &step, kcl_call &call) {
  switch (step.kind) {
  case ResolvedStep::Kind::Kernel:
    return kclStepKernel(&step.kernel, &call);
  case ResolvedStep::Kind::Memset:
    return kclStepMemset(&step.memset, &call);
  case ResolvedStep::Kind::Copy:
    return kclStepCopy(&step.copy, &call);
  case ResolvedStep::Kind::Matmul:
    return kclStepMatmul(&step.matmul, &call);
  case ResolvedStep::Kind::Convolution:
    break;
  }
  return kclStepConvolution(&step.convolution, &call);
}

Run<void> PlanInstance::enqueue(const std::deque<ResolvedStep> &list,
                                void *stream) {
  kcl_call call = {};
  call.abi_version = KCL_ABI_VERSION;
  call.stream = stream;
  for (const ResolvedStep &step : list) {
    int32_t status = start(step, call);
    if (status != KCL_OK)
      return failRun(Outcome::LaunchError, "launch", call.error);
  }
  return {};
}

Run<void> PlanInstance::run(void *stream) { return enqueue(steps, stream); }

Run<void> PlanInstance::prepare(void *stream) {
  return enqueue(prepareSteps, stream);
}

} // namespace kclaw
