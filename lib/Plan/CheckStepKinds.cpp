//===- CheckStepKinds.cpp - What each kind of step wants ------------------===//
//
// Limits are CUDA's for compute capability 9.0 (CUDA C++ Programming Guide,
// technical specifications); older devices with smaller shared memory answer at
// launch.
//
//===----------------------------------------------------------------------===//
#include "CheckSteps.h"

#include <algorithm>
#include <limits>

namespace kclaw {

constexpr int64_t maxGrid[] = {2147483647, 65535, 65535};
constexpr int64_t maxBlock[] = {1024, 1024, 64};
constexpr int64_t maxThreads = 1024;
constexpr int64_t maxClusterBlocks = 16;
constexpr int64_t maxSharedBytes = 227 * 1024;
constexpr size_t maxArgs = 512;

Expected<int64_t> StepChecker::checkDims(const std::string &path,
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

Expected<void> StepChecker::check(const std::string &path,
                                  const KernelStep &step) {
  auto called = [&step](const PlanModule &m) { return m.name == step.module; };
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

Expected<void> StepChecker::checkCluster(const std::string &path,
                                         const KernelStep &step) {
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

Expected<void> StepChecker::check(const std::string &path, const PlanArg &arg) {
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
    return checkMap(path, arg.buffer);
  case PlanArg::Kind::Buffer:
    break;
  }
  auto buffer = findBuffer(path + ".buffer", arg.buffer);
  if (!buffer)
    return std::unexpected(buffer.error());
  referenced.insert(arg.buffer);
  auto offset = evaluate(path + ".offset", arg.value, 0, sizes.at(arg.buffer));
  if (!offset)
    return std::unexpected(offset.error());
  return {};
}

Expected<void> StepChecker::check(const std::string &path,
                                  const MemsetStep &step) {
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

Expected<void> StepChecker::check(const std::string &path,
                                  const CopyStep &step) {
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

/// Matmul and convolution.
template <typename LibraryStep>
Expected<void> StepChecker::checkLibrary(const std::string &path,
                                         const LibraryStep &step) {
  auto numbers = kclaw::evaluate(step, bindings);
  if (!numbers)
    return std::unexpected(numbers.error().context(path));
  for (const LibraryOperand &operand : numbers->operands) {
    std::string here = path + "." + operand.name;
    const PlanPlace &place = *operand.place;
    if (operand.written) {
      if (auto target = checkTarget(here, place.buffer); !target)
        return target;
    } else if (auto source = findBuffer(here, place.buffer); !source) {
      return std::unexpected(source.error());
    }
    auto offset =
        evaluate(here + ".offset", place.offset, 0, maxWorkspaceBytes);
    if (!offset)
      return std::unexpected(offset.error());
    if (auto done = checkRange(here, place.buffer, *offset, operand.bytes);
        !done)
      return done;
  }
  if (step.workspace.empty())
    return {};
  auto scratch = findBuffer(path + ".workspace", step.workspace);
  if (!scratch)
    return std::unexpected(scratch.error());
  if ((*scratch)->kind != PlanBuffer::Kind::Workspace)
    return invalid(path + ".workspace",
                   "'" + step.workspace + "' is no workspace");
  return {};
}

Expected<void> StepChecker::check(const std::string &path,
                                  const MatmulStep &step) {
  return checkLibrary(path, step);
}

Expected<void> StepChecker::check(const std::string &path,
                                  const ConvolutionStep &step) {
  return checkLibrary(path, step);
}

Expected<void> StepChecker::checkSide(const std::string &path,
                                      const std::string &name,
                                      const Expr &offsetExpr,
                                      const Expr &pitchExpr, int64_t rows,
                                      int64_t rowBytes) {
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

} // namespace kclaw
