//===- Binaries.cpp - Device code as gpu.binary ---------------------------===//
//
// Embed only copies bytes: what the worker compiled and proved is what ships.
//
//===----------------------------------------------------------------------===//
#include "PlanSteps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace mlir;
using namespace kclaw;

static const ModuleImage *findImage(const CompiledPlan &compiled,
                                    const std::string &module) {
  for (const ModuleImage &image : compiled.images)
    if (image.module == module)
      return &image;
  return nullptr;
}

namespace {
struct Object {
  gpu::CompilationTarget format = gpu::CompilationTarget::Assembly;
  std::string bytes;
  std::string arch = "sm_90";
};
} // namespace

static std::string toString(const std::vector<uint8_t> &bytes) {
  return std::string(bytes.begin(), bytes.end());
}

/// The best form of the module; no bytes when there is only source.
static Object chooseObject(const PlanModule &module, const ModuleImage *image) {
  using Target = gpu::CompilationTarget;
  std::string arch = image && !image->arch.empty() ? image->arch : "sm_90";
  if (image && !image->fatbin.empty())
    return {Target::Fatbin, toString(image->fatbin), arch};
  if (image && !image->cubin.empty())
    return {Target::Binary, toString(image->cubin), arch};
  if (image && !image->ptx.empty())
    return {Target::Assembly, image->ptx, arch};
  if (module.kind == PlanModule::Kind::Cubin)
    return {Target::Binary, module.source, arch};
  if (module.kind == PlanModule::Kind::Ptx)
    return {Target::Assembly, module.source, arch};
  return {};
}

LogicalResult kclaw::emitBinary(EmbedSite site, StringRef symbol,
                                const PlanModule &module,
                                const CompiledPlan &compiled) {
  Object object = chooseObject(module, findImage(compiled, module.name));
  if (object.bytes.empty())
    return emitError(site.loc)
           << site.name << ": module '" << module.name
           << "' has source but no compiled image; evaluate the plan first";
  // The driver reads PTX as a C string.
  if (object.format == gpu::CompilationTarget::Assembly &&
      object.bytes.back() != '\0')
    object.bytes.push_back('\0');
  MLIRContext *context = site.module.getContext();
  OpBuilder builder = OpBuilder::atBlockEnd(site.module.getBody());
  auto target = NVVM::NVVMTargetAttr::get(context, /*optLevel=*/3,
                                          "nvptx64-nvidia-cuda", object.arch);
  Attribute attribute = gpu::ObjectAttr::get(
      context, target, object.format, builder.getStringAttr(object.bytes),
      /*properties=*/nullptr,
      /*kernels=*/nullptr);
  gpu::BinaryOp::create(builder, site.loc, symbol,
                        /*offloadingHandler=*/nullptr,
                        builder.getArrayAttr(attribute));
  return success();
}

std::string kclaw::architectures(const CompiledPlan &compiled) {
  std::set<std::string> archs;
  for (const ModuleImage &image : compiled.images)
    archs.insert(image.arch);
  return llvm::join(archs, " ");
}
