//===- SqliteStore.h - The store over one SQLite file -----------*- C++ -*-===//
//
// Private. One class in three files: Winners.cpp, Learned.cpp, Contents.cpp.
// A change reads and writes inside one IMMEDIATE transaction, so that of two
// processes the faster winner stays. Write-ahead logging lets readers go on
// meanwhile.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_STORE_SQLITESTORE_H
#define KERNELCLAW_LIB_STORE_SQLITESTORE_H

#include "Database.h"
#include "kernelclaw/Store/StoreFile.h"

namespace kclaw {

class SqliteStore : public Store {
public:
  explicit SqliteStore(Database database) : database(std::move(database)) {}

  // Winners.cpp
  Expected<std::optional<StoreEntry>> find(const StoreKey &key) override;
  Expected<void> put(const StoreKey &key, const StoreEntry &entry) override;
  Expected<void> refute(const StoreKey &key, const Plan &plan,
                        const std::string &reason) override;
  Expected<std::optional<std::string>> refuted(const StoreKey &key,
                                               const Plan &plan) override;
  Expected<void> describe(const KernelSpec &spec) override;
  Expected<bool> remove(const StoreKey &key) override;

  // Learned.cpp
  Expected<void> learn(const Experience &experience) override;
  Expected<std::vector<Experience>>
  experiences(const ExperienceFilter &filter) override;
  Expected<int64_t> forget(const ExperienceFilter &filter) override;
  Expected<void> propose(const LessonCandidate &candidate) override;
  Expected<std::vector<LessonCandidate>> lessonCandidates() override;
  Expected<bool> dismiss(const std::string &id) override;

  // Contents.cpp
  Expected<StoreContents> contents() override;
  Expected<MergeReport> merge(const StoreContents &contents,
                              double weight) override;

private:
  /// Inside a transaction of the caller.
  enum class Put { Stored, Slower, Refuted };
  Expected<Put> putInside(const StoreKey &key, const StoreEntry &entry);
  Expected<void> refuteInside(const StoreKey &key, const std::string &plan,
                              const std::string &reason);
  Expected<std::optional<std::string>> whyRefuted(const StoreKey &key,
                                                  const std::string &plan);
  // Parts of merge, inside its transaction.
  Expected<void> mergeRefuted(const std::vector<Refutation> &rows);
  Expected<void> mergeEntries(const std::vector<StoredEntry> &rows,
                              MergeReport &report);
  Expected<void> mergeLearned(const StoreContents &from, double weight,
                              MergeReport &report);
  Expected<bool> hasExperience(const std::string &id);
  /// Runs a statement that gives no rows.
  static Expected<void> finish(Expected<Statement> &statement);

  Database database;
};

/// Columns won, plan, evaluation, reason, provenance from `first` on.
Expected<StoreEntry> readEntry(const Statement &row, int first);

} // namespace kclaw

#endif // KERNELCLAW_LIB_STORE_SQLITESTORE_H
