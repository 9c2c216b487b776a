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

#include "kernelclaw/Plan/Expr.h"
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
  /// Buffer: name of the buffer. F64: name of an f64 argument of the region to
  /// pass on (stock only), or empty.
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

using Step = std::variant<KernelStep, MemsetStep, CopyStep>;

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
  std::vector<Step> steps;
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
