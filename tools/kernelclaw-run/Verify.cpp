//===- Verify.cpp - kernelclaw-run --verify -------------------------------===//
//
// Records are read first: a malformed one is told also where no device is.
//
//===----------------------------------------------------------------------===//
#include "Verify.h"

#include "Module.h"

#include "kernelclaw/Device/ModuleCheck.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>

namespace kclaw {

static Expected<ModuleRecord> readRecord(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return makeError(Error::Code::Io,
                     path + ": " + std::strerror(errno) +
                         "; kernelclaw-opt writes it beside the module, or "
                         "name one with --verify=FILE");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  Expected<ModuleRecord> record = parseModuleRecord(text);
  if (!record)
    return std::unexpected(record.error().context(path));
  return record;
}

static Expected<ModuleRecord> readRecords(const VerifyOptions &options) {
  ModuleRecord all;
  for (const std::string &name : options.records) {
    Expected<ModuleRecord> record =
        readRecord(name.empty() ? options.module + ".verify.json" : name);
    if (!record)
      return record;
    std::ranges::move(record->entries, std::back_inserter(all.entries));
  }
  return all;
}

static void print(const VerifyReport &report) {
  std::printf("device: %s\n", report.device.c_str());
  std::printf("%-16s %-6s %-10s %10s %10s %10s  %s\n", "entry", "result",
              "data", "error", "stock", "bound", "");
  for (const EntryReport &entry : report.entries) {
    for (const ResultError &row : entry.errors)
      std::printf("%-16s %-6d %-10s %10.3g %10.3g %10.3g  %s\n",
                  entry.entry.c_str(), row.result, row.distribution.c_str(),
                  std::max(row.relativeNorm, row.maxScaled),
                  std::max(row.stockRelativeNorm, row.stockMaxScaled),
                  row.bound, row.ok ? "PASS" : "FAIL");
    std::printf("%s: %s; regions: %llu won, %llu stock%s%s\n",
                entry.entry.c_str(), name(entry.status),
                static_cast<unsigned long long>(entry.regionsWon),
                static_cast<unsigned long long>(entry.regionsStock),
                entry.message.empty() ? "" : "; ", entry.message.c_str());
  }
  switch (report.status()) {
  case VerifyStatus::Passed:
    std::printf("verify: PASS\n");
    break;
  case VerifyStatus::Failed:
    std::printf("verify: FAIL\n");
    break;
  case VerifyStatus::Unverified:
    std::printf("verify: UNVERIFIED: %s\n", report.reason().c_str());
    break;
  }
  std::fflush(stdout);
}

/// Loads the module once, when the first entry is asked for.
static FindEntry entriesOf(const std::string &path) {
  auto module = std::make_shared<Expected<ModuleSymbols>>(
      makeError(Error::Code::Internal, "not loaded"));
  auto loaded = std::make_shared<bool>(false);
  return [=](const std::string &name) -> Expected<ModuleEntry> {
    if (!std::exchange(*loaded, true))
      *module = loadModule(path, "cuda");
    if (!*module)
      return std::unexpected(module->error());
    Expected<EntryFunctions> found = bindEntry(path, name, **module);
    if (!found)
      return std::unexpected(found.error());
    return ModuleEntry{found->name, found->run,    found->workspace,
                       found->load, found->unload, found->info};
  };
}

Expected<VerifyReport> verify(const VerifyOptions &options) {
  Expected<ModuleRecord> record = readRecords(options);
  if (!record)
    return std::unexpected(record.error());
  if (!std::ifstream(options.module, std::ios::binary))
    return makeError(Error::Code::Io,
                     options.module + ": " + std::strerror(errno));
  Expected<VerifyReport> report =
      checkModule(*record, entriesOf(options.module));
  if (!report)
    return report;
  print(*report);
  if (options.json.empty())
    return report;
  std::ofstream file(options.json, std::ios::binary);
  file << toJson(*report) << "\n";
  if (!file.flush())
    return makeError(Error::Code::Io,
                     options.json + ": " + std::strerror(errno));
  return report;
}

} // namespace kclaw
