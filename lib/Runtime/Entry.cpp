//===- Entry.cpp - Loading, unloading and guarding ------------------------===//
//
// Walks the tables that Lower emitted. Loads are counted per module: the first
// one loads, the last unload frees. A failed load leaves nothing behind.
//
//===----------------------------------------------------------------------===//
#include "CallText.h"
#include "kernelclaw/Runtime/kcl_entry.h"

#include <atomic>
#include <mutex>

using namespace kclaw;

static std::mutex loadMutex;

/// NAME reads the count without the lock.
static uint32_t loadsOf(const kcl_load_table *table) {
  return std::atomic_ref<uint32_t>(*table->loads)
      .load(std::memory_order_acquire);
}

static void setLoads(const kcl_load_table *table, uint32_t loads) {
  std::atomic_ref<uint32_t>(*table->loads)
      .store(loads, std::memory_order_release);
}

static int32_t loadLibrary(const kcl_library_row &row, kcl_call *call) {
  if (row.kind == KCL_LIBRARY_MATMUL)
    return kclMatmulLoad(static_cast<const kcl_matmul_step *>(row.step),
                         row.choice, row.handle, row.object, call);
  return kclConvolutionLoad(static_cast<const kcl_convolution_step *>(row.step),
                            row.choice, row.handle, row.object, call);
}

static void unloadLibrary(const kcl_library_row &row) {
  if (row.kind == KCL_LIBRARY_MATMUL)
    kclMatmulUnload(*row.handle, *row.object);
  else
    kclConvolutionUnload(*row.handle, *row.object);
  *row.handle = nullptr;
  *row.object = nullptr;
}

/// What is in a table: one of a module without library steps may be older than
/// their fields.
enum class Extent { Plain, Libraries };

static uint32_t librariesOf(const kcl_load_table *table, Extent extent) {
  return extent == Extent::Libraries ? table->num_libraries : 0;
}

static int32_t loadAll(const kcl_load_table *table, Extent extent,
                       kcl_call *call) {
  for (uint32_t i = 0; i < table->num_modules; ++i) {
    const kcl_module_row &row = table->modules[i];
    if (int32_t status = kclModuleLoad(row.image, row.bytes, row.slot, call))
      return status;
  }
  for (uint32_t i = 0; i < table->num_functions; ++i) {
    const kcl_function_row &row = table->functions[i];
    if (int32_t status =
            kclModuleFunction(*table->modules[row.module].slot, row.entry,
                              row.shared_bytes, row.slot, call))
      return status;
  }
  for (uint32_t i = 0; i < table->num_constants; ++i) {
    const kcl_constant_row &row = table->constants[i];
    if (int32_t status = kclConstantLoad(row.bytes, row.size, row.slot, call))
      return status;
  }
  if (table->num_constants)
    if (int32_t status = kclConstantsWait(call))
      return status;
  for (uint32_t i = 0; i < librariesOf(table, extent); ++i)
    if (int32_t status = loadLibrary(table->libraries[i], call))
      return status;
  for (uint32_t i = 0; i < table->num_archs; ++i)
    *table->archs[i].slot = kclArchListed(table->archs[i].archs);
  return KCL_OK;
}

/// Frees what is there; the first error is reported, the rest goes on.
static int32_t unloadAll(const kcl_load_table *table, Extent extent,
                         kcl_call *call) {
  int32_t first = KCL_OK;
  auto note = [&](int32_t status) { first = first ? first : status; };
  for (uint32_t i = 0; i < table->num_constants; ++i) {
    note(kclConstantUnload(*table->constants[i].slot, call));
    *table->constants[i].slot = nullptr;
  }
  for (uint32_t i = 0; i < librariesOf(table, extent); ++i)
    unloadLibrary(table->libraries[i]);
  for (uint32_t i = 0; i < table->num_functions; ++i)
    *table->functions[i].slot = nullptr;
  for (uint32_t i = 0; i < table->num_modules; ++i) {
    note(kclModuleUnload(*table->modules[i].slot, call));
    *table->modules[i].slot = nullptr;
  }
  return first;
}

static int32_t load(const kcl_load_table *table, Extent extent,
                    kcl_call *call) {
  std::lock_guard<std::mutex> lock(loadMutex);
  uint32_t loads = loadsOf(table);
  if (loads == 0)
    if (int32_t status = loadAll(table, extent, call)) {
      (void)unloadAll(table, extent, nullptr);
      return status;
    }
  setLoads(table, loads + 1);
  return KCL_OK;
}

static int32_t unload(const kcl_load_table *table, Extent extent,
                      kcl_call *call) {
  std::lock_guard<std::mutex> lock(loadMutex);
  uint32_t loads = loadsOf(table);
  if (loads == 0)
    return failCall(KCL_NOT_LOADED, "unload without a load before it", call);
  setLoads(table, loads - 1);
  return loads == 1 ? unloadAll(table, extent, call) : KCL_OK;
}

int32_t kclLoad(const kcl_load_table *table, kcl_call *call) {
  return load(table, Extent::Plain, call);
}

int32_t kclUnload(const kcl_load_table *table, kcl_call *call) {
  return unload(table, Extent::Plain, call);
}

int32_t kclLoadLibraries(const kcl_load_table *table, kcl_call *call) {
  return load(table, Extent::Libraries, call);
}

int32_t kclUnloadLibraries(const kcl_load_table *table, kcl_call *call) {
  return unload(table, Extent::Libraries, call);
}

int32_t kclCheckLoaded(const kcl_load_table *table, kcl_call *call) {
  if (loadsOf(table) > 0)
    return KCL_OK;
  return failCall(KCL_NOT_LOADED,
                  "the module is not loaded; call NAME_load first", call);
}

int32_t kclGuard(int32_t arch_listed, uint64_t alignment, uint64_t address_bits,
                 kcl_call *call) {
  bool won = arch_listed && (alignment == 0 || address_bits % alignment == 0);
  ++(won ? call->regions_won : call->regions_stock);
  return won;
}

int32_t kclAssertFailed(const char *message, kcl_call *call) {
  return failCall(KCL_INVALID_ARGUMENT, message, call);
}

int32_t kclRequireFailed(const char *message, const int64_t *values,
                         int32_t count, kcl_call *call) {
  std::string text = message;
  for (int32_t i = 0; i < count; ++i) {
    std::string mark = "{" + std::to_string(i) + "}";
    if (size_t at = text.find(mark); at != std::string::npos)
      text.replace(at, mark.size(), std::to_string(values[i]));
  }
  return failCall(KCL_INVALID_ARGUMENT, text, call);
}
