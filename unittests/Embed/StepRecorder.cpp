//===- StepRecorder.cpp - What is passed to the step ABI as text ----------===//
#include "StepRecorder.h"

#include "llvm/ADT/StringExtras.h"

#include <cstring>

static RecordedSteps recorded;

static std::string words(const void *data, size_t bytes) {
  std::string text;
  for (size_t at = 0; at < bytes; at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, static_cast<const char *>(data) + at,
                std::min<size_t>(8, bytes - at));
    if (word)
      text += " " + std::to_string(at) + ":0x" + llvm::utohexstr(word);
  }
  return text;
}

static std::string textOf(kcl_kernel_step step) {
  void *const *args = step.args;
  step.function = nullptr;
  step.args = nullptr;
  std::string text = "kclStepKernel" + words(&step, sizeof step);
  for (size_t i = 0; i < step.arg_count && i < std::size(parameterBytes); ++i)
    text += " arg" + std::to_string(i) + words(args[i], parameterBytes[i]);
  return text;
}
static std::string textOf(const kcl_memset_step &step) {
  return "kclStepMemset" + words(&step, sizeof step);
}
static std::string textOf(const kcl_copy_step &step) {
  return "kclStepCopy" + words(&step, sizeof step);
}
static std::string textOf(const kcl_matmul_step &step) {
  return "kclStepMatmul" + words(&step, sizeof step);
}
static std::string textOf(const kcl_convolution_step &step) {
  return "kclStepConvolution" + words(&step, sizeof step);
}

std::string textOf(const kclaw::ResolvedStep &step) {
  using Kind = kclaw::ResolvedStep::Kind;
  switch (step.kind) {
  case Kind::Kernel:
    return textOf(step.kernel);
  case Kind::Memset:
    return textOf(step.memset);
  case Kind::Copy:
    return textOf(step.copy);
  case Kind::Matmul:
    return textOf(step.matmul);
  case Kind::Convolution:
    break;
  }
  return textOf(step.convolution);
}

void startRecording() { recorded.clear(); }
RecordedSteps takeRecorded() { return std::exchange(recorded, {}); }

template <typename Step> static int32_t record(const Step *step) {
  recorded.push_back(textOf(*step));
  return KCL_OK;
}

// Found by name from code of the JIT.
extern "C" {
int32_t recordKernel(const kcl_kernel_step *step, kcl_call *) {
  return record(step);
}
int32_t recordMemset(const kcl_memset_step *step, kcl_call *) {
  return record(step);
}
int32_t recordCopy(const kcl_copy_step *step, kcl_call *) {
  return record(step);
}
int32_t recordMatmul(const kcl_matmul_step *step, kcl_call *) {
  return record(step);
}
int32_t recordConvolution(const kcl_convolution_step *step, kcl_call *) {
  return record(step);
}
}
