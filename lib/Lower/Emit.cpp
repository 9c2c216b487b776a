//===- Emit.cpp - Objects and shared libraries ----------------------------===//
//
// Objects come from LLVM's code generator; a shared library is linked by the
// machine's C compiler driver, or by lld where there is none.
//
//===----------------------------------------------------------------------===//
#include "Translate.h"
#include "kernelclaw/Lower/Lower.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/ToolOutputFile.h"

#include <cerrno>
#include <cstdlib>

#include <dlfcn.h>
#include <unistd.h>

using namespace mlir;

namespace kclaw {

static LogicalResult writeObject(ModuleOp module, StringRef path) {
  std::unique_ptr<llvm::TargetMachine> machine =
      makeTargetMachine(module.getLoc(), Cpu::Generic);
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> llvmModule =
      machine ? translateModule(module, context, *machine) : nullptr;
  if (!llvmModule)
    return failure();
  std::error_code error;
  llvm::ToolOutputFile file(path, error, llvm::sys::fs::OF_None);
  if (error)
    return emitError(module.getLoc(), "cannot write '")
           << path << "': " << error.message();
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, file.os(), nullptr,
                                   llvm::CodeGenFileType::ObjectFile))
    return emitError(module.getLoc(),
                     "this machine's code generator writes no objects");
  passes.run(*llvmModule);
  file.os().flush();
  if (file.os().has_error()) {
    std::string reason = file.os().error().message();
    file.os().clear_error();
    return emitError(module.getLoc(), "cannot write '")
           << path << "': " << reason;
  }
  file.keep();
  return success();
}

LogicalResult emitObject(ModuleOp module, StringRef path) {
  return writeObject(module, path);
}

static std::string ownFile() {
  Dl_info self;
  bool known = dladdr(reinterpret_cast<void *>(&ownFile), &self);
  return known && self.dli_fname ? self.dli_fname : "";
}

/// Where libkernelclaw_runtime.so lies: beside this code's own library, or in
/// ../lib of the program, or where it was built.
static std::string runtimeDirectory() {
  SmallVector<std::string> candidates;
  // This code's own file (the plugin's, say); in a tool that was found by PATH
  // dladdr knows only its name, and the program's path helps.
  std::string files[] = {ownFile(),
                         llvm::sys::fs::getMainExecutable(
                             nullptr, reinterpret_cast<void *>(&ownFile))};
  for (const std::string &file : files) {
    SmallString<128> real;
    if (llvm::sys::fs::real_path(file, real))
      continue;
    StringRef folder = llvm::sys::path::parent_path(real);
    candidates.push_back(folder.str());
    candidates.push_back((llvm::sys::path::parent_path(folder) + "/lib").str());
  }
  candidates.push_back(KCLAW_RUNTIME_DIR);
  for (const std::string &folder : candidates)
    if (llvm::sys::fs::exists(folder + "/libkernelclaw_runtime.so"))
      return folder;
  return {};
}

static std::string findLinker() {
  for (StringRef name :
       {"cc", "clang-22", "gcc", "clang", "ld.lld-22", "ld.lld"})
    if (auto found = llvm::sys::findProgramByName(name))
      return *found;
  return {};
}

/// Creates a file in the system's temporary folder. LLVM's own function takes
/// every '%' of the folder's name for a place to fill in.
static std::error_code createTemporary(StringRef prefix, StringRef suffix,
                                       SmallString<128> &path) {
  llvm::sys::path::system_temp_directory(/*erasedOnReboot=*/true, path);
  llvm::sys::path::append(path, prefix + "-XXXXXX." + suffix);
  std::string made = path.str().str();
  int file = mkstemps(made.data(), suffix.size() + 1);
  if (file < 0)
    return std::error_code(errno, std::generic_category());
  close(file);
  path = made;
  return {};
}

/// Runs the linker and returns what it said when it failed.
static std::string link(ArrayRef<std::string> command) {
  SmallString<128> log;
  if (std::error_code error = createTemporary("kernelclaw-link", "log", log))
    return "no temporary file: " + error.message();
  llvm::FileRemover removeLog(log);
  SmallVector<StringRef> arguments(command.begin(), command.end());
  std::optional<StringRef> redirects[] = {std::nullopt, StringRef(log),
                                          StringRef(log)};
  std::string message;
  if (llvm::sys::ExecuteAndWait(command.front(), arguments, std::nullopt,
                                redirects, 0, 0, &message) == 0)
    return {};
  if (auto text = llvm::MemoryBuffer::getFile(log))
    message += (*text)->getBuffer().trim();
  return message.empty() ? "unknown reason" : message;
}

LogicalResult emitSharedLibrary(ModuleOp module, StringRef path) {
  std::string runtime = runtimeDirectory();
  if (runtime.empty())
    return emitError(module.getLoc(),
                     "libkernelclaw_runtime.so not found beside the "
                     "tool; build the target kernelclaw_runtime");
  std::string linker = findLinker();
  if (linker.empty())
    return emitError(module.getLoc(),
                     "no linker found; install a C compiler or lld");
  SmallString<128> object;
  if (std::error_code error = createTemporary("kernelclaw-module", "o", object))
    return emitError(module.getLoc(), "no temporary file: ") << error.message();
  llvm::FileRemover removeObject(object);
  if (failed(writeObject(module, object)))
    return failure();
  bool driver = !StringRef(linker).contains("lld");
  SmallVector<std::string> command = {
      linker,     "-shared",          "-o",
      path.str(), object.str().str(), runtime + "/libkernelclaw_runtime.so"};
  command.push_back(driver ? "-Wl,-rpath," + runtime : "-rpath=" + runtime);
  // A program that links the library looks for this name, not for `path`.
  std::string name = llvm::sys::path::filename(path).str();
  command.push_back(driver ? "-Wl,-soname," + name : "-soname=" + name);
  if (driver)
    command.push_back("-lm");
  std::string problem = link(command);
  if (!problem.empty())
    return emitError(module.getLoc(), "linking '")
           << path << "' failed: " << problem;
  return success();
}

} // namespace kclaw
