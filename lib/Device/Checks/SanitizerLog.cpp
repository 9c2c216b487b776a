//===- SanitizerLog.cpp - What compute-sanitizer wrote --------------------===//
#include "SanitizerLog.h"

#include <cctype>
#include <sstream>
#include <vector>

namespace kclaw {
namespace {

/// Lines that follow a finding and say where.
constexpr size_t shownLines = 3;

/// The text behind "========= ", or nothing.
std::string content(const std::string &line) {
  size_t text = line.find_first_not_of('=');
  if (text == std::string::npos || text < 3)
    return "";
  size_t first = line.find_first_not_of(" \t", text);
  return first == std::string::npos ? "" : line.substr(first);
}

/// The number before `word`: "(2 errors, 0 warnings)".
long numberBefore(const std::string &line, const std::string &word) {
  size_t at = line.find(" " + word);
  if (at == std::string::npos)
    return -1;
  size_t start = at;
  while (start > 0 && std::isdigit(static_cast<unsigned char>(line[start - 1])))
    --start;
  return start == at ? -1 : std::atol(line.c_str() + start);
}

/// Of the summary line; -1 when it is none. Racecheck counts hazards, of which
/// errors are the ones that change results.
long errorsOf(const std::string &line) {
  if (line.find("SUMMARY:") == std::string::npos)
    return -1;
  return numberBefore(line, "error");
}

bool isChatter(const std::string &line) {
  return line.empty() || line.starts_with("COMPUTE-SANITIZER") ||
         line.find("SUMMARY:") != std::string::npos ||
         line.find("Target application returned an error") != std::string::npos;
}

} // namespace

ToolCheck readSanitizerLog(const std::string &tool, const std::string &log,
                           const std::string &exitText) {
  ToolCheck check;
  check.tool = tool;
  check.outcome = ToolCheck::Outcome::Unfinished;
  std::istringstream lines(log);
  std::string first;
  size_t shown = 0;
  long errors = -1;
  for (std::string line; std::getline(lines, line);) {
    std::string text = content(line);
    errors = std::max(errors, errorsOf(text));
    if (shown < shownLines && !isChatter(text)) {
      first += (first.empty() ? "" : "; ") + text;
      ++shown;
    }
  }
  bool told = exitText == "exit code " + std::to_string(sanitizerFindingExit);
  if (errors > 0 || told) {
    check.outcome = ToolCheck::Outcome::Finding;
    check.message = first.empty() ? "errors were found" : first;
  } else if (errors == 0) {
    check.outcome = ToolCheck::Outcome::Passed;
  } else {
    check.message =
        "it gave no summary, " + exitText + (first.empty() ? "" : ": " + first);
  }
  return check;
}

} // namespace kclaw
