//===- Builtins.h - Functions that the driver provides ----------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_SIMCUDA_EXEC_BUILTINS_H
#define KERNELCLAW_LIB_SIMCUDA_EXEC_BUILTINS_H

#include "Code.h"

namespace kclaw::sim {

/// vprintf, malloc, free, __assertfail: the handler of a call to it, or null.
/// Its inst has the call's parameter triples (Isa/Control.cpp): offsets in the
/// caller's frame in firstRef + 3 k; the first `imm` of them are results.
Handler findBuiltin(std::string_view name);

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_EXEC_BUILTINS_H
