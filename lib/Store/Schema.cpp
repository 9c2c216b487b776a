//===- Schema.cpp - The store's tables and their versions -----------------===//
#include "Schema.h"

namespace kclaw {
namespace {

/// What a version added. A file of version N gets all rows beyond N.
struct Step {
  int64_t version;
  const char *sql;
};
constexpr Step steps[] = {
    {1, R"sql(
CREATE TABLE entries (
  spec_hash TEXT NOT NULL, arch TEXT NOT NULL, policy TEXT NOT NULL,
  evidence TEXT NOT NULL, rules INTEGER NOT NULL,
  won INTEGER NOT NULL, plan TEXT NOT NULL, evaluation TEXT NOT NULL,
  reason TEXT NOT NULL, provenance TEXT NOT NULL, updated TEXT NOT NULL,
  PRIMARY KEY (spec_hash, arch, policy, evidence, rules)) WITHOUT ROWID;
)sql"},
    {2, R"sql(
CREATE TABLE refuted (
  spec_hash TEXT NOT NULL, arch TEXT NOT NULL, policy TEXT NOT NULL,
  plan TEXT NOT NULL, reason TEXT NOT NULL, updated TEXT NOT NULL,
  PRIMARY KEY (spec_hash, arch, policy, plan)) WITHOUT ROWID;
)sql"},
    {3, R"sql(
CREATE TABLE specs (
  spec_hash TEXT NOT NULL PRIMARY KEY, spec TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE experiences (
  id TEXT NOT NULL PRIMARY KEY, spec_hash TEXT NOT NULL, arch TEXT NOT NULL,
  evidence TEXT NOT NULL, device TEXT NOT NULL, family TEXT NOT NULL,
  method TEXT NOT NULL, weight REAL NOT NULL, row TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE lessons (
  id TEXT NOT NULL PRIMARY KEY, signature TEXT NOT NULL,
  row TEXT NOT NULL) WITHOUT ROWID;
)sql"},
};
constexpr int64_t schemaVersion = steps[std::size(steps) - 1].version;

Expected<int64_t> readVersion(const Database &database) {
  auto statement = database.prepare("PRAGMA user_version");
  if (!statement)
    return std::unexpected(statement.error());
  if (auto row = statement->step(); !row)
    return std::unexpected(row.error());
  return statement->integer(0);
}

} // namespace

Expected<void> prepareSchema(const Database &database) {
  // The mode is a property of the file. The switch needs the file alone and
  // does not wait for it: a process that loses this race needs nothing more,
  // and any other fault shows in the next statement.
  (void)database.execute("PRAGMA journal_mode = WAL");
  // Without a lock: a store that is up to date is opened while another process
  // writes, and where nothing can be written.
  auto version = readVersion(database);
  if (!version)
    return std::unexpected(version.error());
  if (*version == schemaVersion)
    return {};
  auto transaction = Transaction::begin(database);
  if (!transaction)
    return std::unexpected(transaction.error());
  version = readVersion(database);
  if (!version)
    return std::unexpected(version.error());
  if (*version > schemaVersion)
    return makeError(Error::Code::Invalid,
                     "store '" + database.where() + "' has version " +
                         std::to_string(*version) +
                         ", this program knows up to " +
                         std::to_string(schemaVersion) +
                         "; use a newer program or another store directory");
  for (const Step &step : steps)
    if (step.version > *version)
      if (auto done = database.execute(step.sql); !done)
        return done;
  std::string bump = "PRAGMA user_version = " + std::to_string(schemaVersion);
  if (auto done = database.execute(bump.c_str()); !done)
    return done;
  return transaction->commit();
}

} // namespace kclaw
