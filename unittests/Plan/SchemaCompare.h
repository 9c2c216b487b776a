//===- SchemaCompare.h - Does a writer follow its schema? -------*- C++ -*-===//
//
// For tests: every member of a document has its place in the schema, and every
// member that the schema requires is there. KCLAW_SCHEMA_DIR is docs/schema.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_UNITTESTS_SCHEMACOMPARE_H
#define KERNELCLAW_UNITTESTS_SCHEMACOMPARE_H

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <string>

namespace kclaw {

using nlohmann::json;

inline json readSchema(const std::string &name) {
  std::ifstream file(std::string(KCLAW_SCHEMA_DIR) + "/" + name);
  return json::parse(file);
}

/// Follows "$ref" into $defs or another file of the folder. Returns the schema
/// and the document it lives in.
inline std::pair<json, json> resolve(json schema, json document) {
  while (schema.contains("$ref")) {
    std::string ref = schema["$ref"];
    size_t hash = ref.find('#');
    if (hash != 0)
      document = readSchema(ref.substr(0, hash));
    std::string inner = hash == std::string::npos ? "" : ref.substr(hash + 1);
    schema = document.at(json::json_pointer(inner));
  }
  return {schema, document};
}

/// The alternative of a oneOf that fits `value`: by "kind", else by member.
inline json choose(const json &options, const json &value,
                   const json &document) {
  for (const json &option : options) {
    auto [schema, home] = resolve(option, document);
    if (schema.contains("properties") != value.is_object())
      continue;
    if (!value.is_object())
      return option;
    const json &properties = schema["properties"];
    bool fits = true;
    for (const auto &[name, inner] : value.items())
      fits &= properties.contains(name) &&
              (name != "kind" || !properties[name].contains("const") ||
               properties[name]["const"] == inner);
    if (fits)
      return option;
  }
  return nullptr;
}

inline void compare(const json &value, json schema, json document,
                    const std::string &path) {
  std::tie(schema, document) = resolve(schema, document);
  for (const char *word : {"oneOf", "anyOf"}) {
    if (!schema.contains(word))
      continue;
    json option = choose(schema[word], value, document);
    ASSERT_FALSE(option.is_null()) << path << " fits no alternative";
    return compare(value, option, document, path);
  }
  if (value.is_array() && schema.contains("items"))
    for (size_t i = 0; i < value.size(); ++i)
      compare(value[i], schema["items"], document,
              path + "[" + std::to_string(i) + "]");
  if (schema.contains("enum")) {
    EXPECT_NE(std::ranges::find(schema["enum"], value), schema["enum"].end())
        << path << " is " << value;
  }
  if (!value.is_object() || !schema.contains("properties"))
    return;
  for (const auto &[name, inner] : value.items()) {
    ASSERT_TRUE(schema["properties"].contains(name)) << path << "." << name;
    compare(inner, schema["properties"][name], document, path + "." + name);
  }
  for (const json &name : schema.value("required", json::array()))
    EXPECT_TRUE(value.contains(name)) << path << " lacks " << name;
}

inline void compareWithFile(const std::string &text, const std::string &file) {
  json schema = readSchema(file);
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  compare(json::parse(text), schema, schema, file);
}

} // namespace kclaw

#endif // KERNELCLAW_UNITTESTS_SCHEMACOMPARE_H
