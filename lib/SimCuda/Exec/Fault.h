//===- Fault.h - What a kernel did wrong ------------------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_SIMCUDA_EXEC_FAULT_H
#define KERNELCLAW_LIB_SIMCUDA_EXEC_FAULT_H

#include "Warp.h"

#include <exception>
#include <string>

namespace kclaw::sim {

enum class FaultKind : uint8_t {
  OutOfBounds,       ///< 700 CUDA_ERROR_ILLEGAL_ADDRESS
  Misaligned,        ///< 716 CUDA_ERROR_MISALIGNED_ADDRESS
  ReadOnlyWrite,     ///< 700
  Uninitialised,     ///< not seen by a real GPU: 719, as all below without one
  Race,              ///< 719
  DivergentBarrier,  ///< 719
  Deadlock,          ///< 702 CUDA_ERROR_LAUNCH_TIMEOUT
  MissingWait,       ///< 719
  EndlessLoop,       ///< 702: the instruction budget ran out
  Trap,              ///< 719 CUDA_ERROR_LAUNCH_FAILED
  Assert,            ///< 710 CUDA_ERROR_ASSERT
  IllegalInstruction ///< 715
};
const char *name(FaultKind kind); ///< "out of bounds"

struct Fault {
  FaultKind kind = FaultKind::Trap;
  std::string kernel, instruction, file, detail;
  uint32_t line = 0, ptxLine = 0;
  uint32_t block[3] = {}, thread[3] = {};
  uintptr_t address = 0;
  /// "out of bounds: kernel k, k.cu:12, block (0,0,0), thread (31,0,0),
  ///  address 0x...: 4-byte load 12 bytes past an allocation of 1024 bytes"
  std::string text() const;
};

struct FaultError : std::exception {
  explicit FaultError(Fault fault)
      : fault(std::move(fault)), message(this->fault.text()) {}
  const char *what() const noexcept override { return message.c_str(); }
  Fault fault;
  std::string message;
};

/// Ends the launch. `lane` of `w` did it, at `inst`.
[[noreturn]] void fail(Warp &w, const Inst &inst, FaultKind kind, unsigned lane,
                       uintptr_t address, const std::string &detail);

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_EXEC_FAULT_H
