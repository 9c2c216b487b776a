//===- main.cpp - kernelclaw-run ------------------------------------------===//
//
// Runs one entry of a module with arrays from a file, prints what came out and
// compares it; or verifies all its entries on drawn data.
//
//===----------------------------------------------------------------------===//
#include "Call.h"
#include "Expect.h"
#include "Inputs.h"
#include "Npz.h"
#include "Verify.h"

#include "kernelclaw/Cuda/DriverChoice.h"
#include "kernelclaw/Device/ModuleVerifier.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <optional>

#include <unistd.h>

using namespace kclaw;

namespace {

struct Options {
  std::string file, device = "auto", args, meta, expect, out, entry;
  std::string graph = "auto";
  std::optional<RunPolicy> policy; ///< of --expect; none: as the module says
  int repeat = 0;
  std::vector<std::string> records; ///< of --verify
  std::string json;
};

} // namespace

static constexpr const char *footer =
    "FILE is a shared library made by kernelclaw-opt --emit=so, or .mlir: "
    "Torch "
    "dialect,\nlinalg on tensors, or the LLVM dialect that kernelclaw-opt "
    "leaves.\n\n"
    "Exit codes: 0 ran, and the results match; 1 error (bad input, usage, a "
    "call that\nfailed); 2 a result does not match; 3 no device or driver.\n\n"
    "--verify runs each entry on drawn data that respect the arguments' "
    "domains\n(poisoned results, guard bands, inputs unchanged), beside the "
    "all-stock plan and\nthe f64 reference of FILE.verify.json, which "
    "kernelclaw-opt writes beside its\noutput. Each result's error may be at "
    "most max(2 x stock's error on the same\ndata, the operator family's "
    "bound). Needs a GPU (or --device=sim) and NVRTC, no LLVM for a .so.\n"
    "Exit codes of --verify: 0 PASS; 1 FAIL, or an error; 3 no device, driver "
    "or NVRTC;\n4 "
    "unverified: nothing wrong was found, but an entry could not be judged "
    "(the last\nline says why).";

static void addOptions(CLI::App &app, Options &options) {
  const std::map<std::string, RunPolicy> policies = {
      {"torch", RunPolicy::Torch},
      {"strict", RunPolicy::Strict},
      {"tf32", RunPolicy::Tf32},
      {"loose", RunPolicy::Loose}};
  app.add_option("FILE", options.file, "the module")->required();
  app.add_option("--device", options.device,
                 "cpu, cuda, sim (the simulated CUDA driver), or auto "
                 "(default): cuda where there is a GPU, else cpu")
      ->check(CLI::IsMember({"cpu", "cuda", "sim", "auto"}));
  auto *args =
      app.add_option("--args", options.args,
                     "arguments: .npz with arg0, arg1, ... or .npy with one");
  app.add_option("--meta", options.meta,
                 "meta.json: pass only the arguments of role input");
  auto *expect = app.add_option(
      "--expect", options.expect,
      "compare with res0, ... (and eager32_res0, ...) of this .npz");
  app.add_option("--policy", options.policy,
                 "precision that --expect allows: strict, torch, tf32, loose; "
                 "default: torch where the module says that it uses TF32 "
                 "(KCL_HINT_TF32), else strict")
      ->transform(CLI::CheckedTransformer(policies));
  app.add_option("--repeat", options.repeat,
                 "time this many further calls; prints median and minimum")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("--graph{on}", options.graph,
               "cuda: capture a call as a CUDA graph, launch and time that "
               "too: on, off, or auto (default): where the module advises it")
      ->check(CLI::IsMember({"on", "off", "auto"}));
  app.add_option("--out", options.out, "write the results as .npz or .npy");
  app.add_option("--entry", options.entry,
                 "which function (default: the first; of a library: main)");
  app.add_flag("--verify{}", options.records,
               "check every entry on drawn data against FILE.verify.json, or "
               "against the record of --verify=RECORD (may be repeated)")
      ->excludes(args, expect);
  app.add_option("--json", options.json,
                 "with --verify: write the report as JSON "
                 "(docs/schema/verify-report.schema.json)");
  app.footer(footer);
}

static int fail(const Error &error) {
  std::fprintf(stderr, "kernelclaw-run: error: %s\n", error.message.c_str());
  return error.code == Error::Code::Unavailable ? RunExit::NoDevice
                                                : RunExit::Failed;
}

/// The device that a module which is not lowered yet is lowered for.
static std::string chooseDevice(const std::string &asked) {
  if (asked != "auto")
    return asked == "sim" ? "cuda" : asked;
  return hasCudaDevice() ? "cuda" : "cpu";
}

/// The simulator is a CUDA device to modules.
static const char *nameOf(int32_t device) {
  return device == kDLCPU ? "cpu" : isDeviceSimulated() ? "sim" : "cuda";
}

static Expected<std::unique_ptr<DeviceBuffers>>
openDevice(const Options &options, const kcl_entry_info &info) {
  std::string device = info.device_type == kDLCPU ? "cpu" : "cuda";
  std::string asked = options.device == "sim" ? "cuda" : options.device;
  if (asked != "auto" && asked != device)
    return makeError(Error::Code::Invalid,
                     options.file + " was lowered for " + device +
                         ", --device=" + options.device + " asked for");
  if (device == "cpu")
    return makeHostBuffers();
  return makeCudaBuffers();
}

static void printTimes(const char *what, std::vector<double> times,
                       bool simulated) {
  if (times.empty())
    return;
  std::sort(times.begin(), times.end());
  std::printf("%stime of %zu %s: median %.6f ms, min %.6f ms\n",
              simulated ? "simulated " : "", times.size(), what,
              times[times.size() / 2], times.front());
}

static void printSummary(const Options &options, const EntryFunctions &entry,
                         const CallOutcome &outcome) {
  std::printf("%s: entry %s on %s, workspace %llu bytes\n",
              options.file.c_str(), entry.name.c_str(),
              nameOf(entry.info->device_type),
              static_cast<unsigned long long>(outcome.workspaceBytes));
  if (outcome.persistentBytes > 0)
    std::printf("prepared buffers: %llu bytes\n",
                static_cast<unsigned long long>(outcome.persistentBytes));
  if (entry.info->device_type == kDLCUDA)
    std::printf("regions: %llu won, %llu stock\n",
                static_cast<unsigned long long>(outcome.regionsWon),
                static_cast<unsigned long long>(outcome.regionsStock));
  for (size_t i = 0; i < outcome.results.size(); ++i)
    std::printf(
        "res%zu: %s\n", i,
        describe(outcome.results[i].dtype, outcome.results[i].shape).c_str());
  bool simulated = entry.info->device_type != kDLCPU && isDeviceSimulated();
  printTimes("calls", outcome.milliseconds, simulated);
  if (!outcome.graph)
    return;
  std::printf("graph: results %s\n",
              outcome.graph->same ? "equal those of the direct call"
                                  : "differ bitwise from the direct call");
  printTimes("graph launches", outcome.graph->milliseconds, simulated);
}

/// On the CPU, or without TF32 inside, f32 is f32.
static RunPolicy policyOf(const Options &options, const EntryFunctions &entry) {
  return options.policy.value_or(
      entry.hints & KCL_HINT_TF32 ? RunPolicy::Torch : RunPolicy::Strict);
}

static Expected<bool> finish(const Options &options, RunPolicy policy,
                             const CallOutcome &outcome) {
  if (!options.out.empty()) {
    Arrays arrays;
    for (size_t i = 0; i < outcome.results.size(); ++i)
      arrays["res" + std::to_string(i)] = outcome.results[i];
    if (auto written = writeArrays(options.out, arrays); !written)
      return std::unexpected(written.error());
  }
  if (options.expect.empty())
    return true;
  Expected<Arrays> expected = readArrays(options.expect, "res0");
  if (!expected)
    return std::unexpected(expected.error());
  return compareAll(outcome.results, *expected, policy);
}

static bool wantsGraph(const Options &options, const EntryFunctions &entry) {
  if (options.graph != "auto")
    return options.graph == "on";
  return entry.info->device_type == kDLCUDA && (entry.hints & KCL_HINT_GRAPH);
}

static int runVerify(const Options &options) {
  if (options.device == "cpu")
    return fail({Error::Code::Invalid,
                 "--verify judges modules on a CUDA device; for the CPU "
                 "compare with --args and --expect"});
  Expected<VerifyReport> report =
      verify({options.file, options.records, options.json});
  if (!report)
    return fail(report.error().context("--verify"));
  int code = report->status() == VerifyStatus::Passed   ? RunExit::Ok
             : report->status() == VerifyStatus::Failed ? RunExit::Failed
                                                        : RunExit::Unverified;
  // The driver's exit handlers may wait for a kernel that never ends.
  if (report->contextLost)
    _exit(code);
  return code;
}

static int run(const Options &options) {
  if (options.device == "sim")
    if (Expected<DriverChoice> chosen = decideDriver("sim"); !chosen)
      return fail(chosen.error().context("--device=sim"));
  if (!options.records.empty())
    return runVerify(options);
  if (!options.json.empty())
    return fail({Error::Code::Invalid, "--json needs --verify"});
  // Asked for by name, a missing device is told before anything else.
  if (options.device == "cuda" || options.device == "sim")
    if (auto buffers = makeCudaBuffers(); !buffers)
      return fail(buffers.error().context("--device=" + options.device));
  std::vector<Array> arguments;
  if (!options.args.empty()) {
    Expected<std::vector<Array>> read = readInputs(options.args, options.meta);
    if (!read)
      return fail(read.error());
    arguments = std::move(*read);
  }
  Expected<EntryFunctions> entry =
      openModule(options.file, options.entry, chooseDevice(options.device));
  if (!entry)
    return fail(entry.error());
  auto buffers = openDevice(options, *entry->info);
  if (!buffers)
    return fail(buffers.error());
  Expected<CallOutcome> outcome = callEntry(
      *entry, **buffers, arguments,
      {.repeat = options.repeat, .graph = wantsGraph(options, *entry)});
  if (!outcome)
    return fail(outcome.error().context(options.file));
  printSummary(options, *entry, *outcome);
  Expected<bool> passed = finish(options, policyOf(options, *entry), *outcome);
  if (!passed)
    return fail(passed.error());
  if (!options.expect.empty())
    std::printf("%s\n", *passed ? "PASS" : "FAIL");
  return *passed ? RunExit::Ok : RunExit::Mismatch;
}

int main(int argc, char **argv) {
  CLI::App app("Runs a lowered module with arrays from NumPy files.",
               "kernelclaw-run");
  Options options;
  addOptions(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? RunExit::Ok : RunExit::Failed;
  }
  return run(options);
}
