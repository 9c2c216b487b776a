//===- CompileProtocol.cpp - Compiler and compile server talk -------------===//
#include "CompileProtocol.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace kclaw {

std::string packFields(const std::vector<std::string> &fields) {
  std::string bytes;
  for (const std::string &field : fields) {
    uint64_t size = field.size();
    bytes.append(reinterpret_cast<const char *>(&size), sizeof size);
    bytes += field;
  }
  return bytes;
}

std::optional<std::vector<std::string>> unpackFields(const std::string &bytes) {
  std::vector<std::string> fields;
  size_t at = 0;
  while (at < bytes.size()) {
    uint64_t size = 0;
    if (bytes.size() - at < sizeof size)
      return std::nullopt;
    std::memcpy(&size, bytes.data() + at, sizeof size);
    at += sizeof size;
    if (bytes.size() - at < size)
      return std::nullopt;
    fields.push_back(bytes.substr(at, size));
    at += size;
  }
  return fields;
}

std::string pack(const CompileRequest &request) {
  std::vector<std::string> headers;
  for (const NamedText &header : request.headers) {
    headers.push_back(header.name);
    headers.push_back(header.text);
  }
  return packFields({request.name, request.source, request.arch,
                     packFields(request.options), packFields(headers),
                     packFields(request.includeRoots),
                     std::to_string(request.timeoutSeconds)});
}

std::optional<CompileRequest> unpackRequest(const std::string &bytes) {
  auto fields = unpackFields(bytes);
  if (!fields || fields->size() != 7)
    return std::nullopt;
  auto options = unpackFields((*fields)[3]);
  auto headers = unpackFields((*fields)[4]);
  auto roots = unpackFields((*fields)[5]);
  if (!options || !headers || !roots || headers->size() % 2 != 0)
    return std::nullopt;
  CompileRequest request;
  request.name = (*fields)[0];
  request.source = (*fields)[1];
  request.arch = (*fields)[2];
  request.options = *options;
  for (size_t i = 0; i < headers->size(); i += 2)
    request.headers.push_back({(*headers)[i], (*headers)[i + 1]});
  request.includeRoots = *roots;
  request.timeoutSeconds = std::strtod((*fields)[6].c_str(), nullptr);
  return request;
}

std::string pack(const CompileResult &result) {
  return packFields({result.ok ? "1" : "0", result.rule, result.log, result.ptx,
                     result.cubin, result.sandbox});
}

std::optional<CompileResult> unpackResult(const std::string &bytes) {
  auto fields = unpackFields(bytes);
  if (!fields || fields->size() != 6)
    return std::nullopt;
  return CompileResult{(*fields)[0] == "1", (*fields)[1], (*fields)[2],
                       (*fields)[3],        (*fields)[4], (*fields)[5]};
}

} // namespace kclaw
