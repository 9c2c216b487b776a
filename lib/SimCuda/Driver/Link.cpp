//===- Link.cpp - cuLink* -------------------------------------------------===//
#include "Link.h"
#include "Driver.h"

#include <fstream>
#include <iterator>

namespace kclaw::sim::api {

/// A symbol may have one definition that is not .weak.
static void define(LinkState &link, const std::string &symbol,
                   const std::string &input) {
  auto [known, isNew] = link.definitions.emplace(symbol, input);
  if (isNew)
    return;
  link.log.error("multiple definition of '" + symbol + "' in '" + input +
                 "', first defined in '" + known->second +
                 "'; declare one of them .weak or .extern\n");
  fail(CUDA_ERROR_INVALID_SOURCE);
}
static void defineAll(LinkState &link, const ptx::Module &module,
                      const std::string &input) {
  for (const ptx::Function &function : module.functions)
    if (function.isVisible && !function.isDeclaration)
      define(link, function.name, input);
  for (const ptx::Variable &variable : module.variables)
    if (variable.isVisible && !variable.isExtern)
      define(link, variable.name, input);
}

/// Gathers the PTX of one input; parses it, so that the error comes here.
static void add(LinkState &link, CUjitInputType type, std::string data,
                const char *name) {
  std::vector<std::string> texts;
  try {
    switch (type) {
    case CU_JIT_INPUT_PTX:
      texts = {std::string(data.c_str())};
      break;
    case CU_JIT_INPUT_CUBIN:
    case CU_JIT_INPUT_FATBINARY:
      require(data.size() >= 16, CUDA_ERROR_INVALID_IMAGE);
      texts = ptxTexts(data.data(), link.log).texts;
      break;
    case CU_JIT_INPUT_LIBRARY:
      // Only what is missing would be taken from it, and the device runtime's
      // functions are the simulator's own.
      link.log.info(std::string("library '") + (name ? name : "") +
                    "' holds machine code: nothing is taken from it\n");
      return;
    case CU_JIT_INPUT_OBJECT:
      link.log.error("an object holds machine code, which the simulator cannot "
                     "link; give PTX\n");
      fail(CUDA_ERROR_NO_BINARY_FOR_GPU);
    default:
      link.log.error("this kind of input is not supported; give PTX\n");
      fail(CUDA_ERROR_NOT_SUPPORTED);
    }
    for (const std::string &text : texts)
      defineAll(link, parseText(text, link.log), name ? name : "");
  } catch (const Failure &) {
    link.log.error(std::string("in input '") + (name ? name : "") + "'\n");
    link.log.write();
    throw;
  }
  link.texts.insert(link.texts.end(), texts.begin(), texts.end());
}

static void complete(LinkState &link) {
  require(!link.texts.empty());
  // A trial: the module itself is linked again when it is loaded.
  DeviceMemory scratch{driver().memory->total()};
  std::vector<ptx::Module> modules;
  for (const std::string &text : link.texts)
    modules.push_back(parseText(text, link.log));
  try {
    Program::build(std::move(modules), scratch);
  } catch (const LoadError &error) {
    driver().lastReport = error.what();
    link.log.error(error.what() + std::string("\n"));
    link.log.write();
    fail(CUDA_ERROR_INVALID_PTX);
  }
  link.log.info("linked " + std::to_string(link.texts.size()) +
                " PTX inputs for " + driver().model().key + "\n");
  link.log.write();
  link.result = packTexts({link.texts, link.log.maxRegisters()});
}

static LinkState &linkOf(CUlinkState handle) {
  return driver().links.get(handle, CUDA_ERROR_INVALID_HANDLE);
}

} // namespace kclaw::sim::api

using namespace kclaw::sim::api;

KCL_API cuLinkCreate_v2(unsigned count, CUjit_option *options, void **values,
                        CUlinkState *out) {
  return call(Needs::Context, [&] {
    require(out);
    auto link = std::make_unique<LinkState>(
        LinkState{JitLog(count, options, values), {}, {}, {}});
    *out = driver().links.add(std::move(link));
  });
}
KCL_API cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void *data,
                         size_t bytes, const char *name, unsigned,
                         CUjit_option *, void **) {
  return call(Needs::Context, [&] {
    LinkState &link = linkOf(state);
    require(data && bytes);
    add(link, type, std::string(static_cast<char *>(data), bytes), name);
  });
}
KCL_API cuLinkAddFile_v2(CUlinkState state, CUjitInputType type,
                         const char *path, unsigned, CUjit_option *, void **) {
  return call(Needs::Context, [&] {
    LinkState &link = linkOf(state);
    require(path);
    std::ifstream file(path, std::ios::binary);
    require(file.good(), CUDA_ERROR_FILE_NOT_FOUND);
    add(link, type, std::string(std::istreambuf_iterator<char>(file), {}),
        path);
  });
}
KCL_API cuLinkComplete(CUlinkState state, void **out, size_t *bytes) {
  return call(Needs::Context, [&] {
    LinkState &link = linkOf(state);
    require(out && bytes);
    complete(link);
    *out = link.result.data();
    *bytes = link.result.size();
  });
}
KCL_API cuLinkDestroy(CUlinkState state) {
  return call(Needs::Init, [&] { driver().links.erase(linkOf(state)); });
}
