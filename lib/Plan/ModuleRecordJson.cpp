//===- ModuleRecordJson.cpp - ModuleRecord <-> JSON -----------------------===//
//
// Schema: docs/schema/module-record.schema.json.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Plan/ModuleRecord.h"

#include "JobJson.h"

namespace kclaw::json {
namespace {

constexpr int64_t recordVersion = 1;

Json writeEntry(const EntryRecord &entry) {
  if (!entry.unverified.empty())
    return {{"entry", entry.entry}, {"unverified", entry.unverified}};
  return {{"entry", entry.entry}, {"job", write(entry.job)}};
}

EntryRecord readEntry(const Cursor &at) {
  at.only({"entry", "unverified", "job"});
  EntryRecord entry;
  entry.entry = at.at("entry").string();
  entry.unverified = at.find("unverified").string();
  if (!entry.unverified.empty())
    return entry;
  Cursor job = at.at("job");
  if (!job.present())
    return entry;
  entry.job = readJob(job);
  if (entry.job.kind != Job::Kind::Verify)
    job.fail("expected kind \"verify\"");
  return entry;
}

ModuleRecord readModuleRecord(const Cursor &at) {
  at.only({"version", "entries"});
  ModuleRecord record;
  int64_t version = at.at("version").integer();
  if (version != recordVersion)
    at.fail("version " + std::to_string(version) +
            " of the record is not known; this program reads version " +
            std::to_string(recordVersion));
  record.entries = at.at("entries").list(readEntry);
  if (record.entries.empty())
    at.fail("no entries");
  return record;
}

} // namespace
} // namespace kclaw::json

namespace kclaw {

std::string toJson(const ModuleRecord &record) {
  json::Json entries = json::Json::array();
  for (const EntryRecord &entry : record.entries)
    entries.push_back(json::writeEntry(entry));
  return json::dump(
      {{"version", json::recordVersion}, {"entries", std::move(entries)}});
}

Expected<ModuleRecord> parseModuleRecord(const std::string &text) {
  return json::parseDocument(text, "module record", json::readModuleRecord);
}

} // namespace kclaw
