//===- DynamicLibrary.h - A shared library opened at run time ---*- C++ -*-===//
//
// Move-only owner of a dlopen handle, with a search that remembers where it
// looked, so that absence is a well-explained answer. Libraries of CUDA stay
// open until the process ends (they own threads): the destructor keeps them.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_CUDA_DYNAMICLIBRARY_H
#define KERNELCLAW_CUDA_DYNAMICLIBRARY_H

#include "kernelclaw/Support/Error.h"

#include <string>
#include <vector>

namespace kclaw {

class DynamicLibrary {
public:
  /// Opens the first candidate that loads. `what` names it in the error
  /// ("the CUDA driver"), `hint` says what to try.
  static Expected<DynamicLibrary> open(const std::string &what,
                                       const std::vector<std::string> &paths,
                                       const std::string &hint);

  /// nullptr when the library has no such symbol.
  void *symbol(const char *name) const;
  /// Points `entry` at the function `name`; false, and null, without one.
  template <typename Entry> bool fill(Entry *&entry, const char *name) const {
    entry = reinterpret_cast<Entry *>(symbol(name));
    return entry != nullptr;
  }
  /// The real path of the file, empty when it cannot be told.
  std::string path() const;
  /// dlopen's handle, for code that takes one.
  void *native() const { return handle; }

private:
  explicit DynamicLibrary(void *handle) : handle(handle) {}
  void *handle = nullptr;
};

} // namespace kclaw

#endif // KERNELCLAW_CUDA_DYNAMICLIBRARY_H
