//===- Store.h - Winners that outlive a run ---------------------*- C++ -*-===//
//
// One SQLite file (default: under the user's cache directory). Key: specHash x
// architecture x policy x evidence class x evaluator-rules version. Safe for
// several processes (SQLite's locking, WAL).
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_STORE_STORE_H
#define KERNELCLAW_STORE_STORE_H

#include "kernelclaw/Plan/Evaluation.h"
#include "kernelclaw/Plan/Plan.h"

#include <memory>
#include <optional>

namespace kclaw {

/// Bumped whenever the evaluator's rules get stricter: older winners are
/// judged again before use.
inline constexpr int evaluatorRulesVersion = 2;

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

/// A region's result: won (plan and evaluation) or kept (only the reason).
struct StoreEntry {
  bool won = false;
  Plan plan;
  Evaluation evaluation;
  std::string reason;
  std::string provenance; ///< JSON text: provider, model, attempts, date
};

class Store {
public:
  virtual ~Store() = default;
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
};

/// `directory` is created; empty means the user's cache directory.
Expected<std::unique_ptr<Store>> openStore(const std::string &directory);

} // namespace kclaw

#endif // KERNELCLAW_STORE_STORE_H
