/* Calls gelu_scale through the emitted header. Compiles as C99 and as C++.
 * Exit code 0: the result is right. */
#include "gelu_scale.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { rows = 64, columns = 256 };
static float input[rows * columns], output[rows * columns];

static DLTensor tensor(void *data, int64_t *shape) {
  DLTensor result;
  result.data = data;
  result.device.device_type = kDLCPU;
  result.device.device_id = 0;
  result.ndim = 2;
  result.dtype.code = kDLFloat;
  result.dtype.bits = 32;
  result.dtype.lanes = 1;
  result.shape = shape;
  result.strides = NULL;
  result.byte_offset = 0;
  return result;
}

static void check(int32_t status, const kcl_call *call) {
  if (status == KCL_OK)
    return;
  fprintf(stderr, "%s\n", call->error);
  exit(1);
}

int main(void) {
  int64_t shape[2] = {rows, columns};
  DLTensor argument = tensor(input, shape), result = tensor(output, shape);
  DLTensor *arguments[1], *results[1];
  static kcl_call call; /* zeroed */
  const kcl_entry_info *info = NULL;
  char *memory;
  int i;

  arguments[0] = &argument;
  results[0] = &result;
  for (i = 0; i < rows * columns; ++i)
    input[i] = (float)sin(i);
  call.abi_version = KCL_ABI_VERSION;
  check(gelu_scale_describe(&info), &call);
  check(info->num_args == 1 && info->num_results == 1 ? 0 : 1, &call);
  check(gelu_scale_load(&call), &call);
  check(gelu_scale_workspace(arguments, &call.workspace_bytes, &call), &call);
  memory = (char *)malloc(call.workspace_bytes + 256);
  call.workspace = memory + (256 - (uintptr_t)memory % 256);
  check(gelu_scale_persistent(arguments, &call.persistent_bytes, &call), &call);
  check(gelu_scale_prepare(arguments, &call), &call);
  check(gelu_scale(arguments, results, &call), &call);
  check(gelu_scale_unload(&call), &call);
  free(memory);

  for (i = 0; i < rows * columns; ++i) {
    double x = input[i], expected = x * (1 + erf(x / sqrt(2.0)));
    if (fabs(output[i] - expected) > 1e-6) {
      fprintf(stderr, "element %d is %g, %g expected\n", i, output[i],
              expected);
      return 1;
    }
  }
  return 0;
}
