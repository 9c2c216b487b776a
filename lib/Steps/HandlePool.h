//===- HandlePool.h - One library handle a context --------------*- C++ -*-===//
//
// Handles of cuBLASLt and cuDNN cost device memory and milliseconds, and belong
// to the context they were made in: the steps of a process share one each,
// freed with the last step that uses it. Thread-safe.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_STEPS_HANDLEPOOL_H
#define KERNELCLAW_LIB_STEPS_HANDLEPOOL_H

#include "kernelclaw/Support/Error.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>

namespace kclaw {

/// A handle, and the lock for libraries whose handle knows one stream at a
/// time.
struct SharedHandle {
  void *handle = nullptr;
  std::mutex lock;
  unsigned users = 0;
};

class HandlePool {
public:
  using Create = std::function<Expected<void *>()>;
  using Destroy = std::function<void(void *)>;

  Expected<SharedHandle *> acquire(void *context, const Create &create) {
    std::lock_guard guard(lock);
    std::unique_ptr<SharedHandle> &shared = handles[context];
    if (!shared) {
      Expected<void *> made = create();
      if (!made) {
        handles.erase(context);
        return std::unexpected(made.error());
      }
      shared = std::make_unique<SharedHandle>();
      shared->handle = *made;
    }
    ++shared->users;
    return shared.get();
  }

  void release(void *handle, const Destroy &destroy) {
    std::lock_guard guard(lock);
    for (auto it = handles.begin(); it != handles.end(); ++it) {
      if (it->second->handle != handle)
        continue;
      if (--it->second->users == 0) {
        destroy(handle);
        handles.erase(it);
      }
      return;
    }
  }

private:
  std::mutex lock;
  std::map<void *, std::unique_ptr<SharedHandle>> handles;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_STEPS_HANDLEPOOL_H
