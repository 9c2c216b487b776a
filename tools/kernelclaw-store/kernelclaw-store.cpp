//===- kernelclaw-store.cpp - Winners: look, share, check, forget ---------===//
#include "Commands.h"

#include "Learned.h"

#include <cstdio>

namespace kclaw {

void StoreTool::fail(const Error &error) {
  std::fprintf(stderr, "kernelclaw-store: error: %s\n", error.message.c_str());
  code = Failed;
}

std::unique_ptr<Store> StoreTool::open() {
  auto store = openStore(where);
  if (store)
    return std::move(*store);
  fail(store.error());
  return nullptr;
}

std::optional<StoreContents> StoreTool::read() {
  auto store = open();
  if (!store)
    return std::nullopt;
  auto contents = store->contents();
  if (contents)
    return std::move(*contents);
  fail(contents.error());
  return std::nullopt;
}

std::string counted(size_t count, const std::string &noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string speedupOf(const Evaluation &evaluation) {
  char text[48];
  std::snprintf(text, sizeof text, "%.2fx of stock", evaluation.speedup);
  return text;
}

} // namespace kclaw

using namespace kclaw;

static constexpr const char *description =
    "The store of winners: the kernels that were found right and faster than "
    "stock, by\nregion, architecture, precision policy, evidence and version "
    "of the judge's rules,\nand what their search taught.";

static constexpr const char *footer =
    "A build from a committed file, without a model, a key or a GPU:\n"
    "  kernelclaw-store export kernels.json --winners\n"
    "  git add kernels.json\n"
    "  kernelclaw-opt MODEL.mlir --llm-optimize=\"provider=none "
    "evaluator=none\n      store=kernels.json missing=error\" -o MODEL.so "
    "--emit=so\n"
    "docs/Store.md has more.\n\n"
    "Exit codes: 0 done; 1 an error, or something damaged or wrong was found; "
    "2 wrong usage.";

namespace {
struct Command {
  const char *name, *summary;
  void (*add)(CLI::App &, StoreTool &);
};
} // namespace

static constexpr Command commands[] = {
    {"list", "one line a winner, and how much else there is", addList},
    {"show", "all that is known of a region", addShow},
    {"export", "write the store as one file that can be committed", addExport},
    {"import", "take in exported files", addImport},
    {"verify", "check that every winner can be used", addVerify},
    {"forget", "remove a region's winners", addForget},
};

int main(int argc, char **argv) {
  StoreTool tool;
  CLI::App app(description, "kernelclaw-store");
  app.footer(footer);
  app.require_subcommand(1);
  app.add_option("--store", tool.where,
                 "folder of the store, or an exported FILE.json, which is "
                 "only read; default: $KERNELCLAW_CACHE, else kernelclaw in "
                 "the user's cache folder");
  for (const Command &command : commands) {
    CLI::App *sub = app.add_subcommand(command.name, command.summary);
    sub->fallthrough();
    command.add(*sub, tool);
  }
  CLI::App *learned = app.add_subcommand("learned", learnedSummary);
  learned->fallthrough();
  addLearned(*learned, {"kernelclaw-store", tool.where, tool.code});
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? Done : WrongUsage;
  }
  if (std::fflush(stdout) != 0) {
    std::perror("kernelclaw-store: error: cannot write");
    return Failed;
  }
  return tool.code;
}
