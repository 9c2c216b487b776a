//===- ArchListed.cpp - Does this device run that code? -------------------===//
//
// The rules of PTX ISA and the CUDA guide: sm_90a runs on exactly 9.0; a cubin
// for sm_80 runs on 8.x with x >= 0 and on no other major; "ptx_80" (PTX) runs
// on 8.0 and newer.
//
//===----------------------------------------------------------------------===//
#include "ArchRule.h"
#include "CallError.h"

#include <cstdlib>
#include <sstream>

namespace kclaw {

bool archRuns(const std::string &entry, int major, int minor) {
  bool ptx = entry.starts_with("ptx_");
  if (!ptx && !entry.starts_with("sm_"))
    return false;
  const char *digits = entry.c_str() + (ptx ? 4 : 3);
  char *end = nullptr;
  long number = std::strtol(digits, &end, 10);
  if (end == digits || number < 10)
    return false;
  long device = major * 10L + minor;
  switch (*end) {
  case 'a': // architecture-specific: this one only
    return device == number && end[1] == 0;
  case 'f': // family-specific: same major, not older
    return device / 10 == number / 10 && device >= number && end[1] == 0;
  case 0:
    return ptx ? device >= number
               : device / 10 == number / 10 && device >= number;
  default:
    return false;
  }
}

bool anyArchRuns(const std::string &list, int major, int minor) {
  std::stringstream stream(list);
  for (std::string entry; stream >> entry;)
    if (archRuns(entry, major, minor))
      return true;
  return false;
}

} // namespace kclaw

using namespace kclaw;

int32_t kclArchListed(const char *archs) {
  const Expected<DriverApi> &api = DriverApi::get();
  if (!api || !archs || ensureContext(*api) != CUDA_SUCCESS)
    return 0;
  CUdevice device = 0;
  int major = 0;
  int minor = 0;
  if (api->cuCtxGetDevice(&device) != CUDA_SUCCESS ||
      api->cuDeviceGetAttribute(&major,
                                CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                                device) != CUDA_SUCCESS ||
      api->cuDeviceGetAttribute(&minor,
                                CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
                                device) != CUDA_SUCCESS)
    return 0;
  return anyArchRuns(archs, major, minor) ? 1 : 0;
}
