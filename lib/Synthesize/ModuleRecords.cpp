//===- ModuleRecords.cpp - What the module must compute -------------------===//
//
// A diagnostic of the export becomes the reason for staying unverified.
//
//===----------------------------------------------------------------------===//
#include "ModuleRecords.h"
#include "RegionTasks.h"

#include "kernelclaw/PlanExport/PlanExport.h"
#include "kernelclaw/Synthesize/Synthesize.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace kclaw;

/// Of one whole module; the worker's 60 seconds are for one region.
constexpr double entrySeconds = 120;

/// `claw.*` of the arguments: roles, names, domains, scales.
static void takeAttributes(func::FuncOp from, func::FuncOp into) {
  if (!from || from.getNumArguments() != into.getNumArguments())
    return;
  for (unsigned i = 0; i < into.getNumArguments(); ++i)
    for (NamedAttribute attribute :
         function_interface_impl::getArgAttrs(from, i))
      if (attribute.getName().strref().starts_with("claw."))
        into.setArgAttr(i, attribute.getName(), attribute.getValue());
}

static LogicalResult fillJob(func::FuncOp entry, Job &job) {
  PlanExportOptions options;
  options.arch = ptxArch(job.arch);
  FailureOr<KernelSpec> spec = buildModuleSpec(entry, job.spec.policy);
  if (failed(spec))
    return failure();
  job.spec = std::move(*spec);
  for (auto [producer, plan] :
       {std::pair{Producer::Stock, &job.stock},
        std::pair{Producer::Reference, &job.reference}}) {
    options.producer = producer;
    FailureOr<ExportedPlan> made = exportPlan(entry, options);
    if (failed(made))
      return failure();
    *plan = std::move(made->plan);
  }
  return success();
}

static EntryRecord recordEntry(func::FuncOp entry,
                               const ModuleRecordOptions &options) {
  EntryRecord record;
  record.entry = record.job.id = entry.getSymName().str();
  record.job.kind = Job::Kind::Verify;
  record.job.spec.policy = options.policy;
  record.job.arch = options.arch;
  record.job.seed = options.seed;
  record.job.timeoutSeconds = entrySeconds;
  std::string reason;
  ScopedDiagnosticHandler handler(
      entry.getContext(), [&reason](Diagnostic &diagnostic) {
        bool told = diagnostic.getSeverity() != DiagnosticSeverity::Note;
        if (told && reason.empty())
          reason = diagnostic.str();
        return success();
      });
  if (failed(fillJob(entry, record.job)))
    record.unverified =
        reason.empty() ? "no reference could be made of it" : reason;
  return record;
}

ModuleRecord kclaw::recordModule(ModuleOp imported, ModuleOp outlined,
                                 const ModuleRecordOptions &options) {
  OwningOpRef<ModuleOp> copy = imported.clone();
  ModuleRecord record;
  for (auto entry : copy->getOps<func::FuncOp>()) {
    if (!entry.isPublic() || entry.isDeclaration())
      continue;
    takeAttributes(outlined.lookupSymbol<func::FuncOp>(entry.getSymName()),
                   entry);
    record.entries.push_back(recordEntry(entry, options));
  }
  return record;
}
