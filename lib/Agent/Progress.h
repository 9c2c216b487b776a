//===- Progress.h - What a run shows while it goes on -----------*- C++ -*-===//
//
// Private. On a terminal a block that is drawn anew: one line for the run
// (regions, best speed-up so far, spend, time left) and one for each region
// that is worked on, with the tokens of an answer that is just coming in.
// Elsewhere a line per message, or JSON objects
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

  /// Work on the region begins, or goes on after rest().
  void start(const std::string &label, const std::string &specHash = "");
  /// Other regions come first.
  void rest(const std::string &label);
  /// `made` of at most `most` attempts are done: for the time left.
  void attempted(const std::string &label, int made, int most);
  /// Tokens so far of the answer that the region waits for; 0: it waits for
  /// none any more. Shown at most a few times a second.
  void receiving(const std::string &specHash, int64_t tokens);
  /// One line on a region; control characters become spaces.
  void note(const std::string &label, const std::string &text);
  void finish(const std::string &label, const RegionOutcome &outcome);

private:
  using Clock = std::chrono::steady_clock;
  struct Line {
    std::string label, specHash, text = "...";
    bool active = true;
    double made = 0;    ///< part of the attempts
    int64_t tokens = 0; ///< see receiving()
    Clock::time_point told = {};
  };

  void say(const char *event, const std::string &label, const std::string &text,
           int64_t answerTokens = 0);
  Line *find(const std::string &label);
  void draw();
  void erase();
  std::string header() const;
  double elapsedSeconds() const;
  /// From the regions and attempts that are done; nullopt before the first.
  std::optional<double> secondsToGo() const;

  const ProgressKind kind;
  std::FILE *const stream;
  const Ledger &ledger;
  const Budget budget;
  const size_t regions;
  mutable std::mutex guard;
  Clock::time_point began = Clock::now(), drawn = {};
  std::vector<Line> underWay; ///< in the order of their start
  size_t done = 0, searched = 0, won = 0;
  double bestSpeedup = 0;
  size_t drawnLines = 0;
};

/// "1:05", "2:10:00".
std::string clockTime(double seconds);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_PROGRESS_H
