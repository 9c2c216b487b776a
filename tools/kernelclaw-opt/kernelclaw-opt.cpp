//===- kernelclaw-opt.cpp - The compiler's command line -------------------===//
//
// mlir-opt with our dialects and passes: reads a module, runs the passes that
// the command line names, writes MLIR, an object or a shared library. Bytecode
// is refused: an unregistered reader cannot interpret the properties that
// torch-mlir's ops keep in it.
//
//===----------------------------------------------------------------------===//
#include "Emit.h"

#include "kernelclaw/Register/Register.h"
#include "kernelclaw/Synthesize/LlmOptimize.h"
#include "kernelclaw/Torch/Nesting.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/ToolOutputFile.h"

#include <atomic>
#include <csignal>

using namespace mlir;

static std::atomic<bool> interrupted = false;

/// Exit codes, also in the text below.
enum ExitCode { Written = 0, Failed = 1 };

static constexpr llvm::StringLiteral overview =
    "KernelClaw: Torch-dialect MLIR in, modules with proven kernels out\n\n"
    "EXIT CODES:\n"
    "  0   output written (regions won or kept stock)\n"
    "  1   error\n"
    "  3   max-tokens, max-usd, max-seconds or max-gpu-seconds reached, "
    "output\n"
    "      written (max-attempts does not count)\n"
    "  4   degraded: a provider or evaluator failed, or the module's check\n"
    "      dropped a winner or could not judge; output written\n"
    "  75  parked: waits for an answer from outside, run the same command "
    "again\n";

static int fail(const llvm::Twine &message) {
  llvm::errs() << "kernelclaw-opt: error: " << message << "\n";
  return Failed;
}

/// A pass can only fail; the report knows whether that was a parked run.
static int failureCode(const kclaw::RunReport &report) {
  if (report.estimated)
    return Written; // of nothing: that is what was asked for
  return report.exitCode == kclaw::ExitCode::Parked
             ? static_cast<int>(kclaw::ExitCode::Parked)
             : Failed;
}

/// Flushes and keeps the file; what the system says when it could not be
/// written (a full disk), else "".
static std::string finish(llvm::ToolOutputFile &file, const std::string &path) {
  file.os().flush();
  if (std::error_code error = file.os().error()) {
    file.os().clear_error();
    return "cannot write '" + path + "': " + error.message();
  }
  file.keep();
  return "";
}

/// OUT.verify.json: what `kernelclaw-run OUT --verify` compares with. One of an
/// earlier OUT would be wrong about this one.
static int writeRecord(const kclaw::RunReport &report,
                       const std::string &output) {
  if (output == "-")
    return static_cast<int>(report.exitCode);
  std::string path = output + ".verify.json";
  if (report.verifyRecord.empty()) {
    (void)llvm::sys::fs::remove(path);
    return static_cast<int>(report.exitCode);
  }
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &message);
  if (!file)
    return fail(message);
  file->os() << report.verifyRecord << "\n";
  if (message = finish(*file, path); !message.empty())
    return fail(message);
  return static_cast<int>(report.exitCode);
}

/// Runs the pipeline and writes its text. A file that exists is opened only
/// when there is something to write: a failed or parked run leaves it as it
/// was.
static int writeModule(std::unique_ptr<llvm::MemoryBuffer> input,
                       DialectRegistry &registry,
                       const MlirOptMainConfig &config,
                       const std::string &outputName,
                       const kclaw::RunReport &report) {
  std::string message, text;
  std::unique_ptr<llvm::ToolOutputFile> output;
  bool exists = outputName != "-" && llvm::sys::fs::exists(outputName);
  if (!exists && !(output = openOutputFile(outputName, &message)))
    return fail(message);
  if (exists &&
      llvm::sys::fs::access(outputName, llvm::sys::fs::AccessMode::Write))
    return fail("cannot write '" + outputName + "': permission denied");
  llvm::raw_string_ostream os(text);
  if (failed(MlirOptMain(os, std::move(input), registry, config)))
    return failureCode(report);
  if (exists && !(output = openOutputFile(outputName, &message)))
    return fail(message);
  output->os() << text;
  if (message = finish(*output, outputName); !message.empty())
    return fail(message);
  return writeRecord(report, outputName);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  // LLVM treats a file that reaches a size limit as a crash; to us it is a
  // write that failed.
  std::signal(SIGXFSZ, SIG_IGN);
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllPasses();
  kclaw::registerAllKernelClawDialects(registry);
  kclaw::RunReport report;
  // The first Ctrl-C ends the search, whose record and winners stay; the second
  // one ends the process (LLVM calls the function once).
  report.cancelled = &interrupted;
  llvm::sys::SetInterruptFunction([] { interrupted = true; });
  kclaw::registerAllKernelClawPasses(&report);

  llvm::cl::opt<kclaw::EmitKind> emit(
      "emit", llvm::cl::desc("what to write"),
      llvm::cl::init(kclaw::EmitKind::Mlir),
      llvm::cl::values(
          clEnumValN(kclaw::EmitKind::Mlir, "mlir", "the module as text"),
          clEnumValN(kclaw::EmitKind::Object, "obj", "a relocatable object"),
          clEnumValN(kclaw::EmitKind::SharedLibrary, "so",
                     "a shared library on libkernelclaw_runtime")));
  llvm::cl::opt<std::string> header(
      "header", llvm::cl::value_desc("FILE|none"),
      llvm::cl::desc(
          "C header of the module's entries, written with --emit=obj "
          "and --emit=so; by default beside the output: foo.h for "
          "libfoo.so or foo.o; none: no header"));
  auto [inputName, outputName] =
      registerAndParseCLIOptions(argc, argv, overview, registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();

  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> input =
      openInputFile(inputName, &message);
  if (!input)
    return fail(message);
  if (isBytecode(input->getMemBufferRef()))
    return fail(
        "'" + inputName +
        "' is MLIR bytecode, which is not read; export the module as "
        "text (torch-mlir: print(module), mlir-opt: no --emit-bytecode)");

  if (failed(kclaw::torch::checkNesting(*input)))
    return Failed;

  if (emit != kclaw::EmitKind::Mlir) {
    if (outputName == "-")
      return fail("an object or a shared library needs a file: give -o FILE");
    std::string headerPath =
        header.empty() ? kclaw::headerBeside(outputName) : header;
    if (headerPath == "none")
      headerPath.clear();
    return succeeded(kclaw::emitBinary(std::move(input), registry, config, emit,
                                       outputName, headerPath))
               ? writeRecord(report, outputName)
               : failureCode(report);
  }

  return writeModule(std::move(input), registry, config, outputName, report);
}
