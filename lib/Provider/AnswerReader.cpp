//===- AnswerReader.cpp - An answer, as it arrives ------------------------===//
#include "AnswerReader.h"
#include "FailedAnswer.h"

#include <algorithm>

namespace kclaw {
namespace {

constexpr int64_t bytesPerToken = 4;
/// A stream's frames are many times what they carry.
constexpr size_t keptStreamBytes = 4096;

int64_t tokensOf(size_t bytes) {
  return (int64_t(bytes) + bytesPerToken - 1) / bytesPerToken;
}

} // namespace

AnswerReader::AnswerReader(WireFormat format,
                           std::function<void(int64_t)> onTokens)
    : format(formatOf(format)), onTokens(std::move(onTokens)),
      events([this](const std::string &data) { onEvent(data); }) {}

bool AnswerReader::feed(std::string_view bytes) {
  if (body.empty()) { // white space may keep a connection alive
    size_t start = bytes.find_first_not_of(" \t\r\n");
    blankBytes += std::min(start, bytes.size());
    if (start == std::string_view::npos)
      return blankBytes <= maxAnswerBytes;
    bytes.remove_prefix(start);
  }
  if (kind != Kind::Stream || body.size() < keptStreamBytes)
    body += bytes;
  if (kind == Kind::Stream) {
    events.feed(bytes);
    return folded.answerBytes + events.pending() <= maxAnswerBytes;
  }
  if (kind == Kind::Unknown && body.size() >= 6) { // enough to tell
    kind = EventStream::looksLike(body) ? Kind::Stream : Kind::Plain;
    if (kind == Kind::Stream)
      events.feed(body);
  }
  return body.size() <= maxAnswerBytes;
}

void AnswerReader::onEvent(const std::string &data) {
  if (data == "[DONE]") {
    folded.ended = true;
    return;
  }
  Json event = Json::parse(data, nullptr, /*allow_exceptions=*/false);
  if (!event.is_object()) {
    if (damaged.empty())
      damaged = data.substr(0, 200);
    return;
  }
  format.fold(folded, event);
  if (onTokens && folded.answerBytes > 0)
    onTokens(std::max(format.usage(folded.document).outputTokens,
                      tokensOf(folded.answerBytes)));
}

Usage AnswerReader::spent(const Usage &bound) const {
  Usage usage = format.usage(document().value_or(Json::object()));
  // A page of HTML costs nothing.
  size_t plain = body.starts_with('{') ? body.size() : 0;
  size_t answered = kind == Kind::Stream ? folded.answerBytes : plain;
  usage.outputTokens = std::max(
      usage.outputTokens, std::min(bound.outputTokens, tokensOf(answered)));
  if (usage.inputTokens == 0 && answered > 0)
    usage.inputTokens = bound.inputTokens;
  return usage;
}

std::optional<Json> AnswerReader::document() const {
  return kind == Kind::Stream ? folded.document : parseObject(body);
}

std::expected<Reply, CallFailure>
AnswerReader::finish(int status,
                     const std::map<std::string, std::string> &headers,
                     int64_t now) {
  events.finish();
  std::optional<Json> document = this->document();
  Json error = document ? member(*document, "error") : Json();
  bool good = document && error.is_null() && status >= 200 && status < 300;
  bool cut = kind == Kind::Stream && (!folded.ended || !damaged.empty());
  if (good && !cut)
    if (std::optional<Reply> reply = format.read(*document)) {
      nameCalls(*reply);
      reply->usage = format.usage(*document);
      reply->model = stringOf(member(*document, "model"));
      return *reply;
    }
  CallFailure failure = classifyFailure({status, headers, body}, error, now);
  if (good && !damaged.empty())
    failure.error.message =
        "the endpoint sent an event that is not JSON: " + damaged;
  else if (good && cut)
    failure.error.message = "the stream ended before the answer was complete";
  else if (good)
    failure.error.message =
        "the endpoint answered without any choice: " + describeBody(body);
  if (document)
    failure.usage = format.usage(*document);
  return std::unexpected(std::move(failure));
}

std::expected<Reply, CallFailure>
parseAnswer(WireFormat format, const HttpResponse &response, int64_t now) {
  AnswerReader reader(format);
  if (!reader.feed(response.body))
    return std::unexpected(CallFailure{tooLong(), false, {}, {}, 0});
  return reader.finish(response.status, response.headers, now);
}

} // namespace kclaw
