//===- ModuleVerifier.cpp - A module judged by another process ------------===//
#include "kernelclaw/Device/ModuleVerifier.h"

#include "ChildProcess.h"
#include "Evaluators.h"
#include "Files.h"

#include <filesystem>

namespace kclaw {

constexpr size_t lastWords = 2000; // bytes of output kept as evidence

/// What ChildProcess::end says of it.
static std::string ending(RunExit::Code code) {
  return "exit code " + std::to_string(code);
}

static VerifyReport failed(const std::string &rule, const std::string &message,
                           const std::string &output) {
  std::string words = output.size() > lastWords
                          ? "..." + output.substr(output.size() - lastWords)
                          : output;
  while (words.ends_with('\n'))
    words.pop_back();
  VerifyReport report;
  report.entries.push_back(
      {.entry = "(all)",
       .status = VerifyStatus::Failed,
       .rule = rule,
       .message = message + (words.empty() ? "" : "; its last words: " + words),
       .errors = {}});
  return report;
}

Expected<VerifyReport> verifyModule(const VerifyRequest &request) {
  Expected<std::string> tool = findTool(runTool, request.runPath);
  if (!tool)
    return std::unexpected(tool.error());
  std::error_code ignored;
  std::filesystem::remove(request.report, ignored); // no stale answer
  // The shell joins both outputs: errors are evidence too.
  std::vector<std::string> words = {
      "-c",           "exec \"$0\" \"$@\" 2>&1", *tool,
      request.module, "--device=cuda",           "--json=" + request.report};
  for (const std::string &record : request.records)
    words.push_back("--verify=" + record);
  Expected<ChildProcess> child =
      ChildProcess::spawn("/bin/sh", words, /*environment=*/nullptr);
  if (!child)
    return makeError(Error::Code::Unavailable, child.error().message);
  child->closeInput();
  Expected<std::string> output = child->readAll(after(request.timeoutSeconds));
  if (!output) {
    child->end(/*killFirst=*/true);
    return failed("time-limit",
                  "kernelclaw-run did not end within " +
                      std::to_string(int(request.timeoutSeconds)) + " seconds",
                  "");
  }
  std::string end = child->end(/*killFirst=*/false);
  if (end == ending(RunExit::NoDevice))
    return makeError(Error::Code::Unavailable,
                     "kernelclaw-run cannot verify here: " + *output);
  Expected<std::string> text = readFile(request.report);
  if (!text)
    return failed(end.starts_with("exit code") ? "no-report" : "crash",
                  "kernelclaw-run gave no report: " + end, *output);
  Expected<VerifyReport> report = parseVerifyReport(*text);
  if (!report)
    return failed("no-report",
                  "'" + request.report +
                      "' is no report: " + report.error().message,
                  *output);
  // A process that reported and then died is no witness either.
  bool ended = end == ending(RunExit::Ok) || end == ending(RunExit::Failed) ||
               end == ending(RunExit::Unverified);
  return ended ? report
               : failed("crash", "kernelclaw-run ended with " + end, *output);
}

} // namespace kclaw
