/*===- kcl_steps.h - The step ABI --------------------------------*- C -*-===*\
|*                                                                            *|
|* One POD struct and one function per kind of plan step: resolved pointers,  *|
|* integers, grid. The worker's executor fills the structs from a Plan, the   *|
|* lowered module fills the same structs from code that Embed emitted, and    *|
|* both call these functions: what was proven is what ships.                  *|
|* Nothing allocates or synchronises, except ...Load, ...Unload and           *|
|* ...Choose. Return: 0 or a kcl_status with text in call->error. Threads: as *|
|* for NAME.                                                                  *|
\*===----------------------------------------------------------------------===*/
#ifndef KERNELCLAW_STEPS_KCL_STEPS_H
#define KERNELCLAW_STEPS_KCL_STEPS_H

#include "kernelclaw/Runtime/kernelclaw.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Keeps a module and its kernels. Opaque; made by kclModuleLoad. */
typedef struct kcl_module kcl_module;

/* args[i] points at argument i, as for cuLaunchKernel: at a pointer or number,
 * or at the 128 bytes of a tensor map. `function` is what kclModuleFunction
 * gave (a CUfunction or CUkernel). A grid with a zero is nothing to do. */
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

/* A tiled CUtensorMap. Sizes count elements, innermost dimension first; those
 * beyond `rank` are ignored. Addresses of arguments, results and workspaces are
 * known per call only, so a map is encoded anew in front of each launch that
 * takes it: host code of less than a microsecond that touches no device. */
typedef struct kcl_tensor_map {
  const void *address; /* 16-aligned device memory */
  int32_t element;     /* CUtensorMapDataType */
  int32_t rank;        /* 1 to 5 */
  uint64_t dims[5];
  uint64_t strides[4]; /* bytes, of dimensions 1 and up */
  uint32_t box[5];
  uint32_t element_strides[5];
  uint32_t swizzle;      /* bytes: 0, 32, 64, 128 */
  uint32_t interleave;   /* bytes: 0, 16, 32 */
  uint32_t l2_promotion; /* bytes: 0, 64, 128, 256 */
  uint32_t nan_fill;     /* out of bounds is 0: zero, 1: NaN */
} kcl_tensor_map;

/* Writes the 128 bytes at `encoded`, which is 64-aligned. A map with a zero
 * among its dims is empty: all zero. */
int32_t kclTensorMapEncode(const kcl_tensor_map *map, void *encoded,
                           kcl_call *call);
int32_t kclStepKernel(const kcl_kernel_step *step, kcl_call *call);
int32_t kclStepMemset(const kcl_memset_step *step, kcl_call *call);
int32_t kclStepCopy(const kcl_copy_step *step, kcl_call *call);

/* Element types of library steps. */
typedef enum kcl_element {
  KCL_F64 = 1,
  KCL_F32 = 2,
  KCL_F16 = 3,
  KCL_BF16 = 4,
  KCL_I8 = 5,
  KCL_I32 = 6
} kcl_element;

/* How the products of a library step are formed and summed. */
typedef enum kcl_compute {
  KCL_COMPUTE_F32 = 1,  /* operands as they are (f32, f16, bf16), f32 sums */
  KCL_COMPUTE_TF32 = 2, /* f32 operands rounded to tf32, f32 sums */
  KCL_COMPUTE_F64 = 3,  /* f64 operands and sums */
  KCL_COMPUTE_I32 = 4   /* i8 operands, i32 sums that wrap around */
} kcl_compute;

/* What is done with alpha * A * B + beta * C before it is rounded to D's type:
 * first the bias is added, then relu(x) or gelu(x) = x/2 (1 + tanh(sqrt(2/pi)
 * (x + 0.044715 x^3))), which is cuBLASLt's. */
typedef enum kcl_epilogue {
  KCL_EPILOGUE_NONE = 0,
  KCL_EPILOGUE_BIAS = 1,
  KCL_EPILOGUE_RELU = 2,
  KCL_EPILOGUE_GELU = 3,
  KCL_EPILOGUE_BIAS_RELU = 4,
  KCL_EPILOGUE_BIAS_GELU = 5
} kcl_epilogue;

/* Row-major matrices in device memory, one for each of `batch`. */
typedef struct kcl_matrix {
  void *data;           /* element (0, 0) of the first matrix */
  int64_t ld;           /* elements from a row to the next as stored */
  int64_t batch_stride; /* elements to the next matrix; 0: all use this one */
  int32_t element;      /* kcl_element */
  int32_t transposed;   /* 1: stored as columns x rows; A and B only */
} kcl_matrix;

/* D = epilogue(alpha * A * B + beta * C), A of m x k, B of k x n, C and D of
 * m x n. Sizes count elements; a zero m, n or batch is nothing to do, a zero k
 * gives alpha * A * B = 0.
 *
 *   compute    A, B               C, D                     alpha, beta
 *   F32        f32                f32                      used as f32
 *   F32        f16 (bf16)         f16 (bf16) or f32        used as f32
 *   TF32       f32                f32                      used as f32
 *   F64        f64                f64                      used as f64
 *   I32        i8                 i32, no epilogue         used as i32
 *
 * A and B have one type, and so have C and D. C is read only when beta is not
 * 0; it may be D itself. D overlaps nothing else, and its batch_stride is not
 * 0 when batch is above 1. Fields up to `bias` are filled by whoever
 * instantiates the plan (Device) or emitted by Embed; `handle` and `algorithm`
 * are made once at load and belong to the module, and the workspace belongs to
 * the caller of the step. */
typedef struct kcl_matmul_step {
  kcl_matrix a, b, c, d;
  int64_t m, n, k, batch;
  double alpha, beta;
  int32_t compute;       /* kcl_compute */
  int32_t epilogue;      /* kcl_epilogue */
  const void *bias;      /* n values of D's type, one a column; else null */
  void *handle;          /* cublasLtHandle_t */
  const void *algorithm; /* cublasLtMatmulAlgo_t; null: the library's choice */
  void *workspace;       /* 256-aligned device memory */
  uint64_t workspace_bytes;
} kcl_matmul_step;

/* A convolution (cross-correlation) over 1, 2 or 3 spatial dims; entries of
 * the arrays beyond `spatial` are ignored. Tensors are dense:
 *
 *                 channels first            channels_last
 *   input         [batch, in_channels, in]  [batch, in, in_channels]
 *   output        [batch, out_channels, out]   likewise
 *   weight        [out_channels, in_channels / groups, kernel]
 *                 channels last: [out_channels, kernel, in_channels / groups]
 *   ... transposed  [in_channels, out_channels / groups, kernel]
 *                 channels last: [in_channels, kernel, out_channels / groups]
 *
 * `transposed` is the gradient of a convolution with these strides, paddings
 * and dilations by its input: PyTorch's conv_transpose. `out` then says how
 * far the output goes (output padding included). With e = dilation *
 * (kernel - 1) + 1 and p = pad_before + pad_after:
 *   forward     out = (in + p - e) / stride + 1
 *   transposed  (in - 1) * stride - p + e <= out, by less than
 *               max(stride, dilation)
 * All tensors and the bias have one element type: f64 (f64 sums), or f32, f16,
 * bf16 (f32 sums, rounded once; where cuDNN has no kernel with a bias, before
 * and after the bias, as in PyTorch). A zero batch is nothing to do. Who fills
 * and owns what: as in kcl_matmul_step. */
typedef struct kcl_convolution_step {
  const void *input;
  const void *weight;
  const void *bias; /* out_channels values, or null */
  void *output;     /* overlaps nothing else */
  int32_t element;  /* kcl_element */
  int32_t tf32;     /* 1: f32 operands are rounded to tf32 */
  int32_t transposed;
  int32_t channels_last;
  int32_t spatial; /* 1, 2 or 3 */
  int32_t reserved;
  int64_t batch, in_channels, out_channels, groups;
  int64_t in[3], out[3], kernel[3];
  int64_t stride[3], dilation[3];
  int64_t pad_before[3], pad_after[3]; /* of zeros, in elements, >= 0 */
  void *handle;                        /* cudnnHandle_t */
  const void *plan;                    /* cudnn-frontend's execution plan */
  void *workspace;                     /* 256-aligned device memory */
  uint64_t workspace_bytes;
} kcl_convolution_step;

/* Both fail with KCL_UNAVAILABLE where the library is missing. On the simulated
 * device the simulator runs them; handle, algorithm and plan stay null. */
int32_t kclStepMatmul(const kcl_matmul_step *step, kcl_call *call);
int32_t kclStepConvolution(const kcl_convolution_step *step, kcl_call *call);

/* The library's objects for one step, made at load and freed by Unload. Of
 * `step` the sizes, types and workspace_bytes are read, not the addresses; the
 * step may then run with any addresses aligned to 16 bytes (a matmul with
 * others, at the price of a look-up a call). `choice` is what ...Choose wrote,
 * or null. It names the library, its version and an algorithm; an algorithm
 * that this version does not offer gives way to the library's own first choice.
 * A null step (matmul only): sizes are known at calls, and each looks its
 * algorithm up. */
int32_t kclMatmulLoad(const kcl_matmul_step *step, const char *choice,
                      void **handle, const void **algorithm, kcl_call *call);
int32_t kclMatmulUnload(void *handle, const void *algorithm);
int32_t kclConvolutionLoad(const kcl_convolution_step *step, const char *choice,
                           void **handle, const void **plan, kcl_call *call);
int32_t kclConvolutionUnload(void *handle, const void *plan);

/* The fastest of what a library offers for a step, timed on its device. */
typedef struct kcl_library_choice {
  char text[240];           /* for ...Load; "" on the simulated device */
  double microseconds;      /* best of a few runs, L2 warm */
  uint64_t workspace_bytes; /* that it needs, at most those of the step */
} kcl_library_choice;

/* Runs what the library offers for a loaded step on its addresses, a few times
 * each. Waits; for evaluators, never within a call. */
int32_t kclMatmulChoose(const kcl_matmul_step *step, kcl_library_choice *choice,
                        kcl_call *call);
int32_t kclConvolutionChoose(const kcl_convolution_step *step,
                             kcl_library_choice *choice, kcl_call *call);

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
