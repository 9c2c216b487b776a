//===- Compiler.cpp - CUDA C++ to images, in a sandboxed process ----------===//
#include "kernelclaw/Device/Compiler.h"
#include "ChildProcess.h"
#include "CompileProtocol.h"
#include "Fatbin.h"
#include "PtxGlobals.h"
#include "ResourceParse.h"
#include "ShippedHeaders.h"
#include "kernelclaw/Cuda/NvrtcApi.h"

namespace kclaw {

static Expected<CompileResult> runServer(const CompileRequest &request,
                                         const std::string &nvrtcPath,
                                         const std::string &workerPath) {
  std::vector<std::string> environment{"KERNELCLAW_NVRTC=" + nvrtcPath};
  Expected<ChildProcess> server =
      ChildProcess::spawn(workerPath, {"--compile-server"}, &environment);
  if (!server)
    return std::unexpected(server.error().context("starting the compiler"));
  Clock::time_point deadline = after(request.timeoutSeconds);
  if (auto ok = server->write(pack(request), deadline); !ok)
    return std::unexpected(ok.error().context("sending to the compiler"));
  server->closeInput();
  Expected<std::string> reply = server->readAll(deadline);
  if (!reply) {
    CompileResult late;
    late.rule = "compile-timeout";
    late.log = "compiling took longer than " +
               std::to_string(request.timeoutSeconds) + " seconds";
    return late;
  }
  auto result = unpackResult(*reply);
  if (result)
    return *result;
  CompileResult crashed;
  crashed.rule = "compiler-crash";
  crashed.log = "the compiler did not answer: " + server->end(false);
  return crashed;
}

static std::vector<std::string> planOptions(const Plan &plan) {
  std::vector<std::string> options{"--std=c++20", "-default-device",
                                   "--generate-line-info",
                                   "--ptxas-options=-v"};
  for (const Tunable &tunable : plan.tunables)
    options.push_back("--define-macro=" + tunable.name + "=" +
                      std::to_string(tunable.chosen));
  return options;
}

/// State that outlives a call could replay results of earlier ones.
static std::string judgeGlobals(const std::string &ptx) {
  std::string names;
  for (const std::string &global : writtenGlobals(ptx))
    names += (names.empty() ? "'" : ", '") + global + "'";
  if (names.empty())
    return "";
  return "it may write the __device__ variables " + names +
         ", which keep their values from call to call; use a workspace buffer "
         "and a memset step instead";
}

static void fail(CompiledPlan &compiled, Outcome outcome,
                 const std::string &rule, const std::string &message) {
  compiled.outcome = outcome;
  compiled.rule = rule;
  compiled.message = message;
}

/// Compiles one CUDA C++ module into `compiled`; an Error is ours.
static Expected<void> compileModule(const PlanModule &module, const Plan &plan,
                                    const KernelSpec &spec,
                                    const NvrtcApi &nvrtc,
                                    const CompileOptions &options,
                                    CompiledPlan &compiled) {
  CompileRequest request;
  request.name = module.name;
  request.source = module.source;
  request.arch = options.arch;
  request.options = planOptions(plan);
  request.headers = shippedHeaders();
  request.headers.push_back({"claw_spec.h", renderSpecHeader(spec)});
  request.includeRoots = findIncludeRoots();
  request.timeoutSeconds = options.timeoutSeconds;
  Expected<CompileResult> result =
      runServer(request, nvrtc.path, options.workerPath);
  if (!result)
    return std::unexpected(result.error());
  if (result->rule == "unavailable")
    return makeError(Error::Code::Unavailable, result->log);
  compiled.sandbox = result->sandbox;
  compiled.log += boundLog(result->log);
  if (!result->ok) {
    fail(compiled, Outcome::CompileError,
         result->rule.empty() ? "compile" : result->rule,
         "module '" + module.name + "' does not compile");
    if (!result->rule.empty())
      compiled.message += ": " + result->log;
    return {};
  }
  ModuleImage image;
  image.module = module.name;
  image.arch = options.arch;
  image.ptx = result->ptx;
  image.cubin.assign(result->cubin.begin(), result->cubin.end());
  if (plan.producer == Producer::Model || plan.producer == Producer::Expert)
    if (std::string why = judgeGlobals(image.ptx); !why.empty())
      fail(compiled, Outcome::Rejected, "device-globals",
           "module '" + module.name + "': " + why);
  for (ResourceReport &row : parseResources(result->log))
    compiled.resources.push_back(std::move(row));
  compiled.images.push_back(std::move(image));
  return {};
}

Expected<CompiledPlan> compilePlan(const Plan &plan, const KernelSpec &spec,
                                   const CompileOptions &options) {
  CompiledPlan compiled;
  for (const PlanModule &module : plan.modules) {
    if (module.kind == PlanModule::Kind::Cuda) {
      const Expected<NvrtcApi> &nvrtc = NvrtcApi::get();
      if (!nvrtc)
        return std::unexpected(nvrtc.error());
      compiled.nvrtcVersion = nvrtc->version;
      if (auto ok =
              compileModule(module, plan, spec, *nvrtc, options, compiled);
          !ok)
        return std::unexpected(ok.error());
      if (compiled.outcome != Outcome::Ok)
        return compiled;
      continue;
    }
    if (plan.producer == Producer::Model) {
      fail(compiled, Outcome::Rejected, "cuda-only",
           "module '" + module.name + "': a model may submit CUDA C++ only");
      return compiled;
    }
    ModuleImage image;
    image.module = module.name;
    image.arch = options.arch;
    if (module.kind == PlanModule::Kind::Ptx)
      image.ptx = module.source;
    else
      image.cubin.assign(module.source.begin(), module.source.end());
    compiled.images.push_back(std::move(image));
  }
  addFatbins(compiled.images);
  return compiled;
}

} // namespace kclaw
