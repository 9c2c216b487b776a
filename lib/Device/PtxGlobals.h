//===- PtxGlobals.h - What a module may write -------------------*- C++ -*-===//
//
// A __device__ variable that a kernel writes is state: it outlives the call,
// so a later call can replay a result or do less. Headers bring variables by
// the dozen that nothing writes; those are no state.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_PTXGLOBALS_H
#define KERNELCLAW_LIB_DEVICE_PTXGLOBALS_H

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kclaw {

/// Names of the .global variables that the PTX text may write. An address is
/// followed through registers; where it goes elsewhere (memory, another
/// function, an instruction not known to read only) the variable counts as
/// written. vprintf and __assertfail may have it.
std::vector<std::string> writtenGlobals(std::string_view ptx);

/// Positions of the parameters through which an entry stores, by entry. Only
/// stores whose address comes from one parameter and nothing else: a pointer
/// that is now this, now that is not followed.
std::map<std::string, std::set<size_t>> writtenParameters(std::string_view ptx);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_PTXGLOBALS_H
