//===- CublasLtAbsent.cpp - Built without cublasLt.h ----------------------===//
#include "LibraryBackends.h"

namespace kclaw {

static std::unexpected<Error> absent() {
  return makeError(
      Error::Code::Unavailable,
      "matmul steps need cuBLASLt, and KernelClaw was built "
      "without its header cublasLt.h; build it with a CUDA toolkit "
      "that has it");
}

Expected<std::string> matmulLibrary() { return absent(); }
Expected<void> loadMatmul(const kcl_matmul_step *, const std::string &, void **,
                          const void **) {
  return absent();
}
void unloadMatmul(void *, const void *) {}
Expected<void> enqueueMatmul(const kcl_matmul_step &, void *) {
  return absent();
}
Expected<TimedChoice> chooseMatmul(const kcl_matmul_step &, void *,
                                   const Stopwatch &) {
  return absent();
}

} // namespace kclaw
