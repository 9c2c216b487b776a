//===- FindLessons.cpp - Which known failure this is ----------------------===//
//
// Line by line: what tools print stands on one line, and std::regex recurses
// once a character.
//
//===----------------------------------------------------------------------===//
#include "LessonMatch.h"
#include "kernelclaw/Memory/Gate.h"

#include <algorithm>
#include <regex>
#include <sstream>

namespace kclaw {

/// Longer lines are cut, and no more of a log is searched.
constexpr size_t maxLine = 2000, maxLines = 4000;

bool matchesText(const Lesson &lesson, const std::string &text) {
  std::regex pattern(lesson.pattern);
  std::istringstream stream(text);
  size_t count = 0;
  for (std::string line; std::getline(stream, line) && count < maxLines;
       ++count) {
    line.resize(std::min(line.size(), maxLine));
    if (std::regex_search(line, pattern))
      return true;
  }
  return false;
}

/// Each condition makes it more specific, then the length of its pattern.
static size_t specificity(const Lesson &lesson) {
  return 10000 * (!lesson.outcome.empty() + !lesson.rule.empty()) +
         lesson.pattern.size();
}

std::vector<const Lesson *> findLessons(const MemoryBank &bank,
                                        const Evaluation &evaluation) {
  std::string text = evaluation.message + "\n" + evaluation.log;
  std::vector<const Lesson *> found;
  for (const Lesson &lesson : bank.lessons) {
    bool fits = (lesson.outcome.empty() ||
                 lesson.outcome == name(evaluation.outcome)) &&
                (lesson.rule.empty() || lesson.rule == evaluation.rule);
    if (fits && matchesText(lesson, text))
      found.push_back(&lesson);
  }
  std::ranges::stable_sort(found, std::ranges::greater(),
                           [](const Lesson *one) { return specificity(*one); });
  return found;
}

} // namespace kclaw
