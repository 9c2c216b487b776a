//===- Plan.h - Device code plus a declarative launch recipe ----*- C++ -*-===//
//
// The one currency for GPU work: a candidate, an expert kernel, stock and the
// reference are all Plans. No host code, ever. Steps run in order on one
// stream. Sizes and offsets are in bytes and may be integer expressions over
// dimension names and tunables (see Expr.h), also when shapes are static.
// Workspaces are undefined at the entry of every call. JSON form and schema:
// docs/schema/plan.schema.json. Plain values; no JSON type here.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_PLAN_PLAN_H
#define KERNELCLAW_PLAN_PLAN_H

#include "kernelclaw/Plan/LibrarySteps.h"
#include "kernelclaw/Plan/TensorMap.h"
#include "kernelclaw/Support/DType.h"
#include "kernelclaw/Support/Error.h"

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace kclaw {

/// CUDA C++ for NVRTC (compiled with claw_spec.h), PTX text, or a cubin
/// (base64 in JSON, bytes here).
struct PlanModule {
  enum class Kind { Cuda, Ptx, Cubin };
  std::string name;
  Kind kind = Kind::Cuda;
  std::string source;
};

/// A named integer that the evaluator sweeps. `constraint` is an expression
/// over tunables and dimensions that must be non-zero; empty means none.
struct Tunable {
  std::string name;
  std::vector<int64_t> values;
  int64_t chosen = 0; ///< the value in use; the first of `values` at first
};

/// Workspaces are undefined at the entry of every call and of `prepare`;
/// persistent buffers are written by `prepare` alone and keep what it wrote.
struct PlanBuffer {
  enum class Kind { Argument, Result, Workspace, Persistent, Constant };
  std::string name;
  Kind kind = Kind::Workspace;
  int index = -1;            ///< position for Argument and Result
  Expr sizeBytes;            ///< for Workspace and Persistent
  std::vector<uint8_t> data; ///< initial bytes of a Constant
};

struct PlanArg {
  enum class Kind { Buffer, I32, I64, F32, F64, TensorMap };
  Kind kind = Kind::Buffer;
  /// Buffer: name of the buffer. TensorMap: name of the tensor map. F64: name
  /// of an f64 argument of the region to pass on (stock only), or empty.
  std::string buffer;
  Expr value;        ///< Buffer: byte offset; I32, I64: the value
  double number = 0; ///< F32, F64
};

struct KernelStep {
  std::string module;
  std::string entry;
  std::array<Expr, 3> grid{Expr(1), Expr(1), Expr(1)};
  std::array<Expr, 3> block{Expr(1), Expr(1), Expr(1)};
  std::array<Expr, 3> cluster{Expr(1), Expr(1), Expr(1)};
  Expr sharedBytes{0}; ///< dynamic shared memory
  bool cooperative = false;
  std::vector<PlanArg> args;
};

/// Sets `bytes` bytes at buffer + offset to `value` (0..255).
struct MemsetStep {
  std::string buffer;
  Expr offset{0};
  Expr bytes;
  uint8_t value = 0;
};

/// Copies `rows` rows of `rowBytes`; pitches in bytes. One row: contiguous.
struct CopyStep {
  std::string source;
  Expr sourceOffset{0};
  Expr sourcePitch{0};
  std::string target;
  Expr targetOffset{0};
  Expr targetPitch{0};
  Expr rowBytes;
  Expr rows{1};
};

struct RepeatStep;
struct WhenStep;
using Step = std::variant<KernelStep, MemsetStep, CopyStep, RepeatStep,
                          WhenStep, MatmulStep, ConvolutionStep>;

/// The steps `count` times; `name` is 0, 1, ... in their expressions. No host
/// code decides anything: the count is known at the entry of a call.
struct RepeatStep {
  std::string name;
  Expr count;
  std::vector<Step> steps;
};

/// Kernels that may have nothing to do. Each kernel among the steps gets the
/// address of the 32-bit flag at buffer + offset as one more argument, after
/// its own (`const int *flag`), and must return at once when the flag is 0.
/// Nobody reads the flag on the host: the kernels are launched in any case.
/// Steps are kernels, and repeat and when of kernels; each `when` around a
/// kernel appends its flag, the outermost first.
struct WhenStep {
  std::string buffer;
  Expr offset{0}; ///< bytes, a multiple of 4
  std::vector<Step> steps;
};

/// Launches of one call, loops unrolled.
inline constexpr int64_t maxLaunches = 16384;

/// Calls `visit(path, step)` for each step that is not a repeat or a when, in
/// the order of the text, however deep: "steps[2].steps[0]".
template <typename Visit>
void forEachLeaf(const std::vector<Step> &steps, const std::string &path,
                 Visit visit) {
  for (size_t i = 0; i < steps.size(); ++i) {
    std::string here = path + "[" + std::to_string(i) + "]";
    if (const auto *repeat = std::get_if<RepeatStep>(&steps[i]))
      forEachLeaf(repeat->steps, here + ".steps", visit);
    else if (const auto *when = std::get_if<WhenStep>(&steps[i]))
      forEachLeaf(when->steps, here + ".steps", visit);
    else
      visit(here, steps[i]);
  }
}

/// Who made the plan; a model may submit CUDA C++ only.
enum class Producer { Model, Expert, Stock, Reference };

struct Plan {
  int version = 1;
  Producer producer = Producer::Model;
  std::string title; ///< one line for people: "row softmax, 512 threads"
  std::vector<PlanModule> modules;
  std::vector<Tunable> tunables;
  std::string constraint; ///< over all tunables; empty means none
  std::vector<PlanBuffer> buffers;
  std::vector<PlanTensorMap> tensorMaps; ///< passed to kernels by name
  std::vector<Step> steps;
  /// Fills persistent buffers from parameters, buffers and constants of the
  /// region, once per weight version.
  std::vector<Step> prepare;
  bool resizable = false;
  std::vector<std::string> requirements; ///< expressions that must be non-zero
};

std::string toJson(const Plan &plan);

/// Parses and checks against the schema; an error names the path
/// ("steps[2].grid[0]: unknown name 'rowz'; known: rows, cols").
Expected<Plan> parsePlan(const std::string &json);

} // namespace kclaw

#endif // KERNELCLAW_PLAN_PLAN_H
