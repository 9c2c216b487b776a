//===- ModuleRecord.h - What a lowered module must compute ------*- C++ -*-===//
//
// Per entry of a module what it takes to judge it without a compiler: the spec
// of the function as it was imported, its all-stock plan and its f64 reference.
// Travels beside the module (MODULE.verify.json) and in the run directory. JSON
// form: docs/schema/module-record.schema.json. Plain values.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_PLAN_MODULERECORD_H
#define KERNELCLAW_PLAN_MODULERECORD_H

#include "kernelclaw/Plan/Job.h"

namespace kclaw {

struct EntryRecord {
  std::string entry;
  /// Why the entry cannot be judged ("argument 1 has a dynamic size"); empty
  /// when it can.
  std::string unverified;
  Job job; ///< Kind::Verify, id = entry; meaningful when `unverified` is empty
};

struct ModuleRecord {
  std::vector<EntryRecord> entries;
};

std::string toJson(const ModuleRecord &record);
/// An error names the path ("entries[0].job.spec: missing").
Expected<ModuleRecord> parseModuleRecord(const std::string &json);

} // namespace kclaw

#endif // KERNELCLAW_PLAN_MODULERECORD_H
