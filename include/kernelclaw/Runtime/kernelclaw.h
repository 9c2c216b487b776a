/*===- kernelclaw.h - The ABI of a lowered function --------------*- C -*-===*\
|*                                                                            *|
|* Everything that `kernelclaw-opt --emit=obj|so` produces is called through  *|
|* this header. For an entry NAME a module exports                            *|
|*                                                                            *|
|*   int32_t NAME(DLTensor *const *args, DLTensor *const *results,            *|
|*                kcl_call *call);                                            *|
|*   int32_t NAME_describe(kcl_entry_info const **info);                      *|
|*   int32_t NAME_workspace(DLTensor *const *args, uint64_t *bytes,           *|
|*                          kcl_call *call);                                  *|
|*   int32_t NAME_shapes(DLTensor *const *args, int64_t *sizes,               *|
|*                       kcl_call *call);                                     *|
|*   int32_t NAME_persistent(DLTensor *const *args, uint64_t *bytes,          *|
|*                           kcl_call *call);                                 *|
|*   int32_t NAME_prepare(DLTensor *const *args, kcl_call *call);             *|
|*   int32_t NAME_hints(uint64_t *hints);                                     *|
|*   int32_t NAME_load(kcl_call *call);                                       *|
|*   int32_t NAME_unload(kcl_call *call);                                     *|
|*                                                                            *|
|* NAME_shapes gives the dynamic sizes of all results, in order; NAME_work-   *|
|* space and NAME_persistent take null args when no size is dynamic. Sizes    *|
|* that 64 bits do not hold are an error that tells the arguments' shapes.    *|
|*                                                                            *|
|* Order: NAME_load once, then NAME_prepare after each change of a weight,    *|
|* then calls. NAME_prepare fills the NAME_persistent bytes at                *|
|* call->persistent from the arguments, on call->stream; with 0 bytes it      *|
|* only checks. A call with call->persistent null prepares inside the call's  *|
|* workspace.                                                                 *|
|* Ownership: the caller owns arguments, results, workspace and prepared      *|
|* buffers; NAME writes results only. Tensors are contiguous, row-major, at   *|
|* the declared alignment, on the entry's device. Torch scalars are rank-0    *|
|* host tensors (i64, f64, bool); a rank-0 tensor argument is a device        *|
|* tensor.                                                                    *|
|* Threads: a loaded entry may be called from several threads, each with its  *|
|* own kcl_call and workspace. NAME neither allocates nor synchronises: it    *|
|* enqueues on call->stream, so a caller may capture it as a CUDA graph.      *|
|* NAME_hints says where that is worth it, and how precise results can be; a  *|
|* module may lack it: no hints.                                              *|
|* Return: 0, or a kcl_status with text in call->error. Sizes that do not     *|
|* fit are KCL_INVALID_ARGUMENT, from NAME_workspace and NAME_shapes, too.    *|
|* An index in a tensor that is out of range is one on the CPU; on a device   *|
|* indices are not checked, and what such a call does is undefined.           *|
\*===----------------------------------------------------------------------===*/
#ifndef KERNELCLAW_RUNTIME_KERNELCLAW_H
#define KERNELCLAW_RUNTIME_KERNELCLAW_H

#include <dlpack/dlpack.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KCL_ABI_VERSION 1
/* DLPack's code of bool (kDLBool), which its older headers lack. */
#define KCL_DL_BOOL 6

typedef enum kcl_status {
  KCL_OK = 0,
  KCL_INVALID_ARGUMENT = 1, /* wrong count, shape, dtype, device, alignment,
                               or an index out of range (CPU) */
  KCL_UNAVAILABLE = 2,      /* no driver, no device of a listed architecture */
  KCL_DEVICE_ERROR = 3,     /* the driver reported an error */
  KCL_NOT_LOADED = 4,       /* NAME before NAME_load */
  KCL_NO_MEMORY = 5 /* workspace or prepared buffers missing or too small */
} kcl_status;

/* One call. Zero-initialise, then set what is needed. */
typedef struct kcl_call {
  uint32_t abi_version; /* KCL_ABI_VERSION */
  uint32_t reserved;
  void *stream;    /* CUstream; NULL is the default stream */
  void *workspace; /* at least NAME_workspace bytes, 256-aligned */
  uint64_t workspace_bytes;
  void *persistent; /* NAME_persistent bytes, 256-aligned, or NULL */
  uint64_t persistent_bytes;
  uint64_t seed;          /* Philox key of random ops */
  uint64_t offset;        /* Philox counter of random ops */
  uint64_t regions_won;   /* out: regions that ran their winner */
  uint64_t regions_stock; /* out: regions that ran stock */
  char error[512];        /* out: text of a non-zero return */
} kcl_call;

typedef enum kcl_value_kind {
  KCL_TENSOR = 0,
  KCL_SCALAR_INT = 1,   /* !torch.int: rank-0 i64 on the host */
  KCL_SCALAR_FLOAT = 2, /* !torch.float: rank-0 f64 on the host */
  KCL_SCALAR_BOOL = 3   /* !torch.bool: rank-0 bool on the host */
} kcl_value_kind;

typedef struct kcl_value_info {
  const char *name; /* "arg0", or the name from claw.name */
  int32_t kind;     /* kcl_value_kind */
  int32_t ndim;
  const int64_t *shape; /* a negative size -1-k is symbol k */
  uint64_t alignment;   /* bytes */
  DLDataType dtype;
  int32_t reserved;
} kcl_value_info;

typedef struct kcl_entry_info {
  uint32_t abi_version;
  int32_t device_type; /* kDLCPU or kDLCUDA */
  const char *name;
  int32_t num_args;
  int32_t num_results;
  int32_t num_symbols;
  int32_t num_regions; /* regions with a winner inside */
  const kcl_value_info *args;
  const kcl_value_info *results;
} kcl_entry_info;

/* Bits of NAME_hints. Unknown ones are to be ignored. */
typedef enum kcl_hint {
  KCL_HINT_GRAPH =
      1,            /* several steps: capture calls that repeat (graph=auto) */
  KCL_HINT_TF32 = 2 /* f32 operands of a product or convolution may be rounded
                       to TF32, as the precision policy allows */
} kcl_hint;

typedef int32_t (*kcl_entry_fn)(DLTensor *const *, DLTensor *const *,
                                kcl_call *);
typedef int32_t (*kcl_describe_fn)(kcl_entry_info const **);
typedef int32_t (*kcl_workspace_fn)(DLTensor *const *, uint64_t *, kcl_call *);
typedef int32_t (*kcl_shapes_fn)(DLTensor *const *, int64_t *, kcl_call *);
typedef int32_t (*kcl_prepare_fn)(DLTensor *const *, kcl_call *);
typedef int32_t (*kcl_hints_fn)(uint64_t *);
typedef int32_t (*kcl_load_fn)(kcl_call *);

/* Declares the functions of an entry that is linked in. */
#define KCL_DECLARE_ENTRY(NAME)                                                \
  int32_t NAME(DLTensor *const *, DLTensor *const *, kcl_call *);              \
  int32_t NAME##_describe(kcl_entry_info const **);                            \
  int32_t NAME##_workspace(DLTensor *const *, uint64_t *, kcl_call *);         \
  int32_t NAME##_shapes(DLTensor *const *, int64_t *, kcl_call *);             \
  int32_t NAME##_persistent(DLTensor *const *, uint64_t *, kcl_call *);        \
  int32_t NAME##_prepare(DLTensor *const *, kcl_call *);                       \
  int32_t NAME##_hints(uint64_t *);                                            \
  int32_t NAME##_load(kcl_call *);                                             \
  int32_t NAME##_unload(kcl_call *)

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* KERNELCLAW_RUNTIME_KERNELCLAW_H */
