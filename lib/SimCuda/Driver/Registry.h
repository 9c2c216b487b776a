//===- Registry.h - Live objects behind handles -----------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_SIMCUDA_DRIVER_REGISTRY_H
#define KERNELCLAW_LIB_SIMCUDA_DRIVER_REGISTRY_H

#include "Api.h"

#include <memory>
#include <unordered_map>

namespace kclaw::sim::api {

/// Leaves an entry point with an error code.
struct Failure {
  CUresult code;
};
[[noreturn]] inline void fail(CUresult code) { throw Failure{code}; }
inline void require(bool condition, CUresult code = CUDA_ERROR_INVALID_VALUE) {
  if (!condition)
    fail(code);
}

/// Owns the objects of one type. A handle is the object's address; one that is
/// not (any more) registered is an error, not a crash.
template <class Handle, class T> class Registry {
public:
  Handle add(std::unique_ptr<T> object) {
    T *address = object.get();
    objects[address] = std::move(object);
    return handle(*address);
  }
  static Handle handle(const T &object) {
    return reinterpret_cast<Handle>(const_cast<T *>(&object));
  }
  T *find(Handle handle) const {
    auto found = objects.find(reinterpret_cast<const T *>(handle));
    return found == objects.end() ? nullptr : found->second.get();
  }
  T &get(Handle handle, CUresult code = CUDA_ERROR_INVALID_HANDLE) const {
    T *object = find(handle);
    require(object, handle ? code : CUDA_ERROR_INVALID_VALUE);
    return *object;
  }
  void erase(const T &object) { objects.erase(&object); }
  template <class Predicate> void eraseIf(Predicate &&predicate) {
    std::erase_if(objects, [&](const auto &o) { return predicate(*o.second); });
  }
  template <class F> void each(F &&f) const {
    for (const auto &[address, object] : objects)
      f(*object);
  }

private:
  std::unordered_map<const T *, std::unique_ptr<T>> objects;
};

} // namespace kclaw::sim::api

#endif // KERNELCLAW_LIB_SIMCUDA_DRIVER_REGISTRY_H
