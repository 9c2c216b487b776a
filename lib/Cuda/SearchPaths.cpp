//===- SearchPaths.cpp - Toolkits and NVIDIA's PyPI wheels ----------------===//
//
// A toolkit has lib64/ (or lib/) and include/, and may keep CUPTI apart in
// extras/. The wheels install below site-packages/nvidia/: one folder a CUDA
// major ("cu13") or one a component ("cuda_nvrtc"), each with lib/ and
// include/.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Cuda/SearchPaths.h"
#include "kernelclaw/Cuda/NvrtcApi.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <glob.h>
#include <sstream>

namespace kclaw {

static const char *const wheelPatterns[] = {
    "/usr/lib/python3*/site-packages/nvidia/*",
    "/usr/local/lib/python3*/*-packages/nvidia/*",
    "/opt/*/lib/python3*/site-packages/nvidia/*",
    "/opt/*/.venv/lib/python3*/site-packages/nvidia/*",
};

static void addExisting(std::vector<std::string> &folders,
                        const std::string &folder) {
  char real[PATH_MAX];
  if (!realpath(folder.c_str(), real))
    return;
  if (std::find(folders.begin(), folders.end(), real) == folders.end())
    folders.push_back(real);
}

static std::vector<std::string> matches(const std::string &pattern) {
  std::vector<std::string> paths;
  glob_t found{};
  if (glob(pattern.c_str(), GLOB_ONLYDIR, nullptr, &found) == 0)
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  return paths;
}

static std::vector<std::string> wheelRoots() {
  std::vector<std::string> roots;
  std::vector<std::string> patterns(std::begin(wheelPatterns),
                                    std::end(wheelPatterns));
  for (const char *name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const char *prefix = std::getenv(name))
      patterns.push_back(std::string(prefix) +
                         "/lib/python3*/site-packages/nvidia/*");
  for (const std::string &pattern : patterns)
    for (const std::string &root : matches(pattern))
      roots.push_back(root);
  return roots;
}

std::vector<std::string> cudaRoots() {
  std::vector<std::string> roots;
  for (const char *name : {"KERNELCLAW_CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"})
    if (const char *root = std::getenv(name))
      addExisting(roots, root);
  addExisting(roots, "/usr/local/cuda");
  return roots;
}

static std::vector<std::string> libraryFolders() {
  std::vector<std::string> folders;
  for (const std::string &root : cudaRoots())
    for (const char *folder : {"/lib64", "/lib", "/extras/CUPTI/lib64"})
      addExisting(folders, root + folder);
  for (const std::string &root : wheelRoots())
    addExisting(folders, root + "/lib");
  return folders;
}

std::vector<std::string>
cudaLibraryCandidates(const char *variable,
                      const std::vector<std::string> &sonames) {
  if (const char *named = std::getenv(variable))
    return {named};
  std::vector<std::string> paths = sonames;
  for (const std::string &folder : libraryFolders())
    for (const std::string &soname : sonames)
      paths.push_back(folder + "/" + soname);
  return paths;
}

std::vector<std::string> findIncludeRoots() {
  std::vector<std::string> folders;
  if (const char *named = std::getenv("KERNELCLAW_INCLUDE_ROOTS")) {
    std::stringstream list(named);
    for (std::string folder; std::getline(list, folder, ':');)
      addExisting(folders, folder);
  }
  std::vector<std::string> roots = cudaRoots();
  if (roots.empty())
    roots = wheelRoots();
  for (const std::string &root : roots) {
    addExisting(folders, root + "/include");
    addExisting(folders, root + "/include/cccl");
  }
  return folders;
}

} // namespace kclaw
