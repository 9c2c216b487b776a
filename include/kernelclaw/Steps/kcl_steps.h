/*===- kcl_steps.h - The step ABI --------------------------------*- C -*-===*\
|*                                                                            *|
|* One POD struct and one function per kind of plan step: resolved pointers,  *|
|* integers, grid. The worker's executor fills the structs from a Plan, the   *|
|* lowered module fills the same structs from code that Embed emitted, and    *|
|* both call these functions: what was proven is what ships.                  *|
|* Nothing allocates or synchronises, except kclModuleLoad/Unload. Return: 0  *|
|* or a kcl_status with text in call->error. Threads: as for NAME.            *|
\*===----------------------------------------------------------------------===*/
#ifndef KERNELCLAW_STEPS_KCL_STEPS_H
#define KERNELCLAW_STEPS_KCL_STEPS_H

#include "kernelclaw/Runtime/kernelclaw.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Keeps a module and its kernels. Opaque; made by kclModuleLoad. */
typedef struct kcl_module kcl_module;

/* args[i] points at argument i, as for cuLaunchKernel. `function` is what
 * kclModuleFunction gave (a CUfunction or CUkernel). A grid with a zero is
 * nothing to do. */
typedef struct kcl_kernel_step {
  void *function;
  uint32_t grid[3];
  uint32_t block[3];
  uint32_t cluster[3];   /* 1,1,1: no cluster */
  uint32_t shared_bytes; /* dynamic shared memory */
  uint32_t cooperative;  /* 0 or 1 */
  uint32_t arg_count;
  void *const *args;
} kcl_kernel_step;

typedef struct kcl_memset_step {
  void *target;
  uint64_t bytes;
  uint32_t value; /* 0..255 */
  uint32_t reserved;
} kcl_memset_step;

/* Device to device, `rows` rows of `row_bytes`. */
typedef struct kcl_copy_step {
  const void *source;
  void *target;
  uint64_t source_pitch;
  uint64_t target_pitch;
  uint64_t row_bytes;
  uint64_t rows;
} kcl_copy_step;

int32_t kclStepKernel(const kcl_kernel_step *step, kcl_call *call);
int32_t kclStepMemset(const kcl_memset_step *step, kcl_call *call);
int32_t kclStepCopy(const kcl_copy_step *step, kcl_call *call);

/* Image: cubin, PTX or fatbin, kept by the caller until unload. */
int32_t kclModuleLoad(const void *image, uint64_t bytes, kcl_module **module,
                      kcl_call *call);
int32_t kclModuleUnload(kcl_module *module, kcl_call *call);
/* Looks up `entry` and, when shared_bytes needs it, raises the kernel's limit
 * of dynamic shared memory. Called by NAME_load, not per call. */
int32_t kclModuleFunction(kcl_module *module, const char *entry,
                          uint32_t shared_bytes, void **function,
                          kcl_call *call);
/* Copies host bytes into fresh device memory (constants of NAME_load). The copy
 * may still be under way at return: see kclConstantsWait. */
int32_t kclConstantLoad(const void *bytes, uint64_t size, void **device,
                        kcl_call *call);
/* Waits until what kclConstantLoad copied is on the device, so that kernels of
 * any stream may read it. Once a load, never within a call. */
int32_t kclConstantsWait(kcl_call *call);
int32_t kclConstantUnload(void *device, kcl_call *call);
/* 1 when the current device's architecture is in the list ("sm_90a sm_80"). */
int32_t kclArchListed(const char *archs);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* KERNELCLAW_STEPS_KCL_STEPS_H */
