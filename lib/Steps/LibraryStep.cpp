//===- LibraryStep.cpp - Matmul and convolution steps ---------------------===//
//
// On the simulated device the driver itself runs them; else cuBLASLt and cuDNN
// do (LibraryBackends.h). Loading, choosing and running are one C function
// each.
//
//===----------------------------------------------------------------------===//
#include "CallError.h"
#include "LibraryBackends.h"

#include <algorithm>
#include <cstdio>

namespace kclaw {

std::string choiceText(const std::string &library,
                       const std::string &algorithm) {
  return library + ": " + algorithm;
}

std::string algorithmOf(const std::string &choice) {
  size_t colon = choice.find(": ");
  return colon == std::string::npos ? "" : choice.substr(colon + 2);
}

namespace {

constexpr int timedRuns = 3;

/// The driver with a context, or nullptr with the reason in the call.
const DriverApi *readyDriver(kcl_call *call) {
  const DriverApi *api = driver(call);
  if (!api)
    return nullptr;
  CUresult result = ensureContext(*api);
  if (result == CUDA_SUCCESS)
    return api;
  reportDriverError(*api, result, "a library step: no context", call);
  return nullptr;
}

int32_t answer(const Expected<void> &done, kcl_status failure, kcl_call *call) {
  return done ? KCL_OK : reportError(failure, done.error().message, call);
}

/// Best of a few runs after one that does not count, by events.
class EventStopwatch {
public:
  EventStopwatch(const DriverApi &api, CUstream stream)
      : api(api), stream(stream) {
    (void)api.cuEventCreate(&start, CU_EVENT_DEFAULT);
    (void)api.cuEventCreate(&stop, CU_EVENT_DEFAULT);
  }
  EventStopwatch(const EventStopwatch &) = delete;
  EventStopwatch &operator=(const EventStopwatch &) = delete;
  ~EventStopwatch() {
    (void)api.cuEventDestroy(start);
    (void)api.cuEventDestroy(stop);
  }

  Expected<double> operator()(const Enqueue &enqueue) {
    double best = 0;
    for (int run = 0; run <= timedRuns; ++run) {
      CUresult result = api.cuEventRecord(start, stream);
      if (Expected<void> done = enqueue(); !done)
        return std::unexpected(done.error());
      float milliseconds = 0;
      if (result == CUDA_SUCCESS)
        result = api.cuEventRecord(stop, stream);
      if (result == CUDA_SUCCESS)
        result = api.cuEventSynchronize(stop);
      if (result == CUDA_SUCCESS)
        result = api.cuEventElapsedTime(&milliseconds, start, stop);
      if (result != CUDA_SUCCESS)
        return makeError(Error::Code::Unavailable,
                         "timing a library step: " + api.errorText(result));
      double took = 1000.0 * milliseconds;
      if (run == 1 || (run > 1 && took < best))
        best = took;
    }
    return best;
  }

private:
  const DriverApi &api;
  CUstream stream;
  CUevent start = nullptr, stop = nullptr;
};

template <typename Step>
int32_t choose(const Step &step, kcl_library_choice &choice, kcl_call *call,
               Expected<TimedChoice> (*backend)(const Step &, void *,
                                                const Stopwatch &)) {
  choice = {};
  const DriverApi *api = readyDriver(call);
  if (!api)
    return KCL_UNAVAILABLE;
  if (api->isSimulated())
    return KCL_OK;
  EventStopwatch watch(*api, streamOf(call));
  Expected<TimedChoice> best = backend(step, streamOf(call), std::ref(watch));
  if (!best)
    return reportError(KCL_UNAVAILABLE, best.error().message, call);
  std::snprintf(choice.text, sizeof choice.text, "%s", best->choice.c_str());
  choice.microseconds = best->microseconds;
  choice.workspace_bytes = best->workspaceBytes;
  return KCL_OK;
}

/// An empty sum of products: zeros, where no epilogue and no C add to them.
int32_t fillZeros(const kcl_matmul_step &step, kcl_call *call) {
  int64_t bytes = step.d.element == KCL_F64                                 ? 8
                  : step.d.element == KCL_F16 || step.d.element == KCL_BF16 ? 2
                                                                            : 4;
  bool dense = step.d.ld == step.n &&
               (step.batch == 1 || step.d.batch_stride == step.m * step.n);
  if (step.beta != 0 || step.epilogue != KCL_EPILOGUE_NONE || !dense)
    return reportError(
        KCL_INVALID_ARGUMENT,
        "a product over k = 0 with an epilogue, a C or rows that "
        "are not dense",
        call);
  kcl_memset_step fill = {};
  fill.target = step.d.data;
  fill.bytes = static_cast<uint64_t>(step.batch * step.m * step.n * bytes);
  return kclStepMemset(&fill, call);
}

} // namespace
} // namespace kclaw

using namespace kclaw;

int32_t kclStepMatmul(const kcl_matmul_step *step, kcl_call *call) {
  const DriverApi *api = readyDriver(call);
  if (!api)
    return KCL_UNAVAILABLE;
  if (step->m == 0 || step->n == 0 || step->batch == 0)
    return KCL_OK;
  if (api->isSimulated())
    return api->simulator.matmul(step, call);
  if (!step->handle)
    return reportError(KCL_NOT_LOADED,
                       "a matmul step is not loaded; call NAME_load first",
                       call);
  if (step->k == 0)
    return fillZeros(*step, call);
  return answer(enqueueMatmul(*step, streamOf(call)), KCL_DEVICE_ERROR, call);
}

int32_t kclStepConvolution(const kcl_convolution_step *step, kcl_call *call) {
  const DriverApi *api = readyDriver(call);
  if (!api)
    return KCL_UNAVAILABLE;
  if (step->batch == 0)
    return KCL_OK;
  if (api->isSimulated())
    return api->simulator.convolution(step, call);
  if (!step->handle || !step->plan)
    return reportError(KCL_NOT_LOADED,
                       "a convolution step is not loaded; call NAME_load first",
                       call);
  return answer(enqueueConvolution(*step, streamOf(call)), KCL_DEVICE_ERROR,
                call);
}

int32_t kclMatmulLoad(const kcl_matmul_step *step, const char *choice,
                      void **handle, const void **algorithm, kcl_call *call) {
  const DriverApi *api = readyDriver(call);
  *handle = nullptr;
  *algorithm = nullptr;
  if (!api)
    return KCL_UNAVAILABLE;
  if (api->isSimulated())
    return KCL_OK;
  return answer(loadMatmul(step, choice ? choice : "", handle, algorithm),
                KCL_UNAVAILABLE, call);
}

int32_t kclConvolutionLoad(const kcl_convolution_step *step, const char *choice,
                           void **handle, const void **plan, kcl_call *call) {
  const DriverApi *api = readyDriver(call);
  *handle = nullptr;
  *plan = nullptr;
  if (!api)
    return KCL_UNAVAILABLE;
  if (api->isSimulated())
    return KCL_OK;
  return answer(loadConvolution(*step, choice ? choice : "", handle, plan),
                KCL_UNAVAILABLE, call);
}

int32_t kclMatmulUnload(void *handle, const void *algorithm) {
  if (handle)
    unloadMatmul(handle, algorithm);
  return KCL_OK;
}

int32_t kclConvolutionUnload(void *handle, const void *plan) {
  if (handle)
    unloadConvolution(handle, plan);
  return KCL_OK;
}

int32_t kclMatmulChoose(const kcl_matmul_step *step, kcl_library_choice *choice,
                        kcl_call *call) {
  return choose(*step, *choice, call, chooseMatmul);
}

int32_t kclConvolutionChoose(const kcl_convolution_step *step,
                             kcl_library_choice *choice, kcl_call *call) {
  return choose(*step, *choice, call, chooseConvolution);
}
