//===- InstructionMix.h - What a kernel's machine code is made of -*- C++ -*-=//
//
// Counts of machine instructions by kind, as they stand in the code (not as
// often as they run), read from what NVIDIA's disassembler prints: cuobjdump or
// nvdisasm, in KERNELCLAW_DISASSEMBLER, on PATH or in a toolkit's bin/.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_INSTRUCTIONMIX_H
#define KERNELCLAW_LIB_DEVICE_INSTRUCTIONMIX_H

#include "kernelclaw/Support/Error.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kclaw {

/// "fp32", "globalLoad", ...: kind and number of instructions.
using InstructionMix = std::map<std::string, int64_t>;

/// The kind of an opcode with its modifiers ("LDG.E.128"): "other" when no row
/// of the table has it.
std::string instructionKind(const std::string &opcode);

/// The mix of each function, by name, of the output of `cuobjdump -sass` or
/// `nvdisasm`. Padding (NOP and the endless loop after the end) is left out.
std::map<std::string, InstructionMix> parseSass(const std::string &text);

/// Unavailable with the reason when there is no disassembler, or it fails.
Expected<std::map<std::string, InstructionMix>>
disassemble(const std::vector<uint8_t> &cubin, double timeoutSeconds = 10);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_INSTRUCTIONMIX_H
