//===- CommandProcess.cpp - A program as a function -----------------------===//
#include "CommandProcess.h"
#include "Support/Files.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <utility>

namespace kclaw {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int pollMilliseconds = 50;
constexpr auto grace = std::chrono::milliseconds(40);
constexpr size_t keptErrorBytes = 2000;

struct Pipe {
  OpenFile read, write;
};

Expected<Pipe> makePipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return systemError("making", "a pipe");
  return Pipe{OpenFile(ends[0]), OpenFile(ends[1])};
}

std::vector<char *> pointers(const std::vector<std::string> &texts) {
  std::vector<char *> result;
  for (const std::string &text : texts)
    result.push_back(const_cast<char *>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

/// A process group that is gone when this is. The leader is reaped last: until
/// then its number cannot be another group's.
class Group {
public:
  explicit Group(pid_t leader) : leader(leader) {}
  Group(Group &&other) noexcept : leader(std::exchange(other.leader, -1)) {}
  ~Group() {
    if (leader > 0)
      end();
  }

  bool leaderHasEnded() const {
    siginfo_t info{};
    return waitid(P_PID, id_t(leader), &info, WEXITED | WNOHANG | WNOWAIT) ==
               0 &&
           info.si_pid == leader;
  }

  /// Asks the group to end, waits a moment, kills it; the leader's status.
  int end() {
    kill(-leader, SIGTERM);
    auto deadline = Clock::now() + grace;
    while (!leaderHasEnded() && Clock::now() < deadline)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    kill(-leader, SIGKILL);
    int status = 0;
    while (waitpid(leader, &status, 0) < 0 && errno == EINTR)
      ;
    leader = -1;
    return status;
  }

private:
  pid_t leader;
};

Expected<Group> spawn(const std::vector<std::string> &words,
                      const std::vector<std::string> &environment,
                      const int (&standard)[3]) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int target = 0; target < 3; ++target)
    posix_spawn_file_actions_adddup2(&actions, standard[target], target);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, defaults; // whatever this process blocks or ignores
  sigemptyset(&none);
  sigemptyset(&defaults);
  for (int signal : {SIGPIPE, SIGINT, SIGTERM})
    sigaddset(&defaults, signal);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP |
                                            POSIX_SPAWN_SETSIGMASK |
                                            POSIX_SPAWN_SETSIGDEF);
  pid_t pid = -1;
  int failed =
      posix_spawnp(&pid, words[0].c_str(), &actions, &attributes,
                   pointers(words).data(), pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0)
    return makeError(Error::Code::Io, "cannot start '" + words[0] +
                                          "': " + std::strerror(failed));
  return Group(pid);
}

/// False at the end of the file.
bool readSome(int descriptor, std::string &text) {
  char block[65536];
  ssize_t got = ::read(descriptor, block, sizeof block);
  if (got > 0)
    text.append(block, size_t(got));
  return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

/// Its last three lines.
std::string lastLines(std::string text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
    text.pop_back();
  size_t start = text.size();
  for (int line = 0; line < 3 && start != std::string::npos && start > 0;
       ++line)
    start = text.rfind('\n', start - 1);
  return start == std::string::npos || start == 0 ? text
                                                  : text.substr(start + 1);
}

std::string describe(int status) {
  if (WIFSIGNALED(status))
    return "was killed by signal " + std::to_string(WTERMSIG(status)) + " (" +
           strsignal(WTERMSIG(status)) + ")";
  return "ended with exit code " + std::to_string(WEXITSTATUS(status));
}

/// Writes as much as the pipe takes; false when there is no more to write or
/// nobody reads.
bool writeSome(int descriptor, std::string_view &rest) {
  ssize_t written = ::write(descriptor, rest.data(), rest.size());
  if (written > 0)
    rest.remove_prefix(size_t(written));
  bool broken = written < 0 && errno != EAGAIN && errno != EINTR;
  return !rest.empty() && !broken;
}

/// SIGPIPE is for whoever wrote to a pipe without a reader: this thread, which
/// looks at errno instead.
class BlockSigPipe {
public:
  BlockSigPipe() {
    sigemptyset(&pipeOnly);
    sigaddset(&pipeOnly, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipeOnly, &before);
  }
  ~BlockSigPipe() {
    timespec now{};
    if (!sigismember(&before, SIGPIPE))
      while (sigtimedwait(&pipeOnly, nullptr, &now) > 0)
        ;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

private:
  sigset_t pipeOnly, before;
};

} // namespace

Expected<CommandResult> runCommand(const std::vector<std::string> &words,
                                   const std::vector<std::string> &environment,
                                   const std::string &input,
                                   const CommandLimits &limits) {
  auto in = makePipe(), out = makePipe(), err = makePipe();
  for (const auto *pipe : {&in, &out, &err})
    if (!*pipe)
      return std::unexpected(pipe->error());
  const int standard[3] = {in->read.get(), out->write.get(), err->write.get()};
  BlockSigPipe quiet;
  auto group = spawn(words, environment, standard);
  if (!group)
    return std::unexpected(group.error());
  in->read = OpenFile();
  out->write = OpenFile();
  err->write = OpenFile();
  for (int descriptor : {in->write.get(), out->read.get(), err->read.get()})
    fcntl(descriptor, F_SETFL, O_NONBLOCK);

  auto deadline =
      Clock::now() +
      std::chrono::duration_cast<Clock::duration>(
          std::chrono::duration<double>(std::min(limits.seconds, 1e9)));
  CommandResult result;
  std::string errors;
  std::string_view rest = input;
  if (rest.empty())
    in->write = OpenFile();
  auto stop = [&](const std::string &why,
                  Error::Code code = Error::Code::Invalid) {
    std::string text = "'" + words[0] + "' " + why;
    if (!lastLines(errors).empty())
      text += "; it said: " + lastLines(errors);
    return makeError(code, text);
  };
  // What the program leaves running may hold its output open: its own end
  // counts, and what it has written until then.
  bool ended = false;
  while (out->read || err->read) {
    if (limits.cancelled && *limits.cancelled)
      return stop("was cancelled", Error::Code::Unavailable);
    if (Clock::now() >= deadline)
      return stop("gave no answer within " +
                  std::to_string(int64_t(std::ceil(limits.seconds))) +
                  " s and was ended");
    pollfd entries[3] = {{out->read ? out->read.get() : -1, POLLIN, 0},
                         {err->read ? err->read.get() : -1, POLLIN, 0},
                         {in->write ? in->write.get() : -1, POLLOUT, 0}};
    int ready = ::poll(entries, 3, ended ? 0 : pollMilliseconds);
    if (ready <= 0 && ended)
      break;
    ended = group->leaderHasEnded();
    if (entries[0].revents && !readSome(out->read.get(), result.output))
      out->read = OpenFile();
    if (entries[1].revents && !readSome(err->read.get(), errors))
      err->read = OpenFile();
    if (entries[2].revents && !writeSome(in->write.get(), rest))
      in->write = OpenFile();
    if (errors.size() > 2 * keptErrorBytes)
      errors.erase(0, errors.size() - keptErrorBytes);
    if (result.output.size() > limits.outputBytes)
      return stop("wrote more than " +
                  std::to_string(limits.outputBytes >> 20) +
                  " MiB and was ended");
  }
  // It has closed its output; a little while to end by itself.
  auto patience = std::min(deadline, Clock::now() + std::chrono::seconds(5));
  while (!group->leaderHasEnded() && Clock::now() < patience &&
         !(limits.cancelled && *limits.cancelled))
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  if (!group->leaderHasEnded())
    return stop("closed its output but did not end");
  int status = group->end();
  result.end = describe(status);
  result.good = status == 0;
  result.lastErrors = lastLines(errors);
  return result;
}

} // namespace kclaw
