//===- Image.cpp - From PTX texts to kernels ------------------------------===//
#include "Driver.h"

#include <algorithm>
#include <cstdio>

namespace kclaw::sim::api {

bool runsHere(const std::string &target); // Fatbin.cpp

namespace {

constexpr int maxRegisters = 255;

/// The most 32-bit registers alive at one place of the text, taking a register
/// as alive from its first to its last mention: no real allocation, so only
/// good for a rough occupancy.
int estimateRegisters(const ptx::Function &function) {
  std::unordered_map<std::string, std::pair<size_t, size_t>> alive;
  std::function<void(const ptx::Operand &, size_t)> mention =
      [&](const ptx::Operand &operand, size_t at) {
        if (function.registers.contains(operand.name)) {
          auto [entry, fresh] =
              alive.try_emplace(operand.name, std::pair{at, at});
          entry->second.second = at;
        }
        for (const ptx::Operand &element : operand.elements)
          mention(element, at);
      };
  for (size_t i = 0; i < function.body.size(); ++i)
    for (const ptx::Operand &operand : function.body[i].operands)
      mention(operand, i);
  std::vector<int> change(function.body.size() + 2);
  for (const auto &[name, range] : alive) {
    int words = int(bits(function.registers.at(name)) + 31) / 32;
    if (function.registers.at(name) == Type::Pred)
      words = 0;
    change[range.first] += words;
    change[range.second + 1] -= words;
  }
  int now = 0, most = 0;
  for (int delta : change)
    most = std::max(most, now += delta);
  int limit = maxRegisters;
  if (auto given = function.directives.find(".maxnreg");
      given != function.directives.end() && !given->second.empty())
    limit = int(given->second[0]);
  return std::clamp((most + 8 + 7) / 8 * 8, 16, std::max(limit, 16));
}

Dim3 dimensions(const ptx::Function &function, const char *directive) {
  auto given = function.directives.find(directive);
  if (given == function.directives.end())
    return {0, 0, 0};
  auto at = [&](size_t i) {
    return i < given->second.size() ? uint32_t(given->second[i]) : 1;
  };
  return {at(0), at(1), at(2)};
}

constexpr unsigned archNumber(const DeviceModel &model) {
  return unsigned(model.major * 10 + model.minor);
}

/// Of a block, without asking for more.
constexpr unsigned staticSharedLimit = 48 << 10;

std::unique_ptr<Kernel> makeKernel(Image &image, const Function &function,
                                   const ptx::Module &module) {
  auto kernel = std::make_unique<Kernel>();
  kernel->image = &image;
  kernel->name = function.ast->name;
  kernel->function = &function;
  for (size_t i = 0; i < function.ast->parameters.size(); ++i)
    kernel->parameters.push_back(
        {function.parameterOffsets.at(function.ast->parameters[i].name),
         function.parameterSizes[i]});
  kernel->registers = estimateRegisters(*function.ast);
  kernel->ptxVersion = module.versionMajor * 10 + module.versionMinor;
  kernel->binaryVersion = archNumber(driver().model());
  kernel->maxDynamicShared =
      std::max(0, int(staticSharedLimit) - int(function.sharedBytes));
  kernel->requiredCluster = dimensions(*function.ast, ".reqnctapercluster");
  kernel->requiresCluster =
      kernel->requiredCluster.x != 0 ||
      function.ast->directives.contains(".explicitcluster");
  return kernel;
}

[[noreturn]] void refuse(const std::string &text, CUresult result,
                         JitLog &log) {
  driver().lastReport = text;
  log.error(text + "\n");
  log.write();
  fail(result);
}

/// What ptxas says, and the driver's own compiler.
void checkStaticShared(const Function &function, JitLog &log) {
  if (function.sharedBytes <= staticSharedLimit)
    return;
  char bytes[64];
  std::snprintf(bytes, sizeof bytes, "0x%llx bytes, 0x%x max",
                static_cast<unsigned long long>(function.sharedBytes),
                staticSharedLimit);
  refuse("entry function '" + function.ast->name +
             "' uses too much shared data (" + bytes + ")",
         CUDA_ERROR_INVALID_PTX, log);
}

} // namespace

unsigned Kernel::maxThreads() const {
  Dim3 most = dimensions(*function->ast, ".maxntid");
  if (!most.x)
    most = dimensions(*function->ast, ".reqntid");
  return most.x ? unsigned(std::min<uint64_t>(1024, most.count())) : 1024;
}

Kernel *Image::find(std::string_view name) const {
  for (const auto &kernel : kernels)
    if (kernel->name == name)
      return kernel.get();
  return nullptr;
}

Image::~Image() {
  for (const auto &kernel : kernels)
    driver().kernels.erase(kernel.get());
}

ptx::Module parseText(const std::string &text, JitLog &log) {
  try {
    ptx::Module module = ptx::parse(text);
    if (module.versionMajor > 9)
      refuse("PTX " + std::to_string(module.versionMajor) + "." +
                 std::to_string(module.versionMinor) +
                 " is newer than this driver",
             CUDA_ERROR_UNSUPPORTED_PTX_VERSION, log);
    if (!runsHere(module.target))
      refuse("PTX for " + module.target + " does not run on " +
                 driver().model().key +
                 " (KERNELCLAW_SIM_DEVICE chooses the device)",
             CUDA_ERROR_INVALID_PTX, log);
    return module;
  } catch (const LoadError &error) {
    refuse(error.what(), CUDA_ERROR_INVALID_PTX, log);
  }
}

Image &loadImage(const ImageTexts &texts, JitLog &log, Context *context) {
  auto owned = std::make_unique<Image>();
  Image &image = *owned;
  image.context = context;
  std::vector<ptx::Module> modules;
  for (const std::string &text : texts.texts)
    modules.push_back(parseText(text, log));
  unsigned major = modules.front().versionMajor;
  unsigned minor = modules.front().versionMinor;
  try {
    image.program = Program::build(std::move(modules), *driver().memory);
  } catch (const LoadError &error) {
    refuse(error.what(), CUDA_ERROR_INVALID_PTX, log);
  }
  ptx::Module version;
  version.versionMajor = major;
  version.versionMinor = minor;
  for (const auto &function : image.program->functions()) {
    if (!function->ast->isEntry || function->ast->isDeclaration)
      continue;
    checkStaticShared(*function, log);
    image.kernels.push_back(makeKernel(image, *function, version));
    for (int limit : {texts.maxRegisters, log.maxRegisters()})
      if (int &registers = image.kernels.back()->registers; limit > 0)
        registers = std::min(registers, limit);
    driver().kernels[image.kernels.back().get()] = image.kernels.back().get();
  }
  log.write();
  driver().images.add(std::move(owned));
  return image;
}

Image &imageOf(CUmodule module) {
  return driver().images.get(module, CUDA_ERROR_INVALID_HANDLE);
}

Kernel &kernelOf(const void *handle) {
  auto found = driver().kernels.find(handle);
  require(found != driver().kernels.end(),
          handle ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE);
  return *found->second;
}

} // namespace kclaw::sim::api
