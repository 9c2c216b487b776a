//===- CacheDirectory.cpp - Where a user's own files live -----------------===//
#include "kernelclaw/Store/Store.h"

#include <cstdlib>

namespace kclaw {

Expected<std::string> defaultCacheDirectory() {
  auto variable = [](const char *name) {
    const char *value = std::getenv(name);
    return std::string(value ? value : "");
  };
  if (std::string ours = variable("KERNELCLAW_CACHE"); !ours.empty())
    return ours;
  // XDG Base Directory Specification: a relative path is to be ignored.
  if (std::string xdg = variable("XDG_CACHE_HOME"); xdg.starts_with('/'))
    return xdg + "/kernelclaw";
  if (std::string home = variable("HOME"); !home.empty())
    return home + "/.cache/kernelclaw";
  return makeError(Error::Code::Unavailable,
                   "no cache directory: none of KERNELCLAW_CACHE, "
                   "XDG_CACHE_HOME and HOME is set; name one with store=DIR");
}

} // namespace kclaw
