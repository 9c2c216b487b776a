//===- CudnnFrontend.cpp - What cudnn-frontend looks cuDNN up in ----------===//
#include "kernelclaw/CudaLibs/CudnnFrontend.h"

namespace cudnn_frontend {
/// Declared by its shim; every entry point of cuDNN is taken from here.
void *cudnn_dlhandle = nullptr;
} // namespace cudnn_frontend

void kclaw::giveToFrontend(const CudnnApi &api) {
  cudnn_frontend::cudnn_dlhandle = api.library;
}
