//===- VerifyReportJson.cpp - VerifyReport <-> JSON -----------------------===//
//
// Schema: docs/schema/verify-report.schema.json.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Plan/VerifyReport.h"

#include "PlanJson.h"

namespace kclaw::json {
namespace {

constexpr EnumRow<VerifyStatus> statusNames[] = {
    {"passed", VerifyStatus::Passed},
    {"failed", VerifyStatus::Failed},
    {"unverified", VerifyStatus::Unverified}};

Json writeEntry(const EntryReport &entry) {
  Json errors = Json::array();
  for (const ResultError &error : entry.errors)
    errors.push_back(write(error));
  return {{"entry", entry.entry},
          {"status", nameOf(statusNames, entry.status)},
          {"rule", entry.rule},
          {"message", entry.message},
          {"errors", std::move(errors)},
          {"regionsWon", entry.regionsWon},
          {"regionsStock", entry.regionsStock}};
}

EntryReport readEntry(const Cursor &at) {
  EntryReport entry;
  entry.entry = at.at("entry").string();
  entry.status = at.at("status").oneOf(statusNames, VerifyStatus::Unverified);
  entry.rule = at.find("rule").string();
  entry.message = at.find("message").string();
  entry.errors = at.find("errors").list(readResultError);
  entry.regionsWon = uint64_t(at.find("regionsWon").integer(0, 0));
  entry.regionsStock = uint64_t(at.find("regionsStock").integer(0, 0));
  return entry;
}

VerifyReport readReport(const Cursor &at) {
  VerifyReport report;
  report.device = at.find("device").string();
  report.entries = at.at("entries").list(readEntry);
  VerifyStatus said = at.at("status").oneOf(statusNames, report.status());
  if (said != report.status())
    at.fail("the status does not follow from the entries");
  return report;
}

} // namespace
} // namespace kclaw::json

namespace kclaw {

const char *name(VerifyStatus status) {
  for (const auto &[name, row] : json::statusNames)
    if (row == status)
      return name.data();
  return "?";
}

VerifyStatus VerifyReport::status() const {
  bool all = !entries.empty();
  for (const EntryReport &entry : entries) {
    if (entry.status == VerifyStatus::Failed)
      return VerifyStatus::Failed;
    all &= entry.status == VerifyStatus::Passed;
  }
  return all ? VerifyStatus::Passed : VerifyStatus::Unverified;
}

std::string VerifyReport::reason() const {
  std::string text;
  for (const EntryReport &entry : entries)
    if (entry.status == status() && entry.status != VerifyStatus::Passed)
      text += (text.empty() ? "" : "; ") + entry.entry + ": " +
              (entry.rule.empty() ? "" : entry.rule + ": ") + entry.message;
  return text.empty() && status() == VerifyStatus::Unverified
             ? "the module has no entry that could be judged"
             : text;
}

std::string toJson(const VerifyReport &report) {
  json::Json entries = json::Json::array();
  for (const EntryReport &entry : report.entries)
    entries.push_back(json::writeEntry(entry));
  return json::dump({{"status", name(report.status())},
                     {"device", report.device},
                     {"entries", std::move(entries)}});
}

Expected<VerifyReport> parseVerifyReport(const std::string &text) {
  return json::parseDocument(text, "verify report", json::readReport);
}

} // namespace kclaw
