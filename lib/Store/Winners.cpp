//===- Winners.cpp - find, put and refute ---------------------------------===//
#include "SqliteStore.h"

namespace kclaw {
namespace {

constexpr const char *findSql =
    "SELECT won, plan, evaluation, reason, provenance FROM entries WHERE "
    "spec_hash = ?1 AND arch = ?2 AND policy = ?3 AND evidence = ?4 AND "
    "rules = ?5";

constexpr const char *putSql =
    "INSERT OR REPLACE INTO entries VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, "
    "?9, ?10, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))";

constexpr const char *deleteSql =
    "DELETE FROM entries WHERE spec_hash = ?1 AND arch = ?2 AND policy = ?3 "
    "AND evidence = ?4 AND rules = ?5";

constexpr const char *refuteSql =
    "INSERT OR REPLACE INTO refuted VALUES (?1, ?2, ?3, ?4, ?5, "
    "strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))";

constexpr const char *refutedSql =
    "SELECT reason FROM refuted WHERE spec_hash = ?1 AND arch = ?2 AND "
    "policy = ?3 AND plan = ?4";

constexpr const char *describeSql =
    "INSERT OR IGNORE INTO specs VALUES (?1, ?2)";

void bindKey(Statement &statement, const StoreKey &key) {
  statement.bind(1, key.specHash).bind(2, key.arch).bind(3, key.policy);
  statement.bind(4, std::string(name(key.evidence)));
  statement.bind(5, int64_t(key.rulesVersion));
}

/// A winner, or the stock that a kept region was found to have.
bool hasPlan(const StoreEntry &entry) {
  return entry.won || entry.evaluation.stock.isDecided();
}

void bindPlan(Statement &statement, const StoreKey &key,
              const std::string &plan) {
  statement.bind(1, key.specHash).bind(2, key.arch).bind(3, key.policy);
  statement.bind(4, plan);
}

} // namespace

Expected<StoreEntry> readEntry(const Statement &row, int first) {
  StoreEntry entry;
  entry.won = row.integer(first) != 0;
  entry.reason = row.text(first + 3);
  entry.provenance = row.text(first + 4);
  // Kept before the choice of stock was: neither.
  if (!entry.won && row.text(first + 1).empty())
    return entry;
  auto plan = parsePlan(row.text(first + 1));
  if (!plan)
    return std::unexpected(plan.error());
  auto evaluation = parseEvaluation(row.text(first + 2));
  if (!evaluation)
    return std::unexpected(evaluation.error());
  entry.plan = std::move(*plan);
  entry.evaluation = std::move(*evaluation);
  return entry;
}

Expected<void> SqliteStore::finish(Expected<Statement> &statement) {
  if (!statement)
    return std::unexpected(statement.error());
  if (auto done = statement->step(); !done)
    return std::unexpected(done.error());
  return {};
}

Expected<std::optional<StoreEntry>> SqliteStore::find(const StoreKey &key) {
  auto statement = database.prepare(findSql);
  if (!statement)
    return std::unexpected(statement.error());
  bindKey(*statement, key);
  auto row = statement->step();
  if (!row)
    return std::unexpected(row.error());
  if (!*row)
    return std::nullopt;
  auto entry = readEntry(*statement, 0);
  if (!entry)
    return std::unexpected(entry.error().context("store '" + database.where() +
                                                 "', entry " + key.specHash));
  return *entry;
}

Expected<SqliteStore::Put> SqliteStore::putInside(const StoreKey &key,
                                                  const StoreEntry &entry) {
  std::string plan = hasPlan(entry) ? toJson(entry.plan) : "";
  if (entry.won) {
    auto reason = whyRefuted(key, plan);
    if (!reason)
      return std::unexpected(reason.error());
    if (*reason)
      return Put::Refuted;
  }
  // An entry that no longer parses is not worth keeping.
  auto old = find(key);
  bool hasWinner = old && *old && (*old)->won;
  if (hasWinner &&
      !(entry.won && isFaster(entry.evaluation, (*old)->evaluation)))
    return Put::Slower;
  auto statement = database.prepare(putSql);
  if (statement) {
    bindKey(*statement, key);
    statement->bind(6, int64_t(entry.won)).bind(7, plan);
    statement->bind(8, hasPlan(entry) ? toJson(entry.evaluation) : "");
    statement->bind(9, entry.reason).bind(10, entry.provenance);
  }
  if (auto done = finish(statement); !done)
    return std::unexpected(done.error());
  return Put::Stored;
}

Expected<void> SqliteStore::put(const StoreKey &key, const StoreEntry &entry) {
  auto transaction = Transaction::begin(database);
  if (!transaction)
    return std::unexpected(transaction.error());
  if (auto done = putInside(key, entry); !done)
    return std::unexpected(done.error());
  return transaction->commit();
}

Expected<void> SqliteStore::refuteInside(const StoreKey &key,
                                         const std::string &plan,
                                         const std::string &reason) {
  auto old = find(key);
  if (old && *old && (*old)->won && toJson((*old)->plan) == plan) {
    auto removed = database.prepare(deleteSql);
    if (removed)
      bindKey(*removed, key);
    if (auto done = finish(removed); !done)
      return done;
  }
  auto remember = database.prepare(refuteSql);
  if (remember) {
    bindPlan(*remember, key, plan);
    remember->bind(5, reason);
  }
  return finish(remember);
}

Expected<void> SqliteStore::refute(const StoreKey &key, const Plan &plan,
                                   const std::string &reason) {
  auto transaction = Transaction::begin(database);
  if (!transaction)
    return std::unexpected(transaction.error());
  if (auto done = refuteInside(key, toJson(plan), reason); !done)
    return done;
  return transaction->commit();
}

Expected<std::optional<std::string>>
SqliteStore::whyRefuted(const StoreKey &key, const std::string &plan) {
  auto statement = database.prepare(refutedSql);
  if (!statement)
    return std::unexpected(statement.error());
  bindPlan(*statement, key, plan);
  auto row = statement->step();
  if (!row)
    return std::unexpected(row.error());
  return *row ? std::optional(statement->text(0)) : std::nullopt;
}

Expected<std::optional<std::string>> SqliteStore::refuted(const StoreKey &key,
                                                          const Plan &plan) {
  return whyRefuted(key, toJson(plan));
}

Expected<void> SqliteStore::describe(const KernelSpec &spec) {
  auto statement = database.prepare(describeSql);
  if (statement)
    statement->bind(1, spec.specHash).bind(2, toJson(spec));
  return finish(statement);
}

Expected<bool> SqliteStore::remove(const StoreKey &key) {
  auto statement = database.prepare(deleteSql);
  if (statement)
    bindKey(*statement, key);
  if (auto done = finish(statement); !done)
    return std::unexpected(done.error());
  return database.changes() > 0;
}

} // namespace kclaw
