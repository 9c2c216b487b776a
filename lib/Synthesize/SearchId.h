//===- SearchId.h - What decides what a search finds ------------*- C++ -*-===//
//
// Private to lib/Synthesize. AgentOptions::searchId of a run.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SYNTHESIZE_SEARCHID_H
#define KERNELCLAW_LIB_SYNTHESIZE_SEARCHID_H

#include "RunSetup.h"

namespace kclaw {

/// Names provider, model, evaluator, seed, and digests of the memory bank and
/// of recordings. Folders in `options` are set. Empty when nobody is asked
/// (provider=none) or nobody judges (evaluator=none), or when a folder cannot
/// be read.
std::string searchId(const RunOptions &options);

} // namespace kclaw

#endif // KERNELCLAW_LIB_SYNTHESIZE_SEARCHID_H
