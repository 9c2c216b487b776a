//===- StepRecorder.h - What is passed to the step ABI as text --*- C++ -*-===//
//
// Each step is its function and the 64-bit words of its struct that are not
// zero, by offset. A kernel is the values of its arguments instead of addresses
// of the caller's; its function, which each load makes anew, is left out.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_UNITTESTS_EMBED_STEPRECORDER_H
#define KERNELCLAW_UNITTESTS_EMBED_STEPRECORDER_H

#include "PlanInstance.h"

#include <string>
#include <utility>
#include <vector>

using RecordedSteps = std::vector<std::string>;

/// Bytes of the parameters of kernels; shorter lists are its first ones.
inline constexpr size_t parameterBytes[] = {8, 4, 8, 4, 8, 128, 8};

std::string textOf(const kclaw::ResolvedStep &step);

/// Functions of the step ABI, and those of this process that record a call in
/// place of them and return KCL_OK.
inline constexpr std::pair<const char *, const char *> recorders[] = {
    {"kclStepKernel", "recordKernel"},
    {"kclStepMemset", "recordMemset"},
    {"kclStepCopy", "recordCopy"},
    {"kclStepMatmul", "recordMatmul"},
    {"kclStepConvolution", "recordConvolution"}};

/// The calls since startRecording.
void startRecording();
RecordedSteps takeRecorded();

#endif // KERNELCLAW_UNITTESTS_EMBED_STEPRECORDER_H
