//===- ChildProcess.cpp - Spawning, talking to and ending a child ---------===//
#include "ChildProcess.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <poll.h>
#include <span>
#include <spawn.h>
#include <string_view>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char **environ;

namespace kclaw {

Clock::time_point after(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(seconds));
}

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

static std::vector<char *> pointers(const std::vector<std::string> &texts) {
  std::vector<char *> result;
  for (const std::string &text : texts)
    result.push_back(const_cast<char *>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

/// This process's variables without those whose name says that they hold a
/// secret: a kernel that breaks out of its sandbox finds no key.
static std::vector<std::string> inheritedEnvironment() {
  constexpr const char *secretWords[] = {"KEY", "TOKEN", "SECRET", "PASSWORD",
                                         "CREDENTIAL"};
  std::vector<std::string> entries;
  for (char **entry = environ; *entry; ++entry) {
    std::string_view text = *entry;
    std::string name(text.substr(0, text.find('=')));
    std::ranges::transform(name, name.begin(),
                           [](unsigned char c) { return std::toupper(c); });
    if (std::ranges::none_of(secretWords, [&name](const char *word) {
          return name.find(word) != std::string::npos;
        }))
      entries.emplace_back(text);
  }
  return entries;
}

Expected<ChildProcess> ChildProcess::spawn(
    const std::string &executable, const std::vector<std::string> &args,
    const std::vector<std::string> *environment, bool isLauncher) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return makeError(Error::Code::Io, "cannot make a socket pair: " +
                                          std::string(std::strerror(errno)));
  std::vector<std::string> words{executable};
  words.insert(words.end(), args.begin(), args.end());
  std::vector<char *> argv = pointers(words);
  std::vector<std::string> entries =
      environment ? *environment : inheritedEnvironment();
  std::vector<char *> envp = pointers(entries);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  if (isLauncher)
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t pid = -1;
  int failed = posix_spawnp(&pid, executable.c_str(), &actions, &attributes,
                            argv.data(), envp.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (failed != 0) {
    close(ends[0]);
    return makeError(Error::Code::Io, "cannot start '" + executable +
                                          "': " + std::strerror(failed));
  }
  return ChildProcess(pid, ends[0], isLauncher);
}

ChildProcess::ChildProcess(ChildProcess &&other) noexcept
    : pid(std::exchange(other.pid, -1)),
      socket(std::exchange(other.socket, -1)), isLauncher(other.isLauncher),
      buffer(std::move(other.buffer)) {}

ChildProcess &ChildProcess::operator=(ChildProcess &&other) noexcept {
  std::swap(pid, other.pid);
  std::swap(socket, other.socket);
  std::swap(isLauncher, other.isLauncher);
  std::swap(buffer, other.buffer);
  return *this;
}

ChildProcess::~ChildProcess() { end(/*killFirst=*/true); }

/// Waits until the socket is ready; Budget at the deadline.
static Expected<void> wait(int socket, short events,
                           Clock::time_point deadline) {
  for (;;) {
    auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0)
      return makeError(Error::Code::Budget, "no answer before the time limit");
    int capped = static_cast<int>(std::min<int64_t>(left.count(), 60000));
    pollfd entry{socket, events, 0};
    int ready = poll(&entry, 1, capped);
    if (ready > 0)
      return {};
    if (ready < 0 && errno != EINTR)
      return makeError(Error::Code::Io,
                       "poll: " + std::string(std::strerror(errno)));
  }
}

Expected<void> ChildProcess::write(const std::string &bytes,
                                   Clock::time_point deadline) {
  size_t done = 0;
  while (done < bytes.size()) {
    if (auto ok = wait(socket, POLLOUT, deadline); !ok)
      return ok;
    ssize_t sent = send(socket, bytes.data() + done, bytes.size() - done,
                        MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0)
      done += static_cast<size_t>(sent);
    else if (errno != EAGAIN && errno != EINTR)
      return makeError(Error::Code::Io, "the process does not read: " +
                                            std::string(std::strerror(errno)));
  }
  return {};
}

void ChildProcess::closeInput() { shutdown(socket, SHUT_WR); }

Expected<bool> ChildProcess::fill(Clock::time_point deadline) {
  char block[65536];
  for (;;) {
    if (auto ok = wait(socket, POLLIN, deadline); !ok)
      return std::unexpected(ok.error());
    ssize_t got = recv(socket, block, sizeof block, MSG_DONTWAIT);
    if (got > 0) {
      buffer.append(block, static_cast<size_t>(got));
      return true;
    }
    if (got == 0 || (errno != EAGAIN && errno != EINTR))
      return false;
  }
}

Expected<std::string> ChildProcess::readLine(Clock::time_point deadline) {
  size_t searched = 0;
  for (;;) {
    size_t end = buffer.find('\n', searched);
    if (end != std::string::npos) {
      std::string line = buffer.substr(0, end);
      buffer.erase(0, end + 1);
      return line;
    }
    searched = buffer.size();
    if (searched > maxLineBytes)
      return makeError(Error::Code::Invalid,
                       "it wrote " + std::to_string(searched) +
                           " bytes without an end of line");
    Expected<bool> more = fill(deadline);
    if (!more)
      return std::unexpected(more.error());
    if (!*more)
      return makeError(Error::Code::Io, "the process ended without an answer");
  }
}

Expected<std::string> ChildProcess::readAll(Clock::time_point deadline) {
  for (;;) {
    Expected<bool> more = fill(deadline);
    if (!more)
      return std::unexpected(more.error());
    if (!*more)
      return std::move(buffer);
  }
}

static ProcessEnd describeStatus(int status) {
  if (WIFSIGNALED(status)) {
    int signal = WTERMSIG(status);
    return {"killed by signal " + std::to_string(signal) + " (" +
                strsignal(signal) + ")",
            signal};
  }
  int code = WEXITSTATUS(status);
  return {"exit code " + std::to_string(code), code > 128 ? code - 128 : 0};
}

/// How it ended, or nothing at the deadline.
static std::optional<ProcessEnd> reap(pid_t child, double seconds) {
  Clock::time_point deadline = after(seconds);
  int status = 0;
  do {
    pid_t reaped = waitpid(child, &status, WNOHANG);
    if (reaped == child)
      return describeStatus(status);
    if (reaped < 0 && errno != EINTR)
      return ProcessEnd{"already reaped", 0};
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  } while (Clock::now() < deadline);
  return std::nullopt;
}

namespace {
/// One step of ending a process: a signal (0: none), then some patience.
struct EndStep {
  int signal;
  double seconds;
};
} // namespace

constexpr EndStep killNow[] = {{SIGKILL, 20}};
constexpr EndStep letEnd[] = {{0, 10}, {SIGTERM, 4}, {SIGKILL, 20}};
constexpr EndStep askFirst[] = {{0, 1}, {SIGTERM, 4}, {SIGKILL, 20}};

ProcessEnd ChildProcess::finish(bool killFirst) {
  if (pid <= 0)
    return {"not running", 0};
  close(std::exchange(socket, -1));
  buffer.clear();
  pid_t child = std::exchange(pid, -1);
  std::span<const EndStep> steps = letEnd;
  if (killFirst)
    steps = isLauncher ? std::span<const EndStep>(askFirst) : killNow;
  bool signalled = false;
  for (auto [signal, seconds] : steps) {
    if (signal != 0)
      kill(isLauncher ? -child : child, signal);
    signalled |= signal != 0;
    std::optional<ProcessEnd> end = reap(child, seconds);
    if (end && isLauncher)
      (void)kill(-child, SIGKILL); // what it left behind
    if (end && signalled && !killFirst)
      return {"it closed its output but did not end; killed", 0};
    if (end)
      return *end;
  }
  return {"did not end within 20 seconds", 0};
}

} // namespace kclaw
