//===- Forget.cpp - kernelclaw-store forget -------------------------------===//
#include "Commands.h"

#include <cstdio>

namespace kclaw {
namespace {

struct ForgetOptions {
  std::string hash, arch;
  bool kept = false;
};

bool isMeant(const ForgetOptions &options, const StoredEntry &row) {
  if (!options.arch.empty() && options.arch != row.key.arch)
    return false;
  return options.kept
             ? !row.entry.won && row.key.specHash.starts_with(options.hash)
             : row.key.specHash.starts_with(options.hash);
}

void forget(const ForgetOptions &options, StoreTool &tool) {
  if (tool.where.ends_with(".json"))
    return tool.fail({Error::Code::Invalid,
                      "'" + tool.where +
                          "' is an exported file, which is only read; import "
                          "it, forget, and export again"});
  auto store = tool.open();
  if (!store)
    return;
  auto contents = store->contents();
  if (!contents)
    return tool.fail(contents.error());
  size_t gone = 0;
  for (const StoredEntry &row : contents->entries) {
    if (!isMeant(options, row))
      continue;
    auto done = store->remove(row.key);
    if (!done)
      return tool.fail(done.error());
    gone += *done;
  }
  std::printf("%zu forgotten\n", gone);
  if (!gone)
    tool.fail({Error::Code::Invalid, "nothing of that kind is in the store; "
                                     "kernelclaw-store list --kept has all"});
}

} // namespace

void addForget(CLI::App &app, StoreTool &tool) {
  auto options = std::make_shared<ForgetOptions>();
  app.add_option("HASH", options->hash, "the region's hash, at least 8 digits")
      ->check([](const std::string &text) {
        return text.size() >= 8 ? "" : "at least 8 digits are needed";
      });
  app.add_option("--arch", options->arch, "only for this architecture");
  app.add_flag("--kept", options->kept,
               "only that stock was kept: the next run searches again; without "
               "HASH: of all regions");
  app.footer("Winners come back when a run finds them again; kernelclaw-store "
             "learned forget is\nfor what attempts taught.");
  app.callback([options, &tool] {
    if (options->hash.empty() && !options->kept)
      throw CLI::RequiredError("HASH or --kept");
    forget(*options, tool);
  });
}

} // namespace kclaw
