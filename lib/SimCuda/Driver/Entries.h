//===- Entries.h - The table of entry points --------------------*- C++ -*-===//
//
// Every function of the driver API once (Entries.def): what it belongs to,
// which symbol it is since which version of CUDA, whether it has a variant for
// per-thread default streams, and how much of it there is. cuGetProcAddress
// and the documentation come from these rows.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_DRIVER_ENTRIES_H
#define KERNELCLAW_LIB_SIMCUDA_DRIVER_ENTRIES_H

#include <span>

namespace kclaw::sim::api {

enum class Status {
  Implemented,
  Minimal, ///< accepts and checks; what it asks for has no effect here, or it
           ///< answers that it is not supported
  Absent   ///< not exported
};

struct EntryRow {
  const char *family; ///< "Copy": the file in Driver/
  const char *base;   ///< "cuMemcpyHtoD"
  const char *symbol; ///< "cuMemcpyHtoD_v2"
  int since;          ///< 3020: CUDA 3.2
  Status status;
  void *address;          ///< null: absent
  void *perThreadAddress; ///< of symbol_ptsz or symbol_ptds; null: none
};
std::span<const EntryRow> entryRows();

} // namespace kclaw::sim::api

#endif // KERNELCLAW_LIB_SIMCUDA_DRIVER_ENTRIES_H
