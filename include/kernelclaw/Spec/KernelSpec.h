//===- KernelSpec.h - What a region computes --------------------*- C++ -*-===//
//
// A KernelSpec is the compiler half's description of one region for the agent
// half: arguments, results, the computation as a small op graph and as text,
// the precision policy and the bounds. Plain structs, values throughout, no
// JSON type, no LLVM type; compiles without exceptions. Sizes are in elements
// unless the name says bytes. Thread-compatible, never shared mutable.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_SPEC_KERNELSPEC_H
#define KERNELCLAW_SPEC_KERNELSPEC_H

#include "kernelclaw/Support/DType.h"
#include "kernelclaw/Support/Error.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace kclaw {

/// A dimension has a name that is unique per distinct meaning ("d0", "rows").
/// Equal names mean equal sizes. Static: value >= 0. Dynamic: value == -1 and
/// [min, max] with one to five sample sizes.
struct Dim {
  std::string name;
  int64_t value = -1;
  int64_t min = 0;
  int64_t max = 0;
  std::vector<int64_t> samples;
  bool isStatic() const { return value >= 0; }
};

/// The values that a tensor may hold; test data is drawn from it.
struct Domain {
  enum class Kind {
    Real,        ///< any finite value; drawn as scale * N(0, 1)
    NonNegative, ///< >= 0
    Positive,    ///< > 0, bounded away from 0
    Unit,        ///< [0, 1]
    Index,       ///< integers in [0, limit)
    Integer,     ///< any integer; drawn from [-8, 8), on `wide` from more
    Boolean,     ///< 0 or 1
  };
  Kind kind = Kind::Real;
  int64_t limit = 0;
  double scale = 1.0;
};

enum class Role { Input, Param, Buffer, Constant };

/// A row-major, contiguous tensor at a region's border.
struct TensorSpec {
  std::string name;
  DType dtype = DType::f32;
  std::vector<Dim> dims;
  int64_t alignmentBytes = 16;
  Role role = Role::Input;
  Domain domain;
};

/// A scalar, list or splat that moved inside the region. monostate is None.
using Literal =
    std::variant<std::monostate, bool, int64_t, double, std::string,
                 std::vector<int64_t>, std::vector<double>, std::vector<bool>>;

/// An operand of an op: values of the graph (one, or several for a tensor
/// list), or a literal when `values` is empty.
struct GraphOperand {
  std::vector<int> values;
  Literal literal;
  bool isLiteral() const { return values.empty(); }
};

/// A tensor in the graph. `shape` has -1 for a dynamic size.
struct GraphValue {
  DType dtype = DType::f32;
  std::vector<int64_t> shape;
};

/// One Torch op: "aten.add.Tensor" (no "torch." prefix); a splat literal is
/// "vtensor.literal" with one literal operand. Operands in schema order.
struct GraphOp {
  std::string name;
  std::vector<GraphOperand> operands;
  std::vector<int> results;
};

/// Topologically ordered. `arguments` and `results` index `values`.
struct OpGraph {
  std::vector<GraphValue> values;
  std::vector<GraphOp> ops;
  std::vector<int> arguments;
  std::vector<int> results;
};

/// torch: each op at the class PyTorch uses by default (f32 matmul IEEE, f32
/// convolution may use TF32, 16-bit types accumulate in f32). strict: f32
/// everywhere. tf32: TF32 matmul and convolution. loose: 1e-2.
enum class Policy { Torch, Strict, Tf32, Loose };
const char *name(Policy policy); ///< "torch", "strict", "tf32", "loose"

struct KernelSpec {
  /// Symbol of the region's private function in this module.
  std::string symbol;
  std::vector<TensorSpec> arguments;
  std::vector<TensorSpec> results;
  OpGraph graph;
  /// Canonical Torch text: attributes sorted, values renumbered, no locations.
  std::string canonicalText;
  /// PyTorch-like listing of the same, for prompts.
  std::string listing;
  Policy policy = Policy::Torch;
  /// Operator family that sets the error constant: "pointwise", "reduction",
  /// "softmax", "norm", "contraction", "convolution", "other".
  std::string family;
  /// Arithmetic operations, and bytes that must move (each argument read once,
  /// each result written once).
  double flops = 0;
  double bytes = 0;
  /// Name of the region in store, run directory and IR; see computeSpecHash.
  std::string specHash;
};

/// Whether the policy lets f32 operands of the spec's family be TF32.
inline bool mayUseTf32(const KernelSpec &spec) {
  bool convolution = spec.family == "convolution";
  return (spec.policy == Policy::Torch && convolution) ||
         (spec.policy == Policy::Tf32 &&
          (convolution || spec.family == "contraction"));
}

/// 32 hex digits over canonical text, dtypes, roles, domains, alignment,
/// dimension ranges and policy. Not over names, scales and sample sizes.
std::string computeSpecHash(const KernelSpec &spec);

/// The generated header `claw_spec.h`: dimensions, dtypes and alignments as
/// constexpr, for NVRTC. Throws nothing; deterministic.
std::string renderSpecHeader(const KernelSpec &spec);

/// Border functions: JSON text <-> struct (docs/schema/spec.schema.json). An
/// error names the path ("arguments[2].dims[0].value: ...").
std::string toJson(const KernelSpec &spec);
Expected<KernelSpec> parseKernelSpec(const std::string &json);

} // namespace kclaw

#endif // KERNELCLAW_SPEC_KERNELSPEC_H
