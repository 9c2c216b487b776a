//===- List.cpp - learned list --------------------------------------------===//
#include "Learned.h"

#include <cstdio>

namespace kclaw {
namespace {

void listLessons(Store &store, const LearnedTool &tool) {
  auto lessons = store.lessonCandidates();
  if (!lessons)
    return tool.fail(lessons.error());
  std::string last;
  for (const LessonCandidate &lesson : *lessons) {
    if (lesson.signature != last)
      std::printf("%s\n", lesson.signature.c_str());
    last = lesson.signature;
    std::printf("  %s (then %s)\n    cause: %s\n    fix:   %s\n",
                lesson.id.c_str(), name(lesson.after), lesson.diagnosis.c_str(),
                lesson.fix.c_str());
  }
  std::printf("%zu lesson candidates\n", lessons->size());
}

void listRows(Store &store, const ExperienceFilter &filter,
              const LearnedTool &tool) {
  auto rows = store.experiences(filter);
  if (!rows)
    return tool.fail(rows.error());
  for (const Experience &row : *rows)
    std::printf("%s\n", oneLine(row).c_str());
  std::printf("%zu experiences\n", rows->size());
}

} // namespace

void addLearnedList(CLI::App &app, const LearnedTool &tool) {
  auto filter = addFilter(app);
  auto lessons = std::make_shared<bool>(false);
  app.add_flag("--lessons", *lessons,
               "repairs that worked, by the signature of their failure");
  app.footer("A line: run/region/attempt, method, outcome, gain over the "
             "parent, evidence, device.");
  app.callback([=] {
    auto store = tool.open();
    if (!store)
      return;
    if (*lessons)
      listLessons(*store, tool);
    else
      listRows(*store, *filter, tool);
  });
}

} // namespace kclaw
