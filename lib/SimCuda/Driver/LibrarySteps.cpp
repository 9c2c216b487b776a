//===- LibrarySteps.cpp - kclSimMatmul, kclSimConvolution -----------------===//
//
// Stand in for cuBLASLt and cuDNN. They behave like the kernel launches of
// those libraries: on call->stream, captured into graphs, faults are sticky.
// Fields that only the real libraries need (handle, algorithm, plan, workspace)
// are ignored.
//
//===----------------------------------------------------------------------===//
#include "LibrarySteps.h"
#include "../Model/Estimate.h"
#include "Launch.h"

#include <cstdio>

namespace kclaw::sim::api {

namespace {

struct StepFault {
  FaultKind kind;
  std::string detail;
  uintptr_t address;
};

Allocation &allocationOf(const Extent &extent) {
  auto base = reinterpret_cast<uintptr_t>(extent.data);
  uint64_t all = (extent.rows - 1) * extent.pitch + extent.bytes;
  Allocation *allocation = driver().memory->find(base);
  if (!allocation || !allocation->contains(base, all))
    throw StepFault{FaultKind::OutOfBounds,
                    std::string(extent.name) + " of " + std::to_string(all) +
                        " bytes does not lie in one allocation",
                    base};
  if (base % extent.alignment)
    throw StepFault{FaultKind::Misaligned, extent.name, base};
  if (extent.written && allocation->readOnly)
    throw StepFault{FaultKind::ReadOnlyWrite, extent.name, base};
  return *allocation;
}

/// What it reads is there, then what it writes counts as written.
void checkMemory(const std::vector<Extent> &all) {
  for (const Extent &extent : all) {
    Allocation &allocation = allocationOf(extent);
    uint64_t start = reinterpret_cast<uintptr_t>(extent.data) - allocation.base;
    for (uint64_t r = 0; r < extent.rows; ++r) {
      uint64_t at = start + r * extent.pitch;
      if (extent.written)
        allocation.markWritten(at, extent.bytes);
      else if (int64_t bad = driver().options.checks
                                 ? allocation.firstUnwritten(at, extent.bytes)
                                 : -1;
               bad >= 0)
        throw StepFault{FaultKind::Uninitialised,
                        "byte " + std::to_string(uint64_t(bad) - start) +
                            " of " + extent.name +
                            ", which nothing has written yet",
                        allocation.base + uint64_t(bad)};
    }
  }
}

/// Null: the f32 pipe.
const TensorKind *pipeFor(int32_t element, bool tf32) {
  static constexpr TensorKind f64 = TensorKind::F64, rounded = TensorKind::Tf32,
                              half = TensorKind::F16, byte = TensorKind::I8;
  return element == KCL_F64   ? &f64
         : element == KCL_I8  ? &byte
         : tf32               ? &rounded
         : element == KCL_F32 ? nullptr
                              : &half;
}
const TensorKind *pipeOf(const Matmul &step) {
  return pipeFor(step.a.element, step.compute == KCL_COMPUTE_TF32);
}
const TensorKind *pipeOf(const Convolution &step) {
  return pipeFor(step.element, step.tf32);
}

template <class Step>
void runAs(const char *name, const Step &step, Stream &stream) {
  Driver &d = driver();
  try {
    std::vector<Extent> all = extents(step);
    checkMemory(all);
    sim::run(step, d.options.threads);
    double bytes = 0;
    for (const Extent &extent : all)
      bytes += double(extent.bytes) * double(extent.rows);
    d.clockNanoseconds +=
        estimateNanoseconds(d.model(), pipeOf(step), multiplyAdds(step), bytes);
  } catch (const StepFault &fault) {
    stream.context->sticky = code(fault.kind);
    char address[32];
    std::snprintf(address, sizeof address, "%#zx", size_t(fault.address));
    report(std::string(sim::name(fault.kind)) + ": step " + name +
           ", address " + address + ": " + fault.detail);
  }
}

int32_t answer(kcl_call *to, kcl_status status, const std::string &text) {
  std::snprintf(to->error, sizeof to->error, "%s", text.c_str());
  return status;
}

template <class Step>
int32_t start(const char *name, const Step *step, kcl_call *to) {
  if (!to)
    return KCL_INVALID_ARGUMENT;
  if (!step)
    return answer(to, KCL_INVALID_ARGUMENT, std::string(name) + ": no step");
  if (std::string problem = problemOf(*step); !problem.empty())
    return answer(to, KCL_INVALID_ARGUMENT, std::string(name) + ": " + problem);
  CUresult result = call(Needs::Context, [&] {
    enqueue(streamOf(static_cast<CUstream>(to->stream)), {*step});
  });
  const char *text = nullptr;
  if (result == CUDA_SUCCESS)
    return KCL_OK;
  cuGetErrorName(result, &text);
  return answer(
      to, result == CUDA_ERROR_OUT_OF_MEMORY ? KCL_NO_MEMORY : KCL_DEVICE_ERROR,
      std::string(name) + ": " + (text ? text : "unknown error"));
}

} // namespace

void runStep(const Matmul &step, Stream &stream) {
  runAs("matmul", step, stream);
}
void runStep(const Convolution &step, Stream &stream) {
  runAs("convolution", step, stream);
}

} // namespace kclaw::sim::api

using namespace kclaw::sim::api;

/// As kclStepMatmul and kclStepConvolution: a kcl_status, text in call->error.
extern "C" int32_t kclSimMatmul(const kcl_matmul_step *step, kcl_call *call) {
  return start("kclSimMatmul", step, call);
}
extern "C" int32_t kclSimConvolution(const kcl_convolution_step *step,
                                     kcl_call *call) {
  return start("kclSimConvolution", step, call);
}
