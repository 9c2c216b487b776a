//===- Share.cpp - kernelclaw-store export and import ---------------------===//
#include "Commands.h"

#include "Support/Files.h"

#include <cstdio>

namespace kclaw {
namespace {

struct ExportOptions {
  std::string file;
  ExportChoice chosen{false, false, false};
};

void exportStore(const ExportOptions &options, StoreTool &tool) {
  auto contents = tool.read();
  if (!contents)
    return;
  for (const std::string &line : contents->damage)
    tool.fail({Error::Code::Io, line + "; left out"});
  const ExportChoice &chosen = options.chosen;
  bool any = chosen.winners || chosen.experience || chosen.lessons;
  std::string text = writeStoreFile(*contents, any ? chosen : ExportChoice{});
  if (options.file == "-") {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return;
  }
  if (auto done = writeFileAtomically(options.file, text); !done)
    tool.fail(done.error());
}

struct ImportOptions {
  std::vector<std::string> files;
  double weight = importedWeight;
};

void importFile(const std::string &file, double weight, Store &store,
                StoreTool &tool) {
  auto text = readFile(file);
  if (!text)
    return tool.fail(text.error());
  auto contents = parseStoreFile(*text);
  if (!contents)
    return tool.fail(contents.error().context("'" + file + "'"));
  for (const std::string &line : contents->damage)
    tool.fail({Error::Code::Invalid,
               "'" + file + "': " + line + "; the rest is taken"});
  auto report = store.merge(*contents, weight);
  if (!report)
    return tool.fail(report.error().context("'" + file + "'"));
  std::printf("%s: %s taken, %d slower or known, %d refuted, %d kept stock; %s "
              "taken, %d "
              "known; %s\n",
              file.c_str(), counted(size_t(report->winners), "winner").c_str(),
              report->slower, report->refusedWinners, report->kept,
              counted(size_t(report->experiences), "experience").c_str(),
              report->known,
              counted(size_t(report->lessons), "lesson candidate").c_str());
}

} // namespace

void addExport(CLI::App &app, StoreTool &tool) {
  auto options = std::make_shared<ExportOptions>();
  app.add_option("FILE", options->file, "the file; '-': standard output")
      ->required();
  app.add_flag("--winners", options->chosen.winners,
               "winners with the regions they are for, and refuted plans");
  app.add_flag("--experience", options->chosen.experience,
               "what attempts taught");
  app.add_flag("--lessons", options->chosen.lessons,
               "repairs that worked: candidates for memorybank/lessons");
  app.footer("Without a flag: all three. A row a line, sorted, without host "
             "names or logs: equal\nstores give equal bytes, and a diff shows "
             "what changed. Of a damaged store, what is\nwhole is written, and "
             "the exit code is 1.");
  app.callback([options, &tool] { exportStore(*options, tool); });
}

void addImport(CLI::App &app, StoreTool &tool) {
  auto options = std::make_shared<ImportOptions>();
  app.add_option("FILE", options->files, "exported files")->required();
  app.add_option("--weight", options->weight,
                 "what an imported experience weighs beside one's own "
                 "(default 0.5)")
      ->check(CLI::Range(0.0, 1.0));
  app.footer("Where both have a winner for the same key, the faster stays: by "
             "time where both were\nmeasured on the same device and driver, "
             "else by speed-up over the stock measured\nbeside it. Refuted "
             "plans stay out. A file is taken in whole or, on an error, not "
             "at\nall; of a damaged one the rows that are whole are taken, "
             "and the exit code is 1.\nRun verify afterwards.");
  app.callback([options, &tool] {
    if (auto store = tool.open())
      for (const std::string &file : options->files)
        importFile(file, options->weight, *store, tool);
  });
}

} // namespace kclaw
