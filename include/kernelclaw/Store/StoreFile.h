//===- StoreFile.h - A store as one file to commit --------------*- C++ -*-===//
//
// All that a store holds as plain values, and as text: one JSON document with
// a row a line, sorted by key, so that equal stores give equal bytes and a diff
// shows what changed. docs/Store.md has the recipe.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_STORE_STOREFILE_H
#define KERNELCLAW_STORE_STOREFILE_H

#include "kernelclaw/Spec/KernelSpec.h"
#include "kernelclaw/Store/Store.h"

#include <vector>

namespace kclaw {

/// Of the text below; other versions are refused.
inline constexpr int storeFileVersion = 1;

struct StoredEntry {
  StoreKey key;
  StoreEntry entry;
};

/// A plan that is never put again, and why.
struct Refutation {
  std::string specHash, arch, policy, plan, reason; ///< plan: its JSON text
};

struct StoreContents {
  std::vector<KernelSpec> specs;
  std::vector<StoredEntry> entries;
  std::vector<Refutation> refuted;
  std::vector<Experience> experiences;
  std::vector<LessonCandidate> lessons;
  /// What could not be read: place and reason, one line each. The rest is
  /// whole.
  std::vector<std::string> damage;
};

/// What goes into a file. Of regions that kept stock, those whose search was
/// over (they have a provenance): a build from the file does not miss them.
struct ExportChoice {
  bool winners = true; ///< with their specs, kept regions and refuted plans
  bool experience = true, lessons = true;
};

/// Without what is about the machine rather than the kernel: host, bus, log.
std::string writeStoreFile(const StoreContents &contents,
                           const ExportChoice &choice = {});

/// An error for text of another version or kind; damaged lines are skipped and
/// told in `damage` with their byte offset.
Expected<StoreContents> parseStoreFile(const std::string &text);

/// What a merge did, in rows.
struct MergeReport {
  int winners = 0;        ///< new, or faster than what was there
  int slower = 0;         ///< the store's own winner stays
  int refusedWinners = 0; ///< refuted here or in the file
  int kept = 0;           ///< regions that keep stock, new here
  int experiences = 0, known = 0;
  int lessons = 0;
};

/// What an imported experience weighs beside one's own.
inline constexpr double importedWeight = 0.5;

} // namespace kclaw

#endif // KERNELCLAW_STORE_STOREFILE_H
