//===- Progress.cpp - What a run shows while it goes on -------------------===//
#include "Progress.h"

#include "Summary.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

namespace kclaw {
namespace {

ProgressKind choose(ProgressKind kind, std::FILE *stream) {
  if (kind != ProgressKind::Auto)
    return kind;
  const char *terminal = std::getenv("TERM");
  bool moves = terminal && *terminal && std::string_view(terminal) != "dumb";
  return moves && isatty(fileno(stream)) ? ProgressKind::Live
                                         : ProgressKind::Plain;
}

constexpr std::chrono::milliseconds betweenDraws{200}, betweenLines{1000};

std::string oneLine(std::string text) {
  for (char &c : text)
    c = static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  return text;
}

size_t columns(std::FILE *stream) {
  winsize size{};
  bool known =
      ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 20;
  return known ? size.ws_col : 80;
}

/// At most `width` bytes, without half a UTF-8 character at the end.
std::string cut(std::string text, size_t width) {
  if (text.size() <= width)
    return text;
  while (width > 0 && (static_cast<unsigned char>(text[width]) & 0xC0) == 0x80)
    --width;
  text.resize(width);
  return text;
}

template <typename... Args>
std::string format(const char *pattern, Args... args) {
  char text[160];
  std::snprintf(text, sizeof(text), pattern, args...);
  return text;
}

} // namespace

std::string clockTime(double seconds) {
  long whole = std::lround(std::clamp(seconds, 0.0, 1e7));
  if (whole < 3600)
    return format("%ld:%02ld", whole / 60, whole % 60);
  return format("%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
}

Progress::Progress(ProgressKind kind, std::FILE *stream, const Ledger &ledger,
                   const Budget &budget, size_t regions)
    : kind(choose(kind, stream)), stream(stream), ledger(ledger),
      budget(budget), regions(regions) {}

Progress::~Progress() {
  std::lock_guard lock(guard);
  if (kind == ProgressKind::Live) {
    erase();
    std::fprintf(stream, "%s\n", header().c_str());
  }
}

Progress::Line *Progress::find(const std::string &label) {
  auto found = std::ranges::find(underWay, label, &Line::label);
  return found == underWay.end() ? nullptr : &*found;
}

void Progress::start(const std::string &label, const std::string &specHash) {
  std::lock_guard lock(guard);
  if (Line *line = find(label)) {
    line->active = true;
  } else {
    underWay.push_back({.label = label, .specHash = specHash});
    if (kind == ProgressKind::Json)
      say("region_started", label, "");
  }
  if (kind == ProgressKind::Live)
    draw();
}

void Progress::rest(const std::string &label) {
  std::lock_guard lock(guard);
  if (Line *line = find(label))
    line->active = false;
  if (kind == ProgressKind::Live)
    draw();
}

void Progress::attempted(const std::string &label, int made, int most) {
  std::lock_guard lock(guard);
  if (Line *line = find(label); line && most > 0)
    line->made = std::max(line->made, double(made) / most);
}

void Progress::receiving(const std::string &specHash, int64_t tokens) {
  std::lock_guard lock(guard);
  auto line = std::ranges::find(underWay, specHash, &Line::specHash);
  if (line == underWay.end())
    return;
  line->tokens = tokens;
  auto now = Clock::now();
  if (kind == ProgressKind::Live && (tokens == 0 || now - drawn > betweenDraws))
    draw();
  if (kind == ProgressKind::Json && tokens > 0 &&
      now - line->told > betweenLines) {
    line->told = now;
    say("receiving", line->label, "", tokens);
  }
}

void Progress::note(const std::string &label, const std::string &text) {
  std::lock_guard lock(guard);
  if (Line *line = find(label))
    line->text = oneLine(text);
  if (kind == ProgressKind::Live)
    draw();
  else
    say("note", label, oneLine(text));
}

void Progress::finish(const std::string &label, const RegionOutcome &outcome) {
  std::lock_guard lock(guard);
  std::erase_if(underWay,
                [&](const Line &line) { return line.label == label; });
  ++done;
  searched += !outcome.fromStore;
  if (outcome.status == RegionOutcome::Status::Won) {
    ++won;
    bestSpeedup = std::max(bestSpeedup, outcome.evaluation.speedup);
  }
  std::string text =
      oneLine(verdict(outcome) + std::string(": ") + outcome.reason);
  if (kind == ProgressKind::Json)
    say("region_finished", label, text);
  if (kind != ProgressKind::Live)
    return; // its last note said so
  erase();
  std::fprintf(stream, "%s %s\n", label.c_str(), text.c_str());
  draw();
}

double Progress::elapsedSeconds() const {
  std::chrono::duration<double> passed =
      std::chrono::steady_clock::now() - began;
  return passed.count();
}

std::optional<double> Progress::secondsToGo() const {
  double made = double(searched);
  double left = double(regions - std::min(done, regions));
  for (const Line &line : underWay) {
    made += line.made;
    left -= line.made;
  }
  if (made <= 0)
    return std::nullopt;
  return std::min(elapsedSeconds() / made * std::max(0.0, left),
                  ledger.secondsLeft());
}

std::string Progress::header() const {
  Usage spent = ledger.spent();
  std::string text = format("%zu/%zu regions, %zu won", done, regions, won);
  if (bestSpeedup > 0)
    text += format(", best %.2fx", bestSpeedup);
  text += format(" | %lld tokens", static_cast<long long>(spent.inputTokens +
                                                          spent.outputTokens));
  int64_t coming = 0;
  for (const Line &line : underWay)
    coming += line.tokens;
  if (coming > 0)
    text += format(" + %lld coming", static_cast<long long>(coming));
  if (spent.dollars > 0 || budget.maxDollars > 0)
    text += format(", $%.4g", spent.dollars);
  if (budget.maxDollars > 0)
    text += format(" of $%.4g", budget.maxDollars);
  text += " | " + clockTime(elapsedSeconds());
  if (auto left = secondsToGo(); left && done < regions)
    text += ", about " + clockTime(*left) + " to go";
  return text;
}

void Progress::say(const char *event, const std::string &label,
                   const std::string &text, int64_t answerTokens) {
  if (kind == ProgressKind::Plain)
    std::fprintf(stream, "%s %s\n", label.c_str(), text.c_str());
  if (kind != ProgressKind::Json)
    return;
  Usage spent = ledger.spent();
  json::Json line{{"event", event},
                  {"region", label},
                  {"text", text},
                  {"done", done},
                  {"regions", regions},
                  {"won", won},
                  {"bestSpeedup", json::number(bestSpeedup)},
                  {"tokens", spent.inputTokens + spent.outputTokens},
                  {"dollars", json::number(spent.dollars)},
                  {"gpuSeconds", json::number(ledger.deviceSecondsSpent())},
                  {"seconds", json::number(elapsedSeconds())}};
  if (answerTokens > 0)
    line["answerTokens"] = answerTokens;
  if (auto left = secondsToGo())
    line["secondsToGo"] = json::number(*left);
  std::fprintf(stream, "%s\n", json::dump(line).c_str());
}

void Progress::erase() {
  if (drawnLines > 0)
    std::fprintf(stream, "\x1b[%zuA\x1b[J", drawnLines);
  drawnLines = 0;
}

void Progress::draw() {
  erase();
  size_t width = columns(stream) - 1;
  std::fprintf(stream, "%s\n", cut(header(), width).c_str());
  drawnLines = 1;
  for (const Line &line : underWay) {
    if (!line.active)
      continue;
    std::string text = "  " + line.label + " ";
    if (line.tokens > 0)
      text += "(" + std::to_string(line.tokens) + " tokens) ";
    std::fprintf(stream, "%s\n", cut(text + line.text, width).c_str());
    ++drawnLines;
  }
  drawn = Clock::now();
  std::fflush(stream);
}

} // namespace kclaw
