//===- Store.cpp - find and put over one table ----------------------------===//
//
// A put reads and writes inside one IMMEDIATE transaction, so that of two
// processes the faster winner stays. Write-ahead logging lets readers go on
// meanwhile.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Store/Store.h"
#include "kernelclaw/Support/CacheDirectory.h"

#include "Database.h"
#include "Support/Files.h"

namespace kclaw {
namespace {

constexpr int64_t schemaVersion = 2; // 2: refuted

constexpr const char *createTables = R"sql(
CREATE TABLE IF NOT EXISTS entries (
  spec_hash TEXT NOT NULL, arch TEXT NOT NULL, policy TEXT NOT NULL,
  evidence TEXT NOT NULL, rules INTEGER NOT NULL,
  won INTEGER NOT NULL, plan TEXT NOT NULL, evaluation TEXT NOT NULL,
  reason TEXT NOT NULL, provenance TEXT NOT NULL, updated TEXT NOT NULL,
  PRIMARY KEY (spec_hash, arch, policy, evidence, rules)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS refuted (
  spec_hash TEXT NOT NULL, arch TEXT NOT NULL, policy TEXT NOT NULL,
  plan TEXT NOT NULL, reason TEXT NOT NULL, updated TEXT NOT NULL,
  PRIMARY KEY (spec_hash, arch, policy, plan)) WITHOUT ROWID;
PRAGMA user_version = 2;
)sql";

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

/// Ends a transaction by rolling back unless it was committed.
class Transaction {
public:
  static Expected<Transaction> begin(const Database &database) {
    if (auto done = database.execute("BEGIN IMMEDIATE"); !done)
      return std::unexpected(done.error());
    return Transaction(&database);
  }
  Transaction(Transaction &&other) noexcept
      : database(std::exchange(other.database, nullptr)) {}
  ~Transaction() {
    if (database)
      (void)database->execute("ROLLBACK");
  }
  Expected<void> commit() {
    auto done = database->execute("COMMIT");
    if (done)
      database = nullptr;
    return done;
  }

private:
  explicit Transaction(const Database *database) : database(database) {}
  const Database *database;
};

void bindKey(Statement &statement, const StoreKey &key) {
  statement.bind(1, key.specHash).bind(2, key.arch).bind(3, key.policy);
  statement.bind(4, std::string(name(key.evidence)));
  statement.bind(5, int64_t(key.rulesVersion));
}

class SqliteStore : public Store {
public:
  explicit SqliteStore(Database database) : database(std::move(database)) {}

  Expected<std::optional<StoreEntry>> find(const StoreKey &key) override {
    auto statement = database.prepare(findSql);
    if (!statement)
      return std::unexpected(statement.error());
    bindKey(*statement, key);
    auto row = statement->step();
    if (!row)
      return std::unexpected(row.error());
    if (!*row)
      return std::nullopt;
    auto entry = readEntry(*statement);
    if (!entry)
      return std::unexpected(entry.error().context(
          "store '" + database.where() + "', entry " + key.specHash));
    return *entry;
  }

  Expected<void> put(const StoreKey &key, const StoreEntry &entry) override {
    auto transaction = Transaction::begin(database);
    if (!transaction)
      return std::unexpected(transaction.error());
    if (entry.won) {
      auto reason = refuted(key, entry.plan);
      if (!reason)
        return std::unexpected(reason.error());
      if (*reason)
        return {};
    }
    // An entry that no longer parses is not worth keeping.
    auto old = find(key);
    bool hasWinner = old && *old && (*old)->won;
    if (hasWinner &&
        !(entry.won && isFaster(entry.evaluation, (*old)->evaluation)))
      return {};
    auto statement = database.prepare(putSql);
    if (!statement)
      return std::unexpected(statement.error());
    bindKey(*statement, key);
    statement->bind(6, int64_t(entry.won));
    statement->bind(7, entry.won ? toJson(entry.plan) : "");
    statement->bind(8, entry.won ? toJson(entry.evaluation) : "");
    statement->bind(9, entry.reason).bind(10, entry.provenance);
    if (auto done = statement->step(); !done)
      return std::unexpected(done.error());
    return transaction->commit();
  }

  Expected<void> refute(const StoreKey &key, const Plan &plan,
                        const std::string &reason) override {
    auto transaction = Transaction::begin(database);
    if (!transaction)
      return std::unexpected(transaction.error());
    auto old = find(key);
    bool stored =
        old && *old && (*old)->won && toJson((*old)->plan) == toJson(plan);
    auto remove = database.prepare(deleteSql);
    auto remember = database.prepare(refuteSql);
    if (!remove || !remember)
      return std::unexpected(remove ? remember.error() : remove.error());
    bindKey(*remove, key);
    bindPlan(*remember, key, plan);
    remember->bind(5, reason);
    if (stored)
      if (auto done = remove->step(); !done)
        return std::unexpected(done.error());
    if (auto done = remember->step(); !done)
      return std::unexpected(done.error());
    return transaction->commit();
  }

  Expected<std::optional<std::string>> refuted(const StoreKey &key,
                                               const Plan &plan) override {
    auto statement = database.prepare(refutedSql);
    if (!statement)
      return std::unexpected(statement.error());
    bindPlan(*statement, key, plan);
    auto row = statement->step();
    if (!row)
      return std::unexpected(row.error());
    return *row ? std::optional(statement->text(0)) : std::nullopt;
  }

private:
  static void bindPlan(Statement &statement, const StoreKey &key,
                       const Plan &plan) {
    statement.bind(1, key.specHash).bind(2, key.arch).bind(3, key.policy);
    statement.bind(4, toJson(plan));
  }

  static Expected<StoreEntry> readEntry(const Statement &row) {
    StoreEntry entry;
    entry.won = row.integer(0) != 0;
    entry.reason = row.text(3);
    entry.provenance = row.text(4);
    if (!entry.won)
      return entry;
    auto plan = parsePlan(row.text(1));
    if (!plan)
      return std::unexpected(plan.error());
    auto evaluation = parseEvaluation(row.text(2));
    if (!evaluation)
      return std::unexpected(evaluation.error());
    entry.plan = std::move(*plan);
    entry.evaluation = std::move(*evaluation);
    return entry;
  }

  Database database;
};

Expected<void> prepareSchema(const Database &database) {
  // The mode is a property of the file. The switch needs the file alone and
  // does not wait for it: a process that loses this race needs nothing more,
  // and any other fault shows in the next statement.
  (void)database.execute("PRAGMA journal_mode = WAL");
  auto transaction = Transaction::begin(database);
  if (!transaction)
    return std::unexpected(transaction.error());
  auto statement = database.prepare("PRAGMA user_version");
  if (!statement)
    return std::unexpected(statement.error());
  if (auto row = statement->step(); !row)
    return std::unexpected(row.error());
  int64_t version = statement->integer(0);
  if (version > schemaVersion)
    return makeError(Error::Code::Invalid,
                     "store '" + database.where() + "' has version " +
                         std::to_string(version) +
                         ", this program knows up to " +
                         std::to_string(schemaVersion) +
                         "; use a newer program or another store directory");
  (void)statement->step();
  if (version < schemaVersion)
    if (auto done = database.execute(createTables); !done)
      return done;
  return transaction->commit();
}

} // namespace

Expected<std::unique_ptr<Store>> openStore(const std::string &directory) {
  Expected<std::string> where = directory;
  if (directory.empty())
    where = defaultCacheDirectory();
  if (!where)
    return std::unexpected(where.error());
  if (auto done = makeDirectory(*where); !done)
    return std::unexpected(done.error().context("store"));
  auto database = Database::open(*where + "/store.sqlite");
  if (!database)
    return std::unexpected(database.error());
  if (auto done = prepareSchema(*database); !done)
    return std::unexpected(done.error());
  return std::make_unique<SqliteStore>(std::move(*database));
}

} // namespace kclaw
