// Sizes from claw_spec.h are constants: the modulo becomes a multiplication or a
// mask, the bound an immediate, the grid's rest a test that folds away.
// problem: scale
// expect: ok
// step: {"grid": "ceildiv(rows * cols, 1024)", "args": ["x", "w", "y"]}
#include "claw_spec.h"
constexpr unsigned n = claw::arg0_elements, cols = claw::cols, tile = 1024;
static_assert(claw::arg0_elements < 1ll << 31, "32-bit indices");
extern "C" __global__ void __launch_bounds__(256)
    k(const claw::arg0_t *__restrict__ x, const claw::arg1_t *__restrict__ w,
      claw::res0_t *__restrict__ y) {
  unsigned first = blockIdx.x * tile + threadIdx.x;
#pragma unroll
  for (unsigned j = 0; j < tile; j += 256) {
    unsigned i = first + j;
    if (n % tile == 0 || i < n) // decided by the compiler where it divides
      y[i] = x[i] * w[i % cols];
  }
}
