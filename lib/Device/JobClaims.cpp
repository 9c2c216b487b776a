//===- JobClaims.cpp - Who judges which job of a mailbox ------------------===//
#include "JobClaims.h"
#include "ChildProcess.h"
#include "Files.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace kclaw {

namespace fs = std::filesystem;

constexpr auto renewEvery = std::chrono::seconds(10);
constexpr char separator = '@';

static std::vector<std::string> split(const std::string &text, char at) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, at);)
    parts.push_back(part);
  return parts;
}

namespace {
/// Of /proc/PID/stat; empty where it cannot be read.
struct ProcessState {
  std::string state; ///< "Z": dead, but not reaped
  std::string start; ///< when it started, in clock ticks
};
} // namespace

static ProcessState stateOf(const std::string &pid) {
  Expected<std::string> stat = readFile("/proc/" + pid + "/stat");
  if (!stat)
    return {};
  // The name, in parentheses, may hold spaces. After it comes field 3.
  std::vector<std::string> fields =
      split(stat->substr(std::min(stat->rfind(')') + 1, stat->size())), ' ');
  return fields.size() > 20 ? ProcessState{fields[1], fields[20]}
                            : ProcessState{};
}

static std::string pidNamespace() {
  struct stat found = {};
  return stat("/proc/self/ns/pid", &found) == 0
             ? std::to_string(static_cast<unsigned long long>(found.st_ino))
             : "0";
}

static std::string hostName() {
  char host[64] = {};
  (void)gethostname(host, sizeof host - 1);
  std::string name = host;
  std::ranges::replace_if(
      name, [](unsigned char c) { return !isalnum(c) && c != '-' && c != '_'; },
      '_');
  return name;
}

std::string claimantName() {
  std::string pid = std::to_string(getpid());
  return hostName() + "." + pid + "." + stateOf(pid).start + "." +
         pidNamespace();
}

bool isKnownDead(const std::string &claimant) {
  std::vector<std::string> parts = split(claimant, '.');
  if (parts.size() != 4 || parts[0] != hostName() || parts[3] != pidNamespace())
    return false;
  if (kill(std::atoi(parts[1].c_str()), 0) != 0)
    return errno == ESRCH;
  ProcessState found = stateOf(parts[1]);
  return found.state == "Z" ||
         (!found.start.empty() && found.start != parts[2]);
}

bool isClaimed(const fs::path &mailbox, const std::string &name) {
  std::error_code failed;
  for (const fs::directory_entry &entry :
       fs::directory_iterator(mailbox / "claims", failed))
    if (entry.path().filename().string().starts_with(name + separator))
      return true;
  return false;
}

JobClaims::JobClaims(fs::path mailbox)
    : mailbox(std::move(mailbox)), self(claimantName()) {
  list();
  numJobs = untried.size();
  renewer = std::jthread([this](std::stop_token stop) { renew(stop); });
}

Expected<std::unique_ptr<JobClaims>> JobClaims::open(const fs::path &mailbox) {
  std::error_code failed;
  fs::directory_iterator jobs(mailbox / "jobs", failed);
  if (failed)
    return makeError(Error::Code::Io, "cannot list '" +
                                          (mailbox / "jobs").string() +
                                          "': " + failed.message());
  for (const char *folder : {"claims", "results"}) {
    fs::create_directories(mailbox / folder, failed);
    if (failed)
      return makeError(Error::Code::Io, "cannot create '" +
                                            (mailbox / folder).string() +
                                            "': " + failed.message());
  }
  return std::unique_ptr<JobClaims>(new JobClaims(mailbox));
}

JobClaims::~JobClaims() {
  renewer.request_stop();
  stopped.notify_all();
  renewer.join();
  std::map<std::string, JobClaim> left = std::move(held);
  for (const auto &[name, claim] : left)
    giveBack(claim);
}

/// All job files, claimed ones too, by name.
void JobClaims::list() {
  std::vector<fs::path> files;
  std::error_code failed;
  for (const fs::directory_entry &entry :
       fs::directory_iterator(mailbox / "jobs", failed))
    if (entry.path().filename().string().starts_with("job-") &&
        entry.path().extension() == ".json")
      files.push_back(entry.path());
  for (const fs::directory_entry &entry :
       fs::directory_iterator(mailbox / "claims", failed))
    if (entry.path().filename().string().find(separator) != std::string::npos)
      files.push_back(entry.path());
  std::ranges::sort(files);
  untried.assign(files.begin(), files.end());
}

/// The file system's own clock, which other hosts' claims were renewed by.
bool JobClaims::isDead(const fs::path &claim) const {
  std::vector<std::string> parts = split(claim.filename().string(), separator);
  if (isKnownDead(parts.back()))
    return true;
  fs::path probe = mailbox / "claims" / (".now." + self);
  int file = ::open(probe.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  struct stat now = {}, then = {};
  bool known = file >= 0 && futimens(file, nullptr) == 0 &&
               fstat(file, &now) == 0 && stat(claim.c_str(), &then) == 0;
  if (file >= 0)
    close(file);
  unlink(probe.c_str());
  return known && double(now.st_mtime - then.st_mtime) > claimStaleSeconds;
}

/// Nothing: another one was faster, or there is an answer.
std::optional<JobClaim> JobClaims::claim(const fs::path &file) {
  bool isClaim = file.parent_path().filename() == "claims";
  std::vector<std::string> parts = split(file.filename().string(), separator);
  JobClaim claim;
  claim.name = isClaim ? parts[0] : file.filename().string().substr(4);
  claim.job = mailbox / "jobs" / ("job-" + claim.name);
  claim.result = mailbox / "results" / ("result-" + claim.name);
  if (isClaim)
    claim.dead.assign(parts.begin() + 1, parts.end());
  if (isClaim ? !isDead(file) : fs::exists(claim.result))
    return std::nullopt;
  std::string taken = claim.name;
  for (const std::string &each : claim.dead)
    taken += separator + each;
  claim.file = mailbox / "claims" / (taken + separator + self);
  // Before the rename, so that nobody sees a claim that looks old.
  (void)utimensat(AT_FDCWD, file.c_str(), nullptr, 0);
  if (std::rename(file.c_str(), claim.file.c_str()) != 0)
    return std::nullopt;
  if (!fs::exists(claim.result))
    return claim;
  // It was answered since it was listed.
  (void)std::rename(claim.file.c_str(), claim.job.c_str());
  return std::nullopt;
}

std::optional<JobClaim> JobClaims::next() {
  std::lock_guard lock(guard);
  for (bool listedAgain = false;;) {
    while (!untried.empty()) {
      fs::path file = untried.front();
      untried.pop_front();
      if (std::optional<JobClaim> found = claim(file)) {
        held[found->name] = *found;
        return found;
      }
    }
    if (listedAgain)
      return std::nullopt;
    list();
    listedAgain = true;
  }
}

void JobClaims::giveBack(const JobClaim &claim) {
  std::lock_guard lock(guard);
  held.erase(claim.name);
  (void)std::rename(claim.file.c_str(), claim.job.c_str());
}

size_t JobClaims::heldByOthers() const {
  std::error_code failed;
  size_t count = 0;
  for (const fs::directory_entry &entry :
       fs::directory_iterator(mailbox / "claims", failed)) {
    std::string name = entry.path().filename().string();
    count += name.find(separator) != std::string::npos &&
             !name.ends_with(separator + self);
  }
  return count;
}

void JobClaims::renew(std::stop_token stop) {
  std::unique_lock lock(guard);
  while (!stopped.wait_for(lock, stop, renewEvery,
                           [&stop] { return stop.stop_requested(); }))
    for (const auto &[name, claim] : held)
      (void)utimensat(AT_FDCWD, claim.file.c_str(), nullptr, 0);
}

} // namespace kclaw
