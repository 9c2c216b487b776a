//===- EventLog.h - events.jsonl, whatever happened to it -------*- C++ -*-===//
//
// Private. An append-only file of one JSON object a line. Opening it repairs
// what a crash left: half a record at the end is cut off (so that the next one
// does not glue to it), a whole one without its newline is kept, damage in the
// middle is reported with its offset and stepped over. Every repair is written
// to the log as `log_recovered`. One process at a time (flock).
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_EVENTLOG_H
#define KERNELCLAW_LIB_AGENT_EVENTLOG_H

#include "Support/Files.h"
#include "Support/Json.h"

#include <set>

namespace kclaw {

struct Damage {
  size_t offset = 0;
  size_t bytes = 0;
  bool cutOff = false; ///< at the end, and gone from the file now
};

/// A field of a record; 0 or "" where it is missing or of another type.
double numberIn(const json::Json &record, const char *name);
int64_t integerIn(const json::Json &record, const char *name);
std::string textIn(const json::Json &record, const char *name);

/// What a log's bytes hold.
struct LogContents {
  std::vector<json::Json> records; ///< by seq; a repeated seq counts once
  std::vector<Damage> damages;
  size_t keepBytes = 0;      ///< the file is good up to here
  bool needsNewline = false; ///< its last record is whole but unterminated
};

LogContents readLog(std::string_view bytes);

/// The time that the processes of a run were seen working: from each
/// run_started or run_resumed to the last event before the next one. Waiting
/// while parked does not count; after a kill, neither does what came after the
/// last event.
double secondsSpent(const std::vector<json::Json> &records);

class EventLog {
public:
  static Expected<EventLog> open(const std::string &path);

  /// Adds seq and time to `fields`, which start with "event".
  Expected<void> append(json::Json fields);
  /// The same, unless a record with equal event, specHash, attempt and call is
  /// there already: a resumed run tells nothing twice.
  Expected<void> appendOnce(json::Json fields);
  /// Whether a record with equal event, specHash, attempt and call is there.
  bool isTold(const json::Json &fields) const;

  /// All of them, those appended by this process included.
  const std::vector<json::Json> &records() const { return contents.records; }
  const std::vector<Damage> &damages() const { return contents.damages; }

private:
  std::string path;
  OpenFile file;
  LogContents contents;
  int64_t nextSeq = 0;
  std::set<std::string> told;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_EVENTLOG_H
