//===- Fences.cpp - Code blocks of a Markdown text ------------------------===//
#include "Fences.h"

#include <algorithm>
#include <sstream>
#include <string_view>

namespace kclaw {

std::vector<Fence> findFences(const std::string &text) {
  std::vector<Fence> fences;
  bool open = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    size_t start = line.find_first_not_of(" \t");
    bool mark =
        start != std::string::npos && line.compare(start, 3, "```") == 0;
    if (mark && open) {
      fences.back().closed = true;
      open = false;
      continue;
    }
    if (mark) {
      std::string word = line.substr(start + 3);
      word = word.substr(0, word.find_first_of(" \t\r{"));
      fences.push_back({word, "", false});
      open = true;
      continue;
    }
    if (open)
      fences.back().content += line + "\n";
  }
  return fences;
}

bool isCudaFence(const Fence &fence) {
  constexpr std::string_view languages[] = {"cuda", "cu", "cpp", "c++", "c"};
  return std::ranges::find(languages, fence.language) != std::end(languages);
}

} // namespace kclaw
