//===- Formats.h - The table of wire formats --------------------*- C++ -*-===//
//
// Private. One row a format: a conversation to a request, an event of a stream
// into the document that a plain answer would have been, and that document to
// a reply. So there is one reader, streaming or not.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_PROVIDER_FORMATS_H
#define KERNELCLAW_LIB_PROVIDER_FORMATS_H

#include "JsonParts.h"
#include "kernelclaw/Provider/WireFormat.h"

namespace kclaw {

/// A stream so far.
struct Folded {
  Json document = Json::object();
  size_t answerBytes = 0; ///< of text, arguments and reasoning
  bool ended = false;     ///< the endpoint said that the answer is complete
};

struct Format {
  Json (*render)(const Conversation &, const RequestStyle &);
  void (*fold)(Folded &, const Json &event);
  /// nullopt: there is no answer in it.
  std::optional<Reply> (*read)(const Json &document);
  Usage (*usage)(const Json &document);
};

extern const Format chatFormat, responsesFormat, messagesFormat;
const Format &formatOf(WireFormat format);

/// Whether the request holds what this feature stands for.
bool wanted(const RequestStyle &style, Feature feature);

/// Structured output in OpenAI's form: name, schema, and strict where the
/// schema keeps to what strict mode allows.
Json namedSchema(const Conversation &conversation);

/// A tool as {"name", "description", SCHEMA_NAME: {...}}.
Json renderTool(const Tool &tool, const char *schemaName);

/// Calls without an id get one: their results must be able to name them.
void nameCalls(Reply &reply);

} // namespace kclaw

#endif // KERNELCLAW_LIB_PROVIDER_FORMATS_H
