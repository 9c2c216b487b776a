//===- kernelclaw-worker.cpp - Judges plans on a GPU ----------------------===//
//
// Reads jobs, answers evaluations; executes plans and nothing else. Runs alone
// on a machine with the driver and NVRTC.
//
//===----------------------------------------------------------------------===//
#include "Subcommands.h"

#include "kernelclaw/Device/Compiler.h"
#include "kernelclaw/Device/Selftest.h"
#include "kernelclaw/Device/Worker.h"

#include <charconv>
#include <climits>
#include <cstdio>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>

static const char help[] =
    R"(usage: kernelclaw-worker [options] < jobs.jsonl > results.jsonl
       kernelclaw-worker check FILE.cu --spec SPEC [options]
       kernelclaw-worker explain RUN/REGION/ATTEMPT [options]

Judges kernel plans on the CUDA devices that can be seen, or on the simulated
one: compiles them with NVRTC in a sandbox, checks every result against an f64
reference, times them. One job (JSON) a line on standard input, one evaluation
(JSON) a line on standard output, in order. A line that is not a job gets an answer that says why.

check judges a hand-written kernel, explain an attempt of a run directory, both
for people: kernelclaw-worker check --help, kernelclaw-worker explain --help.

options:
  --device=cuda|sim|auto|none  cuda (default): NVIDIA's driver; sim: the
                      simulated device, which needs no GPU and whose evidence
                      is 'simulated'; auto: cuda where there is a GPU, else
                      sim; none: compile only. cuda:1 is the second device of
                      those that can be seen (CUDA_VISIBLE_DEVICES)
  --workers N         judge N jobs at once, each on a device of its own; 0
                      (default): as many as there are GPUs; one on the
                      simulator and behind a launcher
  --launcher COMMAND  what starts the processes that judge, such as
                      'srun -N1 --gpus=1', split into words as a shell would
  --mailbox DIR       judge DIR/jobs/job-*.json that have no answer yet; write
                      DIR/results/result-*.json; end when all are judged.
                      Several may empty one mailbox: each job is judged once.
                      Without a usable device the jobs stay as they are
  --probe             print device, driver, NVRTC and include roots as JSON;
                      exit code 1 when there is no usable device
  --selftest          judge the plans inside this program: cheats, each of which
                      must be caught by the rule meant for it, and honest ones
                      that look odd. One line a plan and a summary; exit code 1
                      when one was not found as predicted (docs/selftest.md)
    --only NAME       only this plan
    --plans DIR       judge the plans of a folder instead, in the same form;
                      DIR/problems adds to the problems inside
    --json FILE       write the table as JSON too
    --jobs            print the jobs instead, one a line
  --time-references   run only the f64 reference of each job and print what it
                      costs: milliseconds and bytes, one line of JSON a job
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
  KERNELCLAW_CUBLASLT, KERNELCLAW_CUDNN, KERNELCLAW_CUPTI
                            these libraries instead of the same search: for
                            library steps and for profiles
  KERNELCLAW_DISASSEMBLER   cuobjdump or nvdisasm instead of PATH, a toolkit
  KERNELCLAW_COMPUTE_SANITIZER  compute-sanitizer instead of PATH, a toolkit
  KERNELCLAW_CACHE          the folder of the judge's compiled kernels, instead
                            of the user's cache directory
  KERNELCLAW_ADVICE         the table of advice of check and explain, instead of
                            the one inside
  KERNELCLAW_SIM_...        options of the simulator: docs/SimulatedDriver.md

A crash or a hang ends the child process that holds the device; the answer is
the outcome 'fault' or 'timeout', and the next job gets a fresh child. A job
whose child was killed, or lost its device, is judged once more.

exit codes: 0 all jobs answered (whatever the answers), 1 input or output
failed, --probe or --mailbox found no device, or --selftest found a plan not as
predicted, 2 wrong usage; those of check and explain: their --help
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
  std::string launcher;
  std::string workers = "0";
  std::string only, json, plans;
  bool selftest = false;
  bool jobs = false;
  bool probe = false;
  bool timeReferences = false;
  bool verbose = false;
  bool child = false;
  bool compileServer = false;
};
} // namespace

/// A number of workers.
static std::optional<int> readCount(const std::string &text) {
  int count = -1;
  const char *end = text.data() + text.size();
  auto [rest, failed] = std::from_chars(text.data(), end, count);
  if (failed != std::errc{} || rest != end || count < 0 || count > 64)
    return std::nullopt;
  return count;
}

static int usage(const std::string &why) {
  std::cerr << "kernelclaw-worker: " << why << "; see --help\n";
  return 2;
}

static int run(const Arguments &arguments) {
  if (arguments.compileServer)
    return kclaw::runCompileServer();
  if (arguments.child)
    return kclaw::runWorkerChild(arguments.device, ownPath());
  if (auto known = kclaw::checkDevice(arguments.device); !known)
    return usage(known.error().message);
  std::optional<int> workers = readCount(arguments.workers);
  if (!workers)
    return usage("--workers is '" + arguments.workers +
                 "'; accepted: 0 (one for each GPU) to 64");
  if (arguments.selftest)
    return kclaw::runSelftest({arguments.device, arguments.only,
                               arguments.plans, arguments.json, ownPath(),
                               arguments.verbose, arguments.jobs});
  if (!arguments.only.empty() || !arguments.json.empty() ||
      !arguments.plans.empty() || arguments.jobs)
    return usage("--only, --plans, --json and --jobs go with --selftest");
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
  kclaw::WorkerOptions options{arguments.device, ownPath(), arguments.launcher,
                               *workers, arguments.verbose};
  if (arguments.timeReferences)
    return kclaw::timeReferences(arguments.device, ownPath());
  if (!arguments.mailbox.empty())
    return kclaw::runMailbox(arguments.mailbox, options);
  return kclaw::runWorker(options);
}

int main(int argc, char **argv) {
  if (auto code = runSubcommand(argc, argv, ownPath()))
    return *code;
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
                        {"--selftest", arguments.selftest},
                        {"--jobs", arguments.jobs},
                        {"--time-references", arguments.timeReferences},
                        {"--verbose", arguments.verbose},
                        {"--child", arguments.child},
                        {"--compile-server", arguments.compileServer}};
  const Text texts[] = {
      {"--device", arguments.device},     {"--mailbox", arguments.mailbox},
      {"--launcher", arguments.launcher}, {"--workers", arguments.workers},
      {"--only", arguments.only},         {"--json", arguments.json},
      {"--plans", arguments.plans}};
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
