//===- CacheDirectory.h - Where a user's own files live ---------*- C++ -*-===//
//
// XDG Base Directory Specification: a relative path is to be ignored.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_SUPPORT_CACHEDIRECTORY_H
#define KERNELCLAW_SUPPORT_CACHEDIRECTORY_H

#include "kernelclaw/Support/Error.h"

#include <cstdlib>

namespace kclaw {

/// $KERNELCLAW_CACHE, else kernelclaw under the user's cache directory.
inline Expected<std::string> defaultCacheDirectory() {
  auto variable = [](const char *name) {
    const char *value = std::getenv(name);
    return std::string(value ? value : "");
  };
  if (std::string ours = variable("KERNELCLAW_CACHE"); !ours.empty())
    return ours;
  if (std::string xdg = variable("XDG_CACHE_HOME"); xdg.starts_with('/'))
    return xdg + "/kernelclaw";
  if (std::string home = variable("HOME"); !home.empty())
    return home + "/.cache/kernelclaw";
  return makeError(Error::Code::Unavailable,
                   "no cache directory: none of KERNELCLAW_CACHE, "
                   "XDG_CACHE_HOME and HOME is set; name one with store=DIR");
}

} // namespace kclaw

#endif // KERNELCLAW_SUPPORT_CACHEDIRECTORY_H
