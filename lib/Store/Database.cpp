//===- Database.cpp - SQLite with values instead of handles ---------------===//
#include "Database.h"

#include <cstring>

namespace kclaw {
namespace {

constexpr int busyTimeoutMilliseconds = 20000;

/// What to do about it, by SQLite's primary result code.
struct Advice {
  int code;
  const char *text;
};
constexpr Advice advices[] = {
    {SQLITE_NOTADB, "; move it aside to start a new one"},
    {SQLITE_CORRUPT, "; kernelclaw-store export FILE saves what can still be "
                     "read; then move the store aside and import FILE"},
    {SQLITE_FULL, "; nothing of this write is kept, what was stored before "
                  "stays"},
    {SQLITE_IOERR, "; nothing of this write is kept, what was stored before "
                   "stays"},
    {SQLITE_BUSY, "; another process has been writing for 20 seconds"},
    {SQLITE_READONLY, "; where the folder cannot be written, give an exported "
                      "file: store=FILE.json"},
    {SQLITE_CANTOPEN, "; where the folder cannot be written, give an exported "
                      "file: store=FILE.json"},
};

std::unexpected<Error> databaseError(const std::string &path,
                                     sqlite3 *database) {
  int code = database ? sqlite3_errcode(database) : SQLITE_NOMEM;
  std::string text = "store '" + path + "': " +
                     (database ? sqlite3_errmsg(database) : "out of memory");
  int reason = database ? sqlite3_system_errno(database) : 0;
  if ((code & 0xff) == SQLITE_IOERR && reason)
    text += std::string(" (") + std::strerror(reason) + ")";
  for (const Advice &advice : advices)
    if ((code & 0xff) == advice.code)
      text += advice.text;
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

Statement &Statement::bind(int index, double value) {
  sqlite3_bind_double(handle.get(), index, value);
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
  return open(path, path);
}

Expected<Database> Database::memory(const std::string &name) {
  return open(":memory:", name);
}

Expected<Database> Database::open(const std::string &file,
                                  const std::string &name) {
  Database database;
  database.path = std::make_unique<std::string>(name);
  sqlite3 *raw = nullptr;
  // No SQLITE_OPEN_URI: a '%' or '?' in a folder's name is just a character.
  int code = sqlite3_open_v2(file.c_str(), &raw,
                             SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
                                 SQLITE_OPEN_FULLMUTEX,
                             nullptr);
  database.handle.reset(raw);
  if (code != SQLITE_OK)
    return databaseError(name, raw);
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

Expected<Transaction> Transaction::begin(const Database &database) {
  if (auto done = database.execute("BEGIN IMMEDIATE"); !done)
    return std::unexpected(done.error());
  return Transaction(&database);
}

Transaction::~Transaction() {
  if (database)
    (void)database->execute("ROLLBACK");
}

Expected<void> Transaction::commit() {
  auto done = database->execute("COMMIT");
  if (done)
    database = nullptr;
  return done;
}

} // namespace kclaw
