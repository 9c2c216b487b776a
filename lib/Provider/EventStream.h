//===- EventStream.h - Server-sent events, as they arrive -------*- C++ -*-===//
//
// Private. Bytes in, in pieces of any size; the data of each event out, its
// lines joined (the event's name stands inside of the data in all formats that
// are read here). Comments, names, ids and retry times are passed over.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_PROVIDER_EVENTSTREAM_H
#define KERNELCLAW_LIB_PROVIDER_EVENTSTREAM_H

#include <functional>
#include <string>
#include <string_view>

namespace kclaw {

class EventStream {
public:
  using OnData = std::function<void(const std::string &data)>;
  explicit EventStream(OnData onData) : onData(std::move(onData)) {}

  void feed(std::string_view bytes);
  /// What the last, unfinished event holds counts as an event too: servers
  /// forget the empty line at the end.
  void finish();
  /// Bytes of an event that is not over.
  size_t pending() const { return line.size() + data.size(); }

  /// Whether a body that begins like this is a stream of events.
  static bool looksLike(std::string_view start);

private:
  void endLine();
  void endEvent();

  OnData onData;
  std::string line, data;
  bool hasData = false;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_PROVIDER_EVENTSTREAM_H
