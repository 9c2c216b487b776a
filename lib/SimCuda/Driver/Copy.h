//===- Copy.h - Copies and sets ---------------------------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_SIMCUDA_DRIVER_COPY_H
#define KERNELCLAW_LIB_SIMCUDA_DRIVER_COPY_H

#include "../Model/Estimate.h"
#include "Driver.h"

namespace kclaw::sim::api {

void checkCopy(const Copy &copy); ///< throws INVALID_VALUE
void runCopy(const Copy &copy);
Copy linearCopy(CUmemorytype toType, uintptr_t to, CUmemorytype fromType,
                uintptr_t from, size_t bytes);
Copy planarCopy(const CUDA_MEMCPY2D &flat);

void checkSet(const Set &set);
void runSet(const Set &set);

} // namespace kclaw::sim::api

#endif // KERNELCLAW_LIB_SIMCUDA_DRIVER_COPY_H
