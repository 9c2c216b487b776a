/*===- kcl_entry.h - What emitted code asks of the runtime -------*- C -*-===*\
|*                                                                            *|
|* Internal to KernelClaw: the tables that Lower emits as constant data, and  *|
|* the functions of libkernelclaw_runtime that emitted entries call beside    *|
|* the step ABI (Steps/kcl_steps.h). Checking and loading live here, so the   *|
|* emitted code stays small. Return: 0, or a kcl_status with text in          *|
|* call->error. Lower/EntryAbi builds the structs; keep both in step.         *|
\*===----------------------------------------------------------------------===*/
#ifndef KERNELCLAW_RUNTIME_KCL_ENTRY_H
#define KERNELCLAW_RUNTIME_KCL_ENTRY_H

#include "kernelclaw/Steps/kcl_steps.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Device code of the module; *slot gets the loaded module. */
typedef struct kcl_module_row {
  const void *image;
  uint64_t bytes;
  kcl_module **slot;
} kcl_module_row;

/* A kernel of modules[module]; *slot gets the function. */
typedef struct kcl_function_row {
  uint32_t module;
  uint32_t shared_bytes;
  const char *entry;
  void **slot;
} kcl_function_row;

/* Host bytes that every load copies to the device; *slot gets the address. */
typedef struct kcl_constant_row {
  const void *bytes;
  uint64_t size;
  void **slot;
} kcl_constant_row;

/* *slot gets 1 when the device's architecture is in the list. */
typedef struct kcl_arch_row {
  const char *archs;
  int32_t *slot;
} kcl_arch_row;

typedef enum kcl_library_kind {
  KCL_LIBRARY_MATMUL = 1,
  KCL_LIBRARY_CONVOLUTION = 2
} kcl_library_kind;

/* What a library step needs from load on. `step` is a kcl_matmul_step or
 * kcl_convolution_step with its sizes and without addresses (but a bias that is
 * not null where it has one), or null where a matmul's sizes are known at calls
 * only. *handle and *object get what kclMatmulLoad or kclConvolutionLoad
 * makes. */
typedef struct kcl_library_row {
  uint32_t kind; /* kcl_library_kind */
  uint32_t reserved;
  const void *step;
  const char *choice;
  void **handle;
  const void **object;
} kcl_library_row;

/* One per emitted module; its entries share it. `loads` counts NAME_load calls
 * that are not undone; only the runtime touches it. */
typedef struct kcl_load_table {
  uint32_t *loads;
  uint32_t num_modules;
  uint32_t num_functions;
  uint32_t num_constants;
  uint32_t num_archs;
  const kcl_module_row *modules;
  const kcl_function_row *functions;
  const kcl_constant_row *constants;
  const kcl_arch_row *archs;
  uint32_t num_libraries;
  uint32_t reserved;
  const kcl_library_row *libraries;
} kcl_load_table;

/* Counts, dtypes, shapes, devices, contiguity and alignment of a call against
 * what the entry declares. A dynamic size that is one symbol must be the same
 * everywhere. `results` null: arguments only. */
int32_t kclCheckTensors(const kcl_entry_info *info, DLTensor *const *args,
                        DLTensor *const *results, kcl_call *call);

/* `sizes`: what the dynamic sizes of all results must be, in order. */
int32_t kclCheckResultSizes(const kcl_entry_info *info,
                            DLTensor *const *results, const int64_t *sizes,
                            kcl_call *call);

/* None of `count` sizes computed from `args` is 2^63-1, which stands for one
 * that does not fit; the error is `text` with the arguments' shapes. */
int32_t kclCheckSizes(const char *text, const kcl_entry_info *info,
                      DLTensor *const *args, const int64_t *sizes,
                      int32_t count, kcl_call *call);

/* The caller's workspace holds `bytes` and is aligned. */
int32_t kclCheckWorkspace(uint64_t bytes, kcl_call *call);

/* The caller's prepared buffers hold `bytes` and are aligned. */
int32_t kclCheckPersistent(uint64_t bytes, kcl_call *call);

/* The same where the caller brings any; without, the call prepares itself. */
int32_t kclCheckPrepared(uint64_t bytes, kcl_call *call);

/* NAME_load, NAME_unload, and the test at the start of NAME. */
int32_t kclLoad(const kcl_load_table *table, kcl_call *call);
int32_t kclUnload(const kcl_load_table *table, kcl_call *call);
/* The same where the table has library rows; the two above do not read the
 * fields behind `archs`, which tables of older modules lack. */
int32_t kclLoadLibraries(const kcl_load_table *table, kcl_call *call);
int32_t kclUnloadLibraries(const kcl_load_table *table, kcl_call *call);
int32_t kclCheckLoaded(const kcl_load_table *table, kcl_call *call);

/* 1 when a region runs its winner: architecture listed and `address_bits` (all
 * addresses or-ed) aligned. Counts the region in the call. */
int32_t kclGuard(int32_t arch_listed, uint64_t alignment, uint64_t address_bits,
                 kcl_call *call);

/* Puts the text of a failed assertion into the call; returns
 * KCL_INVALID_ARGUMENT. */
int32_t kclAssertFailed(const char *message, kcl_call *call);

/* The same for a requirement: {0}, {1}, ... in the message stand for `count`
 * values. */
int32_t kclRequireFailed(const char *message, const int64_t *values,
                         int32_t count, kcl_call *call);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* KERNELCLAW_RUNTIME_KCL_ENTRY_H */
