//===- SelftestFolder.cpp - Plans of a folder, in the same form -----------===//
#include "SelftestFolder.h"
#include "Files.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace kclaw {

namespace fs = std::filesystem;

/// Where a file of the folder would lie among the embedded ones; empty: it is
/// neither plan nor problem.
static std::string embeddedPath(const fs::path &relative) {
  bool problem = *relative.begin() == "problems";
  if (problem)
    return relative.generic_string();
  if (relative.extension() != ".cu")
    return "";
  bool cheat =
      std::count(relative.begin(), relative.end(), fs::path("cheat")) > 0;
  bool example =
      relative.filename() == "example.cu" && relative.has_parent_path();
  std::string name = example
                         ? relative.parent_path().filename().string() + ".cu"
                         : relative.filename().string();
  return (cheat ? "plans/cheat/" : "plans/honest/") + name;
}

Expected<SelftestFolder> readSelftestFolder(const std::string &folder) {
  std::vector<fs::path> paths;
  std::error_code failed;
  for (const fs::directory_entry &entry :
       fs::recursive_directory_iterator(folder, failed))
    if (entry.is_regular_file())
      paths.push_back(entry.path());
  if (failed)
    return makeError(Error::Code::Io,
                     "reading '" + folder + "' failed: " + failed.message());
  std::ranges::sort(paths);
  SelftestFolder result;
  bool plans = false;
  for (const fs::path &path : paths) {
    std::string name = embeddedPath(path.lexically_relative(folder));
    if (name.empty())
      continue;
    auto text = readFile(path.string());
    if (!text)
      return std::unexpected(text.error());
    plans |= name.starts_with("plans/");
    const std::string &kept = result.texts.emplace_back(name);
    result.files.push_back(
        {kept.c_str(), result.texts.emplace_back(*text).c_str()});
  }
  if (!plans)
    return makeError(Error::Code::Invalid, "there is no plan below '" + folder +
                                               "'; docs/selftest.md has their "
                                               "form");
  for (const SelftestFile &file : selftestFiles())
    if (std::string_view(file.path).starts_with("problems/"))
      result.files.push_back(file);
  return result;
}

} // namespace kclaw
