//===- Api.h - cuda.h with every function under its symbol's name -*- C++ -*-=//
//
// cuda.h renames functions to the version that its types belong to; here each
// name is the symbol that is exported, so that all versions can be defined.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_DRIVER_API_H
#define KERNELCLAW_LIB_SIMCUDA_DRIVER_API_H

#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>
#include <cudaProfiler.h>

/// Start of an entry point.
#define KCL_API extern "C" CUresult CUDAAPI

#endif // KERNELCLAW_LIB_SIMCUDA_DRIVER_API_H
