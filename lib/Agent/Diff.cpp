//===- Diff.cpp - A unified diff between two versions of a plan -----------===//
#include "Edits.h"

#include <algorithm>
#include <sstream>

namespace kclaw {
namespace {

constexpr size_t contextLines = 3;
/// Of lines before x lines after, beyond which a middle part counts as new.
constexpr size_t maxTable = 4'000'000;

struct Line {
  char mark; ///< ' ', '-' or '+'
  const std::string *text;
};

std::vector<std::string> split(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

using Lines = std::vector<std::string>;

/// Longest common subsequence of a[low..endA) and b[low..endB).
void align(const Lines &a, const Lines &b, size_t low, size_t endA, size_t endB,
           std::vector<Line> &out) {
  size_t n = endA - low, m = endB - low;
  bool tooLarge = n * m > maxTable;
  std::vector<uint32_t> table(tooLarge ? 0 : (n + 1) * (m + 1), 0);
  auto longest = [&](size_t i, size_t j) -> uint32_t & {
    return table[i * (m + 1) + j];
  };
  if (!tooLarge)
    for (size_t i = n; i-- > 0;)
      for (size_t j = m; j-- > 0;)
        longest(i, j) = a[low + i] == b[low + j]
                            ? longest(i + 1, j + 1) + 1
                            : std::max(longest(i + 1, j), longest(i, j + 1));
  size_t i = 0, j = 0;
  while (i < n || j < m) {
    if (!tooLarge && i < n && j < m && a[low + i] == b[low + j]) {
      out.push_back({' ', &a[low + i]});
      ++i, ++j;
    } else if (i < n &&
               (tooLarge || j == m || longest(i + 1, j) >= longest(i, j + 1))) {
      out.push_back({'-', &a[low + i++]});
    } else {
      out.push_back({'+', &b[low + j++]});
    }
  }
}

std::vector<Line> compare(const Lines &a, const Lines &b) {
  size_t low = 0, endA = a.size(), endB = b.size();
  while (low < endA && low < endB && a[low] == b[low])
    ++low;
  while (endA > low && endB > low && a[endA - 1] == b[endB - 1])
    --endA, --endB;
  std::vector<Line> result;
  for (size_t i = 0; i < low; ++i)
    result.push_back({' ', &a[i]});
  align(a, b, low, endA, endB, result);
  for (size_t i = endA; i < a.size(); ++i)
    result.push_back({' ', &a[i]});
  return result;
}

/// Hunks: changes with context, joined where the contexts touch.
std::string render(const std::vector<Line> &lines) {
  std::vector<bool> shown(lines.size(), false);
  for (size_t i = 0; i < lines.size(); ++i)
    if (lines[i].mark != ' ')
      for (size_t k = i - std::min(i, contextLines);
           k < std::min(lines.size(), i + contextLines + 1); ++k)
        shown[k] = true;
  std::string text;
  size_t lineA = 1, lineB = 1;
  for (size_t i = 0; i < lines.size();) {
    if (!shown[i]) {
      ++lineA, ++lineB, ++i;
      continue;
    }
    size_t end = i, countA = 0, countB = 0;
    std::string body;
    for (; end < lines.size() && shown[end]; ++end) {
      countA += lines[end].mark != '+';
      countB += lines[end].mark != '-';
      body += lines[end].mark + *lines[end].text + "\n";
    }
    text += "@@ -" + std::to_string(lineA) + "," + std::to_string(countA) +
            " +" + std::to_string(lineB) + "," + std::to_string(countB) +
            " @@\n" + body;
    lineA += countA, lineB += countB, i = end;
  }
  return text;
}

} // namespace

std::string unifiedDiff(const PlanFiles &before, const PlanFiles &after,
                        size_t maxBytes) {
  PlanFiles all = before;
  all.insert(after.begin(), after.end());
  std::string text;
  for (const auto &[name, ignored] : all) {
    auto content = [&](const PlanFiles &files) {
      auto file = files.find(name);
      return split(file == files.end() ? std::string() : file->second);
    };
    Lines a = content(before), b = content(after);
    if (a == b)
      continue;
    text += "--- a/" + name + "\n+++ b/" + name + "\n" + render(compare(a, b));
  }
  if (text.size() <= maxBytes)
    return text;
  size_t end = text.rfind('\n', maxBytes);
  return text.substr(0, end == std::string::npos ? maxBytes : end + 1) +
         "... " + std::to_string(text.size()) + " bytes in all\n";
}

} // namespace kclaw
