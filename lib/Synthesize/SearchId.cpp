//===- SearchId.cpp - What decides what a search finds --------------------===//
//
// Files count by name and contents, so that an edited skeleton or prompt, or a
// recording that has grown, makes a new search.
//
//===----------------------------------------------------------------------===//
#include "SearchId.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA256.h"

#include <algorithm>
#include <filesystem>
#include <optional>

namespace fs = std::filesystem;
using namespace kclaw;

/// Regular files under `folder`, sorted; nullopt when it cannot be listed.
static std::optional<std::vector<fs::path>> listFiles(const fs::path &folder) {
  std::vector<fs::path> files;
  std::error_code code;
  fs::recursive_directory_iterator it(folder, code), end;
  for (; !code && it != end; it.increment(code))
    if (it->is_regular_file(code))
      files.push_back(it->path());
  if (code)
    return std::nullopt;
  std::ranges::sort(files);
  return files;
}

/// Of names and contents; empty when something cannot be read.
static std::string digest(const std::string &folder) {
  auto files = listFiles(folder);
  if (!files)
    return "";
  llvm::SHA256 hash;
  for (const fs::path &path : *files) {
    auto text = llvm::MemoryBuffer::getFile(path.string());
    if (!text)
      return "";
    std::string head = path.lexically_relative(folder).string() + '\n' +
                       std::to_string((*text)->getBufferSize()) + '\n';
    hash.update(head);
    hash.update((*text)->getBuffer());
  }
  return llvm::toHex(hash.final(), /*LowerCase=*/true).substr(0, 16);
}

std::string kclaw::searchId(const RunOptions &options) {
  const ProviderOptions &provider = options.provider;
  const EvaluatorOptions &evaluator = options.evaluator;
  if (provider.kind == "none" || evaluator.kind == "none")
    return "";
  std::string id;
  auto add = [&id](const char *name, const std::string &value) {
    id += (id.empty() ? "" : " ") + std::string(name) + "=" + value;
  };
  add("provider", provider.kind);
  add("model", provider.model);
  add("role-models", options.roleModels);
  add("base-url", provider.baseUrl);
  add("api", provider.api);
  add("reasoning-effort", provider.reasoningEffort);
  add("command", provider.command);
  add("evaluator", evaluator.kind);
  add("device", evaluator.device);
  add("launcher", evaluator.launcher);
  add("seed", std::to_string(options.agent.seed));
  add("strategy", options.agent.strategy);
  if (options.agent.strategy == "roles") {
    add("seeds", std::to_string(options.agent.seeds));
    add("beam", std::to_string(options.agent.beam));
  }
  std::string bank = digest(options.memorybank);
  add("memorybank", bank);
  bool replays = provider.kind == "replay" || evaluator.kind == "replay";
  std::string recordings = replays ? digest(options.replay) : "";
  add("recordings", recordings);
  return bank.empty() || (replays && recordings.empty()) ? "" : id;
}
