//===- Files.cpp - Reading the memory bank's files ------------------------===//
//
// Nothing is cached: a run reads the memory bank once.
//
//===----------------------------------------------------------------------===//
#include "Files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace kclaw::expert {

Expected<std::string> readFile(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(stream)), {});
  if (!stream)
    return makeError(Error::Code::Io, "cannot read '" + path + "'");
  return text;
}

Expected<std::vector<std::string>> listFiles(const std::string &folder,
                                             const std::string &suffix) {
  std::error_code error;
  std::filesystem::directory_iterator entries(folder, error);
  if (error)
    return makeError(Error::Code::Io, "cannot list '" + folder +
                                          "': " + error.message() +
                                          "; is it the memorybank folder");
  std::vector<std::string> files;
  for (const std::filesystem::directory_entry &entry : entries)
    if (entry.path().string().ends_with(suffix))
      files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

} // namespace kclaw::expert
