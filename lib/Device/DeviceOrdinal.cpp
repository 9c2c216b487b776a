//===- DeviceOrdinal.cpp - One device of several, by the environment ------===//
#include "DeviceOrdinal.h"
#include "kernelclaw/Device/Worker.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <sstream>

namespace kclaw {

constexpr const char *visibleVariable = "CUDA_VISIBLE_DEVICES";
constexpr const char *simulatorVariable = "KERNELCLAW_SIM_ORDINAL";
constexpr const char *kinds[] = {"cuda", "sim", "auto", "none"};

Expected<DeviceChoice> parseDevice(const std::string &text) {
  size_t colon = text.find(':');
  DeviceChoice device{text.substr(0, colon), std::nullopt};
  bool good = std::ranges::find(kinds, device.kind) != std::end(kinds);
  if (colon != std::string::npos) {
    int ordinal = -1;
    const char *end = text.data() + text.size();
    auto [rest, failed] =
        std::from_chars(text.data() + colon + 1, end, ordinal);
    good = good && device.kind != "none" && failed == std::errc{} &&
           rest == end && ordinal >= 0;
    device.ordinal = ordinal;
  }
  if (good)
    return device;
  return makeError(Error::Code::Invalid,
                   "unknown device '" + text +
                       "'; accepted: cuda, sim, auto, none; cuda:1 is the "
                       "second device of those that can be seen");
}

Expected<void> checkDevice(const std::string &device) {
  auto parsed = parseDevice(device);
  if (!parsed)
    return std::unexpected(parsed.error());
  // Its workers are numbered; which one it is changes nothing for people.
  if (parsed->kind == "sim" && parsed->ordinal)
    return makeError(Error::Code::Invalid,
                     "device '" + device +
                         "': there is one simulated device; say sim (--workers "
                         "N of kernelclaw-worker judges on several)");
  return {};
}

static std::string trimmed(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isspace(c); });
  return text;
}

Expected<std::string> visibleEntry(const char *visible, int ordinal) {
  if (!visible)
    return std::to_string(ordinal);
  std::stringstream list(visible);
  std::string entry;
  int count = 0;
  for (; std::getline(list, entry, ','); ++count)
    if (count == ordinal)
      return trimmed(entry);
  return makeError(Error::Code::Unavailable,
                   "no device number " + std::to_string(ordinal) + ": " +
                       visibleVariable + "='" + visible + "' shows " +
                       std::to_string(count));
}

Expected<void> showOnly(const DeviceChoice &device) {
  if (!device.ordinal)
    return {};
  setenv(simulatorVariable, std::to_string(*device.ordinal).c_str(), 1);
  if (device.kind == "sim")
    return {};
  Expected<std::string> entry =
      visibleEntry(std::getenv(visibleVariable), *device.ordinal);
  if (!entry)
    return std::unexpected(entry.error());
  setenv(visibleVariable, entry->c_str(), 1);
  return {};
}

} // namespace kclaw
