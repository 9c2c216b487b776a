//===- Progress.h - What a run shows while it goes on -----------*- C++ -*-===//
//
// Private. On a terminal a block that is drawn anew: one line for the run
// (regions, best speed-up so far, spend, time left) and one for each region
// under way. Elsewhere a line per message, or JSON objects
// (docs/schema/progress.schema.json). From any thread.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_PROGRESS_H
#define KERNELCLAW_LIB_AGENT_PROGRESS_H

#include "Ledger.h"

#include <cstdio>
#include <map>

namespace kclaw {

class Progress {
public:
  /// Auto becomes Live where `stream` is a terminal that can move its cursor.
  Progress(ProgressKind kind, std::FILE *stream, const Ledger &ledger,
           const Budget &budget, size_t regions);
  ~Progress();
  Progress(const Progress &) = delete;

  void start(const std::string &label);
  /// One line on a region; control characters become spaces.
  void note(const std::string &label, const std::string &text);
  void finish(const std::string &label, const RegionOutcome &outcome);

private:
  struct Line {
    std::string label, text;
  };

  void say(const char *event, const std::string &label,
           const std::string &text);
  void draw();
  void erase();
  std::string header() const;
  double elapsedSeconds() const;
  /// From the regions that are done; nullopt before the first.
  std::optional<double> secondsToGo() const;

  const ProgressKind kind;
  std::FILE *const stream;
  const Ledger &ledger;
  const Budget budget;
  const size_t regions;
  mutable std::mutex guard;
  std::chrono::steady_clock::time_point began =
      std::chrono::steady_clock::now();
  std::vector<Line> underWay; ///< in the order of their start
  size_t done = 0, searched = 0, won = 0;
  double bestSpeedup = 0;
  size_t drawnLines = 0;
};

/// "1:05", "2:10:00".
std::string clockTime(double seconds);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_PROGRESS_H
