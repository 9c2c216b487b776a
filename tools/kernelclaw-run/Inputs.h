//===- Inputs.h - Which arrays are the arguments ----------------*- C++ -*-===//
//
// arg0, arg1, ... of an args.npz in order; with a meta.json only those of role
// `input` (for files whose weights are frozen).
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_TOOLS_RUN_INPUTS_H
#define KERNELCLAW_TOOLS_RUN_INPUTS_H

#include "Arrays.h"
#include "kernelclaw/Support/Error.h"

namespace kclaw {

/// `metaPath` may be empty.
Expected<std::vector<Array>> readInputs(const std::string &argsPath,
                                        const std::string &metaPath);

} // namespace kclaw

#endif // KERNELCLAW_TOOLS_RUN_INPUTS_H
