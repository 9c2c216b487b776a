//===- Sidecar.cpp - What a JSON file says about arguments ----------------===//
//
// Parses the file into rows, matches rows and arguments, sets attributes.
//
//===----------------------------------------------------------------------===//
#include "Sidecar.h"
#include "SpecParts.h"

#include "kernelclaw/Torch/Nesting.h"
#include "kernelclaw/Torch/TorchOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace kclaw;
namespace json = llvm::json;

namespace {

/// An element of `args`; `index` is its place there.
struct Row {
  std::string name, role, dtype;
  std::vector<int64_t> shape;
  std::optional<std::string> domain;
  std::optional<double> scale;
  size_t index = 0;
};

struct File {
  std::vector<Row> args;
};

struct DtypeRow {
  StringLiteral torch; ///< as PyTorch and the sidecar spell it
  StringLiteral mlir;
};

} // namespace

static constexpr StringLiteral roles[] = {"input", "param", "buffer",
                                          "constant"};
static const DtypeRow dtypes[] = {{"float64", "f64"}, {"float32", "f32"},
                                  {"float16", "f16"}, {"bfloat16", "bf16"},
                                  {"int64", "si64"},  {"int32", "si32"},
                                  {"int16", "si16"},  {"int8", "si8"},
                                  {"uint8", "ui8"},   {"bool", "i1"}};

static bool checkRole(StringRef role, json::Path path) {
  if (llvm::is_contained(roles, role))
    return true;
  path.report("expected input, param, buffer or constant");
  return false;
}

static bool checkDtype(StringRef dtype, json::Path path) {
  for (const DtypeRow &row : dtypes)
    if (row.torch == dtype)
      return true;
  path.report("expected float64, float32, float16, bfloat16, int64, int32, "
              "int16, int8, uint8 or bool");
  return false;
}

static bool checkDomain(const std::optional<std::string> &domain,
                        json::Path path) {
  if (!domain || synthesize::parseDomain(*domain))
    return true;
  path.report("expected real, nonnegative, positive, unit, integer, boolean or "
              "index<N>");
  return false;
}

namespace { // where llvm::json looks for them

bool fromJSON(const json::Value &value, Row &row, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("name", row.name) && map.map("role", row.role) &&
         map.map("shape", row.shape) && map.map("dtype", row.dtype) &&
         map.map("domain", row.domain) && map.map("scale", row.scale) &&
         checkRole(row.role, path.field("role")) &&
         checkDtype(row.dtype, path.field("dtype")) &&
         checkDomain(row.domain, path.field("domain"));
}

bool fromJSON(const json::Value &value, File &file, json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map || !map.map("args", file.args))
    return false;
  for (auto [index, row] : llvm::enumerate(file.args))
    row.index = index;
  return true;
}

} // namespace

/// The file of the module's own location, without its last extension. Debug
/// information may put the model's Python source there, which has no sidecar.
static std::string besideModule(ModuleOp module) {
  auto location = module.getLoc()->findInstanceOf<FileLineColLoc>();
  if (!location)
    return {};
  SmallString<128> stem = location.getFilename().getValue();
  if (llvm::sys::path::extension(stem) != ".mlir")
    return {};
  llvm::sys::path::replace_extension(stem, "");
  for (StringRef ending : {".json", ".meta.json"})
    if (std::string path = (stem + ending).str(); llvm::sys::fs::exists(path))
      return path;
  return {};
}

/// One text for everything that is wrong with a file.
static InFlightDiagnostic sidecarError(ModuleOp module, StringRef path,
                                       const Twine &reason) {
  return emitError(module.getLoc()) << "sidecar '" << path << "': " << reason
                                    << "; correct it, or set sidecar=none";
}

static FailureOr<std::vector<Row>> readRows(ModuleOp module, StringRef path) {
  auto text = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!text)
    return sidecarError(module, path, text.getError().message());
  // The parser calls itself for each level.
  if (torch::nestingExceededAt((*text)->getBuffer()))
    return sidecarError(module, path,
                        "nested more than " + Twine(torch::maxNesting) +
                            " levels deep");
  llvm::Expected<json::Value> value = json::parse((*text)->getBuffer());
  if (!value)
    return sidecarError(module, path, llvm::toString(value.takeError()));
  File file;
  json::Path::Root root("$");
  if (!fromJSON(*value, file, root))
    return sidecarError(module, path, llvm::toString(root.getError()));
  return std::move(file.args);
}

/// Null when there is none, or more than one.
static func::FuncOp publicFunction(ModuleOp module) {
  func::FuncOp found;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isPrivate() || function.isDeclaration())
      continue;
    if (found)
      return {};
    found = function;
  }
  return found;
}

/// Why the row does not fit the argument's type; empty when it does.
static std::string mismatch(const Row &row, Type type) {
  std::optional<torch::TensorShape> tensor = torch::tensorShape(type);
  if (!tensor)
    return {}; // a scalar, or a tensor of unknown shape
  std::string dtype;
  llvm::raw_string_ostream(dtype) << tensor->dtype;
  for (const DtypeRow &known : dtypes)
    if (known.torch == row.dtype && known.mlir != dtype)
      return "dtype: " + row.dtype + " does not fit an argument of " + dtype;
  bool fits = row.shape.size() == tensor->sizes.size();
  for (size_t i = 0; fits && i < row.shape.size(); ++i)
    fits = ShapedType::isDynamic(tensor->sizes[i]) ||
           row.shape[i] == tensor->sizes[i];
  if (fits)
    return {};
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "shape: ["
         << llvm::join(llvm::map_range(
                           row.shape,
                           [](int64_t size) { return std::to_string(size); }),
                       ", ")
         << "] does not fit an argument of type " << type;
  return text;
}

static void setAttributes(func::FuncOp function, unsigned index,
                          const Row &row) {
  Builder builder(function.getContext());
  auto set = [&](StringRef name, Attribute value) {
    if (!function.getArgAttr(index, name))
      function.setArgAttr(index, name, value);
  };
  set("claw.role", builder.getStringAttr(row.role));
  set("claw.name", builder.getStringAttr(row.name));
  if (row.domain)
    set("claw.domain", builder.getStringAttr(*row.domain));
  if (row.scale)
    set("claw.scale", builder.getF64FloatAttr(*row.scale));
}

LogicalResult kclaw::applySidecar(ModuleOp module, StringRef option) {
  std::string path = option.empty() ? besideModule(module) : option.str();
  if (path.empty() || path == "none")
    return success();
  FailureOr<std::vector<Row>> rows = readRows(module, path);
  if (failed(rows))
    return failure();
  func::FuncOp function = publicFunction(module);
  if (!function)
    return sidecarError(module, path,
                        "$.args is for a module with one public function");
  unsigned count = function.getNumArguments();
  size_t listed = rows->size();
  if (listed != count)
    llvm::erase_if(*rows, [](const Row &row) { return row.role != "input"; });
  if (rows->size() != count)
    return sidecarError(module, path,
                        "$.args lists " + Twine(listed) + " arguments, " +
                            Twine(rows->size()) + " of role input; @" +
                            function.getName() + " has " + Twine(count));
  for (auto [index, row] : llvm::enumerate(*rows))
    if (std::string why = mismatch(row, function.getArgumentTypes()[index]);
        !why.empty())
      return sidecarError(module, path,
                          "$.args[" + Twine(row.index) + "]." + why);
  for (auto [index, row] : llvm::enumerate(*rows))
    setAttributes(function, index, row);
  return success();
}
