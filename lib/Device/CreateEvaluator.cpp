//===- CreateEvaluator.cpp - The evaluator of a kind ----------------------===//
#include "Evaluators.h"
#include "Files.h"

#include <climits>
#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

namespace kclaw {

static std::string folderOf(const std::string &path) {
  return path.substr(0, path.rfind('/'));
}

/// Beside this executable, beside (or next to the folder of) the library that
/// holds this code, on PATH.
static std::vector<std::string> searchFolders() {
  std::vector<std::string> folders;
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  if (length > 0)
    folders.push_back(folderOf(std::string(path, length)));
  Dl_info here;
  if (dladdr(reinterpret_cast<void *>(&searchFolders), &here) &&
      here.dli_fname && realpath(here.dli_fname, path)) {
    folders.push_back(folderOf(path));
    folders.push_back(folderOf(path) + "/../bin");
  }
  for (std::string &folder : pathFolders())
    folders.push_back(std::move(folder));
  return folders;
}

Expected<std::string> findTool(const ToolRow &tool, const std::string &named) {
  std::string name = tool.name;
  std::string path = named;
  if (const char *variable = std::getenv(tool.variable);
      path.empty() && variable)
    path = variable;
  if (!path.empty()) {
    if (access(path.c_str(), X_OK) == 0)
      return path.find('/') == std::string::npos ? "./" + path : path;
    return makeError(Error::Code::Unavailable,
                     "no executable " + name + " at '" + path + "'");
  }
  for (const std::string &folder : searchFolders())
    if (access((folder + "/" + name).c_str(), X_OK) == 0)
      return folder + "/" + name;
  return makeError(Error::Code::Unavailable,
                   name +
                       " is neither beside this program nor on PATH; name "
                       "it in " +
                       tool.variable);
}

namespace {
struct KindRow {
  const char *kind;
  Expected<std::unique_ptr<Evaluator>> (*create)(const EvaluatorOptions &);
};
constexpr KindRow kinds[] = {{"local", createLocalEvaluator},
                             {"mailbox", createMailboxEvaluator},
                             {"replay", createReplayEvaluator},
                             {"none", createCompileOnlyEvaluator}};
} // namespace

Expected<std::unique_ptr<Evaluator>>
createEvaluator(const EvaluatorOptions &options) {
  if (!options.launcher.empty() && options.kind != "local")
    return makeError(Error::Code::Invalid,
                     "launcher '" + options.launcher +
                         "' starts the worker of evaluator 'local'; evaluator "
                         "'" +
                         options.kind + "' starts none: leave it out");
  if (options.workers < 0 || options.workers > 64)
    return makeError(Error::Code::Invalid,
                     "workers is " + std::to_string(options.workers) +
                         "; accepted: 0 (one for each GPU) to 64");
  if (options.workers > 1 && options.kind != "local")
    return makeError(Error::Code::Invalid,
                     "workers is of evaluator 'local'; evaluator '" +
                         options.kind +
                         "' starts none (kernelclaw-worker --mailbox DIR "
                         "--workers N empties a mailbox with several)");
  std::string accepted;
  for (const KindRow &row : kinds) {
    if (options.kind == row.kind)
      return row.create(options);
    accepted += (accepted.empty() ? "" : ", ") + std::string(row.kind);
  }
  return makeError(Error::Code::Invalid, "unknown evaluator '" + options.kind +
                                             "'; accepted: " + accepted);
}

} // namespace kclaw
