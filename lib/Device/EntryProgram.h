//===- EntryProgram.h - An entry of a lowered module, to be judged -*- C++
//-*-=//
//
// Calls the entry through the ABI of Runtime/kernelclaw.h. Loads it at creation
// and unloads it at the end; its workspace is its one scratch buffer, so that
// it is poisoned and guarded like a plan's. Needs a current context.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_ENTRYPROGRAM_H
#define KERNELCLAW_LIB_DEVICE_ENTRYPROGRAM_H

#include "Problem.h"
#include "Program.h"
#include "kernelclaw/Device/ModuleCheck.h"

#include <memory>

namespace kclaw {

/// Empty when the entry takes and gives what the problem says (counts, dtypes,
/// shapes, on CUDA), else what differs. Needs no device.
std::string describeDifference(const kcl_entry_info &info,
                               const Problem &problem);

class EntryProgram : public Program {
public:
  /// Rejected/"record" when the entry is not what the problem describes,
  /// LaunchError/"load" when it cannot be loaded.
  static Run<std::unique_ptr<EntryProgram>>
  create(const ModuleEntry &entry, const Problem &problem, void *stream);
  ~EntryProgram() override;

  const std::vector<ScratchNeed> &scratch() const override { return needs; }
  Run<void> bind(const BoundAddresses &addresses) override;
  Run<void> prepare(void *stream) override { return {}; }
  Run<void> run(void *stream) override;

  /// Of the last run.
  uint64_t regionsWon() const { return call.regions_won; }
  uint64_t regionsStock() const { return call.regions_stock; }

private:
  EntryProgram(const ModuleEntry &entry, const Problem &problem, void *stream);
  std::string failure(const std::string &what) const;

  ModuleEntry entry;
  kcl_call call = {};
  bool loaded = false;
  std::vector<std::vector<int64_t>> shapes;
  std::vector<DLTensor> arguments, results;
  std::vector<DLTensor *> argumentList, resultList;
  std::vector<ScratchNeed> needs;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_ENTRYPROGRAM_H
