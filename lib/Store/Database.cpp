//===- Database.cpp - SQLite with values instead of handles ---------------===//
#include "Database.h"

namespace kclaw {
namespace {

constexpr int busyTimeoutMilliseconds = 20000;

std::unexpected<Error> databaseError(const std::string &path,
                                     sqlite3 *database) {
  int code = database ? sqlite3_errcode(database) : SQLITE_NOMEM;
  std::string text = "store '" + path + "': " +
                     (database ? sqlite3_errmsg(database) : "out of memory");
  if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT)
    text += "; move it aside to start a new one";
  return makeError(Error::Code::Io, text);
}

} // namespace

Statement &Statement::bind(int index, const std::string &text) {
  sqlite3_bind_text64(handle.get(), index, text.data(), text.size(),
                      SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

Statement &Statement::bind(int index, int64_t value) {
  sqlite3_bind_int64(handle.get(), index, value);
  return *this;
}

Expected<bool> Statement::step() {
  int code = sqlite3_step(handle.get());
  if (code == SQLITE_ROW || code == SQLITE_DONE)
    return code == SQLITE_ROW;
  return databaseError(*path, sqlite3_db_handle(handle.get()));
}

std::string Statement::text(int column) const {
  auto *bytes = sqlite3_column_text(handle.get(), column);
  size_t size = size_t(sqlite3_column_bytes(handle.get(), column));
  return bytes ? std::string(reinterpret_cast<const char *>(bytes), size) : "";
}

int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(handle.get(), column);
}

Expected<Database> Database::open(const std::string &path) {
  Database database;
  database.path = std::make_unique<std::string>(path);
  sqlite3 *raw = nullptr;
  // No SQLITE_OPEN_URI: a '%' or '?' in a folder's name is just a character.
  int code = sqlite3_open_v2(path.c_str(), &raw,
                             SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
                                 SQLITE_OPEN_FULLMUTEX,
                             nullptr);
  database.handle.reset(raw);
  if (code != SQLITE_OK)
    return databaseError(path, raw);
  sqlite3_busy_timeout(raw, busyTimeoutMilliseconds);
  return database;
}

Expected<Statement> Database::prepare(const char *sql) const {
  Statement statement;
  statement.path = path.get();
  sqlite3_stmt *raw = nullptr;
  int code = sqlite3_prepare_v2(handle.get(), sql, -1, &raw, nullptr);
  statement.handle.reset(raw);
  if (code != SQLITE_OK)
    return databaseError(*path, handle.get());
  return statement;
}

Expected<void> Database::execute(const char *sql) const {
  if (sqlite3_exec(handle.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK)
    return databaseError(*path, handle.get());
  return {};
}

} // namespace kclaw
