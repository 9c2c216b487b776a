//===- Retrieval.cpp - The gate for one attempt, on record ----------------===//
#include "Retrieval.h"

#include "Describe.h"
#include "Learning.h"

#include <algorithm>
#include <cmath>
#include <set>

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

struct Rows {
  std::vector<Experience> all, elsewhere; ///< elsewhere: of other regions
};

/// What teaches here. A failed attempt that was mended is not a row of its own:
/// the method's is the end of the chain.
Rows rowsFor(const Run &run, const RegionTask &task, const Tree &tree) {
  Rows rows;
  std::set<std::string> mended;
  for (const Experience &row : run.knowledge->experiences)
    if (!row.mends.empty())
      mended.insert(row.mends);
  for (const Experience &row : run.knowledge->experiences)
    if (teaches(row, tree) && !mended.contains(row.id)) {
      rows.all.push_back(row);
      if (row.specHash != task.spec.specHash)
        rows.elsewhere.push_back(row);
    }
  for (const AttemptRecord &record : tree.records())
    if (!tree.repairOf(record))
      rows.all.push_back(experienceOf(run, task, record));
  return rows;
}

/// What the search has done with methods where this attempt starts.
struct History {
  const Tree &tree;
  int parent = 0;
  std::vector<std::string> fruitless;
  std::map<std::string, int> made; ///< method -> attempt on the way here

  /// Empty: it may be tried.
  std::string whyNot(const Method &method) const;
};

std::string History::whyNot(const Method &method) const {
  if (std::ranges::find(fruitless, method.name) != fruitless.end()) {
    const AttemptRecord *end = tree.lastOf(method.name, parent);
    std::string from = "it was applied to attempt " + std::to_string(parent);
    if (!end)
      return from + " before and did not make it faster";
    if (!end->right())
      return from + " and failed (" + name(end->evaluation.outcome) +
             ", attempt " + std::to_string(end->number) +
             "): only a repair of that attempt may go on with it";
    return from + " before and did not make it faster (attempt " +
           std::to_string(end->number) +
           (end->gain > 0 ? ", " + decimal(end->gain) + "x)" : ")");
  }
  auto before = made.find(method.name);
  if (before == made.end() || method.repeatable)
    return "";
  return "it made attempt " + std::to_string(before->second) +
         ", from which this starts";
}

History historyOf(const Tree &tree, const AttemptRecord *parent) {
  History history{tree, parent ? parent->number : 0, {}, {}};
  if (!parent)
    return history;
  history.fruitless = tree.fruitlessMethods(parent->number);
  for (const AttemptRecord *link = parent; link;
       link = tree.find(link->decision.parent))
    if (link->decision.phase != Phase::Seed)
      history.made.emplace(link->decision.method, link->number);
  return history;
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
  Rows rows = rowsFor(run, task, tree);
  History history = historyOf(tree, parent);

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
  auto add = [&](const Diagnosis &from, const char *mark) {
    std::map<std::string, Ranked> elsewhere;
    for (const Ranked &row : rank(from, rows.elsewhere, {}, 0))
      elsewhere[row.method->name] = row;
    for (const Ranked &row :
         rank(from, rows.all, history.fruitless, seedOf(run, task, attempt))) {
      const std::string &name = row.method->name;
      std::erase_if(found.refused, [&](const Refusal &one) {
        return one.method == name; // it is not indicated, until now
      });
      if (std::string why = history.whyNot(*row.method); !why.empty()) {
        found.refused.push_back({name, why});
        continue;
      }
      RankedMethod method{row.method, row.expectedGain, row.deviation,
                          row.effectiveRows};
      method.elsewhereGain = elsewhere[name].expectedGain;
      method.elsewhereRows = elsewhere[name].effectiveRows;
      method.note = mark;
      if (auto text = from.unknown.find(name); text != from.unknown.end())
        method.note += (method.note.empty() ? "" : "; ") +
                       ("condition not known: " + text->second);
      found.allowed.push_back(std::move(method));
    }
  };
  add(diagnosis, "");
  constexpr size_t enough = 3;
  if (found.allowed.size() < enough && !diagnosis.notIndicated.empty()) {
    Diagnosis more = diagnosis;
    more.allowed = diagnosis.notIndicated;
    more.match = nullptr; // no case says that these help
    add(more, "not indicated by the measurements");
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
                       {"effectiveRows", json::number(row.effectiveRows)},
                       {"elsewhereGain", json::number(row.elsewhereGain)},
                       {"elsewhereRows", json::number(row.elsewhereRows)},
                       {"note", row.note}});
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
          method.elsewhereGain = row.find("elsewhereGain").number(1);
          method.elsewhereRows = row.find("elsewhereRows").number();
          method.note = row.find("note").string();
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
    if (long rows = std::lround(row.elsewhereRows); rows > 0)
      text += " (at other regions like this one x" +
              decimal(row.elsewhereGain) + " on average, from about " +
              std::to_string(rows) + (rows == 1 ? " attempt)" : " attempts)");
    text += row.note.empty() ? "\n" : " (" + row.note + ")\n";
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
