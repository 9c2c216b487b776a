//===- DeviceLock.cpp - One process judges on a device at a time ----------===//
#include "DeviceLock.h"
#include "ChildProcess.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace kclaw {

DeviceLock::DeviceLock(const std::string &uuid, const std::string &folder)
    : path(uuid.empty() ? "" : folder + "/kernelclaw-" + uuid + ".lock") {}

DeviceLock::DeviceLock(DeviceLock &&other) noexcept
    : path(std::move(other.path)), file(std::exchange(other.file, -1)),
      held(std::exchange(other.held, false)) {}

DeviceLock &DeviceLock::operator=(DeviceLock &&other) noexcept {
  std::swap(path, other.path);
  std::swap(file, other.file);
  std::swap(held, other.held);
  return *this;
}

DeviceLock::~DeviceLock() {
  release();
  if (file >= 0)
    close(file);
}

/// First without O_CREAT, which Linux refuses for another user's file in /tmp.
/// To lock it, reading is enough.
Expected<void> DeviceLock::open() {
  constexpr int common = O_CLOEXEC | O_NOFOLLOW;
  constexpr int ways[] = {O_RDWR, O_RDONLY, O_RDWR | O_CREAT};
  for (int way : ways) {
    file = ::open(path.c_str(), way | common, 0666);
    if (file < 0)
      continue;
    (void)fchmod(file, 0666); // whatever the umask
    return {};
  }
  return makeError(Error::Code::Io, "cannot open the device's lock '" + path +
                                        "': " + std::strerror(errno));
}

std::string DeviceLock::holder() const {
  char text[64] = {};
  ssize_t got = pread(file, text, sizeof text - 1, 0);
  return got > 0 ? "process " + std::string(text) : "another process";
}

Expected<double> DeviceLock::hold(double seconds,
                                  const std::function<void()> &sayWaiting) {
  if (held || path.empty())
    return 0.0;
  if (file < 0)
    if (auto opened = open(); !opened)
      return std::unexpected(opened.error());
  Clock::time_point start = Clock::now();
  for (bool said = false; flock(file, LOCK_EX | LOCK_NB) != 0;) {
    if (errno != EWOULDBLOCK && errno != EINTR)
      return makeError(Error::Code::Io,
                       "cannot lock '" + path + "': " + std::strerror(errno));
    if (!std::exchange(said, true))
      sayWaiting();
    if (secondsSince(start) > seconds)
      return makeError(Error::Code::Budget,
                       holder() + " judges on it (lock '" + path +
                           "'), for more than " +
                           std::to_string(static_cast<int>(seconds)) +
                           " seconds; wait for it, or choose another device "
                           "by CUDA_VISIBLE_DEVICES");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  held = true;
  std::string self = std::to_string(getpid());
  if (ftruncate(file, 0) == 0)
    (void)!pwrite(file, self.data(), self.size(), 0);
  return secondsSince(start);
}

void DeviceLock::release() {
  if (std::exchange(held, false))
    (void)flock(file, LOCK_UN);
}

} // namespace kclaw
