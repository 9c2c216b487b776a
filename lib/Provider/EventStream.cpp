//===- EventStream.cpp - Server-sent events, as they arrive ---------------===//
#include "EventStream.h"

#include <algorithm>

namespace kclaw {

bool EventStream::looksLike(std::string_view start) {
  constexpr std::string_view starts[] = {
      "data:", "event:", "id:", "retry:", ":"};
  return std::ranges::any_of(starts, [start](std::string_view text) {
    return start.starts_with(text);
  });
}

void EventStream::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    size_t end = bytes.find('\n');
    line += bytes.substr(0, end);
    if (end == std::string_view::npos)
      return;
    endLine();
    bytes.remove_prefix(end + 1);
  }
}

void EventStream::finish() {
  if (!line.empty())
    endLine();
  endEvent();
}

void EventStream::endLine() {
  if (line.ends_with('\r'))
    line.pop_back();
  if (line.empty())
    endEvent();
  if (line.starts_with("data:")) {
    // Two documents one after the other, without the empty line between them,
    // are seen often; a document over several lines hardly ever.
    if (hasData && data.ends_with('}') && line.find('{') < 8)
      endEvent();
    if (hasData)
      data += '\n';
    size_t start = line.size() > 5 && line[5] == ' ' ? 6 : 5;
    data += std::string_view(line).substr(start);
    hasData = true;
  }
  line.clear();
}

void EventStream::endEvent() {
  if (hasData)
    onData(data);
  data.clear();
  hasData = false;
}

} // namespace kclaw
