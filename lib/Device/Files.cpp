//===- Files.cpp - Whole files, read and replaced -------------------------===//
#include "Files.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace kclaw {

static std::unexpected<Error> ioError(const std::string &what,
                                      const std::string &path) {
  return makeError(Error::Code::Io,
                   what + " '" + path + "': " + std::strerror(errno));
}

std::vector<std::string> pathFolders() {
  std::vector<std::string> folders;
  const char *list = std::getenv("PATH");
  std::stringstream stream(list ? list : "");
  for (std::string folder; std::getline(stream, folder, ':');)
    folders.push_back(folder);
  return folders;
}

Expected<std::string> readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return ioError("cannot read", path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

Expected<void> writeFileAtomically(const std::string &path,
                                   const std::string &text) {
  std::string aside = path + ".tmp" + std::to_string(getpid());
  int file =
      open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0)
    return ioError("cannot create", aside);
  size_t done = 0;
  bool good = true;
  while (good && done < text.size()) {
    ssize_t put = write(file, text.data() + done, text.size() - done);
    if (put > 0)
      done += static_cast<size_t>(put);
    else
      good = put < 0 && errno == EINTR;
  }
  good = good && fsync(file) == 0;
  good = close(file) == 0 && good;
  if (good && std::rename(aside.c_str(), path.c_str()) == 0)
    return {};
  auto error = ioError("cannot write", path);
  unlink(aside.c_str());
  return error;
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
