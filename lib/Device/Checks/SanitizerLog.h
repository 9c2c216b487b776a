//===- SanitizerLog.h - What compute-sanitizer wrote ------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_DEVICE_CHECKS_SANITIZERLOG_H
#define KERNELCLAW_LIB_DEVICE_CHECKS_SANITIZERLOG_H

#include "kernelclaw/Plan/ToolCheck.h"

#include <string>

namespace kclaw {

/// Exit code that compute-sanitizer is told to use for findings.
constexpr int sanitizerFindingExit = 99;

/// `log` is its log file, `exitText` how the process ended ("exit code 0").
/// Finding: errors are in the summary, or it ended with sanitizerFindingExit;
/// the message is the first one. Unfinished: there is no summary.
ToolCheck readSanitizerLog(const std::string &tool, const std::string &log,
                           const std::string &exitText);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_CHECKS_SANITIZERLOG_H
