//===- CompileProtocol.h - Compiler and compile server talk -----*- C++ -*-===//
//
// A request and a reply are lists of byte strings, each with its length in
// front (64 bits, this machine's order: both ends are one executable).
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_COMPILEPROTOCOL_H
#define KERNELCLAW_LIB_DEVICE_COMPILEPROTOCOL_H

#include <optional>
#include <string>
#include <vector>

namespace kclaw {

std::string packFields(const std::vector<std::string> &fields);
/// nullopt when cut or malformed.
std::optional<std::vector<std::string>> unpackFields(const std::string &bytes);

/// Named text that the source may include.
struct NamedText {
  std::string name;
  std::string text;
};

struct CompileRequest {
  std::string name; ///< of the module, appears in diagnostics
  std::string source;
  std::string arch; ///< "sm_90a"
  std::vector<std::string> options;
  std::vector<NamedText> headers;
  std::vector<std::string> includeRoots;
  double timeoutSeconds = 60;
};

struct CompileResult {
  bool ok = false;
  std::string rule; ///< when refused or out of time: "include", ...
  std::string log;  ///< as the compiler wrote it
  std::string ptx;
  std::string cubin;
  std::string sandbox; ///< "landlock" or "scan"
};

std::string pack(const CompileRequest &request);
std::optional<CompileRequest> unpackRequest(const std::string &bytes);
std::string pack(const CompileResult &result);
std::optional<CompileResult> unpackResult(const std::string &bytes);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_COMPILEPROTOCOL_H
