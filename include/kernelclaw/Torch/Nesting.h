//===- Nesting.h - How deep MLIR text is nested -----------------*- C++ -*-===//
//
// MLIR's parser, verifier and printer call themselves for each level of
// nesting, so text that is nested thousands of levels deep overflows the stack.
// The tools look before they parse.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_TORCH_NESTING_H
#define KERNELCLAW_TORCH_NESTING_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LogicalResult.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <optional>

namespace kclaw::torch {

/// Levels of brackets (regions, lists, types, locations), and operators of one
/// affine expression, that are accepted. Exports stay below 20; a stack of
/// 8 MiB holds more than 2000 levels of regions.
inline constexpr unsigned maxNesting = 500;

/// The first character that exceeds maxNesting, or nullopt. One pass over the
/// text; strings and comments do not count.
std::optional<size_t> nestingExceededAt(llvm::StringRef text);

/// Prints an error with its place to stderr when the text is nested too deeply.
llvm::LogicalResult checkNesting(llvm::MemoryBufferRef text);

} // namespace kclaw::torch

#endif // KERNELCLAW_TORCH_NESTING_H
