//===- Check.cpp - kernelclaw-memory check --------------------------------===//
#include "Subcommand.h"

#include "kernelclaw/Memory/CheckBank.h"

#include <cstdio>
#include <memory>
#include <sys/wait.h>
#include <unistd.h>

using namespace kclaw;

namespace {
struct Arguments {
  bool noExamples = false, write = false, witnesses = false, held = false;
  std::string device = "sim", worker;
};
} // namespace

/// Runs the worker's self-test on the examples; its table goes to our output.
static int checkExamples(const std::string &worker, const std::string &folder,
                         const std::string &device) {
  std::fflush(stdout);
  pid_t child = fork();
  if (child < 0)
    return fail("starting the worker failed");
  if (child == 0) {
    execl(worker.c_str(), worker.c_str(), "--selftest", "--plans",
          folder.c_str(), "--device", device.c_str(),
          static_cast<char *>(nullptr));
    std::fprintf(stderr, "kernelclaw-memory: cannot start '%s'\n",
                 worker.c_str());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0
             ? int(Good)
             : fail("an example is not right, see above");
}

static void print(const Witness &witness) {
  std::printf("%s", witness.caseName.c_str());
  if (!witness.without.empty())
    std::printf(" without '%s'", witness.without.c_str());
  if (!witness.method.empty())
    std::printf(" %s", witness.method.c_str());
  if (!witness.precondition.empty())
    std::printf(" without '%s'", witness.precondition.c_str());
  std::printf(": %s", witness.level.c_str());
  for (const auto &[name, value] : witness.changes)
    std::printf(", %s=%.6g", name.c_str(), value);
  std::printf("\n");
}

static int run(const MemoryOptions &options, const Arguments &arguments) {
  auto bank = openBank(options);
  if (!bank)
    return Failed;
  auto held = loadWitnesses(options.bank);
  if (!held)
    return fail(held.error().message);
  CheckReport report = checkBank(
      *bank, *held, {.renew = arguments.write, .search = !arguments.held});
  for (const std::string &error : report.errors)
    std::fprintf(stderr, "kernelclaw-memory: %s\n", error.c_str());
  if (arguments.witnesses)
    for (const Witness &witness : report.witnesses.list)
      print(witness);
  std::printf("%zu cases reached, %zu parts of them and %zu preconditions of "
              "%zu methods tried, %zu lessons: %zu witnesses, %zu of them "
              "found by search; %zu errors\n",
              report.cases, report.parts, report.preconditions, report.methods,
              report.lessons, report.witnesses.list.size(), report.found,
              report.errors.size());
  if (arguments.write)
    if (auto done = saveWitnesses(options.bank, report.witnesses); !done)
      return fail(done.error().message);
  if (!report.errors.empty())
    return Failed;
  if (arguments.noExamples)
    return Good;
  std::string worker = arguments.worker.empty()
                           ? options.toolPath + "/kernelclaw-worker"
                           : arguments.worker;
  return checkExamples(worker, options.bank + "/methods", arguments.device);
}

std::function<int()> addCheck(CLI::App &app, const MemoryOptions &options) {
  auto arguments = std::make_shared<Arguments>();
  app.add_flag("--no-examples", arguments->noExamples,
               "leave out the examples, which NVRTC compiles");
  app.add_option("--device", arguments->device,
                 "where examples run: sim (default), cuda, auto");
  app.add_option("--worker", arguments->worker,
                 "kernelclaw-worker (default: the one beside this)");
  app.add_flag("--held", arguments->held,
               "search for nothing: each witness must be held");
  app.add_flag("--witnesses", arguments->witnesses, "print the witnesses");
  app.add_flag("--write", arguments->write,
               "renew diagnosis/witnesses.json: search for what is missing, "
               "drop what shows nothing any more");
  return [arguments, &options] { return run(options, *arguments); };
}
