//===- Repro.cpp - A stand-alone program of one judgement -----------------===//
#include "Repro.h"
#include "Distributions.h"
#include "EmbeddedText.h"
#include "ErrorBudget.h"
#include "Files.h"
#include "JudgedSizes.h"
#include "ReproGuide.h"
#include "ReproProgram.h"
#include "kernelclaw/Device/Compiler.h"
#include "kernelclaw/Plan/CheckPlan.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

namespace kclaw {
namespace {

struct Compiled {
  std::vector<ModuleImage> candidate, stock, reference;
};

Expected<std::vector<ModuleImage>> compileFor(const Plan &plan, const Job &job,
                                              const std::string &worker) {
  CompileOptions options;
  options.arch = job.arch;
  options.workerPath = worker;
  auto compiled = compilePlan(plan, job.spec, options);
  if (!compiled)
    return std::unexpected(compiled.error());
  return compiled->images;
}

std::string tensorText(const TensorSpec &spec, const ProblemTensor &tensor) {
  std::string shape;
  for (int64_t size : tensor.shape)
    shape += (shape.empty() ? "" : ", ") + std::to_string(size);
  return "{" + quoted(spec.name) + ", \"" +
         std::string(info(tensor.dtype).name) + "\", " +
         std::to_string(static_cast<int>(tensor.dtype)) + ", {" + shape +
         "}, " + std::to_string(tensor.count) + "ull, " +
         std::to_string(tensor.bytes) + "ull, " +
         std::to_string(tensor.rowLength) + "ull, " +
         std::to_string(tensor.alignmentBytes) + "ull}";
}

/// The judge's own parameters, byte by byte: the numbers are the judge's.
std::string paramsText(const KclGenerate &params) {
  unsigned char bytes[sizeof params];
  std::memcpy(bytes, &params, sizeof params);
  std::string text = "{";
  for (size_t i = 0; i < sizeof bytes; ++i)
    text += (i ? "," : "") + std::to_string(bytes[i]);
  return text + "}";
}

class Writer {
public:
  Writer(const Job &job, const Evaluation &evaluation, const Problem &problem,
         const Compiled &compiled)
      : job(job), evaluation(evaluation), problem(problem) {
    programs.push_back(renderProgram("candidate", job.candidate,
                                     compiled.candidate, job.spec, problem,
                                     true));
    programs.push_back(renderProgram("stock", job.stock, compiled.stock,
                                     job.spec, problem, false));
    programs.push_back(renderProgram("reference", job.reference,
                                     compiled.reference, job.spec, problem,
                                     false));
  }

  const std::vector<std::string> &missing(size_t program) const {
    return programs[program].missing;
  }

  std::string write() const {
    std::string text = top();
    text += "#define KCL_FN __host__ __device__ inline\n" + elementsText() +
            generateKernel() + reproHarnessText() + "\n";
    for (const ReproProgram &program : programs)
      text += program.declarations;
    text += "\n// ---- Sizes, launches and data of this kernel. ----\n"
            "repro::Problem repro::problem() {\n  Problem p;\n  p.title = " +
            quoted(title()) + ";\n";
    text += tensors() + draws();
    for (const ReproProgram &program : programs)
      text += program.body;
    text += "  return p;\n}\n\n";
    text += "// ---- The kernel. What NVRTC is told by options stands here as "
            "text: tunables,\n// claw_spec.h, __device__ before functions "
            "that have no annotation. ----\n"
            "#pragma nv_diag_suppress 177 // constants nobody uses\n" +
            tunables() + renderSpecHeader(job.spec) + "\n";
    for (const ReproProgram &program : programs)
      text += program.definitions;
    return text;
  }

private:
  std::string title() const {
    return job.candidate.title.empty() ? job.id : job.candidate.title;
  }

  std::string top() const {
    std::string text =
        "//===- repro.cu: " + title() +
        "\n//\n// One kernel as it was judged, " +
        "stand-alone: README.md has the command lines.\n// Verdict then: " +
        std::string(name(evaluation.outcome)) +
        (evaluation.rule.empty() ? "" : ", rule " + evaluation.rule) + "\n//\n";
    for (const ReproProgram &program : programs)
      for (const std::string &each : program.missing)
        text += "// Left out: " + each + "\n";
    text += "//===----------------------------------------------------------"
            "------------===//\n";
    std::vector<std::string> includes;
    for (const char *standard :
         {"algorithm", "cmath", "cstdio", "cstdlib", "cstring", "cuda.h",
          "cuda_runtime.h", "map", "memory", "string", "vector"})
      includes.push_back("#include <" + std::string(standard) + ">");
    for (const ReproProgram &program : programs)
      for (const std::string &line : program.includes)
        if (std::ranges::find(includes, line) == includes.end())
          includes.push_back(line);
    for (const std::string &line : includes)
      text += line + "\n";
    return text + "\n";
  }

  static std::string generateKernel() {
    return R"(
extern "C" __global__ void repro_generate(KclGenerate p) {
  for (kcl_u64 i = blockIdx.x * (kcl_u64)blockDim.x + threadIdx.x; i < p.count;
       i += (kcl_u64)gridDim.x * blockDim.x)
    kclStore(p.data, i, p.type, kclDraw(p, i));
}

)";
  }

  std::string tensors() const {
    std::string text;
    for (size_t i = 0; i < problem.arguments.size(); ++i)
      text += "  p.arguments.push_back(" +
              tensorText(job.spec.arguments[i], problem.arguments[i]) + ");\n";
    for (size_t i = 0; i < problem.results.size(); ++i)
      text += "  p.results.push_back(" +
              tensorText(job.spec.results[i], problem.results[i]) + ");\n";
    return text;
  }

  /// First the data it failed on, then all distributions.
  std::string draws() const {
    const Explanation &failed = evaluation.explanation;
    std::string text;
    for (const Distribution &distribution : distributions)
      if (evaluation.outcome != Outcome::Ok &&
          failed.distribution == distribution.name)
        text += draw("judged", distribution, failed.level, failed.draw);
    uint64_t run = 0;
    for (const Distribution &distribution : distributions)
      text += draw(distribution.name, distribution, 0, ++run);
    return text;
  }

  std::string draw(const std::string &shown, const Distribution &distribution,
                   int level, uint64_t run) const {
    std::string text = "  {\n    Draw d{};\n    d.name = " + quoted(shown) +
                       ";\n    d.level = " + std::to_string(level) + ";\n";
    for (size_t i = 0; i < problem.arguments.size(); ++i) {
      const TensorSpec &argument = job.spec.arguments[i];
      const ProblemTensor &tensor = problem.arguments[i];
      uint64_t dataSeed = evaluation.seed ? evaluation.seed : job.seed;
      uint64_t seed = mixSeed(dataSeed, run, i);
      text +=
          "    // " + std::to_string(i) + ": '" + distribution.name +
          "', seed " + std::to_string(seed) + "\n    d.arguments.push_back(" +
          paramsText(generateParams(job.spec, i, tensor.count, tensor.rowLength,
                                    distribution, level, seed)) +
          ");\n    d.follows.push_back(" +
          (follows(argument, distribution) ? "true" : "false") + ");\n";
    }
    for (const ProblemTensor &tensor : problem.results) {
      char bound[40];
      std::snprintf(bound, sizeof bound, "%.17g",
                    isFloat(tensor.dtype) ? familyBudget(job.spec, tensor.dtype,
                                                         distribution.name)
                                          : 0.0);
      text += "    d.bounds.push_back(" + std::string(bound) + ");\n";
    }
    return text + "    p.draws.push_back(d);\n  }\n";
  }

  std::string tunables() const {
    std::string text;
    Bindings names = planBindings(job.spec, job.candidate, problem.dims);
    for (const Tunable &tunable : job.candidate.tunables)
      text += "#define " + tunable.name + " " +
              std::to_string(names[tunable.name]) + "\n";
    return text;
  }

  const Job &job;
  const Evaluation &evaluation;
  const Problem &problem;
  std::vector<ReproProgram> programs;
};

/// What was judged at smaller sizes fails at those.
const Job &judgedJob(const Job &job, const Evaluation &evaluation,
                     std::vector<Job> &reduced) {
  if (evaluation.evidence == Evidence::SimulatedReduced)
    reduced = reducedJobs(job);
  return reduced.empty() ? job : reduced.front();
}

} // namespace

Expected<std::vector<std::string>> writeRepro(const Job &given,
                                              const Evaluation &evaluation,
                                              const ReproOptions &options) {
  Job asked = given;
  for (Tunable &tunable : asked.candidate.tunables)
    if (auto chosen = evaluation.chosenTunables.find(tunable.name);
        chosen != evaluation.chosenTunables.end())
      tunable.chosen = chosen->second;
  std::vector<Job> reduced;
  const Job &job = judgedJob(asked, evaluation, reduced);
  auto problem = instantiate(job.spec);
  if (!problem)
    return std::unexpected(problem.error().context("--repro"));
  Compiled compiled;
  struct Part {
    const Plan &plan;
    std::vector<ModuleImage> &images;
  };
  for (Part part : {Part{job.candidate, compiled.candidate},
                    Part{job.stock, compiled.stock},
                    Part{job.reference, compiled.reference}}) {
    auto images = compileFor(part.plan, job, options.workerPath);
    if (!images)
      return std::unexpected(images.error().context("--repro"));
    part.images = std::move(*images);
  }
  Writer writer(job, evaluation, *problem, compiled);
  if (!writer.missing(0).empty())
    return makeError(Error::Code::Invalid,
                     "--repro: " + writer.missing(0).front());
  std::error_code failed;
  std::filesystem::create_directories(options.directory, failed);
  std::vector<std::pair<std::string, std::string>> files = {
      {"repro.cu", writer.write()},
      {"README.md", reproReadme(job, evaluation, options.commandLine)},
      {"run.sh", reproScript(job)}};
  for (const ModuleImage &image : compiled.candidate)
    if (!image.ptx.empty())
      files.push_back({"candidate_" + image.module + ".ptx", image.ptx});
  for (const auto &[file, text] : files)
    if (auto done = writeFileAtomically(options.directory + "/" + file, text);
        !done)
      return std::unexpected(done.error().context("--repro"));
  std::filesystem::permissions(options.directory + "/run.sh",
                               std::filesystem::perms::owner_exec,
                               std::filesystem::perm_options::add, failed);
  std::vector<std::string> leftOut = writer.missing(1);
  leftOut.insert(leftOut.end(), writer.missing(2).begin(),
                 writer.missing(2).end());
  return leftOut;
}

} // namespace kclaw
