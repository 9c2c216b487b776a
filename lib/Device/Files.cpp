//===- Files.cpp - Names of files -----------------------------------------===//
#include "Files.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace kclaw {

std::vector<std::string> pathFolders() {
  std::vector<std::string> folders;
  const char *list = std::getenv("PATH");
  std::stringstream stream(list ? list : "");
  for (std::string folder; std::getline(stream, folder, ':');)
    folders.push_back(folder);
  return folders;
}

/// FNV-1a: a name, not a signature.
static uint64_t hash(const std::string &text) {
  uint64_t value = 0xcbf29ce484222325ull;
  for (unsigned char c : text)
    value = (value ^ c) * 0x100000001b3ull;
  return value;
}

std::string jobFileName(const Job &job) {
  std::string id = job.id.substr(0, 80);
  for (char &c : id)
    if (!isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_' &&
        c != '.')
      c = '_';
  char digits[20];
  std::snprintf(digits, sizeof digits, "%016llx",
                static_cast<unsigned long long>(
                    hash(job.spec.specHash + "\n" + job.arch + "\n" +
                         toJson(job.candidate) +
                         (job.deterministic ? "\ndeterministic" : ""))));
  return id + "-" + digits + ".json";
}

} // namespace kclaw
