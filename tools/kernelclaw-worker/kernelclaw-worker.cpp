//===- kernelclaw-worker.cpp - Judges plans on a GPU ----------------------===//
//
// Reads jobs, answers evaluations; executes plans and nothing else. Runs alone
// on a machine with the driver and NVRTC.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Device/Compiler.h"
#include "kernelclaw/Device/Worker.h"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>
#include <unistd.h>

static const char help[] =
    R"(usage: kernelclaw-worker [options] < jobs.jsonl > results.jsonl

Judges kernel plans on the first visible CUDA device, or on the simulated one:
compiles them with NVRTC
in a sandbox, checks every result against an f64 reference, times them. One job
(JSON) a line on standard input, one evaluation (JSON) a line on standard
output, in order. A line that is not a job gets an answer that says why.

options:
  --device=cuda|sim|auto|none  cuda (default): NVIDIA's driver; sim: the
                      simulated device, which needs no GPU and whose evidence
                      is 'simulated'; auto: cuda where there is a GPU, else
                      sim; none: compile only
  --mailbox DIR       judge DIR/jobs/job-*.json that have no answer yet; write
                      DIR/results/result-*.json; end when all are judged.
                      Without a usable device the jobs stay as they are
  --probe             print device, driver, NVRTC and include roots as JSON;
                      exit code 1 when there is no usable device
  --verbose           say on standard error what is being done
  --help              this text

environment:
  KERNELCLAW_CUDA_DRIVER    the driver library instead of libcuda.so.1, and
                            where the simulator is that --device=sim needs
  KERNELCLAW_NVRTC          the NVRTC library instead of a search (loader's
                            path, toolkits, NVIDIA's PyPI wheels)
  KERNELCLAW_NVFATBIN       the nvFatbin library instead of the same search;
                            without one, answers carry cubins and no fatbins
  KERNELCLAW_CUDA_ROOT      a toolkit to search before CUDA_HOME, CUDA_PATH and
                            /usr/local/cuda
  KERNELCLAW_INCLUDE_ROOTS  folders that kernels may include from, separated by
                            ':'; the toolkit's or wheels' include folders are
                            added when found. Standard headers such as
                            <cstdint> and claw_spec.h need no folder

A crash or a hang ends the child process that holds the device; the answer is
the outcome 'fault' or 'timeout', and the next job gets a fresh child.

exit codes: 0 all jobs answered (whatever the answers), 1 input or output
failed, or --probe or --mailbox found no device, 2 wrong usage
)";

/// This executable: it is started again as child and as compile server.
static std::string ownPath() {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return length > 0 ? std::string(path, static_cast<size_t>(length))
                    : "/proc/self/exe";
}

namespace {
struct Arguments {
  std::string device = "cuda";
  std::string mailbox;
  bool probe = false;
  bool verbose = false;
  bool child = false;
  bool compileServer = false;
};
} // namespace

static constexpr std::string_view devices[] = {"cuda", "sim", "auto", "none"};

static int usage(const std::string &why) {
  std::cerr << "kernelclaw-worker: " << why << "; see --help\n";
  return 2;
}

static int run(const Arguments &arguments) {
  if (arguments.compileServer)
    return kclaw::runCompileServer();
  if (std::ranges::find(devices, arguments.device) == std::end(devices))
    return usage("unknown device '" + arguments.device +
                 "'; accepted: cuda, sim, auto, none");
  if (arguments.child)
    return kclaw::runWorkerChild(arguments.device, ownPath());
  if (arguments.probe) {
    kclaw::ProbeReport report = kclaw::probe(arguments.device);
    std::cout << report.json << std::endl;
    if (!std::cout) {
      std::cerr << "kernelclaw-worker: cannot write the report\n";
      return 1;
    }
    if (arguments.device == "none" || report.deviceError.empty())
      return 0;
    std::cerr << "kernelclaw-worker: no usable device: " << report.deviceError
              << "\n";
    return 1;
  }
  if (!arguments.mailbox.empty())
    return kclaw::runMailbox(arguments.mailbox, arguments.device, ownPath(),
                             arguments.verbose);
  return kclaw::runWorker(arguments.device, ownPath(), arguments.verbose);
}

int main(int argc, char **argv) {
  Arguments arguments;
  struct Flag {
    const char *name;
    bool &value;
  };
  struct Text {
    const char *name;
    std::string &value;
  };
  const Flag flags[] = {{"--probe", arguments.probe},
                        {"--verbose", arguments.verbose},
                        {"--child", arguments.child},
                        {"--compile-server", arguments.compileServer}};
  const Text texts[] = {{"--device", arguments.device},
                        {"--mailbox", arguments.mailbox}};
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (word == "--help" || word == "-h") {
      std::cout << help;
      return 0;
    }
    bool known = false;
    for (const Flag &flag : flags)
      if (word == flag.name)
        known = flag.value = true;
    for (const Text &text : texts) {
      std::string prefix = std::string(text.name) + "=";
      if (word.starts_with(prefix)) {
        text.value = word.substr(prefix.size());
        known = true;
      } else if (word == text.name) {
        if (++i == argc)
          return usage(word + " needs a value");
        text.value = argv[i];
        known = true;
      }
    }
    if (!known)
      return usage("unknown option '" + word + "'");
  }
  return run(arguments);
}
