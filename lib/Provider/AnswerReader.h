//===- AnswerReader.h - An answer, as it arrives ----------------*- C++ -*-===//
//
// Private. Takes the body in pieces of any size and tells events of a stream
// and one plain document apart by how it begins, whatever its label says.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_PROVIDER_ANSWERREADER_H
#define KERNELCLAW_LIB_PROVIDER_ANSWERREADER_H

#include "EventStream.h"
#include "Formats.h"

#include <functional>

namespace kclaw {

class AnswerReader {
public:
  /// `onTokens`: tokens of the answer so far, counted by the endpoint or
  /// guessed at four bytes each; may be null.
  explicit AnswerReader(WireFormat format,
                        std::function<void(int64_t)> onTokens = {});
  AnswerReader(const AnswerReader &) = delete;

  /// False: longer than maxAnswerBytes; nothing more is read.
  bool feed(std::string_view bytes);

  std::expected<Reply, CallFailure>
  finish(int status, const std::map<std::string, std::string> &headers,
         int64_t now);

  /// The cost of an answer that broke off. Where the endpoint did not say it:
  /// the input of `bound`, if anything of an answer had come, and a token for
  /// four bytes of it, no more than `bound`.
  Usage spent(const Usage &bound) const;

private:
  void onEvent(const std::string &data);
  std::optional<Json> document() const;

  const Format &format;
  std::function<void(int64_t)> onTokens;
  EventStream events;
  size_t blankBytes = 0; ///< before the body
  std::string body;      ///< all of a plain answer, the start of a stream
  enum class Kind { Unknown, Plain, Stream } kind = Kind::Unknown;
  Folded folded;
  std::string damaged; ///< the first event that was not JSON
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_PROVIDER_ANSWERREADER_H
