//===- Files.h - Whole files, written all or not at all ---------*- C++ -*-===//
//
// Private to the agent half. A reader never sees half a file: it is written
// beside its final name, synced and renamed. Errors say what the system said,
// a full disk included. Paths are bytes; nothing is interpreted.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SUPPORT_FILES_H
#define KERNELCLAW_LIB_SUPPORT_FILES_H

#include "kernelclaw/Support/Error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace kclaw {

/// "what 'path': No space left on device", from errno.
inline std::unexpected<Error> systemError(const std::string &what,
                                          const std::string &path) {
  return makeError(Error::Code::Io,
                   what + " '" + path + "' failed: " + std::strerror(errno));
}

/// A file descriptor that closes itself.
class OpenFile {
public:
  explicit OpenFile(int descriptor = -1) : descriptor(descriptor) {}
  OpenFile(OpenFile &&other) noexcept
      : descriptor(std::exchange(other.descriptor, -1)) {}
  OpenFile &operator=(OpenFile &&other) noexcept {
    std::swap(descriptor, other.descriptor);
    return *this;
  }
  ~OpenFile() {
    if (descriptor >= 0)
      ::close(descriptor);
  }
  int get() const { return descriptor; }
  explicit operator bool() const { return descriptor >= 0; }

private:
  int descriptor;
};

inline Expected<void> writeAll(int descriptor, std::string_view bytes,
                               const std::string &path) {
  while (!bytes.empty()) {
    ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return systemError("writing", path);
    bytes.remove_prefix(size_t(written));
  }
  return {};
}

/// Of a file only: a device may have no end, a pipe no writer.
inline Expected<std::string> readFile(const std::string &path) {
  OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file)
    return systemError("opening", path);
  struct stat status = {};
  if (::fstat(file.get(), &status) != 0)
    return systemError("reading", path);
  if (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode) ||
      S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode))
    return makeError(Error::Code::Io, "reading '" + path +
                                          "' failed: it is a device or a "
                                          "pipe, not a file");
  std::string text;
  char block[65536];
  while (ssize_t got = ::read(file.get(), block, sizeof(block))) {
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return systemError("reading", path);
    text.append(block, size_t(got));
  }
  return text;
}

inline bool fileExists(const std::string &path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

inline Expected<void> makeDirectory(const std::string &path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!error)
    return {};
  return makeError(Error::Code::Io,
                   "creating folder '" + path + "' failed: " + error.message());
}

/// Replaces `path` at once, or leaves it as it was. What is there and no file
/// (/dev/stdout, a pipe) is written to and not replaced.
inline Expected<void> writeFileAtomically(const std::string &path,
                                          std::string_view bytes) {
  std::error_code ignored;
  bool isDevice =
      std::filesystem::is_other(std::filesystem::status(path, ignored)) ||
      (path.starts_with("/dev/") && std::filesystem::is_symlink(path, ignored));
  if (isDevice) {
    OpenFile target(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
    if (!target)
      return systemError("opening", path);
    return writeAll(target.get(), bytes, path);
  }
  std::string temporary = path + ".tmp" + std::to_string(::getpid());
  OpenFile file(::open(temporary.c_str(),
                       O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!file)
    return systemError("creating", temporary);
  Expected<void> done = writeAll(file.get(), bytes, temporary);
  if (done && ::fsync(file.get()) != 0)
    done = systemError("writing", temporary);
  if (done && ::rename(temporary.c_str(), path.c_str()) != 0)
    done = systemError("renaming to", path);
  if (!done)
    ::unlink(temporary.c_str());
  return done;
}

} // namespace kclaw

#endif // KERNELCLAW_LIB_SUPPORT_FILES_H
