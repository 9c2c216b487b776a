//===- Program.h - A loaded module ------------------------------*- C++ -*-===//
//
// PTX modules linked and decoded. Owns the syntax trees and the memory of
// module variables (allocated through DeviceMemory). Immutable once built, so
// host threads share it.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_EXEC_PROGRAM_H
#define KERNELCLAW_LIB_SIMCUDA_EXEC_PROGRAM_H

#include "Code.h"
#include "DeviceMemory.h"

namespace kclaw::sim {

class Program {
public:
  /// Throws LoadError. `modules` are linked by name; the first definition of a
  /// weak symbol wins, two strong ones are an error.
  static std::unique_ptr<Program> build(std::vector<ptx::Module> modules,
                                        DeviceMemory &memory);
  ~Program();
  Program(const Program &) = delete;

  const Function *find(std::string_view name) const; ///< entry or function
  const std::vector<std::unique_ptr<Function>> &functions() const {
    return functionList;
  }
  struct Global {
    uintptr_t address = 0;
    uint64_t bytes = 0;
    ptx::Space space = ptx::Space::Global;
  };
  const std::map<std::string, Global> &globals() const { return globalMap; }
  const std::vector<ConstantColumn> &constants() const { return constantList; }
  const std::vector<SpecialColumn> &specials() const { return specialList; }
  const FrameLayout &layout() const { return frameLayout; }
  uint32_t constantBytes() const { return constantByteCount; }
  const std::string &file(uint32_t index) const; ///< of .file; may be empty
  const std::string &target() const { return targetName; }
  unsigned maxDepth() const { return depth; } ///< frames, recursion included
  uint32_t maxLocalBytes() const;             ///< of one frame
  /// The column of a declared register.
  Ref registerColumn(const Function &function, const std::string &name) const;

private:
  friend class Builder;
  friend class Linker;
  explicit Program(DeviceMemory &memory) : memory(memory) {}
  DeviceMemory &memory;
  std::vector<ptx::Module> modules;
  std::vector<std::unique_ptr<Function>> functionList;
  std::map<std::string, Function *, std::less<>> byName;
  std::map<std::string, Global> globalMap;
  std::vector<ConstantColumn> constantList;
  std::vector<SpecialColumn> specialList;
  std::map<uint32_t, std::string> files;
  FrameLayout frameLayout;
  uint32_t constantByteCount = 0;
  std::string targetName;
  unsigned depth = 1;
  /// Index of each register within its width class; 0 is the sink.
  std::map<const Function *, std::map<std::string, uint32_t>> registerIndex;
};

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_EXEC_PROGRAM_H
