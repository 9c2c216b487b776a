//===- CompileServer.cpp - NVRTC behind a sandbox -------------------------===//
//
// The order matters: read the request, open NVRTC (its builtins too), give up
// the file system, and only then look at the source.
//
//===----------------------------------------------------------------------===//
#include "CompileProtocol.h"
#include "IncludeScan.h"
#include "Sandbox.h"
#include "kernelclaw/Cuda/NvrtcApi.h"
#include "kernelclaw/Device/Compiler.h"

#include <cerrno>
#include <unistd.h>

namespace kclaw {

static std::string readAll(int file) {
  std::string bytes;
  char block[65536];
  for (;;) {
    ssize_t got = read(file, block, sizeof block);
    if (got > 0)
      bytes.append(block, static_cast<size_t>(got));
    else if (got == 0 || errno != EINTR)
      return bytes;
  }
}

static bool writeAll(int file, const std::string &bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    ssize_t put = write(file, bytes.data() + done, bytes.size() - done);
    if (put > 0)
      done += static_cast<size_t>(put);
    else if (errno != EINTR)
      return false;
  }
  return true;
}

/// A sized string of the program: its log, PTX or cubin.
template <typename Size, typename Get>
static std::string fetch(nvrtcProgram program, Size size, Get get) {
  size_t bytes = 0;
  if (size(program, &bytes) != NVRTC_SUCCESS || bytes == 0)
    return {};
  std::string text(bytes, '\0');
  return get(program, text.data()) == NVRTC_SUCCESS ? text : std::string();
}

/// PTX and logs end with a NUL, and logs may begin with one.
static std::string withoutNul(std::string text) {
  std::erase(text, '\0');
  return text;
}

static CompileResult compile(const NvrtcApi &nvrtc,
                             const CompileRequest &request) {
  std::vector<const char *> texts;
  std::vector<const char *> names;
  for (const NamedText &header : request.headers) {
    texts.push_back(header.text.c_str());
    names.push_back(header.name.c_str());
  }
  std::vector<std::string> options = request.options;
  options.push_back("--gpu-architecture=" + request.arch);
  for (const std::string &root : request.includeRoots)
    options.push_back("--include-path=" + root);
  std::vector<const char *> pointers;
  for (const std::string &option : options)
    pointers.push_back(option.c_str());

  CompileResult result;
  nvrtcProgram program = nullptr;
  std::string file = request.name + ".cu";
  nvrtcResult status = nvrtc.nvrtcCreateProgram(
      &program, request.source.c_str(), file.c_str(),
      static_cast<int>(texts.size()), texts.data(), names.data());
  if (status != NVRTC_SUCCESS) {
    result.log = nvrtc.nvrtcGetErrorString(status);
    return result;
  }
  status = nvrtc.nvrtcCompileProgram(program, static_cast<int>(pointers.size()),
                                     pointers.data());
  result.ok = status == NVRTC_SUCCESS;
  result.log = withoutNul(
      fetch(program, nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog));
  if (result.ok) {
    result.ptx =
        withoutNul(fetch(program, nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX));
    result.cubin = fetch(program, nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN);
  } else if (status != NVRTC_ERROR_COMPILATION) {
    result.log += std::string(nvrtc.nvrtcGetErrorString(status)) + "\n";
  }
  nvrtc.nvrtcDestroyProgram(&program);
  return result;
}

static CompileResult serve(const CompileRequest &request) {
  CompileResult result;
  const Expected<NvrtcApi> &nvrtc = NvrtcApi::get();
  if (!nvrtc) {
    result.rule = "unavailable";
    result.log = nvrtc.error().message;
    return result;
  }
  limitResources(request.timeoutSeconds);
  // NVRTC writes the working directory into line information: images shall not
  // depend on where the loop was started. Staying where we are is harmless.
  [[maybe_unused]] int moved = chdir("/");
  bool enforced = restrictFilesTo(request.includeRoots);
  result.sandbox = enforced ? "landlock" : "scan";
  if (std::string why = scanIncludes(request.source, !enforced); !why.empty()) {
    result.rule = "include";
    result.log = why;
    return result;
  }
  std::string sandbox = result.sandbox;
  result = compile(*nvrtc, request);
  result.sandbox = sandbox;
  return result;
}

int runCompileServer() {
  auto request = unpackRequest(readAll(STDIN_FILENO));
  if (!request)
    return 2;
  return writeAll(STDOUT_FILENO, pack(serve(*request))) ? 0 : 1;
}

} // namespace kclaw
