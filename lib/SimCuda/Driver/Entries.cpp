//===- Entries.cpp - The table, per-thread variants, cuGetProcAddress -----===//
#include "Entries.h"
#include "Driver.h"

// Newer than the oldest headers that this builds with.
KCL_API cuCtxGetDevice_v2(CUdevice *, CUcontext);
KCL_API cuCtxSynchronize_v2(CUcontext);
KCL_API cuEventElapsedTime_v2(float *, CUevent, CUevent);
KCL_API cuStreamGetDevice(CUstream, CUdevice *);
KCL_API cuKernelGetLibrary(CUlibrary *, CUkernel);

// cuFoo_ptsz is cuFoo with the per-thread default stream for null. Operations
// run when they are enqueued, so the two default streams behave alike, and the
// variant is a jump.
#define KCL_VARIANT(SYMBOL, SUFFIX)                                            \
  asm(".text\n.globl " #SYMBOL #SUFFIX "\n.type " #SYMBOL #SUFFIX              \
      ", @function\n" #SYMBOL #SUFFIX ": jmp " #SYMBOL                         \
      "@PLT\n.size " #SYMBOL #SUFFIX ", . - " #SYMBOL #SUFFIX "\n");           \
  extern "C" char SYMBOL##SUFFIX##_address[] __asm__(#SYMBOL #SUFFIX);
#define KCL_PLAIN(...)
#define KCL_STREAM(FAMILY, BASE, SYMBOL, SUFFIX, SINCE, STATUS)                \
  KCL_VARIANT(SYMBOL, SUFFIX)
#define KCL_ABSENT(...)
#include "Entries.def"
#undef KCL_PLAIN
#undef KCL_STREAM
#undef KCL_ABSENT

namespace kclaw::sim::api {

std::span<const EntryRow> entryRows() {
#define KCL_PLAIN(FAMILY, BASE, SYMBOL, SINCE, STATUS)                         \
  {#FAMILY, #BASE,          #SYMBOL,                                           \
   SINCE,   Status::STATUS, reinterpret_cast<void *>(&::SYMBOL),               \
   nullptr},
#define KCL_STREAM(FAMILY, BASE, SYMBOL, SUFFIX, SINCE, STATUS)                \
  {#FAMILY,                                                                    \
   #BASE,                                                                      \
   #SYMBOL,                                                                    \
   SINCE,                                                                      \
   Status::STATUS,                                                             \
   reinterpret_cast<void *>(&::SYMBOL),                                        \
   SYMBOL##SUFFIX##_address},
#define KCL_ABSENT(FAMILY, BASE)                                               \
  {#FAMILY, #BASE, #BASE, 0, Status::Absent, nullptr, nullptr},
  static const EntryRow rows[] = {
#include "Entries.def"
  };
  return rows;
}

/// The newest symbol of that name that `version` knows.
static void *find(const char *name, int version, bool perThread,
                  CUdriverProcAddressQueryResult &status) {
  const EntryRow *best = nullptr;
  status = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  for (const EntryRow &row : entryRows()) {
    if (std::strcmp(row.base, name) || !row.address)
      continue;
    if (row.since > version) {
      if (!best)
        status = CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
    } else if (!best || row.since > best->since) {
      best = &row;
    }
  }
  if (!best)
    return nullptr;
  status = CU_GET_PROC_ADDRESS_SUCCESS;
  return perThread && best->perThreadAddress ? best->perThreadAddress
                                             : best->address;
}

static CUresult procAddress(const char *name, void **out, int version,
                            cuuint64_t flags,
                            CUdriverProcAddressQueryResult *statusOut) {
  constexpr cuuint64_t known = CU_GET_PROC_ADDRESS_LEGACY_STREAM |
                               CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  if (!name || !out || (flags & ~known) || flags == known)
    return CUDA_ERROR_INVALID_VALUE;
  CUdriverProcAddressQueryResult status;
  *out = find(name, version,
              flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, status);
  if (statusOut)
    *statusOut = status;
  return *out || statusOut ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

} // namespace kclaw::sim::api

using namespace kclaw::sim::api;

KCL_API cuGetProcAddress_v2(const char *name, void **out, int version,
                            cuuint64_t flags,
                            CUdriverProcAddressQueryResult *status) {
  return procAddress(name, out, version, flags, status);
}
extern "C" CUresult cuGetProcAddress(const char *name, void **out, int version,
                                     cuuint64_t flags) {
  return procAddress(name, out, version, flags, nullptr);
}

/// The row of the table at `index`, as text for the documentation and tests:
/// "family\tbase\tsymbol\tsince\tstatus". Null behind the last.
extern "C" const char *kclSimEntry(size_t index) {
  static const std::vector<std::string> lines = [] {
    constexpr const char *states[] = {"implemented", "minimal", "absent"};
    std::vector<std::string> all;
    for (const EntryRow &row : entryRows())
      all.push_back(std::string(row.family) + "\t" + row.base + "\t" +
                    row.symbol + "\t" + std::to_string(row.since) + "\t" +
                    states[size_t(row.status)]);
    return all;
  }();
  return index < lines.size() ? lines[index].c_str() : nullptr;
}
