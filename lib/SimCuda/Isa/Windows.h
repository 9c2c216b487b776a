//===- Windows.h - Which memory an instruction names ------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_SIMCUDA_ISA_WINDOWS_H
#define KERNELCLAW_LIB_SIMCUDA_ISA_WINDOWS_H

#include "../Exec/Access.h"
#include "../Exec/Builder.h"

namespace kclaw::sim {

/// From the state space in the instruction, else the symbol's, else generic.
Window windowOf(const Builder &b, const AddressRef &address);

/// Fills a (addresses), imm (offset), imm2 (Window) and small bit 0 (64-bit)
/// from the address operand, as resolve() wants them.
void bindAddress(Builder &b, size_t index);

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_ISA_WINDOWS_H
