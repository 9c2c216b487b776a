//===- Resources.cpp - Making driver objects ------------------------------===//
#include "kernelclaw/Cuda/Resources.h"

#include <cstdio>

namespace kclaw {

Expected<Stream> createStream(const DriverApi &api) {
  CUstream stream = nullptr;
  if (auto ok = api.check(api.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING),
                          "creating a stream");
      !ok)
    return std::unexpected(ok.error());
  return Stream(api, stream);
}

Expected<Event> createEvent(const DriverApi &api) {
  CUevent event = nullptr;
  if (auto ok = api.check(api.cuEventCreate(&event, CU_EVENT_DEFAULT),
                          "creating an event");
      !ok)
    return std::unexpected(ok.error());
  return Event(api, event);
}

Expected<DeviceMemory> allocate(const DriverApi &api, uint64_t bytes) {
  CUdeviceptr memory = 0;
  if (auto ok =
          api.check(api.cuMemAlloc(&memory, bytes ? bytes : 1),
                    "allocating " + std::to_string(bytes) + " device bytes");
      !ok)
    return std::unexpected(ok.error());
  return DeviceMemory(api, memory);
}

/// As nvidia-smi writes it.
static std::string readUuid(const DriverApi &api, CUdevice device) {
  CUuuid uuid = {};
  if (!api.cuDeviceGetUuid ||
      api.cuDeviceGetUuid(&uuid, device) != CUDA_SUCCESS)
    return "";
  std::string text = "GPU";
  for (size_t i = 0; i < sizeof uuid.bytes; ++i) {
    bool dash = i == 0 || i == 4 || i == 6 || i == 8 || i == 10;
    char digits[4];
    std::snprintf(digits, sizeof digits, "%s%02x", dash ? "-" : "",
                  static_cast<unsigned char>(uuid.bytes[i]));
    text += digits;
  }
  return text;
}

static int attribute(const DriverApi &api, CUdevice device,
                     CUdevice_attribute which) {
  int value = 0;
  if (api.cuDeviceGetAttribute(&value, which, device) != CUDA_SUCCESS)
    return 0;
  return value;
}

Expected<DeviceFacts> readDeviceFacts(const DriverApi &api, CUdevice device) {
  DeviceFacts facts;
  char text[256] = {};
  if (auto ok = api.check(api.cuDeviceGetName(text, sizeof text - 1, device),
                          "reading the device's name");
      !ok)
    return std::unexpected(ok.error());
  facts.name = text;
  char bus[64] = {};
  if (api.cuDeviceGetPCIBusId(bus, sizeof bus - 1, device) == CUDA_SUCCESS)
    facts.pciBusId = bus;
  facts.uuid = readUuid(api, device);
  auto read = [&](CUdevice_attribute which) {
    return attribute(api, device, which);
  };
  facts.arch =
      "sm_" +
      std::to_string(read(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)) +
      std::to_string(read(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  facts.multiprocessors = read(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  facts.sharedBytesPerBlockOptin =
      read(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  facts.l2Bytes = read(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  // Two transfers a clock; the clock is in kHz, the width in bits.
  facts.pinBytesPerSecond =
      2e3 * read(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE) *
      (read(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH) / 8.0);
  size_t total = 0;
  if (api.cuDeviceTotalMem(&total, device) == CUDA_SUCCESS)
    facts.memoryBytes = total;
  (void)api.cuDriverGetVersion(&facts.driverVersion);
  return facts;
}

Expected<PrimaryContext> PrimaryContext::retain(const DriverApi &api,
                                                int ordinal) {
  int count = 0;
  if (auto ok = api.check(api.cuDeviceGetCount(&count), "counting devices");
      !ok)
    return std::unexpected(ok.error());
  if (ordinal >= count)
    return makeError(Error::Code::Unavailable,
                     "no CUDA device " + std::to_string(ordinal) +
                         ": the "
                         "driver sees " +
                         std::to_string(count) +
                         "; check CUDA_VISIBLE_DEVICES");
  CUdevice device = 0;
  if (auto ok = api.check(api.cuDeviceGet(&device, ordinal),
                          "opening device " + std::to_string(ordinal));
      !ok)
    return std::unexpected(ok.error());
  CUcontext context = nullptr;
  if (auto ok = api.check(api.cuDevicePrimaryCtxRetain(&context, device),
                          "retaining the primary context");
      !ok)
    return std::unexpected(ok.error());
  PrimaryContext result(api, device);
  if (auto ok = api.check(api.cuCtxSetCurrent(context),
                          "making the primary context current");
      !ok)
    return std::unexpected(ok.error());
  Expected<DeviceFacts> facts = readDeviceFacts(api, device);
  if (!facts)
    return std::unexpected(facts.error());
  result.known = *facts;
  return result;
}

PrimaryContext::PrimaryContext(PrimaryContext &&other) noexcept
    : api(std::exchange(other.api, nullptr)), handle(other.handle),
      known(std::move(other.known)) {}

PrimaryContext::~PrimaryContext() {
  if (api)
    (void)api->cuDevicePrimaryCtxRelease(handle);
}

} // namespace kclaw
