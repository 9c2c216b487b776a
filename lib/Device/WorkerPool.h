//===- WorkerPool.h - Jobs to free workers, lost ones survived --*- C++ -*-===//
//
// Owns the workers of this process, one job at a time each. A job whose worker
// is lost (killed, its node or launcher gone, its device lost) is judged once
// more, by another worker when there is one; lost twice, that is the job's
// fault. A worker that cannot start gets no further job, one without a device
// only jobs that need none.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_WORKERPOOL_H
#define KERNELCLAW_LIB_DEVICE_WORKERPOOL_H

#include "WorkerProcess.h"

#include <condition_variable>
#include <list>
#include <mutex>
#include <set>

namespace kclaw {

class WorkerPool {
public:
  explicit WorkerPool(std::vector<WorkerProcess> workers);

  /// Waits for a free worker. Unavailable, with what each worker said, when
  /// none is left that can judge. Thread-safe.
  Expected<Evaluation> judge(const Job &job);
  int size() const { return static_cast<int>(slots.size()); }

private:
  struct Slot {
    WorkerProcess process;
    bool busy = false;
    std::string retired;    ///< why it does not start
    std::string noDevice;   ///< why it can only compile
    std::string lastRegion; ///< what it may hold results of
  };
  /// What is known of a job's earlier tries.
  struct History {
    std::vector<std::string> lost;     ///< last words of workers
    std::vector<std::string> refusals; ///< of workers that are no help now
    std::set<const Slot *> lostOn, refusedBy;
  };

  bool isUsable(const Slot &slot, const Job &job, const History &history) const;
  Slot *choose(const Job &job, const History &history, bool &mayCome);
  Slot *take(const Job &job, const History &history);
  std::string whyNone(const History &history);
  void warn(const std::string &text) const;

  std::mutex guard; ///< of the slots' members but process, which is the taker's
  std::condition_variable freed;
  std::list<Slot> slots;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_WORKERPOOL_H
