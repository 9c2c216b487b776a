//===- LessonMatch.h - A lesson's pattern and a text ------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_MEMORY_LESSONMATCH_H
#define KERNELCLAW_LIB_MEMORY_LESSONMATCH_H

#include "kernelclaw/Memory/MemoryBank.h"

namespace kclaw {

/// Whether a line of `text` has the lesson's pattern.
bool matchesText(const Lesson &lesson, const std::string &text);

} // namespace kclaw

#endif // KERNELCLAW_LIB_MEMORY_LESSONMATCH_H
