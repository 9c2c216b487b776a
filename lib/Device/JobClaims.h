//===- JobClaims.h - Who judges which job of a mailbox ----------*- C++ -*-===//
//
// Several workers may empty one mailbox, also from several hosts on a shared
// file system. DIR/jobs/job-NAME is claimed by renaming it to
// DIR/claims/NAME@CLAIMANT, which one of them succeeds in, and goes back when
// its answer is written. A claim is renewed (its time of change) while its
// holder lives. That of a dead holder is taken over, once: NAME@DEAD@CLAIMANT;
// after a second death the job is answered as a fault. Thread-safe.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_JOBCLAIMS_H
#define KERNELCLAW_LIB_DEVICE_JOBCLAIMS_H

#include "kernelclaw/Support/Error.h"

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace kclaw {

/// Also dead: a claim that nobody renewed for so long.
constexpr double claimStaleSeconds = 60;

struct JobClaim {
  std::string name;              ///< "<id>-<hash>.json"
  std::filesystem::path job;     ///< where it lies when nobody has it
  std::filesystem::path file;    ///< where it lies now
  std::filesystem::path result;  ///< where the answer goes
  std::vector<std::string> dead; ///< earlier claimants, which died with it
};

class JobClaims {
public:
  /// Io when the mailbox cannot be listed or written to.
  static Expected<std::unique_ptr<JobClaims>>
  open(const std::filesystem::path &mailbox);
  /// Gives back what is still held.
  ~JobClaims();

  /// The next job without an answer that no living worker has; none: nothing
  /// is left to do.
  std::optional<JobClaim> next();
  /// Puts the job back, answered or not.
  void giveBack(const JobClaim &claim);
  /// Jobs at the start, and those that other workers have now.
  size_t total() const { return numJobs; }
  size_t heldByOthers() const;

private:
  explicit JobClaims(std::filesystem::path mailbox);
  void list();
  bool isDead(const std::filesystem::path &claim) const;
  std::optional<JobClaim> claim(const std::filesystem::path &file);
  void renew(std::stop_token stop);

  std::filesystem::path mailbox;
  std::string self;
  size_t numJobs = 0;
  mutable std::mutex guard;
  std::condition_variable_any stopped;
  std::deque<std::filesystem::path> untried; ///< listed, not yet tried
  std::map<std::string, JobClaim> held;
  std::jthread renewer;
};

/// Whether a worker has this job ("<id>-<hash>.json") of the mailbox.
bool isClaimed(const std::filesystem::path &mailbox, const std::string &name);

/// A name for this process that a process of another host cannot have:
/// HOST.PID.START.PIDNAMESPACE
std::string claimantName();
/// Whether it is known that this process is no more; of processes that cannot
/// be seen from here nothing is known.
bool isKnownDead(const std::string &claimant);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_JOBCLAIMS_H
