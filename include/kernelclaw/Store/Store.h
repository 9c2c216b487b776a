//===- Store.h - Winners that outlive a run ---------------------*- C++ -*-===//
//
// One SQLite file (default: under the user's cache directory). Key: specHash x
// architecture x policy x evidence class x evaluator-rules version. Beside the
// winners: what was learned (Learned.h). Safe for several processes (SQLite's
// locking, WAL). A full disk, a damaged file or a newer version is an error
// that says so; what was stored before stays. docs/Store.md has the tables.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_STORE_STORE_H
#define KERNELCLAW_STORE_STORE_H

#include "kernelclaw/Plan/Evaluation.h"
#include "kernelclaw/Plan/Plan.h"
#include "kernelclaw/Spec/KernelSpec.h"
#include "kernelclaw/Store/Learned.h"

#include <memory>
#include <optional>

namespace kclaw {

/// Bumped whenever verdicts change: winners of older rules are judged again
/// before use, and what was refused may be tried again. 3: errors relative to
/// what a result is made of, subnormal spacing, operands without a result.
inline constexpr int evaluatorRulesVersion = 3;

struct StoreKey {
  std::string specHash, arch;
  std::string policy; ///< "torch"; "torch deterministic" when that was asked
  Evidence evidence = Evidence::Measured;
  int rulesVersion = evaluatorRulesVersion;

  /// Where deterministic=true looks first: a faster winner that is not bitwise
  /// repeatable must not keep a repeatable one out.
  StoreKey deterministic() const {
    StoreKey key = *this;
    key.policy += " deterministic";
    return key;
  }
};

/// A region's result: won, or kept with the reason.
struct StoreEntry {
  bool won = false;
  /// The winner. Kept: the library stock that was compared with our own
  /// lowering, where `evaluation.stock` says how that ended; else empty.
  Plan plan;
  Evaluation evaluation; ///< of the winner; kept: only `stock` and `evidence`
  std::string reason;
  std::string provenance; ///< JSON text: provider, model, attempts, date
};

struct StoreContents; // StoreFile.h
struct MergeReport;

class Store : public LearnedStore {
public:
  virtual Expected<std::optional<StoreEntry>> find(const StoreKey &key) = 0;
  /// Replaces only a slower winner (DeviceIdentity.h says what may be compared)
  /// or a "kept"; leaves refuted plans out.
  virtual Expected<void> put(const StoreKey &key, const StoreEntry &entry) = 0;
  /// The plan made a whole module wrong (verify=module): it is no winner any
  /// more, is never put again, and the reason is remembered.
  virtual Expected<void> refute(const StoreKey &key, const Plan &plan,
                                const std::string &reason) = 0;
  /// The reason when the plan was refuted.
  virtual Expected<std::optional<std::string>> refuted(const StoreKey &key,
                                                       const Plan &plan) = 0;
  /// Keeps what `spec.specHash` stands for, for people and for `verify`. The
  /// first one stays.
  virtual Expected<void> describe(const KernelSpec &spec) = 0;

  /// Everything, sorted by key; what is damaged is told and left out.
  virtual Expected<StoreContents> contents() = 0;
  /// All or nothing. The faster winner of each key stays; experiences weigh
  /// `weight` times what they did, and a row that is known stays as it is.
  virtual Expected<MergeReport> merge(const StoreContents &contents,
                                      double weight) = 0;
  /// Whether there was one.
  virtual Expected<bool> remove(const StoreKey &key) = 0;
};

/// `where`: a folder, which is created; or an exported file (*.json), which is
/// read and never written: what a run puts is forgotten with the object. Empty
/// means the user's cache directory.
Expected<std::unique_ptr<Store>> openStore(const std::string &where);

} // namespace kclaw

#endif // KERNELCLAW_STORE_STORE_H
