//===- PtxLink.cpp - PTX to cubin by the driver ---------------------------===//
#include "PtxLink.h"
#include "ResourceParse.h"

namespace kclaw {

namespace {
/// Destroys the link state on every path; the cubin belongs to it.
struct LinkGuard {
  const DriverApi &api;
  CUlinkState state = nullptr;
  ~LinkGuard() {
    if (state)
      (void)api.cuLinkDestroy(state);
  }
};
} // namespace

static void *asOption(uint64_t value) {
  return reinterpret_cast<void *>(value);
}

/// The simulator runs PTX, so that is what its evidence speaks of.
static Run<void> keepPtx(ModuleImage &image) {
  if (image.ptx.empty())
    return failRun(Outcome::Rejected, "needs-ptx",
                   "needs PTX: module '" + image.module +
                       "' is machine code only, which the simulator cannot "
                       "run; give its source or PTX");
  image.cubin.clear();
  image.fatbin.clear();
  return {};
}

Run<void> assemble(const DriverApi &api, ModuleImage &image,
                   std::vector<ResourceReport> &resources) {
  if (api.isSimulated())
    return keepPtx(image);
  if (!image.cubin.empty())
    return {};
  std::string infoLog(32768, '\0');
  std::string errorLog(16384, '\0');
  CUjit_option options[] = {
      CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
      CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
      CU_JIT_LOG_VERBOSE};
  void *values[] = {infoLog.data(), asOption(infoLog.size()), errorLog.data(),
                    asOption(errorLog.size()), asOption(1)};
  LinkGuard guard{api};
  CUresult result = api.cuLinkCreate(5, options, values, &guard.state);
  // The final NUL of the text is part of what the driver wants.
  if (result == CUDA_SUCCESS)
    result = api.cuLinkAddData(
        guard.state, CU_JIT_INPUT_PTX, const_cast<char *>(image.ptx.c_str()),
        image.ptx.size() + 1, image.module.c_str(), 0, nullptr, nullptr);
  void *cubin = nullptr;
  size_t bytes = 0;
  if (result == CUDA_SUCCESS)
    result = api.cuLinkComplete(guard.state, &cubin, &bytes);
  if (result != CUDA_SUCCESS)
    return failRun(Outcome::CompileError, "ptx",
                   "module '" + image.module +
                       "' does not assemble: " + api.errorText(result) +
                       (result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION
                            ? "; its PTX is newer than this driver: give older "
                              "PTX or CUDA C++, or update the driver"
                            : "") +
                       "\n" + errorLog.c_str());
  const auto *start = static_cast<const uint8_t *>(cubin);
  image.cubin.assign(start, start + bytes);
  for (ResourceReport &row : parseResources(infoLog.c_str()))
    resources.push_back(std::move(row));
  return {};
}

} // namespace kclaw
