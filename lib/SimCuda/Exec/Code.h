//===- Code.h - Decoded code: what the interpreter runs ---------*- C++ -*-===//
//
// A register is a column: one value per lane, 32 lanes, side by side. A Ref is
// the byte offset of a column in the frame of the running function, or (top
// bit set) in the warp's constants: literals, kernel parameters and special
// registers, which nothing writes while the warp runs.
//
//   width of a register   pred   8, 16   32    64    128 bits
//   bytes of its column     64      64  128   256    512
//
// A predicate column holds one uint32_t: bit l is lane l.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_EXEC_CODE_H
#define KERNELCLAW_LIB_SIMCUDA_EXEC_CODE_H

#include "../Ptx/Ast.h"

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <unordered_map>

namespace kclaw::sim {

constexpr unsigned lanes = 32;
constexpr uint32_t allLanes = ~0u;

struct Warp;
struct Inst;
/// Executes one instruction for the lanes of Warp::active, which is never 0.
using Handler = void (*)(Warp &, const Inst &);

using Ref = uint32_t;
constexpr Ref noRef = ~0u;
constexpr Ref constantBit = 1u << 31;

/// For counts (normalised counter names in Model/Counts).
enum class InstClass : uint8_t {
  Integer,
  Float16,
  Float32,
  Float64,
  Special, ///< ex2, rcp, sin, ...: the SFU
  Convert,
  Move, ///< mov, selp, setp, cvta, ...
  Load,
  Store,
  Atomic,
  Warp, ///< shfl, vote, match, redux
  Barrier,
  Tensor,
  AsyncCopy,
  Control,
  Count
};

/// The longest chain of dependent instructions (CriticalPath.h).
struct PathCost {
  uint16_t loads = 0;  ///< from global memory
  uint16_t cycles = 0; ///< of the others
};

struct Inst {
  Handler handler = nullptr;
  Ref d = noRef, a = noRef, b = noRef, c = noRef;
  Ref e = noRef, f = noRef; ///< further operands, as the handler likes
  uint32_t firstRef = 0;    ///< vectors: Function::refs[firstRef...]
  uint32_t refCount = 0;
  Ref guard = noRef; ///< predicate of @p
  bool guardNegated = false;
  bool startsBlock = false; ///< a label leads here: splits may meet
  InstClass kind = InstClass::Move;
  uint8_t small = 0;   ///< flags, as the handler likes
  uint32_t target = 0; ///< branches: index into Function::code
  PathCost path;       ///< of the basic block that starts here
  int64_t imm = 0;     ///< address offset or other literal
  uint64_t imm2 = 0;
  uint32_t source = 0; ///< index into ptx::Function::body
};

/// A special register and the constant column that holds it.
struct SpecialColumn {
  std::string name; ///< "%tid.x"; "shared:1024": an address in the window
  Type type = Type::B32;
  Ref ref = noRef;
};

/// Bytes of columns of one frame, by width; every function of a program uses
/// the same layout, so that frames of diverged lanes may overlap: a column
/// only ever meets columns of its own width, and lanes never mix.
struct FrameLayout {
  static constexpr std::array<uint32_t, 5> columnBytes = {64, 64, 128, 256,
                                                          512};
  std::array<uint32_t, 5> counts = {}; ///< pred, 16, 32, 64, 128
  std::array<uint32_t, 5> offsets = {};
  uint32_t bytes = 0;
  void finish();
  static unsigned widthClass(Type type);
};

/// An instruction that names accumulators of wgmma (Check/Accumulators.h).
struct AccumulatorUse {
  Handler handler = nullptr;       ///< of the instruction itself
  std::vector<uint32_t> registers; ///< numbered within the function, sorted
};

struct Function {
  const ptx::Function *ast = nullptr;
  std::vector<Inst> code; ///< ends with an implicit ret
  std::vector<Ref> refs;
  /// Rank of the basic block of each instruction; the split with the lowest
  /// rank runs first, so that diverged lanes meet again early.
  std::vector<uint32_t> rank;
  std::vector<PathCost> paths; ///< per instruction
  uint32_t localBytes = 0;     ///< .local and .param variables of a frame
  uint32_t localAlignment = 16;
  std::map<std::string, uint32_t> localOffsets;  ///< per frame
  std::map<std::string, uint32_t> sharedOffsets; ///< from the window's start
  uint32_t sharedBytes = 0; ///< static, in the end of the program's own
  uint32_t dynamicSharedOffset = 0;
  // Kernels:
  std::map<std::string, uint32_t> parameterOffsets;
  uint32_t parameterBytes = 0;
  std::vector<uint32_t> parameterSizes; ///< in order
  /// By index into `code`; empty in functions without wgmma.
  std::unordered_map<uint32_t, AccumulatorUse> accumulatorUses;
};

/// A column of literals or of a kernel parameter.
struct ConstantColumn {
  Ref ref = noRef;
  Type type = Type::B32;
  uint64_t bits = 0;
  int64_t parameterOffset = -1; ///< >= 0: filled at launch from the parameters
};

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_EXEC_CODE_H
