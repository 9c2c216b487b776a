//===- LibraryObjects.h - What library steps need from load on --*- C++ -*-===//
//
// Handles and algorithms of a plan's matmul and convolution steps, one a step
// and set of sizes, kept while the plan's addresses change. Owns them.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_LIBRARYOBJECTS_H
#define KERNELCLAW_LIB_DEVICE_LIBRARYOBJECTS_H

#include "RunFailure.h"
#include "kernelclaw/Plan/Evaluation.h"
#include "kernelclaw/Steps/kcl_steps.h"

#include <map>
#include <string>

namespace kclaw {

/// `Step` is kcl_matmul_step or kcl_convolution_step.
class LibraryObjects {
public:
  LibraryObjects() = default;
  LibraryObjects(LibraryObjects &&other) noexcept {
    objects.swap(other.objects);
  }
  LibraryObjects &operator=(LibraryObjects &&) = delete;
  ~LibraryObjects();

  /// Fills handle and algorithm (plan) of a step whose sizes are filled in.
  /// Rejected/"library" when there is no library.
  template <typename Step>
  Run<void> attach(Step &step, const std::string &choice);

  /// Times what the library offers, takes the fastest from now on, and tells
  /// it; an empty choice on the simulator.
  template <typename Step> Run<LibraryChoice> choose(Step &step, void *stream);

private:
  struct Object {
    bool convolution = false;
    void *handle = nullptr;
    const void *made = nullptr;
  };
  void unload(const Object &object);
  std::map<std::string, Object> objects; ///< by the step's bytes, no addresses
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_LIBRARYOBJECTS_H
