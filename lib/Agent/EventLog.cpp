//===- EventLog.cpp - events.jsonl, whatever happened to it ---------------===//
#include "EventLog.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <optional>
#include <sys/file.h>
#include <unistd.h>

namespace kclaw {
namespace {

using json::Json;

/// The record in a line. NULs may have eaten the newline before it: what
/// follows the last of them counts when it is whole.
std::optional<Json> readRecord(std::string_view line) {
  if (size_t nul = line.rfind('\0'); nul != std::string_view::npos)
    line.remove_prefix(nul + 1);
  Json record = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  bool good = !record.is_discarded() && record.is_object() &&
              record.contains("seq") && record["seq"].is_number_integer();
  return good ? std::optional(std::move(record)) : std::nullopt;
}

std::string identity(const Json &record) {
  std::string text;
  for (const char *name : {"event", "specHash", "attempt", "call"})
    text += json::dump(record.contains(name) ? record[name] : Json()) + " ";
  return text;
}

std::string utcNow() {
  std::timespec now{};
  std::timespec_get(&now, TIME_UTC);
  std::tm parts{};
  gmtime_r(&now.tv_sec, &parts);
  char text[48];
  size_t length =
      std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(text + length, sizeof(text) - length, ".%03dZ",
                int(now.tv_nsec / 1000000));
  return text;
}

/// Seconds since the epoch; nullopt for a record without a readable time.
std::optional<double> timeOf(const Json &record) {
  auto it = record.find("time");
  if (it == record.end() || !it->is_string())
    return std::nullopt;
  std::tm parts{};
  const char *rest = strptime(it->get_ref<const std::string &>().c_str(),
                              "%Y-%m-%dT%H:%M:%S", &parts);
  if (!rest)
    return std::nullopt;
  double fraction = *rest == '.' ? std::strtod(rest, nullptr) : 0;
  return double(timegm(&parts)) + fraction;
}

/// " (pid 1234)", of who holds the log's lock.
std::string ownerOf(const std::string &path) {
  std::ifstream file(path + ".pid");
  long pid = 0;
  return file >> pid ? " (pid " + std::to_string(pid) + ")" : "";
}

} // namespace

double numberIn(const Json &record, const char *name) {
  auto it = record.find(name);
  return it != record.end() && it->is_number() ? it->get<double>() : 0;
}

int64_t integerIn(const Json &record, const char *name) {
  auto it = record.find(name);
  return it != record.end() && it->is_number_integer() ? it->get<int64_t>() : 0;
}

std::string textIn(const Json &record, const char *name) {
  auto it = record.find(name);
  return it != record.end() && it->is_string() ? it->get<std::string>() : "";
}

double secondsSpent(const std::vector<Json> &records) {
  double spent = 0, start = 0, last = 0;
  for (const Json &record : records) {
    std::optional<double> time = timeOf(record);
    if (!time)
      continue;
    std::string event = textIn(record, "event");
    if (event == "run_started" || event == "run_resumed") {
      spent += std::max(0.0, last - start);
      start = *time;
    }
    last = *time;
  }
  return spent + std::max(0.0, last - start);
}

LogContents readLog(std::string_view bytes) {
  LogContents contents;
  std::map<int64_t, Json> bySeq;
  for (size_t start = 0; start < bytes.size();) {
    size_t end = bytes.find('\n', start);
    bool last = end == std::string_view::npos;
    end = last ? bytes.size() : end;
    std::string_view line = bytes.substr(start, end - start);
    std::optional<Json> record = readRecord(line);
    bool damaged = line.find('\0') != std::string_view::npos || !record;
    if (damaged && !line.empty())
      contents.damages.push_back({start, line.size(), last && !record});
    if (record)
      bySeq.try_emplace((*record)["seq"].get<int64_t>(), *record);
    bool keep = !last || record;
    contents.keepBytes = keep ? end + !last : start;
    contents.needsNewline = last && record;
    start = end + 1;
  }
  for (auto &[seq, record] : bySeq)
    contents.records.push_back(std::move(record));
  return contents;
}

Expected<EventLog> EventLog::open(const std::string &path) {
  EventLog log;
  log.path = path;
  log.file = OpenFile(
      ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!log.file)
    return systemError("opening", path);
  if (::flock(log.file.get(), LOCK_EX | LOCK_NB) != 0)
    return makeError(Error::Code::Unavailable,
                     "another process" + ownerOf(path) +
                         " works in the run directory of '" + path +
                         "'; wait for it or name another run-dir");
  // For people only: the lock decides, whatever a killed process left here.
  if (std::ofstream owner(path + ".pid", std::ios::trunc); owner)
    owner << ::getpid() << "\n";
  auto bytes = readFile(path);
  if (!bytes)
    return std::unexpected(bytes.error());
  log.contents = readLog(*bytes);
  if (log.contents.keepBytes < bytes->size() &&
      ::ftruncate(log.file.get(), off_t(log.contents.keepBytes)) != 0)
    return systemError("truncating", path);
  if (log.contents.needsNewline)
    if (auto done = writeAll(log.file.get(), "\n", path); !done)
      return std::unexpected(done.error());

  std::set<size_t> reported;
  for (const Json &record : log.contents.records) {
    log.nextSeq = std::max(log.nextSeq, record["seq"].get<int64_t>() + 1);
    log.told.insert(identity(record));
    if (textIn(record, "event") == "log_recovered")
      reported.insert(size_t(integerIn(record, "offset")));
  }
  for (const Damage &damage : log.contents.damages) {
    if (!damage.cutOff && reported.contains(damage.offset))
      continue;
    auto done = log.append(
        {{"event", "log_recovered"},
         {"offset", damage.offset},
         {"bytes", damage.bytes},
         {"message", damage.cutOff ? "half a record was cut off"
                                   : "a damaged record is ignored"}});
    if (!done)
      return std::unexpected(done.error());
  }
  return log;
}

Expected<void> EventLog::append(Json fields) {
  Json record{{"seq", nextSeq}, {"time", utcNow()}};
  record.update(fields);
  // One write: with O_APPEND, records do not interleave.
  if (auto done = writeAll(file.get(), json::dump(record) + "\n", path); !done)
    return done;
  ++nextSeq;
  told.insert(identity(record));
  contents.records.push_back(std::move(record));
  return {};
}

Expected<void> EventLog::appendOnce(Json fields) {
  return isTold(fields) ? Expected<void>() : append(std::move(fields));
}

bool EventLog::isTold(const Json &fields) const {
  return told.contains(identity(fields));
}

} // namespace kclaw
