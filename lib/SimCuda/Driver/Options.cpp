//===- Options.cpp --------------------------------------------------------===//
#include "Options.h"

#include <charconv>
#include <cstdlib>

namespace kclaw::sim::api {

/// "4096", "512M", "2G"; false: no such number.
static bool readCount(const std::string &text, uint64_t &value) {
  const char *end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || text.empty())
    return false;
  unsigned shift = 0;
  if (rest != end)
    shift = *rest == 'K' ? 10 : *rest == 'M' ? 20 : *rest == 'G' ? 30 : 0;
  if (rest != end && (!shift || rest + 1 != end))
    return false;
  value <<= shift;
  return true;
}

static constexpr OptionRow rows[] = {
    {"KERNELCLAW_SIM_DEVICE", "sm_90a (H200), sm_80 (A100)",
     "the device that is simulated",
     [](Options &o, const std::string &v) {
       o.device = findDeviceModel(v);
       return o.device != nullptr;
     }},
    {"KERNELCLAW_SIM_CHECKS", "on, off",
     "look for races, uninitialised reads and the like",
     [](Options &o, const std::string &v) {
       o.checks = v == "on";
       return v == "on" || v == "off";
     }},
    {"KERNELCLAW_SIM_THREADS", "1 to 1024", "host threads of a launch",
     [](Options &o, const std::string &v) {
       uint64_t n = 0;
       bool good = readCount(v, n) && n >= 1 && n <= 1024;
       o.threads = unsigned(n);
       return good;
     }},
    {"KERNELCLAW_SIM_BUDGET", "a count, K, M or G may follow; 0: none",
     "warp instructions after which a launch is an endless loop",
     [](Options &o, const std::string &v) { return readCount(v, o.budget); }},
    {"KERNELCLAW_SIM_MEMORY", "bytes, K, M or G may follow; at least 1M",
     "size of the device's memory",
     [](Options &o, const std::string &v) {
       return readCount(v, o.memoryBytes) && o.memoryBytes >= (1u << 20);
     }},
    {"KERNELCLAW_SIM_ORDINAL", "0 to 31",
     "which of several equal devices this is: its uuid and bus id",
     [](Options &o, const std::string &v) {
       uint64_t n = 0;
       bool good = readCount(v, n) && n <= 31;
       o.ordinal = unsigned(n);
       return good;
     }},
};

std::span<const OptionRow> optionRows() { return rows; }

std::expected<Options, std::string> readOptions() {
  Options options;
  for (const OptionRow &row : rows) {
    const char *value = std::getenv(row.variable);
    if (!value || row.read(options, value))
      continue;
    return std::unexpected(std::string(row.variable) + "='" + value +
                           "' is not accepted; use " + row.accepted);
  }
  return options;
}

} // namespace kclaw::sim::api
