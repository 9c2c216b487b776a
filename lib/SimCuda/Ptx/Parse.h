//===- Parse.h - PTX text in, Ast out ---------------------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_SIMCUDA_PTX_PARSE_H
#define KERNELCLAW_LIB_SIMCUDA_PTX_PARSE_H

#include "Ast.h"

#include <stdexcept>

namespace kclaw::sim {

/// Garbage PTX, an instruction without a table row, an unknown symbol: what
/// cuModuleLoadData reports as CUDA_ERROR_INVALID_PTX, with this text in the
/// JIT log. Lines count from 1 in the PTX.
struct LoadError : std::runtime_error {
  LoadError(uint32_t line, const std::string &what)
      : std::runtime_error("ptx line " + std::to_string(line) + ": " + what),
        line(line) {}
  uint32_t line;
};

namespace ptx {
/// Throws LoadError. Debug sections (.section ...) are skipped.
Module parse(std::string_view text);
} // namespace ptx

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_PTX_PARSE_H
