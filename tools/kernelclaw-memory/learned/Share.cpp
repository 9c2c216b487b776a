//===- Share.cpp - learned export and merge -------------------------------===//
#include "Learned.h"

#include "Support/Files.h"

#include <cstdio>

namespace kclaw {
namespace {

void exportRows(const std::string &file, const ExperienceFilter &filter,
                const LearnedTool &tool) {
  auto store = tool.open();
  if (!store)
    return;
  auto rows = store->experiences(filter);
  auto lessons = store->lessonCandidates();
  if (!rows || !lessons)
    return tool.fail(rows ? lessons.error() : rows.error());
  StoreContents contents;
  contents.experiences = std::move(*rows);
  contents.lessons = std::move(*lessons);
  std::string text = writeStoreFile(contents, {false, true, true});
  if (file == "-")
    std::fwrite(text.data(), 1, text.size(), stdout);
  else if (auto done = writeFileAtomically(file, text); !done)
    tool.fail(done.error());
}

void mergeFile(const std::string &file, double weight, Store &store,
               const LearnedTool &tool) {
  auto text = readFile(file);
  if (!text)
    return tool.fail(text.error());
  auto contents = parseStoreFile(*text);
  if (!contents)
    return tool.fail(contents.error().context("'" + file + "'"));
  for (const std::string &line : contents->damage)
    tool.fail({Error::Code::Invalid,
               "'" + file + "': " + line + "; the rest is taken"});
  StoreContents learned;
  learned.experiences = std::move(contents->experiences);
  learned.lessons = std::move(contents->lessons);
  auto report = store.merge(learned, weight);
  if (!report)
    return tool.fail(report.error().context("'" + file + "'"));
  std::printf("%s: %d experiences taken, %d known, %d lesson candidates\n",
              file.c_str(), report->experiences, report->known,
              report->lessons);
}

} // namespace

void addLearnedExport(CLI::App &app, const LearnedTool &tool) {
  auto filter = addFilter(app);
  auto file = std::make_shared<std::string>();
  app.add_option("FILE", *file, "the file; '-': standard output")->required();
  app.footer("Also writes the lesson candidates. kernelclaw-store export "
             "writes winners, too.");
  app.callback([=] { exportRows(*file, *filter, tool); });
}

void addLearnedMerge(CLI::App &app, const LearnedTool &tool) {
  auto files = std::make_shared<std::vector<std::string>>();
  auto weight = std::make_shared<double>(importedWeight);
  app.add_option("FILE", *files, "exported files")->required();
  app.add_option("--weight", *weight,
                 "what a merged experience weighs beside one's own (default "
                 "0.5)")
      ->check(CLI::Range(0.0, 1.0));
  app.footer("A row that is known stays as it is. Winners in the file are left "
             "alone:\nkernelclaw-store import takes them.");
  app.callback([=] {
    if (auto store = tool.open())
      for (const std::string &file : *files)
        mergeFile(file, *weight, *store, tool);
  });
}

} // namespace kclaw
