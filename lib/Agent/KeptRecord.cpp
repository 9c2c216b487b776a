//===- KeptRecord.cpp - Searches that need no repetition ------------------===//
#include "KeptRecord.h"

#include "Support/Json.h"

#include <algorithm>

namespace kclaw {

bool isSettled(const AgentOptions &options, AttemptResult::Status status,
               const Tree &tree) {
  using Status = AttemptResult::Status;
  bool ended = status == Status::Judged || status == Status::Exhausted;
  return ended && !options.searchId.empty() && !options.compileOnly &&
         std::ranges::none_of(tree.records(), [](const AttemptRecord &record) {
           return record.evaluation.outcome == Outcome::Timeout ||
                  record.evaluation.rule == workerLostRule;
         });
}

std::string keptProvenance(const AgentOptions &options, bool exhausted,
                           double stockMicroseconds) {
  json::Json document{{"provider", options.provider},
                      {"search", options.searchId},
                      {"maxAttempts", options.budget.maxAttempts},
                      {"exhausted", exhausted},
                      {"acceptSimulated", options.acceptSimulated},
                      {"minSpeedup", json::number(options.minSpeedup)}};
  if (stockMicroseconds > 0)
    document["stockMicroseconds"] = stockMicroseconds;
  return json::dump(document);
}

double keptStock(const StoreEntry &entry) {
  json::Json document = json::Json::parse(entry.provenance, nullptr,
                                          /*allow_exceptions=*/false);
  auto time = document.find("stockMicroseconds");
  return document.is_object() && time != document.end() && time->is_number()
             ? time->get<double>()
             : 0;
}

bool answers(const StoreEntry &entry, const AgentOptions &options) {
  if (entry.won || options.searchId.empty())
    return false;
  json::Json document = json::Json::parse(entry.provenance, nullptr,
                                          /*allow_exceptions=*/false);
  if (!document.is_object())
    return false;
  // Equal but for the attempts, of which there may have been more.
  json::Json wanted = json::Json::parse(keptProvenance(options, false, 0));
  for (const char *key : {"search", "acceptSimulated", "minSpeedup"})
    if (!document.contains(key) || document[key] != wanted[key])
      return false;
  return document.value("exhausted", json::Json()) == json::Json(true) ||
         (document.contains("maxAttempts") &&
          document["maxAttempts"].is_number_integer() &&
          document["maxAttempts"] >= options.budget.maxAttempts);
}

} // namespace kclaw
