//===- LibraryBackends.h - The libraries behind library steps ---*- C++ -*-===//
//
// What LibraryStep.cpp asks of cuBLASLt and cuDNN when the device is not
// simulated. Either file is built from the library's headers
// (CublasLtMatmul.cpp, CudnnConvolution.cpp) or says that they were missing
// (...Absent.cpp). A context is current at every call.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_STEPS_LIBRARYBACKENDS_H
#define KERNELCLAW_LIB_STEPS_LIBRARYBACKENDS_H

#include "kernelclaw/Steps/kcl_steps.h"
#include "kernelclaw/Support/Error.h"

#include <functional>

namespace kclaw {

using Enqueue = std::function<Expected<void>()>;
/// Microseconds of what `enqueue` puts on the stream.
using Stopwatch = std::function<Expected<double>(const Enqueue &enqueue)>;

struct TimedChoice {
  std::string choice;
  double microseconds = 0;
  uint64_t workspaceBytes = 0;
};

/// A recorded choice: "LIBRARY VERSION: ALGORITHM".
std::string choiceText(const std::string &library,
                       const std::string &algorithm);
/// What stands behind the colon; empty without one.
std::string algorithmOf(const std::string &choice);

/// "cuBLASLt 130100", or why there is none.
Expected<std::string> matmulLibrary();
/// `step` null: the handle only. An algorithm that the library does not offer
/// (any more) gives way to its own first choice.
Expected<void> loadMatmul(const kcl_matmul_step *step,
                          const std::string &choice, void **handle,
                          const void **algorithm);
void unloadMatmul(void *handle, const void *algorithm);
Expected<void> enqueueMatmul(const kcl_matmul_step &step, void *stream);
Expected<TimedChoice> chooseMatmul(const kcl_matmul_step &step, void *stream,
                                   const Stopwatch &time);

/// "cuDNN 91900", or why there is none.
Expected<std::string> convolutionLibrary();
Expected<void> loadConvolution(const kcl_convolution_step &step,
                               const std::string &choice, void **handle,
                               const void **plan);
void unloadConvolution(void *handle, const void *plan);
Expected<void> enqueueConvolution(const kcl_convolution_step &step,
                                  void *stream);
Expected<TimedChoice> chooseConvolution(const kcl_convolution_step &step,
                                        void *stream, const Stopwatch &time);

} // namespace kclaw

#endif // KERNELCLAW_LIB_STEPS_LIBRARYBACKENDS_H
