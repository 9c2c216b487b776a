//===- Learned.cpp - Experiences and lesson candidates --------------------===//
#include "SqliteStore.h"

namespace kclaw {
namespace {

constexpr const char *learnSql =
    "INSERT INTO experiences VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) "
    "ON CONFLICT (id) DO UPDATE SET spec_hash = ?2, arch = ?3, evidence = ?4, "
    "device = ?5, family = ?6, method = ?7, weight = ?8, row = ?9 "
    "WHERE ?8 >= weight";

/// Which rows bindFilter means.
std::string filtered(const char *verb, const char *order = "") {
  return std::string(verb) +
         " FROM experiences WHERE (?1 = '' OR arch = ?1)"
         " AND (?2 = '' OR family = ?2) AND (?3 = '' OR method = ?3)"
         " AND (?4 = '' OR spec_hash = ?4)"
         " AND (?5 = '' OR substr(id, 1, length(?5) + 1) = ?5 || '/')"
         " AND ((?8 AND evidence = 'none')"
         "      OR ((?6 = '' OR device = ?6) AND (?7 = '' OR evidence = ?7)))" +
         order;
}

void bindFilter(Statement &statement, const ExperienceFilter &filter) {
  statement.bind(1, filter.arch).bind(2, filter.family).bind(3, filter.method);
  statement.bind(4, filter.specHash).bind(5, filter.run).bind(6, filter.device);
  statement.bind(7, filter.evidence ? std::string(name(*filter.evidence)) : "");
  statement.bind(8, int64_t(filter.withUnjudged));
}

} // namespace

Expected<void> SqliteStore::learn(const Experience &e) {
  auto statement = database.prepare(learnSql);
  if (statement) {
    statement->bind(1, e.id).bind(2, e.specHash).bind(3, e.arch);
    statement->bind(4, std::string(name(e.evidence))).bind(5, e.device);
    statement->bind(6, e.family).bind(7, e.method).bind(8, e.weight);
    statement->bind(9, toJson(e));
  }
  return finish(statement);
}

Expected<std::vector<Experience>>
SqliteStore::experiences(const ExperienceFilter &filter) {
  auto statement =
      database.prepare(filtered("SELECT row", " ORDER BY id").c_str());
  if (!statement)
    return std::unexpected(statement.error());
  bindFilter(*statement, filter);
  std::vector<Experience> rows;
  auto more = statement->step();
  for (; more && *more; more = statement->step())
    if (auto row = parseExperience(statement->text(0)))
      rows.push_back(std::move(*row));
  if (!more)
    return std::unexpected(more.error());
  return rows;
}

Expected<bool> SqliteStore::hasExperience(const std::string &id) {
  auto statement = database.prepare("SELECT 1 FROM experiences WHERE id = ?1");
  if (!statement)
    return std::unexpected(statement.error());
  statement->bind(1, id);
  return statement->step();
}

Expected<int64_t> SqliteStore::forget(const ExperienceFilter &filter) {
  auto statement = database.prepare(filtered("DELETE").c_str());
  if (statement)
    bindFilter(*statement, filter);
  if (auto done = finish(statement); !done)
    return std::unexpected(done.error());
  return database.changes();
}

Expected<void> SqliteStore::propose(const LessonCandidate &candidate) {
  auto statement =
      database.prepare("INSERT OR REPLACE INTO lessons VALUES (?1, ?2, ?3)");
  if (statement) {
    statement->bind(1, candidate.id).bind(2, candidate.signature);
    statement->bind(3, toJson(candidate));
  }
  return finish(statement);
}

Expected<std::vector<LessonCandidate>> SqliteStore::lessonCandidates() {
  auto statement =
      database.prepare("SELECT row FROM lessons ORDER BY signature, id");
  if (!statement)
    return std::unexpected(statement.error());
  std::vector<LessonCandidate> rows;
  auto more = statement->step();
  for (; more && *more; more = statement->step())
    if (auto row = parseLessonCandidate(statement->text(0)))
      rows.push_back(std::move(*row));
  if (!more)
    return std::unexpected(more.error());
  return rows;
}

Expected<bool> SqliteStore::dismiss(const std::string &id) {
  auto statement = database.prepare("DELETE FROM lessons WHERE id = ?1");
  if (statement)
    statement->bind(1, id);
  if (auto done = finish(statement); !done)
    return std::unexpected(done.error());
  return database.changes() > 0;
}

} // namespace kclaw
