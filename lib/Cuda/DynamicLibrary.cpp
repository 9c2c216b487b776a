//===- DynamicLibrary.cpp - dlopen with a remembered search ---------------===//
#include "kernelclaw/Cuda/DynamicLibrary.h"

#include <climits>
#include <cstdlib>
#include <dlfcn.h>
#include <link.h>

namespace kclaw {

Expected<DynamicLibrary>
DynamicLibrary::open(const std::string &what,
                     const std::vector<std::string> &paths,
                     const std::string &hint) {
  std::string looked;
  for (const std::string &path : paths) {
    if (path.empty())
      continue;
    if (void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL))
      return DynamicLibrary(handle);
    const char *why = dlerror();
    looked += "\n  " + path + ": " + (why ? why : "unknown reason");
  }
  return makeError(Error::Code::Unavailable,
                   "cannot open " + what + "; " + hint + "; tried:" + looked);
}

void *DynamicLibrary::symbol(const char *name) const {
  return dlsym(handle, name);
}

std::string DynamicLibrary::path() const {
  link_map *map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || !map || !map->l_name)
    return {};
  char real[PATH_MAX];
  return realpath(map->l_name, real) ? real : map->l_name;
}

} // namespace kclaw
