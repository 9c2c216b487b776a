//===- AcceptedValues.h - Options against their own help --------*- C++ -*-===//
//
// Private to lib/Synthesize. An option whose description says "one of: a, b"
// accepts exactly those values.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SYNTHESIZE_ACCEPTEDVALUES_H
#define KERNELCLAW_LIB_SYNTHESIZE_ACCEPTEDVALUES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace kclaw {

/// The values after "one of:" up to the next full stop or the end; empty when
/// the text has none.
llvm::SmallVector<llvm::StringRef> acceptedValues(llvm::StringRef description);

} // namespace kclaw

#endif // KERNELCLAW_LIB_SYNTHESIZE_ACCEPTEDVALUES_H
