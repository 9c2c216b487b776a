//===- Steps.h - Library steps on the host ----------------------*- C++ -*-===//
//
// What cuBLASLt and cuDNN do on a device, for the simulated one, whose
// addresses are the host's: operands at the declared rounding, sums in f32
// (f64, i32). Nothing here looks at the device's memory map: extents() says
// what a step reads and writes, for who checks it.
//
// Threads: run() uses `threads` host threads and gives the same bits with any
// number of them.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_LIBRARY_STEPS_H
#define KERNELCLAW_LIB_SIMCUDA_LIBRARY_STEPS_H

#include "kernelclaw/Steps/kcl_steps.h"

#include <string>
#include <vector>

namespace kclaw::sim {

/// Bytes that a step touches: `rows` runs of `bytes`, `pitch` apart.
struct Extent {
  const char *name; ///< "a", "input": for messages
  const void *data;
  uint64_t bytes, pitch, rows;
  uint64_t alignment; ///< of an element
  bool written;
};

/// What is wrong with a step's numbers, with the accepted ones; empty: nothing.
std::string problemOf(const kcl_matmul_step &step);
std::string problemOf(const kcl_convolution_step &step);

/// Of steps without a problem. Null pointers of operands that are needed are
/// found by whoever looks up the extents.
std::vector<Extent> extents(const kcl_matmul_step &step);
std::vector<Extent> extents(const kcl_convolution_step &step);

void run(const kcl_matmul_step &step, unsigned threads);
void run(const kcl_convolution_step &step, unsigned threads);

/// Multiply-adds, for the time estimate.
double multiplyAdds(const kcl_matmul_step &step);
double multiplyAdds(const kcl_convolution_step &step);

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_LIBRARY_STEPS_H
