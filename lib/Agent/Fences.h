//===- Fences.h - Code blocks of a Markdown text ----------------*- C++ -*-===//
//
// Private.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_FENCES_H
#define KERNELCLAW_LIB_AGENT_FENCES_H

#include <string>
#include <vector>

namespace kclaw {

struct Fence {
  std::string language; ///< the word behind the backticks
  std::string content;
  bool closed = false;
};

std::vector<Fence> findFences(const std::string &text);
bool isCudaFence(const Fence &fence);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_FENCES_H
