//===- Formats.cpp - What the wire formats share --------------------------===//
#include "Formats.h"

#include <algorithm>

namespace kclaw {
namespace {

/// Strict mode wants every object closed and all of its members required.
bool isStrict(const Json &schema) {
  if (!schema.is_structured())
    return true;
  if (schema.contains("properties")) {
    if (member(schema, "additionalProperties") != false ||
        member(schema, "required").size() !=
            member(schema, "properties").size())
      return false;
  } else if (member(schema, "type") == "object") {
    return false;
  }
  return std::all_of(schema.begin(), schema.end(), isStrict);
}

} // namespace

const Format &formatOf(WireFormat format) {
  switch (format) {
  case WireFormat::Responses:
    return responsesFormat;
  case WireFormat::Messages:
    return messagesFormat;
  case WireFormat::Chat:
    break;
  }
  return chatFormat;
}

bool wanted(const RequestStyle &style, Feature feature) {
  return !style.leftOut.contains(feature);
}

Json namedSchema(const Conversation &conversation) {
  Json schema = schemaOf(conversation.responseSchema);
  std::string name = conversation.responseSchemaName;
  return {{"name", name.empty() ? "answer" : name},
          {"schema", schema},
          {"strict", isStrict(schema)}};
}

Json renderTool(const Tool &tool, const char *schemaName) {
  return {{"name", tool.name},
          {"description", tool.description},
          {schemaName, schemaOf(tool.parameters)}};
}

void nameCalls(Reply &reply) {
  for (size_t i = 0; i < reply.toolCalls.size(); ++i)
    if (reply.toolCalls[i].id.empty())
      reply.toolCalls[i].id = "call_" + std::to_string(i + 1);
}

std::string renderRequest(WireFormat format, const Conversation &conversation,
                          const RequestStyle &style) {
  return json::dump(formatOf(format).render(conversation, style));
}

} // namespace kclaw
