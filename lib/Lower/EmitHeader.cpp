//===- EmitHeader.cpp - A C header for an object or a library -------------===//
//
// One declaration an entry, through the macro of Runtime/kernelclaw.h, so that
// the header and the ABI cannot disagree.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Lower/Lower.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

namespace kclaw {

/// Names of the entries: functions with a _describe beside them.
static SmallVector<StringRef> entryNames(ModuleOp module) {
  SmallVector<StringRef> names;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    StringRef name = function.getSymName();
    if (name.consume_back("_describe") && module.lookupSymbol(name))
      names.push_back(name);
  }
  return names;
}

/// Whether a C program can declare the function; `main` is its own.
static bool isDeclarable(StringRef name) {
  bool word =
      llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  return word && !llvm::isDigit(name.front()) && name != "main";
}

static std::string guardOf(StringRef path) {
  std::string guard = "KERNELCLAW_MODULE_";
  for (char c : llvm::sys::path::filename(path))
    guard += llvm::isAlnum(c) ? llvm::toUpper(c) : '_';
  return guard;
}

static void writeHeader(ArrayRef<StringRef> names, StringRef guard,
                        llvm::raw_ostream &os) {
  os << "/* The entries of a module lowered by KernelClaw. Each declaration "
        "stands for\n * NAME and its companions, which "
        "kernelclaw/Runtime/kernelclaw.h explains. */\n"
     << "#ifndef " << guard << "\n#define " << guard << "\n\n"
     << "#include \"kernelclaw/Runtime/kernelclaw.h\"\n\n"
     << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  for (StringRef name : names)
    if (isDeclarable(name))
      os << "KCL_DECLARE_ENTRY(" << name << ");\n";
    else
      os << "/* " << name
         << ": not a name that C can declare; rename the function, or open the "
            "library\n * with dlopen and take its symbols as kcl_entry_fn and "
            "so on. */\n";
  os << "\n#ifdef __cplusplus\n} /* extern \"C\" */\n#endif\n\n#endif /* "
     << guard << " */\n";
}

LogicalResult emitHeader(ModuleOp module, StringRef path) {
  std::error_code error;
  llvm::ToolOutputFile file(path, error, llvm::sys::fs::OF_Text);
  if (error)
    return emitError(module.getLoc(), "cannot write '")
           << path << "': " << error.message();
  writeHeader(entryNames(module), guardOf(path), file.os());
  file.os().flush();
  if (std::error_code failed = file.os().error()) {
    file.os().clear_error();
    return emitError(module.getLoc(), "cannot write '")
           << path << "': " << failed.message();
  }
  file.keep();
  return success();
}

} // namespace kclaw
