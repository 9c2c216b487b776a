//===- Fault.cpp ----------------------------------------------------------===//
#include "Fault.h"
#include "Block.h"

#include <cstdio>

namespace kclaw::sim {

const char *name(FaultKind kind) {
  static constexpr const char *names[] = {"out of bounds",
                                          "misaligned address",
                                          "write to constant memory",
                                          "uninitialised read",
                                          "data race",
                                          "divergent barrier",
                                          "deadlock",
                                          "missing wait",
                                          "endless loop",
                                          "trap",
                                          "assertion failed",
                                          "illegal instruction"};
  return names[size_t(kind)];
}

std::string Fault::text() const {
  char place[256];
  std::snprintf(place, sizeof place, ", block (%u,%u,%u), thread (%u,%u,%u)",
                block[0], block[1], block[2], thread[0], thread[1], thread[2]);
  std::string source = file.empty() || !line
                           ? "ptx line " + std::to_string(ptxLine)
                           : file + ":" + std::to_string(line);
  char where[32] = "";
  if (address)
    std::snprintf(where, sizeof where, ", address 0x%llx",
                  static_cast<unsigned long long>(address));
  return std::string(name(kind)) + ": kernel " + kernel + ", " + source + " (" +
         instruction + ")" + place + where + ": " + detail;
}

void fail(Warp &w, const Inst &inst, FaultKind kind, unsigned lane,
          uintptr_t address, const std::string &detail) {
  const Block &block = *w.block;
  Fault fault;
  fault.kind = kind;
  fault.kernel = block.grid->kernel->ast->name;
  // The function whose code holds `inst` (a callee, maybe).
  for (const auto &function : block.grid->program->functions()) {
    const Inst *begin = function->code.data();
    if (&inst < begin || &inst >= begin + function->code.size())
      continue;
    if (inst.source < function->ast->body.size()) {
      const ptx::Instruction &ast = function->ast->body[inst.source];
      fault.instruction = ast.text();
      fault.ptxLine = ast.textLine;
      fault.line = ast.location.line;
      fault.file = block.grid->program->file(ast.location.file);
    }
  }
  Dim3 thread = block.threadIndex(w.index * lanes + lane);
  fault.block[0] = block.index.x, fault.block[1] = block.index.y,
  fault.block[2] = block.index.z;
  fault.thread[0] = thread.x, fault.thread[1] = thread.y,
  fault.thread[2] = thread.z;
  fault.address = address;
  fault.detail = detail;
  throw FaultError(std::move(fault));
}

} // namespace kclaw::sim
