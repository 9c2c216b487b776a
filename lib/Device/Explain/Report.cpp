//===- Report.cpp - An evaluation for people ------------------------------===//
#include "Report.h"
#include "Problem.h"

#include <cstdarg>
#include <cstdio>

namespace kclaw {
namespace {

__attribute__((format(printf, 1, 2))) std::string print(const char *format,
                                                        ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  std::vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return text;
}

std::string indented(const std::string &text, const std::string &by) {
  std::string result;
  size_t start = 0;
  while (start < text.size()) {
    size_t end = std::min(text.find('\n', start), text.size());
    result += by + text.substr(start, end - start) + "\n";
    start = end + 1;
  }
  return result;
}

std::string shapeText(const std::vector<int64_t> &shape) {
  std::string text;
  for (int64_t size : shape)
    text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "[" + text + "]";
}

std::string verdict(const Evaluation &e, const std::string &subject) {
  std::string text = subject + ": ";
  if (e.outcome == Outcome::Ok)
    text += "OK";
  else
    text += "NOT OK, " + std::string(name(e.outcome)) +
            (e.rule.empty() ? "" : " (rule " + e.rule + ")");
  if (e.speedup > 0)
    text += print(", %.2fx of stock", e.speedup);
  text += "\n";
  if (!e.message.empty())
    text += indented(e.message, "  ");
  return text;
}

std::string timesText(const Evaluation &e) {
  if (e.time.medianMicroseconds <= 0)
    return "";
  auto row = [](const char *who, const Timing &time) {
    return time.medianMicroseconds > 0
               ? print("  %-10s %10.2f us   spread %4.1f %%   %zu samples\n",
                       who, time.medianMicroseconds, 100 * time.spread,
                       time.samplesMicroseconds.size())
               : std::string();
  };
  std::string text =
      "\ntimes (" + std::string(name(e.evidence)) + ", " + e.time.method +
      (e.time.device.empty() ? "" : ", " + e.time.device) + ")\n";
  text += row("candidate", e.time) + row("stock", e.stockTime) +
          row("copy", e.copyTime);
  if (e.stock.library)
    text += print("  stock is the libraries'; our own lowering takes %.2f us\n",
                  e.stock.ownMicroseconds);
  else if (!e.stock.why.empty())
    text += "  stock is our own lowering: " + e.stock.why + "\n";
  return text;
}

/// An error measure; the judge writes 1e308 for infinity.
std::string measure(double value) {
  return value >= 1e308 ? "inf" : print("%.3g", value);
}

std::string explanationText(const Explanation &x, bool ok) {
  if (x.empty() || (ok && x.result < 0))
    return "";
  std::string data = print("data: '%s', level %d, draw %llu, seed %llu\n",
                           x.distribution.c_str(), x.level,
                           static_cast<unsigned long long>(x.draw),
                           static_cast<unsigned long long>(x.seed));
  if (x.result < 0)
    return "\n" + data;
  std::string text =
      print("\nresult %d, %s %s: %lld of %lld elements wrong", x.result,
            x.dtype.c_str(), shapeText(x.shape).c_str(),
            static_cast<long long>(x.wrong),
            static_cast<long long>(x.elements)) +
      (x.unwritten ? print(", %lld of them never written",
                           static_cast<long long>(x.unwritten))
                   : std::string(", all were written")) +
      print("; allowed error %.3g\n", x.bound) + "  " + data;
  if (!x.note.empty())
    text += indented(x.note, "  ");
  if (!x.first.empty())
    text += print("  %-24s %14s %14s %14s %10s\n", "element", "got", "want",
                  "stock", "error");
  for (const WrongElement &element : x.first)
    text += print(
        "  %-24s %14.7g %14.7g %14.7g %10.3g%s\n",
        (std::to_string(element.index) + " " + position(x.shape, element.index))
            .c_str(),
        element.got, element.want, element.stock, element.error,
        element.unwritten ? "  never written" : "");
  if (x.wrong > static_cast<int64_t>(x.first.size()))
    text += print("  ... and %lld more\n",
                  static_cast<long long>(x.wrong) -
                      static_cast<long long>(x.first.size()));
  text += "\nwhere they cluster\n";
  for (const ErrorPattern &pattern : x.patterns)
    text += "  " + pattern.name + ": " + pattern.text + "\n";
  return text;
}

std::string errorsText(const Evaluation &e) {
  if (e.errors.empty())
    return "";
  std::string text =
      "\nerrors (of the result's norm, and the largest of its row's scale)\n" +
      print("  %-6s %-10s %10s %10s %10s   %10s %10s\n", "result", "data",
            "norm", "largest", "allowed", "stock's", "largest");
  for (const ResultError &error : e.errors)
    text += print(
        "  %-6d %-10s %10s %10s %10s   %10s %10s%s\n", error.result,
        error.distribution.c_str(), measure(error.relativeNorm).c_str(),
        measure(error.maxScaled).c_str(), measure(error.bound).c_str(),
        measure(error.stockRelativeNorm).c_str(),
        measure(error.stockMaxScaled).c_str(), error.ok ? "" : "  TOO LARGE");
  if (!e.bitwiseRepeatable && !e.explanation.unwritten)
    text += "  two runs on the same data differ bitwise\n";
  return text;
}

std::string resourcesText(const Evaluation &e) {
  std::string text;
  for (const ResourceReport &report : e.resources)
    text += print("  %s: %d registers, %d bytes of spills, %d of stack, %d of "
                  "static shared memory\n",
                  report.kernel.c_str(), report.registers, report.spillBytes,
                  report.stackBytes, report.staticSharedBytes);
  return text.empty() ? "" : "\nresources\n" + text;
}

std::string checksText(const Evaluation &e) {
  std::string text;
  for (const ToolCheck &check : e.checks)
    text += print("  %-10s %-10s %6.1f s  ", check.tool.c_str(),
                  name(check.outcome), check.seconds) +
            check.message + "\n";
  return text.empty() ? "" : "\nchecks\n" + text;
}

std::string profileText(const Profile &p) {
  std::string text;
  for (const KernelProfile &kernel : p.kernels) {
    text +=
        print("  %s: %.2f us, %lld x %lld threads, %d blocks a "
              "multiprocessor (limit: %s)\n",
              kernel.kernel.c_str(), kernel.medianMicroseconds,
              static_cast<long long>(kernel.grid[0] * kernel.grid[1] *
                                     kernel.grid[2]),
              static_cast<long long>(kernel.block[0] * kernel.block[1] *
                                     kernel.block[2]),
              kernel.blocksPerMultiprocessor, kernel.occupancyLimit.c_str());
    for (const auto &[counter, value] : kernel.counters)
      text += print("    %-28s %12.5g\n", counter.c_str(), value);
  }
  if (text.empty())
    return "";
  if (p.roofline.headroom > 0)
    text += print("  roofline: bound by %s, %.2f us at best, headroom %.2fx\n",
                  p.roofline.boundBy.c_str(), p.roofline.boundMicroseconds,
                  p.roofline.headroom);
  if (!p.reason.empty())
    text += "  not seen further: " + p.reason + "\n";
  return "\nprofile\n" + text;
}

std::string tunablesText(const Evaluation &e) {
  std::string text;
  for (const auto &[name, value] : e.chosenTunables)
    text += " " + name + "=" + std::to_string(value);
  return text.empty() ? "" : "\ntunables:" + text + "\n";
}

} // namespace

std::string renderReport(const Evaluation &evaluation,
                         const std::vector<std::string> &advice,
                         const ReportOptions &options) {
  std::string text = verdict(evaluation, options.subject);
  text += timesText(evaluation);
  text += explanationText(evaluation.explanation,
                          evaluation.outcome == Outcome::Ok);
  bool wrong = false;
  for (const ResultError &error : evaluation.errors)
    wrong |= !error.ok;
  if (options.allErrors || wrong)
    text += errorsText(evaluation);
  text += tunablesText(evaluation) + resourcesText(evaluation) +
          profileText(evaluation.profile) + checksText(evaluation);
  bool failed = evaluation.outcome == Outcome::CompileError;
  if (!evaluation.log.empty() && (options.log || failed))
    text += "\ncompiler log\n" + indented(evaluation.log, "  ");
  if (!advice.empty())
    text += "\nwhat to try next\n";
  for (const std::string &sentence : advice)
    text += "  - " + sentence + "\n";
  return text;
}

} // namespace kclaw
