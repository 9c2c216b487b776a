//===- DeviceIdentity.cpp - What may be compared, and JSON ----------------===//
#include "kernelclaw/Plan/DeviceIdentity.h"

#include "PlanJson.h"

namespace kclaw {

bool isSameDevice(const DeviceIdentity &a, const DeviceIdentity &b) {
  return !a.uuid.empty() && a.uuid == b.uuid && a.driver == b.driver;
}

bool isFaster(const Evaluation &a, const Evaluation &b) {
  bool timesCompare = !a.time.empty() && !b.time.empty() &&
                      a.evidence == b.evidence &&
                      isSameDevice(a.device, b.device);
  return timesCompare ? a.time.medianMicroseconds < b.time.medianMicroseconds
                      : a.speedup > b.speedup;
}

std::string describe(const DeviceIdentity &device) {
  std::string text = device.name;
  const std::pair<const char *, const std::string &> parts[] = {
      {" ", device.uuid}, {" at ", device.pciBusId}, {" of ", device.host}};
  for (const auto &[before, part] : parts)
    if (!part.empty())
      text += before + part;
  return text;
}

namespace json {

Json write(const DeviceIdentity &device) {
  if (device.empty())
    return nullptr;
  return {{"name", device.name},
          {"uuid", device.uuid},
          {"pciBusId", device.pciBusId},
          {"host", device.host},
          {"driver", device.driver}};
}

DeviceIdentity readDevice(const Cursor &at) {
  return {at.find("name").string(), at.find("uuid").string(),
          at.find("pciBusId").string(), at.find("host").string(),
          at.find("driver").string()};
}

} // namespace json
} // namespace kclaw
