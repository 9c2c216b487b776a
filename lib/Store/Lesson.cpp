//===- Lesson.cpp - Lesson candidates: their rows and signatures ----------===//
#include "kernelclaw/Store/Learned.h"

#include "Plan/PlanJson.h"

#include <algorithm>
#include <cctype>

namespace kclaw {
namespace {

using json::Cursor;
using json::Json;

constexpr size_t signatureBytes = 200;

bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }
bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::string firstLine(const std::string &text) {
  return text.substr(0, text.find('\n'));
}

/// The log's first line with an error, else the message's first line.
std::string tellingLine(const Evaluation &failure) {
  for (size_t begin = 0; begin < failure.log.size();) {
    size_t end = std::min(failure.log.find('\n', begin), failure.log.size());
    std::string line = failure.log.substr(begin, end - begin);
    if (line.find("error") != std::string::npos)
      return line;
    begin = end + 1;
  }
  return firstLine(failure.message);
}

/// Numbers become '#', quoted text '*', and a path its last part.
std::string generalise(const std::string &line) {
  std::string text;
  for (size_t i = 0; i < line.size();) {
    char c = line[i];
    size_t close = std::string::npos;
    bool opens = (c == '"' || c == '\'') && (i == 0 || !isWord(line[i - 1]));
    if (opens)
      close = line.find(c, i + 1);
    if (close != std::string::npos) {
      text += "*";
      i = close + 1;
    } else if (c == '/') {
      while (!text.empty() && (isWord(text.back()) || text.back() == '.' ||
                               text.back() == '-' || text.back() == '#'))
        text.pop_back();
      ++i;
    } else if (isDigit(c) && !(i > 0 && isWord(line[i - 1]))) {
      while (i < line.size() && (isWord(line[i]) || line[i] == '.'))
        ++i;
      text += "#";
    } else {
      text += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
      ++i;
    }
  }
  return text;
}

LessonCandidate readCandidate(const Cursor &at) {
  LessonCandidate c;
  c.id = at.at("id").string();
  c.signature = at.at("signature").string();
  c.outcome = at.at("outcome").oneOf(json::outcomeNames, Outcome::Rejected);
  c.rule = at.find("rule").string();
  c.diagnosis = at.find("diagnosis").string();
  c.fix = at.at("fix").string();
  c.after = at.at("after").oneOf(json::outcomeNames, Outcome::Ok);
  c.arch = at.find("arch").string();
  c.evidence =
      at.find("evidence").present()
          ? at.find("evidence").oneOf(json::evidenceNames, Evidence::None)
          : Evidence::None;
  c.unixSeconds = at.find("unixSeconds").integer();
  return c;
}

} // namespace

std::string failureSignature(const Evaluation &failure) {
  std::string text = name(failure.outcome);
  if (!failure.rule.empty())
    text += " (" + failure.rule + ")";
  if (std::string line = generalise(tellingLine(failure)); !line.empty())
    text += ": " + line;
  return text.substr(0, signatureBytes);
}

std::string toJson(const LessonCandidate &c) {
  return json::dump(Json{{"id", c.id},
                         {"signature", c.signature},
                         {"outcome", name(c.outcome)},
                         {"rule", c.rule},
                         {"diagnosis", c.diagnosis},
                         {"fix", c.fix},
                         {"after", name(c.after)},
                         {"arch", c.arch},
                         {"evidence", name(c.evidence)},
                         {"unixSeconds", c.unixSeconds}});
}

Expected<LessonCandidate> parseLessonCandidate(const std::string &text) {
  return json::parseDocument(text, "lesson candidate", readCandidate);
}

} // namespace kclaw
