//===- CudnnAbsent.cpp - Built without cuDNN's headers --------------------===//
#include "LibraryBackends.h"

namespace kclaw {

static std::unexpected<Error> absent() {
  return makeError(Error::Code::Unavailable,
                   "convolution steps need cuDNN, and KernelClaw was built "
                   "without cudnn.h or cudnn_frontend.h; build it with a CUDA "
                   "toolkit that has cuDNN, after utils/setup.sh");
}

Expected<std::string> convolutionLibrary() { return absent(); }
Expected<void> loadConvolution(const kcl_convolution_step &,
                               const std::string &, void **, const void **) {
  return absent();
}
void unloadConvolution(void *, const void *) {}
Expected<void> enqueueConvolution(const kcl_convolution_step &, void *) {
  return absent();
}
Expected<TimedChoice> chooseConvolution(const kcl_convolution_step &, void *,
                                        const Stopwatch &) {
  return absent();
}

} // namespace kclaw
