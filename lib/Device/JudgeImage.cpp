//===- JudgeImage.cpp - The judge's own kernels, compiled -----------------===//
#include "JudgeImage.h"
#include "CompileProtocol.h"
#include "Files.h"
#include "JudgeSource.h"
#include "ShippedHeaders.h"
#include "kernelclaw/Cuda/NvrtcApi.h"
#include "kernelclaw/Device/Compiler.h"
#include "kernelclaw/Support/CacheDirectory.h"

#include <filesystem>

namespace kclaw {

static std::string hashOf(const std::string &bytes) {
  char text[20];
  std::snprintf(text, sizeof text, "%016zx", std::hash<std::string>{}(bytes));
  return text;
}

/// All that is compiled; the compiler's options (Compiler.cpp) are not in it:
/// raise the number when they change.
static std::string sourceText() {
  std::string text = "// options 1\n";
  for (const NamedText &header : shippedHeaders())
    text += "// " + header.name + "\n" + header.text;
  return text + judgeSource();
}

static std::string checksum(const std::vector<std::string> &fields) {
  return hashOf(packFields(fields));
}

std::string packJudgeImage(const JudgeImageKey &key, const ModuleImage &image) {
  std::vector<std::string> fields{
      key.source, key.arch, key.nvrtcVersion, image.ptx,
      std::string(image.cubin.begin(), image.cubin.end())};
  fields.push_back(checksum(fields));
  return packFields(fields);
}

std::optional<ModuleImage> unpackJudgeImage(const JudgeImageKey &key,
                                            const std::string &text) {
  auto fields = unpackFields(text);
  if (!fields || fields->size() != 6)
    return std::nullopt;
  std::string sum = std::move(fields->back());
  fields->pop_back();
  if (sum != checksum(*fields) || (*fields)[0] != key.source ||
      (*fields)[1] != key.arch || (*fields)[2] != key.nvrtcVersion)
    return std::nullopt;
  ModuleImage image;
  image.module = "judge";
  image.arch = key.arch;
  image.ptx = (*fields)[3];
  image.cubin.assign((*fields)[4].begin(), (*fields)[4].end());
  return image;
}

static Expected<ModuleImage> compileJudge(const JudgeImageKey &key,
                                          const std::string &workerPath) {
  PlanModule module;
  module.name = "judge";
  module.source = judgeSource();
  Plan plan;
  plan.producer = Producer::Reference;
  plan.modules.push_back(module);
  CompileOptions options;
  options.arch = key.arch;
  options.workerPath = workerPath;
  Expected<CompiledPlan> compiled = compilePlan(plan, KernelSpec(), options);
  if (!compiled)
    return std::unexpected(compiled.error());
  if (compiled->outcome != Outcome::Ok)
    return makeError(Error::Code::Internal,
                     "the judge's own kernels: " + compiled->message + "\n" +
                         compiled->log);
  return compiled->images[0];
}

Expected<ModuleImage> judgeImage(const std::string &arch,
                                 const std::string &workerPath, bool fresh) {
  JudgeImageKey key{sourceText(), arch, ""};
  const Expected<NvrtcApi> &nvrtc = NvrtcApi::get();
  if (!nvrtc)
    return std::unexpected(nvrtc.error());
  key.nvrtcVersion = nvrtc->version;
  Expected<std::string> cache = defaultCacheDirectory();
  std::string folder = cache ? *cache + "/judge" : "";
  std::string path = folder + "/" + arch + "-" + key.nvrtcVersion + "-" +
                     hashOf(key.source) + ".bin";
  if (cache && !fresh)
    if (Expected<std::string> text = readFile(path))
      if (auto image = unpackJudgeImage(key, *text))
        return *image;
  Expected<ModuleImage> image = compileJudge(key, workerPath);
  if (!image || !cache)
    return image;
  std::error_code unwritable;
  std::filesystem::create_directories(folder, unwritable);
  if (!unwritable)
    (void)writeFileAtomically(path, packJudgeImage(key, *image));
  return image;
}

} // namespace kclaw
