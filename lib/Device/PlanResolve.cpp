//===- PlanResolve.cpp - From a plan's steps to the step structs ----------===//
#include "PlanInstance.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace kclaw {

static std::unexpected<RunFailure> planError(const std::string &path,
                                             const std::string &why) {
  return failRun(Outcome::Rejected, "plan", path + ": " + why);
}

static std::string at(const std::string &path, size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

Run<int64_t> PlanInstance::evaluate(const Expr &expr,
                                    const std::string &path) const {
  Expected<int64_t> value = expr.evaluate(names);
  if (!value)
    return planError(path, value.error().message);
  return *value;
}

Run<uint64_t> PlanInstance::evaluateSize(const Expr &expr,
                                         const std::string &path) const {
  Run<int64_t> value = evaluate(expr, path);
  if (!value)
    return std::unexpected(value.error());
  if (*value < 0)
    return planError(path,
                     "is " + std::to_string(*value) + ", must not be negative");
  return static_cast<uint64_t>(*value);
}

Run<PlanInstance::Location> PlanInstance::find(const std::string &buffer,
                                               const std::string &path) const {
  auto found = buffers.find(buffer);
  if (found == buffers.end())
    return planError(path, "unknown buffer '" + buffer + "'");
  return found->second;
}

/// The address of buffer + offset; `bytes` from there must lie inside.
Run<void *> PlanInstance::address(const BoundAddresses &addresses,
                                  const std::string &buffer, const Expr &offset,
                                  uint64_t bytes,
                                  const std::string &path) const {
  Run<Location> location = find(buffer, path);
  if (!location)
    return std::unexpected(location.error());
  Run<uint64_t> start = evaluateSize(offset, path + ".offset");
  if (!start)
    return std::unexpected(start.error());
  if (*start > location->bytes || bytes > location->bytes - *start)
    return planError(path, "bytes [" + std::to_string(*start) + ", +" +
                               std::to_string(bytes) + ") are outside of '" +
                               buffer + "' with " +
                               std::to_string(location->bytes) + " bytes");
  const std::vector<void *> *table = &constants;
  if (location->kind == PlanBuffer::Kind::Argument)
    table = &addresses.arguments;
  else if (location->kind == PlanBuffer::Kind::Result)
    table = &addresses.results;
  else if (location->kind != PlanBuffer::Kind::Constant)
    table = &addresses.scratch;
  return static_cast<char *>((*table)[location->index]) + *start;
}

Run<void> PlanInstance::resolveArg(const PlanArg &arg, const std::string &path,
                                   const BoundAddresses &addresses,
                                   uint64_t &value) const {
  switch (arg.kind) {
  case PlanArg::Kind::Buffer: {
    Run<void *> pointer = address(addresses, arg.buffer, arg.value, 0, path);
    if (!pointer)
      return std::unexpected(pointer.error());
    value = reinterpret_cast<uint64_t>(*pointer);
    return {};
  }
  case PlanArg::Kind::I32:
  case PlanArg::Kind::I64: {
    Run<int64_t> number = evaluate(arg.value, path);
    if (!number)
      return std::unexpected(number.error());
    if (arg.kind == PlanArg::Kind::I32 &&
        (*number < std::numeric_limits<int32_t>::min() ||
         *number > std::numeric_limits<int32_t>::max()))
      return planError(path,
                       std::to_string(*number) + " does not fit i32; pass i64");
    value = static_cast<uint64_t>(*number);
    return {};
  }
  case PlanArg::Kind::F32: {
    float number = static_cast<float>(arg.number);
    std::memcpy(&value, &number, sizeof number);
    return {};
  }
  case PlanArg::Kind::F64:
    if (!arg.buffer.empty())
      return planError(path, "scalar arguments are not run by the worker");
    std::memcpy(&value, &arg.number, sizeof arg.number);
    return {};
  case PlanArg::Kind::TensorMap:
    break;
  }
  return planError(path, "a tensor map has no value");
}

/// As evaluateTensorMap checked it, for these addresses.
Run<void> PlanInstance::encodeMap(const std::string &name,
                                  const std::string &path,
                                  const BoundAddresses &addresses,
                                  EncodedTensorMap &encoded) const {
  auto found = std::ranges::find(plan->tensorMaps, name, &PlanTensorMap::name);
  if (found == plan->tensorMaps.end())
    return planError(path, "no tensor map is called '" + name + "'");
  std::string where =
      at("tensorMaps", static_cast<size_t>(found - plan->tensorMaps.begin()));
  Run<Location> location = find(found->buffer, where + ".buffer");
  if (!location)
    return std::unexpected(location.error());
  auto values =
      evaluateTensorMap(*found, names, static_cast<int64_t>(location->bytes));
  if (!values)
    return planError(where, values.error().message + " (" + path + ")");
  Run<void *> base =
      address(addresses, found->buffer, Expr(values->offset), 0, where);
  if (!base)
    return std::unexpected(base.error());
  kcl_tensor_map map = {};
  map.address = *base;
  map.element = static_cast<int32_t>(found->element);
  map.rank = static_cast<int32_t>(values->dims.size());
  std::ranges::copy(values->dims, map.dims);
  std::ranges::copy(values->strides, map.strides);
  std::ranges::copy(values->box, map.box);
  std::ranges::copy(values->elementStrides, map.element_strides);
  map.swizzle = static_cast<uint32_t>(values->swizzle);
  map.interleave = static_cast<uint32_t>(values->interleave);
  map.l2_promotion = static_cast<uint32_t>(values->l2Promotion);
  map.nan_fill = static_cast<uint32_t>(values->nanFill);
  kcl_call call = {};
  if (kclTensorMapEncode(&map, encoded.bytes.data(), &call) != KCL_OK)
    return failRun(Outcome::LaunchError, "tensor-map",
                   where + " (" + path + "): " + call.error);
  return {};
}

/// The arguments, and the flags of the whens around.
Run<void> PlanInstance::resolveArgs(const KernelStep &step,
                                    const std::string &path,
                                    const BoundAddresses &addresses,
                                    ResolvedStep &resolved) const {
  auto isMap = [](const PlanArg &arg) {
    return arg.kind == PlanArg::Kind::TensorMap;
  };
  // Both are sized first: pointers lead into them.
  resolved.values.resize(step.args.size());
  resolved.values.insert(resolved.values.end(), flags.begin(), flags.end());
  resolved.tensorMaps.resize(
      static_cast<size_t>(std::ranges::count_if(step.args, isMap)));
  size_t mapCount = 0;
  for (size_t i = 0; i < resolved.values.size(); ++i) {
    std::string where = at(path + ".args", i);
    if (i < step.args.size() && isMap(step.args[i])) {
      EncodedTensorMap &encoded = resolved.tensorMaps[mapCount++];
      KCLAW_TRY(encodeMap(step.args[i].buffer, where, addresses, encoded));
      resolved.pointers.push_back(encoded.bytes.data());
      continue;
    }
    if (i < step.args.size())
      KCLAW_TRY(resolveArg(step.args[i], where, addresses, resolved.values[i]));
    resolved.pointers.push_back(&resolved.values[i]);
  }
  resolved.kernel.arg_count = static_cast<uint32_t>(resolved.pointers.size());
  resolved.kernel.args = resolved.pointers.data();
  return {};
}

Run<void> PlanInstance::resolveKernel(const KernelStep &step,
                                      const std::string &path,
                                      const BoundAddresses &addresses,
                                      ResolvedStep &resolved) {
  struct Size3 {
    const char *name;
    const std::array<Expr, 3> &from;
    uint32_t (&to)[3];
  };
  Size3 sizes[] = {{".grid", step.grid, resolved.kernel.grid},
                   {".block", step.block, resolved.kernel.block},
                   {".cluster", step.cluster, resolved.kernel.cluster}};
  for (Size3 &size : sizes)
    for (size_t i = 0; i < 3; ++i) {
      std::string where = at(path + size.name, i);
      Run<int64_t> value = evaluate(size.from[i], where);
      if (!value)
        return std::unexpected(value.error());
      if (*value < 1 || *value > std::numeric_limits<int32_t>::max())
        return planError(where, "is " + std::to_string(*value) +
                                    ", must be between 1 and 2147483647");
      size.to[i] = static_cast<uint32_t>(*value);
    }
  Run<uint64_t> shared = evaluateSize(step.sharedBytes, path + ".sharedBytes");
  if (!shared)
    return std::unexpected(shared.error());
  if (*shared > (uint64_t{1} << 30))
    return planError(path + ".sharedBytes", "is impossibly large");
  resolved.kernel.shared_bytes = static_cast<uint32_t>(*shared);
  resolved.kernel.cooperative = step.cooperative;
  resolved.module = step.module;
  resolved.entry = step.entry;
  KCLAW_TRY(resolveArgs(step, path, addresses, resolved));
  Run<void *> found = function(resolved);
  if (!found) {
    RunFailure failure = found.error();
    failure.message = path + ": " + failure.message;
    return std::unexpected(failure);
  }
  resolved.kernel.function = *found;
  return {};
}

Run<void> PlanInstance::resolveMemset(const MemsetStep &step,
                                      const std::string &path,
                                      const BoundAddresses &addresses,
                                      kcl_memset_step &resolved) const {
  Run<uint64_t> bytes = evaluateSize(step.bytes, path + ".bytes");
  if (!bytes)
    return std::unexpected(bytes.error());
  Run<void *> target =
      address(addresses, step.buffer, step.offset, *bytes, path);
  if (!target)
    return std::unexpected(target.error());
  resolved.target = *target;
  resolved.bytes = *bytes;
  resolved.value = step.value;
  return {};
}

Run<void> PlanInstance::resolveCopy(const CopyStep &step,
                                    const std::string &path,
                                    const BoundAddresses &addresses,
                                    kcl_copy_step &resolved) const {
  std::pair<const Expr *, uint64_t *> sizes[] = {
      {&step.rowBytes, &resolved.row_bytes},
      {&step.rows, &resolved.rows},
      {&step.sourcePitch, &resolved.source_pitch},
      {&step.targetPitch, &resolved.target_pitch}};
  for (auto [expr, size] : sizes) {
    Run<uint64_t> value = evaluateSize(*expr, path);
    if (!value)
      return std::unexpected(value.error());
    if (*value > (uint64_t{1} << 57))
      return planError(path, "a size is impossibly large");
    *size = *value;
  }
  if (resolved.rows == 0 || resolved.row_bytes == 0)
    return {};
  auto extent = [&](uint64_t pitch) -> uint64_t {
    unsigned __int128 bytes =
        static_cast<unsigned __int128>(pitch) * (resolved.rows - 1) +
        resolved.row_bytes;
    return bytes > (uint64_t{1} << 62) ? uint64_t{1} << 62
                                       : static_cast<uint64_t>(bytes);
  };
  Run<void *> source = address(addresses, step.source, step.sourceOffset,
                               extent(resolved.source_pitch), path + ".source");
  if (!source)
    return std::unexpected(source.error());
  Run<void *> target = address(addresses, step.target, step.targetOffset,
                               extent(resolved.target_pitch), path + ".target");
  if (!target)
    return std::unexpected(target.error());
  resolved.source = *source;
  resolved.target = *target;
  return {};
}

Run<void> PlanInstance::resolveRepeat(const RepeatStep &step,
                                      const std::string &path,
                                      const BoundAddresses &addresses,
                                      std::deque<ResolvedStep> &resolved) {
  Run<uint64_t> count = evaluateSize(step.count, path + ".count");
  if (!count)
    return std::unexpected(count.error());
  if (*count > 0 && names.contains(step.name))
    return planError(path + ".name", "'" + step.name + "' is taken");
  for (uint64_t round = 0; round < *count; ++round) {
    names[step.name] = static_cast<int64_t>(round);
    Run<void> done = resolve(step.steps, path + ".steps", addresses, resolved);
    names.erase(step.name);
    KCLAW_TRY(std::move(done));
  }
  return {};
}

Run<void> PlanInstance::resolveStep(const Step &step, const std::string &path,
                                    const BoundAddresses &addresses,
                                    std::deque<ResolvedStep> &resolved) {
  if (const auto *repeat = std::get_if<RepeatStep>(&step))
    return resolveRepeat(*repeat, path, addresses, resolved);
  if (const auto *when = std::get_if<WhenStep>(&step)) {
    Run<void *> flag = address(addresses, when->buffer, when->offset, 4, path);
    if (!flag)
      return std::unexpected(flag.error());
    flags.push_back(reinterpret_cast<uint64_t>(*flag));
    Run<void> done = resolve(when->steps, path + ".steps", addresses, resolved);
    flags.pop_back();
    return done;
  }
  if (resolved.size() >= maxLaunches)
    return planError(path, "more than " + std::to_string(maxLaunches) +
                               " launches a call; put the loop into a kernel");
  ResolvedStep &made = resolved.emplace_back();
  if (const auto *kernel = std::get_if<KernelStep>(&step)) {
    made.kind = ResolvedStep::Kind::Kernel;
    return resolveKernel(*kernel, path, addresses, made);
  }
  if (!flags.empty())
    return planError(path, "only kernels can look at the flag of a 'when'");
  if (const auto *memset = std::get_if<MemsetStep>(&step)) {
    made.kind = ResolvedStep::Kind::Memset;
    return resolveMemset(*memset, path, addresses, made.memset);
  }
  made.path = path;
  if (const auto *matmul = std::get_if<MatmulStep>(&step)) {
    made.kind = ResolvedStep::Kind::Matmul;
    return resolveMatmul(*matmul, path, addresses, made.matmul);
  }
  if (const auto *convolution = std::get_if<ConvolutionStep>(&step)) {
    made.kind = ResolvedStep::Kind::Convolution;
    return resolveConvolution(*convolution, path, addresses, made.convolution);
  }
  made.kind = ResolvedStep::Kind::Copy;
  return resolveCopy(std::get<CopyStep>(step), path, addresses, made.copy);
}

Run<void> PlanInstance::resolve(const std::vector<Step> &list,
                                const std::string &path,
                                const BoundAddresses &addresses,
                                std::deque<ResolvedStep> &resolved) {
  for (size_t i = 0; i < list.size(); ++i)
    KCLAW_TRY(resolveStep(list[i], at(path, i), addresses, resolved));
  return {};
}

Run<void> PlanInstance::bind(const BoundAddresses &addresses) {
  steps.clear();
  prepareSteps.clear();
  KCLAW_TRY(resolve(plan->steps, "steps", addresses, steps));
  return resolve(plan->prepare, "prepare", addresses, prepareSteps);
}

} // namespace kclaw
