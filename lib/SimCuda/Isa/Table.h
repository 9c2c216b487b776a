//===- Table.h - Every instruction that the simulator knows -----*- C++ -*-===//
//
// One row per instruction form. The pattern is matched against the text of the
// instruction, part by part: `{a,b}` is one of a, b; a part followed by `?` may
// be missing. "add.{rn,rz,rm,rp}?.ftz?.sat?.{f32}" The binder fills the Inst:
// the handler and where its operands are. docs/SimulatedDriver.md is generated
// from these rows.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_ISA_TABLE_H
#define KERNELCLAW_LIB_SIMCUDA_ISA_TABLE_H

#include "../Exec/Builder.h"

#include <span>

namespace kclaw::sim {

struct Row {
  const char *pattern;
  InstClass kind;
  void (*bind)(Builder &builder);
  /// "" when bit-exact; else the documented error ("2 ulp", "absent: ...").
  const char *precision = "";
};

/// The tables, one file a family (Isa/*.cpp defines them).
std::span<const Row> integerRows();
std::span<const Row> integerCarryRows();  ///< add.cc, addc, madc, ...
std::span<const Row> integerBitRows();    ///< lop3, shf, bfe, popc, ...
std::span<const Row> integerPackedRows(); ///< u16x2, dp4a, prmt, ...
std::span<const Row> integerVideoRows();  ///< vadd4, vabsdiff4, ...
std::span<const Row> compareRows();       ///< setp, set, slct of any type
std::span<const Row> floatRows();
std::span<const Row> halfRows();
std::span<const Row> specialRows(); ///< ex2, rcp, sqrt, sin, ...
std::span<const Row> convertRows();
std::span<const Row> convertPackedRows(); ///< pairs, tf32, 8-bit, cvt.pack
std::span<const Row> moveRows();          ///< mov, selp, setp, cvta, prmt, ...
std::span<const Row> memoryRows();
std::span<const Row> atomicRows();
std::span<const Row> warpRows(); ///< shfl, vote, match, elect
std::span<const Row> reduxRows();
std::span<const Row> addressRows(); ///< isspacep, mapa, getctarank
std::span<const Row> barrierRows();
std::span<const Row> controlRows();
std::span<const Row> clusterRows(); ///< barrier.cluster
std::span<const Row> mbarrierRows();
std::span<const Row> asyncRows();      ///< cp.async
std::span<const Row> bulkRows();       ///< cp.async.bulk
std::span<const Row> asyncStoreRows(); ///< st.async, red.async
std::span<const Row> matrixRows();     ///< mma.sync
std::span<const Row> matrixMoveRows(); ///< ldmatrix, stmatrix, movmatrix
std::span<const Row> wmmaRows();
std::span<const Row> wgmmaRows();
std::span<const Row> tensorRows();    ///< TMA
std::span<const Row> tensorMapRows(); ///< tensormap.replace
std::vector<std::span<const Row>> allRows();

/// Finds the row and fills `form` with the chosen parts; null when no row
/// fits. An index by opcode is built at first use.
const Row *findRow(const ptx::Instruction &instruction, Form &form);

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_ISA_TABLE_H
