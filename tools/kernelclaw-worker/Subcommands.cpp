//===- Subcommands.cpp - kernelclaw-worker explain and check --------------===//
#include "Subcommands.h"

#include "kernelclaw/Device/Explain.h"

#include <CLI/CLI.hpp>

#include <string_view>

using namespace kclaw;

static constexpr const char *exitCodes =
    "Exit codes: 0 the kernel is right; 1 it is not; 2 a file, an option or "
    "the launch\nrecipe is wrong; 3 no usable device, driver or NVRTC.";

static constexpr const char *explainText =
    "Judges one attempt of a run directory again and says what is wrong: rule, "
    "data,\nthe first ten wrong elements, where they cluster, compiler log, "
    "resources, and\nwhat to try next.";

static constexpr const char *checkText =
    "Judges a hand-written kernel as a candidate of the loop is judged. "
    "Comments "
    "in the\nsource are the launch recipe:\n\n"
    "  // claw: grid=ceildiv(rows, 4), block=(32, 4), args=x, y, rows, cols\n"
    "  extern \"C\" __global__ void softmax(const float *x, float *y, int "
    "rows, "
    "int cols)\n\n"
    "Without args=, pointers are the spec's tensors by name or in order "
    "(arguments,\nresults, workspaces), and integers are dimensions by name. "
    "Further words:\n"
    "  kernel=NAME shared=BYTES cluster=N cooperative   of a launch, in the "
    "order\n"
    "                                                   of the lines\n"
    "  workspace=NAME bytes=EXPR                        a buffer of undefined "
    "contents\n"
    "  memset=BUFFER bytes=EXPR value=0 offset=EXPR     before the launches "
    "below\n"
    "  tunable=NAME values=16,32                        a macro that is swept\n"
    "  resizable, requires=EXPR, constraint=EXPR, title=TEXT (the rest of its "
    "line)\n"
    "args= also takes 'w + 64' (bytes on), i32(EXPR), i64(EXPR), f32(EXPR), "
    "f64(EXPR).\n"
    "A line that ends in a comma or backslash goes on in the next claw line.\n"
    "Expressions have integers, dimensions, tunables, + - * / %, ceildiv, min, "
    "max and\ncomparisons. Several kernels run in the order of their lines.\n\n"
    "--spec is a region's folder of a run directory (RUN/regions/HASH; "
    "kernelclaw-opt\n--llm-optimize='provider=none evaluator=none store=none "
    "run-dir=RUN' MODEL.mlir\n-o /dev/null writes one for each region), a job "
    "file of a mailbox, or a spec.json with stock.json "
    "and "
    "reference.json beside it or\nnamed by --stock and --reference (.json, or "
    ".cu with claw lines; the reference's\nfloat results are double).";

namespace {

/// NaN, too, is refused.
std::string checkSeconds(const std::string &text) {
  double seconds = 0;
  if (CLI::detail::lexical_cast(text, seconds) && seconds > 0 && seconds <= 1e9)
    return "";
  return "'" + text + "' is no number of seconds; accepted: above 0 to 1e9";
}

/// CLI11 reads -1 as 2^64 - 1.
std::string checkSeed(const std::string &text) {
  uint64_t seed = 0;
  if (!text.starts_with('-') && CLI::detail::lexical_cast(text, seed))
    return "";
  return "'" + text +
         "' is no seed; accepted: 0 to 18446744073709551615, as a "
         "report prints it";
}

/// Options of both commands.
void addJudgeOptions(CLI::App &app, JudgeOptions &options) {
  app.add_option("--device", options.device,
                 "cuda (default), sim (the simulated device: no GPU needed, "
                 "names races and accesses out of bounds), auto, or cuda:N");
  app.add_option("--repro", options.repro,
                 "write a stand-alone program to this folder: repro.cu, and "
                 "the nvcc, compute-sanitizer and ncu command lines");
  app.add_option("--json", options.json,
                 "write the evaluation (docs/schema/evaluation.schema.json)");
  app.add_option("--seed", options.seed,
                 "the same data again: the seed that a report printed")
      ->check(checkSeed);
  app.add_option("--timeout", options.timeoutSeconds,
                 "seconds for the whole judgement (60; 300 on the simulator)")
      ->check(checkSeconds);
  app.add_flag("--profile", options.profile,
               "counters and roofline, when the kernel is right");
  app.add_flag("--checks", options.checks,
               "also the simulator's checks and compute-sanitizer, when the "
               "kernel is right");
  app.add_flag("--verbose", options.verbose,
               "say on standard error what is being done");
  app.footer(exitCodes);
}

void addCheckOptions(CLI::App &app, CheckOptions &options) {
  app.add_option("FILE.cu", options.source, "the kernel")->required();
  app.add_option("--spec", options.spec, "what it has to compute; see above")
      ->required();
  app.add_option("--stock", options.stock, "the plan to be faster than");
  app.add_option("--reference", options.reference, "the f64 plan");
  auto *plan = app.add_option("--plan", options.plan,
                              "plan.json: the launch recipe, instead of the "
                              "source's claw lines");
  app.add_option("--launch", options.launch,
                 "a further claw line: --launch='grid=132, block=256'")
      ->excludes(plan);
  app.add_option("--arch", options.arch,
                 "architecture (default: the job's, "
                 "else sm_90a)");
  app.add_flag("--deterministic", options.deterministic,
               "two runs must be bitwise equal");
  app.add_flag("--watch", options.watch,
               "judge again whenever the file changes");
  app.add_flag("--new", options.create,
               "write FILE.cu to start from, and stop");
  addJudgeOptions(app, options.judge);
}

void addExplainOptions(CLI::App &app, ExplainOptions &options) {
  app.add_option("ATTEMPT", options.attempt,
                 "RUN/REGION/ATTEMPT: run directory, spec hash (or its "
                 "beginning, or the region's symbol), number of an attempt "
                 "with a plan (or first, last); or a job file of a mailbox")
      ->required();
  addJudgeOptions(app, options.judge);
}

} // namespace

static std::string joinArguments(int argc, char **argv) {
  std::string line = "kernelclaw-worker";
  for (int i = 1; i < argc; ++i)
    line += " " + std::string(argv[i]);
  return line;
}

/// CLI11 ends with codes of its own; ours are 0 and BadInput.
static std::optional<int> parse(CLI::App &app, int argc, char **argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : int(BadInput);
  }
  return std::nullopt;
}

template <typename Options>
static int run(const char *name, const char *text,
               void (*addOptions)(CLI::App &, Options &),
               int (*command)(const Options &), int argc, char **argv,
               const std::string &workerPath) {
  Options options;
  CLI::App app(text, name);
  addOptions(app, options);
  options.judge.workerPath = workerPath;
  options.judge.commandLine = joinArguments(argc, argv);
  if (auto code = parse(app, argc - 1, argv + 1))
    return *code;
  return command(options);
}

std::optional<int> runSubcommand(int argc, char **argv,
                                 const std::string &workerPath) {
  std::string_view word = argc > 1 ? argv[1] : "";
  if (word == "explain")
    return run("kernelclaw-worker explain", explainText, addExplainOptions,
               runExplain, argc, argv, workerPath);
  if (word == "check")
    return run("kernelclaw-worker check", checkText, addCheckOptions, runCheck,
               argc, argv, workerPath);
  return std::nullopt;
}
