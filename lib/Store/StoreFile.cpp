//===- StoreFile.cpp - A store as one file to commit ----------------------===//
//
// {"format": ..., "version": 1, "rows": [
// {"kind": "winner", ...},
// ...
// ]}
// A row a line, so that damage (a cut, a run of NUL bytes, a conflict's marks)
// costs the rows that it hits and no others.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Store/StoreFile.h"

#include "Plan/PlanJson.h"

#include <set>

namespace kclaw {
namespace {

using json::Cursor;
using json::Json;

constexpr const char *formatName = "kernelclaw-store";

/// Text that is JSON as such, other text as a string.
Json embed(const std::string &text) {
  Json document = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  return document.is_object() ? document : Json(text);
}

std::string textOf(const Cursor &at) {
  return at.present() && at.get()->is_object() ? json::dump(*at.get())
                                               : at.string();
}

Json keyed(const char *kind, const StoreKey &key) {
  return {{"kind", kind},
          {"specHash", key.specHash},
          {"arch", key.arch},
          {"policy", key.policy},
          {"evidence", name(key.evidence)},
          {"rules", key.rulesVersion}};
}

/// What is about the kernel, and not about the machine or the moment.
Json lasting(Evaluation evaluation) {
  evaluation.device.host.clear();
  evaluation.device.pciBusId.clear();
  evaluation.log.clear();
  evaluation.lostWorkers.clear();
  evaluation.phases.clear();
  evaluation.stockImages.clear();
  return embed(toJson(evaluation));
}

Json write(const StoredEntry &row) {
  const StoreEntry &entry = row.entry;
  Json line = keyed(entry.won ? "winner" : "kept", row.key);
  if (entry.won || entry.evaluation.stock.isDecided()) {
    line["plan"] = embed(toJson(entry.plan));
    line["evaluation"] = lasting(entry.evaluation);
  }
  line["reason"] = entry.reason;
  line["provenance"] = embed(entry.provenance);
  return line;
}

Json write(const Refutation &row) {
  return {{"kind", "refuted"},    {"specHash", row.specHash},
          {"arch", row.arch},     {"policy", row.policy},
          {"reason", row.reason}, {"plan", embed(row.plan)}};
}

Json tagged(const char *kind, const std::string &row) {
  Json line{{"kind", kind}};
  line.update(embed(row));
  return line;
}

/// A kept region has a plan only where its stock was chosen.
void readEntry(const Cursor &at, bool won, StoreContents &all) {
  StoredEntry row;
  row.key = {at.at("specHash").string(), at.at("arch").string(),
             at.at("policy").string(),
             at.at("evidence").oneOf(json::evidenceNames, Evidence::None),
             int(at.at("rules").integer(0, 1, 1000000))};
  row.entry.won = won;
  row.entry.reason = at.find("reason").string();
  row.entry.provenance = textOf(at.find("provenance"));
  if (won || at.find("plan").present()) {
    auto plan = parsePlan(textOf(at.at("plan")));
    auto evaluation = parseEvaluation(textOf(at.at("evaluation")));
    if (!plan)
      return at.find("plan").fail(plan.error().message);
    if (!evaluation)
      return at.find("evaluation").fail(evaluation.error().message);
    row.entry.plan = std::move(*plan);
    row.entry.evaluation = std::move(*evaluation);
  }
  all.entries.push_back(std::move(row));
}

void readWinner(const Cursor &at, StoreContents &all) {
  readEntry(at, true, all);
}
void readKept(const Cursor &at, StoreContents &all) {
  readEntry(at, false, all);
}

void readRefuted(const Cursor &at, StoreContents &all) {
  auto plan = parsePlan(textOf(at.at("plan")));
  if (!plan)
    return at.find("plan").fail(plan.error().message);
  all.refuted.push_back({at.at("specHash").string(), at.at("arch").string(),
                         at.at("policy").string(), toJson(*plan),
                         at.find("reason").string()});
}

template <typename T>
void readInto(const Cursor &at, std::vector<T> &rows, Expected<T> value) {
  if (!value)
    return at.fail(value.error().message);
  rows.push_back(std::move(*value));
}

/// The row without its tag: the readers of rows know their own members only.
std::string untagged(const Cursor &at) {
  Json row = *at.get();
  row.erase("kind");
  return json::dump(row);
}

void readSpec(const Cursor &at, StoreContents &all) {
  readInto(at, all.specs, parseKernelSpec(untagged(at)));
}
void readExperience(const Cursor &at, StoreContents &all) {
  readInto(at, all.experiences, parseExperience(untagged(at)));
}
void readLesson(const Cursor &at, StoreContents &all) {
  readInto(at, all.lessons, parseLessonCandidate(untagged(at)));
}

using ReadRow = void (*)(const Cursor &, StoreContents &);
constexpr json::EnumRow<ReadRow> kinds[] = {{"spec", readSpec},
                                            {"winner", readWinner},
                                            {"kept", readKept},
                                            {"refuted", readRefuted},
                                            {"experience", readExperience},
                                            {"lesson", readLesson}};

void readRow(const Json &row, const std::string &place, StoreContents &all) {
  std::string error;
  Cursor at(&row, "", &error);
  ReadRow read = at.at("kind").oneOf(kinds, ReadRow(nullptr));
  StoreContents one;
  if (read)
    read(at, one);
  if (!error.empty())
    return all.damage.push_back(place + ": " + error);
  auto move = [](auto &to, auto &from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()),
              std::make_move_iterator(from.end()));
  };
  move(all.specs, one.specs);
  move(all.entries, one.entries);
  move(all.refuted, one.refuted);
  move(all.experiences, one.experiences);
  move(all.lessons, one.lessons);
}

Expected<void> checkHead(const Json &head) {
  bool ours =
      head.is_object() && head.value("format", Json()) == Json(formatName);
  if (!ours)
    return makeError(Error::Code::Invalid,
                     "this is no exported store: its first line does not say "
                     "\"format\": \"kernelclaw-store\"");
  Json version = head.value("version", Json());
  if (version == Json(storeFileVersion))
    return {};
  return makeError(Error::Code::Invalid,
                   "it has version " + json::dump(version) +
                       ", this program reads version " +
                       std::to_string(storeFileVersion) +
                       "; export it again with the kernelclaw-store of the "
                       "same version as this one");
}

/// One row a line. `text` is no JSON document as a whole.
Expected<StoreContents> readLines(const std::string &text) {
  StoreContents all;
  bool hasHead = false;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    std::string place = "damaged at byte " + std::to_string(begin);
    begin = end + 1;
    if (line == "]}" || line.empty())
      continue;
    if (line.ends_with(','))
      line.pop_back();
    if (!hasHead)
      line += "]}";
    Json row = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!hasHead) {
      if (auto done = checkHead(row); !done)
        return std::unexpected(done.error());
      hasHead = true;
    } else if (row.is_discarded()) {
      all.damage.push_back(place + ": a line of " +
                           std::to_string(line.size()) +
                           " bytes is no row (cut, overwritten, or a merge's "
                           "marks)");
    } else {
      readRow(row, place, all);
    }
  }
  if (!hasHead)
    return std::unexpected(checkHead(Json()).error());
  if (all.damage.empty())
    all.damage.push_back("damaged at byte " + std::to_string(text.size()) +
                         ": the end is missing");
  return all;
}

/// Sorted and each once.
template <typename T, typename Line>
void add(std::string &text, const std::vector<T> &rows, Line line) {
  std::set<std::string> lines;
  for (const T &row : rows)
    lines.insert(json::dump(line(row)));
  for (const std::string &each : lines)
    text += "\n" + each + ",";
}

} // namespace

std::string writeStoreFile(const StoreContents &contents,
                           const ExportChoice &choice) {
  std::string rows;
  std::vector<StoredEntry> winners, kept;
  std::set<std::string> hashes;
  for (const StoredEntry &row : contents.entries) {
    if (row.entry.won) {
      winners.push_back(row);
      hashes.insert(row.key.specHash);
    } else if (!row.entry.provenance.empty()) {
      kept.push_back(row);
    }
  }
  std::vector<KernelSpec> specs;
  for (const KernelSpec &spec : contents.specs)
    if (hashes.contains(spec.specHash))
      specs.push_back(spec);
  if (choice.winners) {
    add(rows, specs,
        [](const KernelSpec &spec) { return tagged("spec", toJson(spec)); });
    auto line = [](const StoredEntry &row) { return write(row); };
    add(rows, winners, line);
    add(rows, kept, line);
    add(rows, contents.refuted,
        [](const Refutation &row) { return write(row); });
  }
  if (choice.experience)
    add(rows, contents.experiences, [](const Experience &row) {
      return tagged("experience", toJson(row));
    });
  if (choice.lessons)
    add(rows, contents.lessons, [](const LessonCandidate &row) {
      return tagged("lesson", toJson(row));
    });
  if (!rows.empty())
    rows.pop_back(); // the last comma
  return "{\"format\": \"" + std::string(formatName) +
         "\", \"version\": " + std::to_string(storeFileVersion) +
         ", \"rows\": [" + rows + "\n]}\n";
}

Expected<StoreContents> parseStoreFile(const std::string &text) {
  Json document = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded())
    return readLines(text);
  if (auto done = checkHead(document); !done)
    return std::unexpected(done.error());
  StoreContents all;
  Json rows = document.value("rows", Json());
  if (!rows.is_array())
    return makeError(Error::Code::Invalid, "rows: expected a list");
  for (size_t i = 0; i < rows.size(); ++i)
    readRow(rows[i], "rows[" + std::to_string(i) + "]", all);
  return all;
}

} // namespace kclaw
