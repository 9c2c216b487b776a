//===- CudnnFrontend.h - NVIDIA's header-only front end ---------*- C++ -*-===//
//
// Includes cudnn_frontend.h the one way that we use it: entry points looked up
// at run time in CudnnApi's library, no JSON. Heavy: for .cpp files that build
// graphs. It throws; so do not let it out of such a file.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_CUDALIBS_CUDNNFRONTEND_H
#define KERNELCLAW_CUDALIBS_CUDNNFRONTEND_H

#include "kernelclaw/CudaLibs/CudnnApi.h"

#define NV_CUDNN_FRONTEND_USE_DYNAMIC_LOADING
#define CUDNN_FRONTEND_SKIP_JSON_LIB
#include <cudnn_frontend.h>

namespace kclaw {

/// Before the first graph.
void giveToFrontend(const CudnnApi &api);

} // namespace kclaw

#endif // KERNELCLAW_CUDALIBS_CUDNNFRONTEND_H
