//===- Retrieval.cpp - The gate for one attempt, on record ----------------===//
#include "Retrieval.h"

#include "Describe.h"
#include "Learning.h"

#include <algorithm>

namespace kclaw {
namespace {

using json::Json;

/// A stream of draws of its own for each attempt of each region.
uint64_t seedOf(const Run &run, const RegionTask &task, int attempt) {
  uint64_t hash = 1469598103934665603u ^ run.options.seed;
  for (char c : task.spec.specHash + "/" + std::to_string(attempt))
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

/// Rows of another device than the one that judges here teach nothing.
bool teaches(const Experience &row, const Tree &tree) {
  for (const AttemptRecord &record : tree.records())
    if (const std::string &device = record.evaluation.device.name;
        !device.empty())
      return row.device.empty() || row.device == device;
  return true;
}

} // namespace

std::string Retrieved::whyNot(const std::string &method) const {
  for (const RankedMethod &row : allowed)
    if (row.method->name == method)
      return "";
  std::string text = "method '" + method + "' is not allowed here";
  for (const Refusal &refusal : refused)
    if (refusal.method == method)
      text += ": " + refusal.why;
  text += "; allowed: ";
  for (size_t i = 0; i < allowed.size(); ++i)
    text += (i ? ", " : "") + allowed[i].method->name;
  return text;
}

Retrieved retrieve(const Run &run, const RegionTask &task, const Tree &tree,
                   const AttemptRecord *parent, int attempt) {
  const Knowledge &knowledge = *run.knowledge;
  const Hardware *hardware = knowledge.hardware;
  FeatureInput input{task.spec};
  input.hardware = hardware ? &hardware->facts : nullptr;
  if (parent) {
    input.plan = &*parent->plan;
    input.evaluation = &parent->evaluation;
  }
  Diagnosis diagnosis = diagnose(knowledge.bank, extractFeatures(input));
  std::vector<Experience> rows;
  for (const Experience &row : knowledge.experiences)
    if (teaches(row, tree))
      rows.push_back(row);
  for (const AttemptRecord &record : tree.records())
    rows.push_back(experienceOf(run, task, record));
  std::vector<std::string> tried = parent
                                       ? tree.fruitlessMethods(parent->number)
                                       : std::vector<std::string>();

  Retrieved found;
  found.parent = parent ? parent->number : 0;
  found.features = diagnosis.features;
  found.predicates = diagnosis.predicates;
  found.headroom = diagnosis.headroom;
  if (const Case *match = diagnosis.match) {
    found.caseName = match->name;
    found.bottleneck = match->bottleneck;
    found.advice = match->advice;
  }
  found.refused = diagnosis.refused;
  for (const Ranked &row :
       rank(diagnosis, rows, tried, seedOf(run, task, attempt))) {
    if (std::ranges::find(tried, row.method->name) != tried.end())
      found.refused.push_back(
          {row.method->name, "it was applied to attempt " +
                                 std::to_string(found.parent) +
                                 " before and did not make it faster"});
    else
      found.allowed.push_back(
          {row.method, row.expectedGain, row.deviation, row.effectiveRows});
  }
  return found;
}

Expected<void> recordRetrieved(const AttemptFolder &folder,
                               const Retrieved &retrieved) {
  Json features = Json::object(), allowed = Json::array(),
       refused = Json::array();
  for (const auto &[name, value] : retrieved.features)
    features[name] = json::number(value);
  for (const RankedMethod &row : retrieved.allowed)
    allowed.push_back({{"method", row.method->name},
                       {"expectedGain", json::number(row.expectedGain)},
                       {"deviation", json::number(row.deviation)},
                       {"effectiveRows", json::number(row.effectiveRows)}});
  for (const Refusal &row : retrieved.refused) {
    refused.push_back({{"method", row.method}, {"why", row.why}});
    if (row.unlisted)
      refused.back()["unlisted"] = true;
  }
  Json document{
      {"parent", retrieved.parent}, {"headroom", retrieved.headroom},
      {"case", retrieved.caseName}, {"bottleneck", retrieved.bottleneck},
      {"advice", retrieved.advice}, {"predicates", retrieved.predicates},
      {"allowed", allowed},         {"refused", refused},
      {"features", features}};
  return folder.record("gate.json", json::dump(document, 1) + "\n");
}

Expected<std::optional<Retrieved>> readRetrieved(const Run &run,
                                                 const AttemptFolder &folder) {
  auto text = folder.read("gate.json");
  if (!text)
    return std::unexpected(text.error());
  if (!*text)
    return std::nullopt;
  auto texts = [](const json::Cursor &at) {
    return at.list([](const json::Cursor &each) { return each.string(); });
  };
  auto found =
      json::parseDocument(**text, "gate.json", [&](const json::Cursor &at) {
        Retrieved r;
        r.parent = int(at.at("parent").integer());
        r.headroom = at.at("headroom").string();
        r.caseName = at.at("case").string();
        r.bottleneck = at.at("bottleneck").string();
        r.advice = at.at("advice").string();
        r.predicates = texts(at.at("predicates"));
        at.at("features")
            .members([&](const std::string &name, const json::Cursor &value) {
              r.features[name] = value.number();
            });
        at.at("allowed").list([&](const json::Cursor &row) {
          RankedMethod method;
          method.method = run.knowledge->bank.method(row.at("method").string());
          method.expectedGain = row.at("expectedGain").number();
          method.deviation = row.at("deviation").number();
          method.effectiveRows = row.at("effectiveRows").number();
          if (method.method) // else the card is gone
            r.allowed.push_back(method);
          return 0;
        });
        at.at("refused").list([&](const json::Cursor &row) {
          r.refused.push_back({row.at("method").string(),
                               row.at("why").string(),
                               row.find("unlisted").boolean(false)});
          return 0;
        });
        return r;
      });
  if (!found)
    return std::unexpected(found.error());
  return *found;
}

std::string describeDiagnosis(const Retrieved &retrieved) {
  std::string text;
  if (!retrieved.headroom.empty())
    text += "Headroom: " + retrieved.headroom + "\n";
  if (!retrieved.bottleneck.empty())
    text += "Bottleneck by the decision table: " + retrieved.bottleneck +
            " (case " + retrieved.caseName + ")\n";
  if (!retrieved.advice.empty())
    text += "Advice: " + retrieved.advice + "\n";
  std::string list;
  for (const std::string &each : retrieved.predicates)
    list += (list.empty() ? "" : ", ") + each;
  if (!list.empty())
    text += "What holds: " + list + "\n";
  list.clear();
  for (const auto &[name, value] : retrieved.features)
    if (value != 0)
      list += (list.empty() ? "" : ", ") + name + "=" + decimal(value);
  return text + "Features that are not 0: " + list + "\n";
}

static std::string describeExpectation(const Method &method) {
  constexpr const char *signs[] = {"down", "same", "up"};
  std::string text;
  for (const auto &[counter, sign] : method.expect)
    text += (text.empty() ? "" : ", ") + counter + " " +
            signs[std::clamp(sign, -1, 1) + 1];
  return text;
}

static std::string describeShortly(const Method &method) {
  std::string text = "when: " + method.when + "\nwhy: " + method.why +
                     "\nhow: " + method.how +
                     "\nexpected: " + describeExpectation(method) + "\n";
  for (const std::string &hazard : method.hazards)
    text += "hazard: " + hazard + "\n";
  return text;
}

std::string describeMethods(const Retrieved &retrieved, size_t cards,
                            bool refusals) {
  std::string text;
  for (size_t i = 0; i < retrieved.allowed.size(); ++i) {
    const RankedMethod &row = retrieved.allowed[i];
    text += (i < cards ? "### " : "- ") + row.method->name + ": " +
            row.method->title;
    if (row.effectiveRows >= 0.5)
      text += " (in similar contexts x" + decimal(row.expectedGain) +
              " on average, from about " + decimal(row.effectiveRows) +
              " attempts)";
    text += "\n";
    if (i < cards)
      text += describeShortly(*row.method);
  }
  if (!refusals || retrieved.refused.empty())
    return text.empty() ? "none\n" : text;
  text += "\nNot allowed here, refused by the judge: every other method of the "
          "memory bank";
  const char *lead = ", among them\n- ";
  for (const Refusal &refusal : retrieved.refused)
    if (!refusal.unlisted) {
      text += lead + refusal.method + ": " + refusal.why;
      lead = "\n- ";
    }
  return text + "\n";
}

std::string describeCard(const Method &method) {
  constexpr size_t maxExample = 8000;
  return "### " + method.name + ": " + method.title + "\n" +
         describeShortly(method) + "A minimal example:\n```cuda\n" +
         firstBytes(method.example, maxExample) + "\n```\n";
}

void noteGate(Decision &decision, const Retrieved &retrieved) {
  decision.caseName = retrieved.caseName;
  decision.headroom = retrieved.headroom;
  decision.context = retrieved.features;
}

} // namespace kclaw
