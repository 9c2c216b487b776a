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

namespace kclaw {

class Statement {
public:
  Statement &bind(int index, const std::string &text);
  Statement &bind(int index, int64_t value);
  /// True when there is a row, false when done.
  Expected<bool> step();
  std::string text(int column) const;
  int64_t integer(int column) const;

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

  Expected<Statement> prepare(const char *sql) const;
  /// Statements without values or rows.
  Expected<void> execute(const char *sql) const;
  const std::string &where() const { return *path; }

private:
  struct Close {
    void operator()(sqlite3 *database) const { sqlite3_close(database); }
  };
  std::unique_ptr<std::string> path; ///< stays put: statements point at it
  std::unique_ptr<sqlite3, Close> handle;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_STORE_DATABASE_H
