//===- Estimate.cpp -------------------------------------------------------===//
#include "Estimate.h"

#include <algorithm>
#include <numeric>

namespace kclaw::sim {

uint64_t estimateNanoseconds(const DeviceModel &device,
                             const LaunchConfig &config, const Counts &counts) {
  double bytes =
      32.0 * double(counts.globalLoadSectors + counts.globalStoreSectors);
  double instructions =
      double(std::accumulate(counts.warpInstructions.begin(),
                             counts.warpInstructions.end(), uint64_t(0)));
  double sms =
      double(std::min<uint64_t>(uint64_t(device.smCount), config.grid.count()));
  double perNanosecond = 4 * sms * device.clockKilohertz / 1e6;
  return uint64_t(device.launchNanoseconds +
                  std::max(bytes / device.memoryBytesPerNanosecond,
                           instructions / perNanosecond));
}

uint64_t estimateNanoseconds(const DeviceModel &device, Traffic traffic,
                             uint64_t bytes) {
  double rate = traffic == Traffic::Host ? device.hostBytesPerNanosecond
                                         : device.memoryBytesPerNanosecond;
  return uint64_t(device.launchNanoseconds + double(bytes) / rate);
}

} // namespace kclaw::sim
