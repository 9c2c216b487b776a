//===- CuptiMetrics.h - Which registers count which metric ------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_CUDA_CUPTIMETRICS_H
#define KERNELCLAW_LIB_CUDA_CUPTIMETRICS_H

#include "CuptiApi.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace kclaw {

/// A parameter struct of CUPTI with its size filled in.
#define KCLAW_PARAMS(TYPE, NAME)                                               \
  TYPE NAME = {};                                                              \
  NAME.structSize = TYPE##_STRUCT_SIZE

/// CUPTI's host object for one chip.
class ProfilerHost {
public:
  static Expected<ProfilerHost> make(const CuptiApi &api,
                                     const std::string &chip);
  ProfilerHost(ProfilerHost &&other) noexcept
      : api(other.api), handle(std::exchange(other.handle, nullptr)) {}
  ~ProfilerHost();

  CUpti_Profiler_Host_Object *get() const { return handle; }
  /// False when one of them is unknown.
  bool add(const std::vector<const char *> &metrics);

private:
  ProfilerHost(const CuptiApi &api, CUpti_Profiler_Host_Object *handle)
      : api(&api), handle(handle) {}
  const CuptiApi *api;
  CUpti_Profiler_Host_Object *handle;
};

/// The metrics of one chip, ready to be counted and evaluated.
class MetricPlan {
public:
  static Expected<std::unique_ptr<MetricPlan>>
  make(const CuptiApi &api, const std::string &chip,
       const std::vector<std::string> &asked);

  /// Values of the metrics as asked, of one range; NaN where missing.
  Expected<std::vector<double>> evaluate(const std::vector<uint8_t> &image,
                                         size_t range);

  const CuptiApi &api;
  const std::string chip;
  const std::vector<std::string> asked;
  std::vector<const char *> known;
  std::vector<size_t> places; ///< of `known` in `asked`
  std::vector<std::string> missing;
  std::vector<uint8_t> config;
  int passes = 0;

private:
  MetricPlan(const CuptiApi &api, const std::string &chip,
             const std::vector<std::string> &asked)
      : api(api), chip(chip), asked(asked) {}
  Expected<void> addMetrics();
  Expected<void> sortOutMissing();
  Expected<void> makeConfig();

  std::optional<ProfilerHost> host;
};

/// The table, with its range profiler.
Expected<const CuptiApi *> rangeApi();

} // namespace kclaw

#endif // KERNELCLAW_LIB_CUDA_CUPTIMETRICS_H
