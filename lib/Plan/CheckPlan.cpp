//===- CheckPlan.cpp - Does a plan fit a spec? ----------------------------===//
//
// One class walks the plan for one binding of names; checkPlan runs it for
// every sample of the dynamic dimensions. Limits are CUDA's for compute
// capability 9.0 (CUDA C++ Programming Guide, technical specifications); older
// devices with smaller shared memory answer at launch.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Plan/CheckPlan.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <set>

namespace kclaw {
namespace {

constexpr int64_t maxGrid[] = {2147483647, 65535, 65535};
constexpr int64_t maxBlock[] = {1024, 1024, 64};
constexpr int64_t maxThreads = 1024;
constexpr int64_t maxClusterBlocks = 16;
constexpr int64_t maxSharedBytes = 227 * 1024;
constexpr int64_t maxWorkspaceBytes = int64_t(1) << 40;
constexpr size_t maxArgs = 512;
constexpr size_t maxSteps = 1000;

std::unexpected<Error> invalid(const std::string &path,
                               const std::string &message) {
  return makeError(Error::Code::Invalid, path + ": " + message);
}

std::string indexed(const std::string &list, size_t i) {
  return list + "[" + std::to_string(i) + "]";
}

bool isIdentifier(const std::string &name) {
  auto word = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  return !name.empty() && !std::isdigit((unsigned char)name[0]) &&
         std::ranges::all_of(name, word);
}

class Checker {
public:
  Checker(const Plan &plan, const KernelSpec &spec, bool fromModel,
          Bindings bindings)
      : plan(plan), spec(spec), fromModel(fromModel),
        bindings(std::move(bindings)) {}

  Expected<void> run() {
    for (auto check :
         {&Checker::modules, &Checker::tunables, &Checker::buffers,
          &Checker::steps, &Checker::results, &Checker::conditions})
      if (auto done = (this->*check)(); !done)
        return done;
    return {};
  }

private:
  Expected<int64_t> evaluate(const std::string &path, const Expr &expr,
                             int64_t low, int64_t high) {
    auto value = expr.evaluate(bindings);
    if (!value)
      return invalid(path, value.error().message);
    if (*value < low || *value > high)
      return invalid(path, std::to_string(*value) + " is outside [" +
                               std::to_string(low) + ", " +
                               std::to_string(high) + "]");
    return value;
  }

  Expected<void> modules() {
    std::set<std::string> names;
    for (size_t i = 0; i < plan.modules.size(); ++i) {
      const PlanModule &module = plan.modules[i];
      std::string path = indexed("modules", i);
      if (!isIdentifier(module.name))
        return invalid(path + ".name",
                       "'" + module.name + "' is not a C identifier");
      if (!names.insert(module.name).second)
        return invalid(path + ".name", "'" + module.name + "' is used twice");
      if (module.source.empty())
        return invalid(path + ".source", "empty");
      if (fromModel && module.kind != PlanModule::Kind::Cuda)
        return invalid(path + ".kind", "only CUDA C++ is accepted here");
    }
    return {};
  }

  Expected<void> tunables() {
    std::set<std::string> names;
    for (const auto *tensors : {&spec.arguments, &spec.results})
      for (const TensorSpec &tensor : *tensors)
        for (const Dim &dim : tensor.dims)
          names.insert(dim.name);
    for (size_t i = 0; i < plan.tunables.size(); ++i) {
      const Tunable &tunable = plan.tunables[i];
      std::string path = indexed("tunables", i);
      if (!isIdentifier(tunable.name))
        return invalid(path + ".name",
                       "'" + tunable.name + "' is not a C identifier");
      if (!names.insert(tunable.name).second)
        return invalid(path + ".name", "'" + tunable.name +
                                           "' is already a dimension or a "
                                           "tunable");
      if (std::ranges::find(tunable.values, tunable.chosen) ==
          tunable.values.end())
        return invalid(path + ".chosen", std::to_string(tunable.chosen) +
                                             " is not among the values");
    }
    return {};
  }

  Expected<void> buffers() {
    std::set<std::pair<PlanBuffer::Kind, int>> borders;
    for (size_t i = 0; i < plan.buffers.size(); ++i) {
      const PlanBuffer &buffer = plan.buffers[i];
      std::string path = indexed("buffers", i);
      if (buffer.name.empty())
        return invalid(path + ".name", "empty");
      bool border = buffer.kind == PlanBuffer::Kind::Argument ||
                    buffer.kind == PlanBuffer::Kind::Result;
      if (border && !borders.insert({buffer.kind, buffer.index}).second)
        return invalid(path + ".index", "this tensor has a buffer already");
      auto size = bufferSizeBytes(buffer, spec, bindings);
      if (!size)
        return std::unexpected(size.error().context(path));
      if (*size < 0 || *size > maxWorkspaceBytes)
        return invalid(path + ".sizeBytes",
                       std::to_string(*size) + " bytes are out of range");
      if (!sizes.try_emplace(buffer.name, *size).second)
        return invalid(path + ".name", "'" + buffer.name + "' is used twice");
    }
    return {};
  }

  Expected<const PlanBuffer *> findBuffer(const std::string &path,
                                          const std::string &name) {
    std::string known;
    for (const PlanBuffer &buffer : plan.buffers) {
      if (buffer.name == name)
        return &buffer;
      known += (known.empty() ? "" : ", ") + buffer.name;
    }
    return invalid(path, "no buffer is called '" + name + "'; known: " + known);
  }

  Expected<void> steps() {
    if (plan.steps.empty())
      return invalid("steps", "empty");
    if (plan.steps.size() > maxSteps)
      return invalid("steps", "more than 1000");
    for (size_t i = 0; i < plan.steps.size(); ++i) {
      std::string path = indexed("steps", i);
      auto visit = [&](const auto &step) { return check(path, step); };
      if (auto done = std::visit(visit, plan.steps[i]); !done)
        return done;
    }
    return {};
  }

  Expected<int64_t> checkDims(const std::string &path,
                              const std::array<Expr, 3> &dims,
                              const int64_t (&limit)[3]) {
    int64_t product = 1;
    for (size_t i = 0; i < 3; ++i) {
      auto value = evaluate(indexed(path, i), dims[i], 1, limit[i]);
      if (!value)
        return value;
      if (__builtin_mul_overflow(product, *value, &product))
        return invalid(path, "64-bit overflow of the product");
    }
    return product;
  }

  Expected<void> check(const std::string &path, const KernelStep &step) {
    auto called = [&step](const PlanModule &m) {
      return m.name == step.module;
    };
    if (std::ranges::none_of(plan.modules, called))
      return invalid(path + ".module",
                     "no module is called '" + step.module + "'");
    if (!isIdentifier(step.entry))
      return invalid(path + ".entry", "'" + step.entry +
                                          "' is not a C identifier; declare "
                                          "the kernel extern \"C\"");
    if (auto grid = checkDims(path + ".grid", step.grid, maxGrid); !grid)
      return std::unexpected(grid.error());
    auto threads = checkDims(path + ".block", step.block, maxBlock);
    if (!threads)
      return std::unexpected(threads.error());
    if (*threads > maxThreads)
      return invalid(path + ".block", std::to_string(*threads) +
                                          " threads; at most 1024 fit a block");
    if (auto cluster = checkCluster(path, step); !cluster)
      return cluster;
    auto shared =
        evaluate(path + ".sharedBytes", step.sharedBytes, 0, maxSharedBytes);
    if (!shared)
      return std::unexpected(shared.error());
    if (step.args.size() > maxArgs)
      return invalid(path + ".args", "more than 512");
    for (size_t i = 0; i < step.args.size(); ++i)
      if (auto done = check(indexed(path + ".args", i), step.args[i]); !done)
        return done;
    return {};
  }

  Expected<void> checkCluster(const std::string &path, const KernelStep &step) {
    constexpr int64_t limit[] = {maxClusterBlocks, maxClusterBlocks,
                                 maxClusterBlocks};
    auto blocks = checkDims(path + ".cluster", step.cluster, limit);
    if (!blocks)
      return std::unexpected(blocks.error());
    if (*blocks > maxClusterBlocks)
      return invalid(path + ".cluster", "more than 16 blocks");
    for (size_t i = 0; i < 3; ++i) {
      int64_t grid = step.grid[i].evaluate(bindings).value_or(1);
      int64_t cluster = step.cluster[i].evaluate(bindings).value_or(1);
      if (grid % cluster != 0)
        return invalid(indexed(path + ".grid", i),
                       std::to_string(grid) +
                           " is not a multiple of the "
                           "cluster's " +
                           std::to_string(cluster));
    }
    return {};
  }

  Expected<void> check(const std::string &path, const PlanArg &arg) {
    constexpr int64_t int32Limit = 2147483647;
    constexpr int64_t int64Limit = std::numeric_limits<int64_t>::max();
    switch (arg.kind) {
    case PlanArg::Kind::F32:
    case PlanArg::Kind::F64:
      if (!arg.buffer.empty())
        return invalid(path, "the region has no f64 argument '" + arg.buffer +
                                 "'; give a number");
      return {};
    case PlanArg::Kind::I32:
    case PlanArg::Kind::I64: {
      bool narrow = arg.kind == PlanArg::Kind::I32;
      int64_t limit = narrow ? int32Limit : int64Limit;
      auto value = evaluate(path, arg.value, -limit - 1, limit);
      if (!value)
        return std::unexpected(value.error());
      return {};
    }
    case PlanArg::Kind::TensorMap:
      return invalid(path, "a tensor map is not supported yet by this version");
    case PlanArg::Kind::Buffer:
      break;
    }
    auto buffer = findBuffer(path + ".buffer", arg.buffer);
    if (!buffer)
      return std::unexpected(buffer.error());
    referenced.insert(arg.buffer);
    auto offset =
        evaluate(path + ".offset", arg.value, 0, sizes.at(arg.buffer));
    if (!offset)
      return std::unexpected(offset.error());
    return {};
  }

  /// [offset, offset + bytes) lies in the buffer.
  Expected<void> checkRange(const std::string &path, const std::string &name,
                            int64_t offset, int64_t bytes) {
    int64_t end = 0;
    if (__builtin_add_overflow(offset, bytes, &end) || end > sizes.at(name))
      return invalid(path, "bytes " + std::to_string(offset) + " to " +
                               std::to_string(end) + " are outside '" + name +
                               "', which has " +
                               std::to_string(sizes.at(name)));
    return {};
  }

  Expected<void> checkTarget(const std::string &path, const std::string &name) {
    auto buffer = findBuffer(path, name);
    if (!buffer)
      return std::unexpected(buffer.error());
    if ((*buffer)->kind != PlanBuffer::Kind::Result &&
        (*buffer)->kind != PlanBuffer::Kind::Workspace)
      return invalid(path, "'" + name +
                               "' may not be written; only results "
                               "and workspaces may");
    referenced.insert(name);
    return {};
  }

  Expected<void> check(const std::string &path, const MemsetStep &step) {
    if (auto target = checkTarget(path + ".buffer", step.buffer); !target)
      return target;
    auto offset = evaluate(path + ".offset", step.offset, 0, maxWorkspaceBytes);
    if (!offset)
      return std::unexpected(offset.error());
    auto bytes = evaluate(path + ".bytes", step.bytes, 0, maxWorkspaceBytes);
    if (!bytes)
      return std::unexpected(bytes.error());
    return checkRange(path + ".bytes", step.buffer, *offset, *bytes);
  }

  Expected<void> check(const std::string &path, const CopyStep &step) {
    if (auto source = findBuffer(path + ".source", step.source); !source)
      return std::unexpected(source.error());
    if (auto target = checkTarget(path + ".target", step.target); !target)
      return target;
    auto rows = evaluate(path + ".rows", step.rows, 0, maxWorkspaceBytes);
    if (!rows)
      return std::unexpected(rows.error());
    auto rowBytes =
        evaluate(path + ".rowBytes", step.rowBytes, 0, maxWorkspaceBytes);
    if (!rowBytes)
      return std::unexpected(rowBytes.error());
    if (auto done = checkSide(path + ".source", step.source, step.sourceOffset,
                              step.sourcePitch, *rows, *rowBytes);
        !done)
      return done;
    return checkSide(path + ".target", step.target, step.targetOffset,
                     step.targetPitch, *rows, *rowBytes);
  }

  Expected<void> checkSide(const std::string &path, const std::string &name,
                           const Expr &offsetExpr, const Expr &pitchExpr,
                           int64_t rows, int64_t rowBytes) {
    auto offset = evaluate(path + "Offset", offsetExpr, 0, maxWorkspaceBytes);
    if (!offset)
      return std::unexpected(offset.error());
    auto pitch = evaluate(path + "Pitch", pitchExpr, 0, maxWorkspaceBytes);
    if (!pitch)
      return std::unexpected(pitch.error());
    if (rows > 1 && *pitch < rowBytes)
      return invalid(path + "Pitch", "smaller than rowBytes");
    int64_t span = 0;
    if (rows > 0 && (__builtin_mul_overflow(rows - 1, *pitch, &span) ||
                     __builtin_add_overflow(span, rowBytes, &span)))
      return invalid(path, "64-bit overflow of the range");
    return checkRange(path, name, *offset, span);
  }

  Expected<void> results() {
    for (size_t i = 0; i < spec.results.size(); ++i) {
      auto isIt = [i](const PlanBuffer &buffer) {
        return buffer.kind == PlanBuffer::Kind::Result &&
               buffer.index == int(i);
      };
      auto it = std::ranges::find_if(plan.buffers, isIt);
      if (it == plan.buffers.end())
        return invalid("buffers",
                       "result " + std::to_string(i) + " has no buffer");
      if (!referenced.contains(it->name) && sizes.at(it->name) > 0)
        return invalid("steps", "no step writes result " + std::to_string(i) +
                                    " ('" + it->name + "')");
    }
    return {};
  }

  Expected<void> conditions() {
    auto holds = [this](const std::string &path,
                        const std::string &text) -> Expected<void> {
      auto value = Expr(text).evaluate(bindings);
      if (!value)
        return invalid(path, value.error().message);
      if (*value == 0)
        return invalid(path, "'" + text + "' does not hold");
      return {};
    };
    if (!plan.constraint.empty())
      if (auto done = holds("constraint", plan.constraint); !done)
        return done;
    for (size_t i = 0; i < plan.requirements.size(); ++i)
      if (auto done = holds(indexed("requirements", i), plan.requirements[i]);
          !done)
        return done;
    return {};
  }

  const Plan &plan;
  const KernelSpec &spec;
  bool fromModel;
  Bindings bindings;
  std::map<std::string, int64_t> sizes;
  std::set<std::string> referenced;
};

template <typename Each> void forEachDim(const KernelSpec &spec, Each each) {
  for (const auto *tensors : {&spec.arguments, &spec.results})
    for (const TensorSpec &tensor : *tensors)
      for (const Dim &dim : tensor.dims)
        each(dim);
}

/// The sizes under which a plan is checked: the i-th sample of every dynamic
/// dimension together, the last one where a list is shorter.
std::vector<Bindings> sampleSizes(const KernelSpec &spec) {
  size_t count = 1;
  forEachDim(spec, [&count](const Dim &dim) {
    count = std::max(count, dim.samples.size());
  });
  std::vector<Bindings> all(count);
  for (size_t i = 0; i < count; ++i)
    forEachDim(spec, [&](const Dim &dim) {
      if (!dim.isStatic() && !dim.samples.empty())
        all[i][dim.name] = dim.samples[std::min(i, dim.samples.size() - 1)];
    });
  return all;
}

Expected<int64_t> tensorSizeBytes(const TensorSpec &tensor,
                                  const Bindings &bindings) {
  int64_t bytes = info(tensor.dtype).sizeBytes;
  for (const Dim &dim : tensor.dims) {
    auto it = bindings.find(dim.name);
    int64_t size = dim.isStatic()         ? dim.value
                   : it != bindings.end() ? it->second
                                          : dim.max;
    if (__builtin_mul_overflow(bytes, size, &bytes))
      return makeError(Error::Code::Invalid,
                       "tensor '" + tensor.name + "' exceeds 64-bit sizes");
  }
  return bytes;
}

} // namespace

Bindings planBindings(const KernelSpec &spec, const Plan &plan,
                      const Bindings &sizes) {
  Bindings bindings = sizes;
  forEachDim(spec, [&bindings](const Dim &dim) {
    int64_t sample = dim.samples.empty() ? dim.max : dim.samples.front();
    bindings.try_emplace(dim.name, dim.isStatic() ? dim.value : sample);
  });
  for (const Tunable &tunable : plan.tunables)
    bindings.try_emplace(tunable.name, tunable.chosen);
  return bindings;
}

Expected<int64_t> bufferSizeBytes(const PlanBuffer &buffer,
                                  const KernelSpec &spec,
                                  const Bindings &bindings) {
  if (buffer.kind == PlanBuffer::Kind::Constant)
    return int64_t(buffer.data.size());
  bool argument = buffer.kind == PlanBuffer::Kind::Argument;
  if (!argument && buffer.kind != PlanBuffer::Kind::Result) {
    auto size = buffer.sizeBytes.evaluate(bindings);
    return size ? size : std::unexpected(size.error().context("sizeBytes"));
  }
  const auto &tensors = argument ? spec.arguments : spec.results;
  if (buffer.index < 0 || size_t(buffer.index) >= tensors.size())
    return makeError(Error::Code::Invalid,
                     "index: " + std::to_string(buffer.index) +
                         " is out of range; the spec has " +
                         std::to_string(tensors.size()) +
                         (argument ? " arguments" : " results"));
  return tensorSizeBytes(tensors[buffer.index], bindings);
}

Expected<void> checkPlan(const Plan &plan, const KernelSpec &spec,
                         bool fromModel) {
  for (const Bindings &sizes : sampleSizes(spec)) {
    Checker checker(plan, spec, fromModel, planBindings(spec, plan, sizes));
    if (auto done = checker.run(); !done)
      return done;
  }
  return {};
}

} // namespace kclaw
