//===- PlanImages.h - The images of a job's plans ---------------*- C++ -*-===//
//
// Compiles and assembles the plans of a job, in parallel. Stock, reference and
// incumbent are those of earlier candidates of the region: what was made of
// them is kept as long as the worker's child lives. One thread calls.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_PLANIMAGES_H
#define KERNELCLAW_LIB_DEVICE_PLANIMAGES_H

#include "RunFailure.h"
#include "kernelclaw/Plan/Job.h"

namespace kclaw {

class DeviceSession;

struct Images {
  std::vector<ModuleImage> candidate, stock, reference, incumbent;
};

/// Compiled or assembled images by what they were made from.
class ImageCache {
public:
  /// Null when they are not there; valid until the next `put`.
  const std::vector<ModuleImage> *find(const std::string &key) const {
    auto found = entries.find(key);
    return found == entries.end() ? nullptr : &found->second;
  }
  /// Forgets all when it would hold more than `capacity` plans.
  void put(const std::string &key, std::vector<ModuleImage> images) {
    if (entries.size() >= capacity)
      entries.clear();
    entries[key] = std::move(images);
  }
  size_t size() const { return entries.size(); }

private:
  static constexpr size_t capacity = 64;
  std::map<std::string, std::vector<ModuleImage>> entries;
};

/// Compiles what has no images yet and fills log, resources and images of the
/// evaluation; then PTX becomes cubin (and fatbin), so that the evaluation
/// carries what was loaded; on the simulator only PTX is left. `session` may be
/// null for a compile job, whose candidate is compiled only. A failure of
/// another plan than the candidate is Rejected/"stock-compile" and the like.
Run<Images> makeImages(const Job &job, DeviceSession *session,
                       const std::string &workerPath, Evaluation &evaluation);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_PLANIMAGES_H
