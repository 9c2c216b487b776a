//===- Learned.h - What attempts taught, kept beside the winners -*- C++ -*-==//
//
// Rows of experience and lesson candidates. Rows of different evidence or
// device are never mixed: a search asks for what may teach it, by
// `ExperienceFilter::teaching`. Thread-compatible; safe for several processes.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_STORE_LEARNED_H
#define KERNELCLAW_STORE_LEARNED_H

#include "kernelclaw/Plan/Experience.h"

#include <optional>
#include <vector>

namespace kclaw {

/// Which rows are meant; an empty text means any.
struct ExperienceFilter {
  std::string arch, family, method, device, specHash;
  std::string run; ///< first part of the row's id
  /// nullopt: any, for lists and for forgetting; never to learn from.
  std::optional<Evidence> evidence = Evidence::Measured;
  /// Also failures that came before any device was asked (evidence none): they
  /// hold whatever the evidence and the device.
  bool withUnjudged = false;

  /// What may teach a search that judges with `evidence` on `device`.
  static ExperienceFilter teaching(std::string arch, Evidence evidence,
                                   std::string device) {
    ExperienceFilter filter;
    filter.arch = std::move(arch);
    filter.device = std::move(device);
    filter.evidence = evidence;
    filter.withUnjudged = true;
    return filter;
  }
};

/// A repair that worked: perhaps a lesson for memorybank/lessons, once a person
/// has looked at it.
struct LessonCandidate {
  /// "<run>/<specHash>/<attempt>" of the attempt that was mended: one row.
  std::string id;
  std::string signature;               ///< failureSignature() of its evaluation
  Outcome outcome = Outcome::Rejected; ///< of the failure, with its rule
  std::string rule;
  std::string diagnosis, fix; ///< as the diagnoser and the repairer said
  Outcome after = Outcome::Ok;
  std::string arch;
  Evidence evidence = Evidence::None;
  int64_t unixSeconds = 0;
};
std::string toJson(const LessonCandidate &candidate); ///< one line
Expected<LessonCandidate> parseLessonCandidate(const std::string &json);

/// What failures of one kind have in common: outcome, rule and the telling line
/// of log or message, without numbers, paths and quoted names. One line.
std::string failureSignature(const Evaluation &failure);

class LearnedStore {
public:
  virtual ~LearnedStore() = default;
  /// A row with the same id is replaced, unless it weighs more.
  virtual Expected<void> learn(const Experience &experience) = 0;
  /// In the order of their ids. A row that cannot be read is left out;
  /// `kernelclaw-store verify` names it.
  virtual Expected<std::vector<Experience>>
  experiences(const ExperienceFilter &filter) = 0;
  /// How many rows went.
  virtual Expected<int64_t> forget(const ExperienceFilter &filter) = 0;

  /// Put by the loop when a repair worked. Same id: replaced.
  virtual Expected<void> propose(const LessonCandidate &candidate) = 0;
  /// In the order of signature and id.
  virtual Expected<std::vector<LessonCandidate>> lessonCandidates() = 0;
  /// By id; whether there was one.
  virtual Expected<bool> dismiss(const std::string &id) = 0;
};

} // namespace kclaw

#endif // KERNELCLAW_STORE_LEARNED_H
