//===- Sandbox.cpp - Landlock and resource limits -------------------------===//
#include "Sandbox.h"

#include <cmath>
#include <cstdint>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace kclaw {

// Rights by Landlock version: 13 file rights at first, then one more each.
// What a kernel does not know it refuses, so ask for what its version has.
static uint64_t allRights(long version) {
  int count = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
  return (uint64_t{1} << count) - 1;
}

static bool allowReading(int ruleset, const std::string &folder) {
  landlock_path_beneath_attr rule = {};
  rule.allowed_access =
      LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
  rule.parent_fd = open(folder.c_str(), O_PATH | O_CLOEXEC);
  if (rule.parent_fd < 0)
    return false;
  long failed = syscall(SYS_landlock_add_rule, ruleset,
                        LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  close(rule.parent_fd);
  return failed == 0;
}

bool restrictFilesTo(const std::vector<std::string> &readableFolders) {
  long version = syscall(SYS_landlock_create_ruleset, nullptr, 0,
                         LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1)
    return false;
  landlock_ruleset_attr rights = {};
  rights.handled_access_fs = allRights(version);
  int ruleset = static_cast<int>(
      syscall(SYS_landlock_create_ruleset, &rights, sizeof rights, 0));
  if (ruleset < 0)
    return false;
  for (const std::string &folder : readableFolders)
    (void)allowReading(ruleset, folder);
  bool enforced = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                  syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
  close(ruleset);
  return enforced;
}

static void cap(int resource, rlim_t value) {
  rlimit limit{value, value};
  (void)setrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
}

void limitResources(double seconds) {
  cap(RLIMIT_AS, rlim_t{8} << 30);
  cap(RLIMIT_CPU, static_cast<rlim_t>(std::ceil(seconds)) + 1);
  cap(RLIMIT_FSIZE, 0);
  cap(RLIMIT_CORE, 0);
}

} // namespace kclaw
