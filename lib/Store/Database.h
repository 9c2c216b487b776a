//===- Database.h - SQLite with values instead of handles -------*- C++ -*-===//
//
// Private: an open database and prepared statements as move-only types. Every
// call is checked; errors carry SQLite's own text and the file's path.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_STORE_DATABASE_H
#define KERNELCLAW_LIB_STORE_DATABASE_H

#include "kernelclaw/Support/Error.h"

#include <sqlite3.h>

#include <memory>
#include <string>
#include <utility>

namespace kclaw {

class Statement {
public:
  Statement &bind(int index, const std::string &text);
  Statement &bind(int index, int64_t value);
  Statement &bind(int index, double value);
  /// True when there is a row, false when done.
  Expected<bool> step();
  std::string text(int column) const;
  int64_t integer(int column) const;
  /// For the next row of values: bindings stay until bound again.
  void reset() { sqlite3_reset(handle.get()); }

private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt *statement) const {
      sqlite3_finalize(statement);
    }
  };
  const std::string *path = nullptr;
  std::unique_ptr<sqlite3_stmt, Finalize> handle;
};

class Database {
public:
  /// Creates the file when it is missing.
  static Expected<Database> open(const std::string &path);
  /// In memory; `name` is what messages call it.
  static Expected<Database> memory(const std::string &name);

  Expected<Statement> prepare(const char *sql) const;
  /// Statements without values or rows.
  Expected<void> execute(const char *sql) const;
  const std::string &where() const { return *path; }
  /// Rows that the last statement wrote or removed.
  int64_t changes() const { return sqlite3_changes64(handle.get()); }

private:
  static Expected<Database> open(const std::string &file,
                                 const std::string &name);

  struct Close {
    void operator()(sqlite3 *database) const { sqlite3_close(database); }
  };
  std::unique_ptr<std::string> path; ///< stays put: statements point at it
  std::unique_ptr<sqlite3, Close> handle;
};

/// Ends a transaction by rolling back unless it was committed.
class Transaction {
public:
  static Expected<Transaction> begin(const Database &database);
  Transaction(Transaction &&other) noexcept
      : database(std::exchange(other.database, nullptr)) {}
  ~Transaction();
  Expected<void> commit();

private:
  explicit Transaction(const Database *database) : database(database) {}
  const Database *database;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_STORE_DATABASE_H
