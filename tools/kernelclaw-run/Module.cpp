//===- Module.cpp - The functions of an entry -----------------------------===//
//
// One symbol lookup, two sources.
//
//===----------------------------------------------------------------------===//
#include "Module.h"

#include "ElfFile.h"
#include "JitApi.h"

#include <dlfcn.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <type_traits>

namespace kclaw {

using Lookup = std::function<void *(const std::string &)>;

Expected<EntryFunctions> bindEntry(const std::string &path,
                                   const std::string &entry,
                                   const ModuleSymbols &module) {
  const Lookup &lookup = module.lookup;
  EntryFunctions functions{.name = entry};
  kcl_describe_fn describe = nullptr;
  std::string missing;
  auto bind = [&](auto &function, const char *suffix) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
        lookup(entry + suffix));
    if (!function)
      missing += " " + entry + suffix;
  };
  bind(functions.run, "");
  bind(describe, "_describe");
  if (!missing.empty())
    return makeError(Error::Code::Invalid, path + ": no entry '" + entry +
                                               "': it lacks" + missing +
                                               "; name one with --entry");
  bind(functions.workspace, "_workspace");
  bind(functions.shapes, "_shapes");
  bind(functions.persistent, "_persistent");
  bind(functions.prepare, "_prepare");
  bind(functions.load, "_load");
  bind(functions.unload, "_unload");
  if (!missing.empty())
    return makeError(Error::Code::Invalid,
                     path + ": was made by another version, it lacks" +
                         missing + "; lower it again");
  if (describe(&functions.info) != KCL_OK || !functions.info ||
      functions.info->abi_version != KCL_ABI_VERSION)
    return makeError(Error::Code::Invalid,
                     path + ": was made for another version of the ABI; lower "
                            "it again");
  if (auto hints = reinterpret_cast<kcl_hints_fn>(lookup(entry + "_hints")))
    hints(&functions.hints);
  return functions;
}

/// The entry to use when none is named: on the CPU the fallback that a module
/// lowered for a device carries (NAME_cpu), if it does.
static std::string defaultEntry(const ModuleSymbols &module,
                                const std::string &device) {
  std::string fallback = module.first + "_cpu";
  return device == "cpu" && module.lookup(fallback + "_describe")
             ? fallback
             : module.first;
}

static Expected<ModuleSymbols> openLibrary(const std::string &path) {
  std::string full = std::filesystem::absolute(path).string();
  if (auto whole = checkElfSize(path); !whole)
    return std::unexpected(whole.error());
  void *handle = dlopen(full.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return makeError(Error::Code::Invalid, dlerror());
  return ModuleSymbols{
      [handle](const std::string &name) { return dlsym(handle, name.c_str()); },
      "main"};
}

/// libkernelclaw_jit.so: beside the tool's own ../lib, or on the loader's path.
static void *openJit() {
  std::error_code ignored;
  std::filesystem::path self =
      std::filesystem::read_symlink("/proc/self/exe", ignored);
  std::filesystem::path beside =
      self.parent_path().parent_path() / "lib" / "libkernelclaw_jit.so";
  if (void *handle = dlopen(beside.c_str(), RTLD_LAZY | RTLD_LOCAL))
    return handle;
  return dlopen("libkernelclaw_jit.so", RTLD_LAZY | RTLD_LOCAL);
}

static Expected<ModuleSymbols> compileFile(const std::string &path,
                                           const std::string &device) {
  void *handle = openJit();
  if (!handle)
    return makeError(Error::Code::Unavailable,
                     std::string("running .mlir needs libkernelclaw_jit.so: ") +
                         dlerror());
  auto symbol = [&](const char *name) { return dlsym(handle, name); };
  auto compile =
      reinterpret_cast<decltype(&kclJitCompile)>(symbol("kclJitCompile"));
  auto find = reinterpret_cast<decltype(&kclJitSymbol)>(symbol("kclJitSymbol"));
  auto first = reinterpret_cast<decltype(&kclJitEntry)>(symbol("kclJitEntry"));
  if (!compile || !find || !first)
    return makeError(Error::Code::Internal,
                     "libkernelclaw_jit.so is of another version");
  char error[512] = {};
  kcl_jit *jit = compile(path.c_str(), device.c_str(), error, sizeof(error));
  if (!jit)
    return makeError(Error::Code::Invalid, error);
  return ModuleSymbols{
      [=](const std::string &name) { return find(jit, name.c_str()); },
      first(jit)};
}

Expected<ModuleSymbols> loadModule(const std::string &path,
                                   const std::string &device) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return makeError(Error::Code::Io, path + ": " + std::strerror(errno));
  char magic[4] = {};
  file.read(magic, sizeof(magic));
  if (std::memcmp(magic,
                  "\x7f"
                  "ELF",
                  4) == 0)
    return openLibrary(path);
  return compileFile(path, device);
}

Expected<EntryFunctions> openModule(const std::string &path,
                                    const std::string &entry,
                                    const std::string &device) {
  Expected<ModuleSymbols> module = loadModule(path, device);
  if (!module)
    return std::unexpected(module.error());
  return bindEntry(path, entry.empty() ? defaultEntry(*module, device) : entry,
                   *module);
}

} // namespace kclaw
