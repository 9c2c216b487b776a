//===- VerifyModule.cpp - The lowered module, judged and mended -----------===//
//
// A trial embeds some winners in a copy of the outlined module, lowers it,
// writes it and has it judged.
//
//===----------------------------------------------------------------------===//
#include "VerifyModule.h"

#include "kernelclaw/Device/ModuleVerifier.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace kclaw;

static Expected<void> writeText(const std::string &path,
                                function_ref<void(raw_ostream &)> write) {
  std::error_code code;
  llvm::ToolOutputFile file(path, code, llvm::sys::fs::OF_None);
  if (!code) {
    write(file.os());
    file.os().close();
    code = file.os().error();
    file.os().clear_error();
  }
  if (code)
    return makeError(Error::Code::Io,
                     "writing '" + path + "' failed: " + code.message());
  file.keep();
  return {};
}

Expected<std::vector<std::string>>
kclaw::writeRecords(const ModuleRecord &record, const std::string &folder) {
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    return makeError(Error::Code::Io,
                     "creating '" + folder + "' failed: " + code.message());
  std::vector<std::string> paths;
  for (const EntryRecord &entry : record.entries) {
    paths.push_back(folder + "/" + entry.entry + ".json");
    ModuleRecord one;
    one.entries.push_back(entry);
    Expected<void> done = writeText(
        paths.back(), [&](raw_ostream &os) { os << toJson(one) << "\n"; });
    if (!done)
      return std::unexpected(done.error());
  }
  return paths;
}

namespace {

using PlanMap = std::map<std::string, RegionPlans>;

class Trials {
public:
  Trials(const std::vector<std::string> &records, const VerifySetup &setup)
      : records(records), setup(setup) {}

  Trial judge(ModuleOp lowered);
  OwningOpRef<ModuleOp> build(ModuleOp outlined, const PlanMap &plans,
                              const std::vector<std::string> &winners);

private:
  const std::vector<std::string> &records;
  const VerifySetup &setup;
  unsigned number = 0;
};

} // namespace

Trial Trials::judge(ModuleOp lowered) {
  std::string stem = setup.folder + "/trial-" + std::to_string(number++);
  Expected<void> written = writeText(
      stem + ".mlir", [&](raw_ostream &os) { os << lowered << "\n"; });
  if (!written)
    return {VerifyStatus::Unverified, written.error().message};
  VerifyRequest request;
  request.module = stem + ".mlir";
  request.records = records;
  request.report = stem + ".json";
  Expected<VerifyReport> report = verifyModule(request);
  if (!report || report->status() != VerifyStatus::Failed)
    (void)llvm::sys::fs::remove(request.module); // no evidence in it
  if (!report)
    return {VerifyStatus::Unverified, report.error().message};
  // A process that crashed has left no report.
  if (!llvm::sys::fs::exists(request.report))
    (void)writeText(request.report,
                    [&](raw_ostream &os) { os << toJson(*report) << "\n"; });
  return {report->status(), report->reason()};
}

/// Null, with a diagnostic, when it cannot be lowered.
OwningOpRef<ModuleOp> Trials::build(ModuleOp outlined, const PlanMap &plans,
                                    const std::vector<std::string> &winners) {
  OwningOpRef<ModuleOp> module = outlined.clone();
  PlanMap chosen = plans;
  for (auto &[symbol, region] : chosen)
    if (!llvm::is_contained(winners, symbol))
      region.winner.reset();
  if (failed(embedPlans(*module, chosen)) || failed(setup.lower(*module)))
    return nullptr;
  return module;
}

static std::vector<std::string> winnersOf(const PlanMap &plans) {
  std::vector<std::string> winners;
  for (const auto &[symbol, region] : plans)
    if (region.winner)
      winners.push_back(symbol);
  return winners;
}

static void replaceContents(ModuleOp module, ModuleOp by) {
  module->setAttrs(by->getAttrDictionary());
  module.getBodyRegion().takeBody(by.getBodyRegion());
}

FailureOr<Verification>
kclaw::verifyLowered(ModuleOp lowered, ModuleOp outlined, const PlanMap &plans,
                     const std::vector<std::string> &records,
                     const VerifySetup &setup) {
  Trials trials(records, setup);
  Trial first = trials.judge(lowered);
  Verification result;
  result.status = first.status;
  result.reason = first.reason;
  if (first.status != VerifyStatus::Failed)
    return result;
  auto wrongStock = [&](const std::string &reason) {
    return outlined.emitError()
           << "llm-optimize: the lowered module is wrong even without any "
              "winner, so no output is written: "
           << reason << "; evidence in " << setup.folder;
  };
  std::vector<std::string> winners = winnersOf(plans);
  if (winners.empty())
    return wrongStock(first.reason);
  bool lowers = true;
  Culprits culprits =
      findCulprits(winners, [&](const std::vector<std::string> &some) -> Trial {
        OwningOpRef<ModuleOp> module = trials.build(outlined, plans, some);
        lowers &= bool(module);
        return module ? trials.judge(*module) : Trial();
      });
  if (!lowers)
    return failure();
  if (culprits.status == VerifyStatus::Failed)
    return wrongStock(culprits.reason);
  result.status = culprits.status;
  result.reason = culprits.reason;
  // A module that failed and could not be mended ships no winner.
  if (culprits.status == VerifyStatus::Unverified) {
    culprits.kept.clear();
    result.reason = "it failed (" + first.reason +
                    ") and the search for the culprit ended early, so all "
                    "regions keep stock: " +
                    culprits.reason;
  }
  for (const Culprit &culprit : culprits.found)
    result.dropped.push_back(
        {culprit.name, "",
         culprit.reason.empty() ? first.reason : culprit.reason});
  OwningOpRef<ModuleOp> mended = trials.build(outlined, plans, culprits.kept);
  if (!mended)
    return failure();
  replaceContents(lowered, *mended);
  return result;
}
