//===- Contents.cpp - All rows out, and in again --------------------------===//
//
// What a damaged file still holds is read from both ends: a scan stops at a
// bad page, and the rows behind it are whole.
//
//===----------------------------------------------------------------------===//
#include "SqliteStore.h"

#include "Plan/PlanJson.h"

#include <functional>

namespace kclaw {
namespace {

/// A table and what its rows become. `read` says why a row is no good.
struct Table {
  const char *name, *select, *key;
  std::function<Expected<void>(const Statement &)> read;
};

std::string orderBy(const Table &table, bool backwards) {
  std::string keys = table.key, text;
  for (size_t begin = 0; begin < keys.size();) {
    size_t end = std::min(keys.find(' ', begin), keys.size());
    text += (text.empty() ? " ORDER BY " : ", ") +
            keys.substr(begin, end - begin) + (backwards ? " DESC" : "");
    begin = end + 1;
  }
  return text;
}

/// The database's own error, if the scan did not reach the end.
Expected<void> scan(const Database &database, const Table &table,
                    bool backwards, std::vector<std::string> &damage) {
  std::string sql = std::string(table.select) + " FROM " + table.name +
                    orderBy(table, backwards);
  auto statement = database.prepare(sql.c_str());
  if (!statement)
    return std::unexpected(statement.error());
  auto more = statement->step();
  for (; more && *more; more = statement->step())
    if (auto done = table.read(*statement); !done)
      damage.push_back(std::string(table.name) + ", row '" +
                       statement->text(0) + "': " + done.error().message);
  if (!more)
    return std::unexpected(more.error());
  return {};
}

/// Appends the value, or says why there is none.
template <typename T>
Expected<void> keep(std::vector<T> &rows, Expected<T> value) {
  if (!value)
    return std::unexpected(value.error());
  rows.push_back(std::move(*value));
  return {};
}

std::optional<Evidence> evidenceNamed(const std::string &text) {
  for (const auto &[known, evidence] : json::evidenceNames)
    if (known == text)
      return evidence;
  return std::nullopt;
}

Expected<StoredEntry> readStored(const Statement &row) {
  StoredEntry stored;
  auto evidence = evidenceNamed(row.text(3));
  if (!evidence)
    return makeError(Error::Code::Invalid,
                     "unknown evidence '" + row.text(3) + "'");
  stored.key = {row.text(0), row.text(1), row.text(2), *evidence,
                int(row.integer(4))};
  auto entry = readEntry(row, 5);
  if (!entry)
    return std::unexpected(entry.error());
  stored.entry = std::move(*entry);
  return stored;
}

/// SQLite's own findings; a row's text may be whole where an index is not.
void checkIntegrity(const Database &database,
                    std::vector<std::string> &damage) {
  auto statement = database.prepare("PRAGMA integrity_check(10)");
  if (!statement) {
    damage.push_back(statement.error().message);
    return;
  }
  auto more = statement->step();
  for (; more && *more; more = statement->step())
    if (statement->text(0) != "ok")
      damage.push_back("file: " + statement->text(0));
  if (!more)
    damage.push_back(more.error().message);
}

} // namespace

Expected<StoreContents> SqliteStore::contents() {
  StoreContents all;
  const Table tables[] = {
      {"specs", "SELECT spec_hash, spec", "spec_hash",
       [&all](const Statement &row) {
         return keep(all.specs, parseKernelSpec(row.text(1)));
       }},
      {"entries",
       "SELECT spec_hash, arch, policy, evidence, rules, won, plan, "
       "evaluation, reason, provenance",
       "spec_hash arch policy evidence rules",
       [&all](const Statement &row) {
         return keep(all.entries, readStored(row));
       }},
      {"refuted", "SELECT spec_hash, arch, policy, plan, reason",
       "spec_hash arch policy plan",
       [&all](const Statement &row) -> Expected<void> {
         all.refuted.push_back(
             {row.text(0), row.text(1), row.text(2), row.text(3), row.text(4)});
         return {};
       }},
      {"experiences", "SELECT id, row", "id",
       [&all](const Statement &row) {
         return keep(all.experiences, parseExperience(row.text(1)));
       }},
      {"lessons", "SELECT id, row", "signature id",
       [&all](const Statement &row) {
         return keep(all.lessons, parseLessonCandidate(row.text(1)));
       }},
  };
  checkIntegrity(database, all.damage);
  for (const Table &table : tables) {
    auto done = scan(database, table, false, all.damage);
    if (done)
      continue;
    all.damage.push_back(std::string(table.name) + ": " + done.error().message);
    (void)scan(database, table, true, all.damage);
  }
  return all;
}

Expected<void> SqliteStore::mergeRefuted(const std::vector<Refutation> &rows) {
  for (const Refutation &row : rows)
    for (Evidence evidence : {Evidence::Measured, Evidence::Simulated,
                              Evidence::SimulatedReduced}) {
      StoreKey key{row.specHash, row.arch, row.policy, evidence};
      if (auto done = refuteInside(key, row.plan, row.reason); !done)
        return done;
    }
  return {};
}

/// One's own record of a search that ended with stock stays.
Expected<void> SqliteStore::mergeEntries(const std::vector<StoredEntry> &rows,
                                         MergeReport &report) {
  for (const auto &[key, entry] : rows) {
    auto own = find(key);
    if (!entry.won && own && *own)
      continue;
    auto put = putInside(key, entry);
    if (!put)
      return std::unexpected(put.error());
    int &counter = !entry.won            ? report.kept
                   : *put == Put::Stored ? report.winners
                   : *put == Put::Slower ? report.slower
                                         : report.refusedWinners;
    ++counter;
  }
  return {};
}

Expected<void> SqliteStore::mergeLearned(const StoreContents &from,
                                         double weight, MergeReport &report) {
  for (Experience row : from.experiences) {
    auto known = hasExperience(row.id);
    if (!known)
      return std::unexpected(known.error());
    ++(*known ? report.known : report.experiences);
    row.weight *= weight;
    if (!*known)
      if (auto done = learn(row); !done)
        return done;
  }
  for (const LessonCandidate &row : from.lessons) {
    if (auto done = propose(row); !done)
      return done;
    ++report.lessons;
  }
  return {};
}

Expected<MergeReport> SqliteStore::merge(const StoreContents &from,
                                         double weight) {
  auto transaction = Transaction::begin(database);
  if (!transaction)
    return std::unexpected(transaction.error());
  MergeReport report;
  for (const KernelSpec &spec : from.specs)
    if (auto done = describe(spec); !done)
      return std::unexpected(done.error());
  auto done = mergeRefuted(from.refuted);
  if (done)
    done = mergeEntries(from.entries, report);
  if (done)
    done = mergeLearned(from, weight, report);
  if (done)
    done = transaction->commit();
  if (!done)
    return std::unexpected(done.error());
  return report;
}

} // namespace kclaw
