//===- RooflineModel.cpp - How far a run is from the roof -----------------===//
#include "RooflineModel.h"
#include "TimingRun.h"

#include <algorithm>

namespace kclaw {

namespace {
/// Dense operations (a multiply-add is two) a clock and multiprocessor, from
/// NVIDIA's architecture white papers (A100: 312 TFLOP/s of f16 on 108
/// multiprocessors at 1.41 GHz; H100: 989 on 132 at 1.83 GHz).
struct PeakRow {
  const char *arch;
  const char *kind;
  double perClock;
};
constexpr PeakRow peaks[] = {
    {"sm_80", "fp32", 128},         {"sm_80", "fp64", 64},
    {"sm_80", "tensor fp64", 128},  {"sm_80", "tensor tf32", 1024},
    {"sm_80", "tensor f16", 2048},  {"sm_90", "fp32", 256},
    {"sm_90", "fp64", 128},         {"sm_90", "tensor fp64", 256},
    {"sm_90", "tensor tf32", 2048}, {"sm_90", "tensor f16", 4096},
};

double peakPerClock(const std::string &arch, const std::string &kind) {
  for (const PeakRow &row : peaks)
    if (arch == row.arch && kind == row.kind)
      return row.perClock;
  return 0;
}

std::string kindOf(DType dtype, bool tensorPipe) {
  if (dtype == DType::f64)
    return tensorPipe ? "tensor fp64" : "fp64";
  if (!tensorPipe)
    return "fp32";
  return dtype == DType::f32 ? "tensor tf32" : "tensor f16";
}
} // namespace

Roofline rooflineOf(const RooflineDevice &device, const RooflineWork &work) {
  Roofline roof;
  roof.flops = work.flops;
  roof.minimalBytes = work.minimalBytes;
  roof.movedBytes = work.movedBytes;
  roof.measuredMicroseconds = work.measuredMicroseconds;
  roof.peakKind = kindOf(work.dtype, work.tensorPipe);
  roof.peakBytesPerSecond = device.pinBytesPerSecond;
  roof.peakFlopsPerSecond = peakPerClock(device.arch, roof.peakKind) *
                            device.multiprocessors * device.clockHertz;
  double bytes = work.movedBytes > 0 ? work.movedBytes : work.minimalBytes;
  if (bytes > 0)
    roof.intensity = work.flops / bytes;
  if (device.pinBytesPerSecond > 0)
    roof.ridge = roof.peakFlopsPerSecond / device.pinBytesPerSecond;
  double memory = floorMicroseconds(work.minimalBytes, work.resultBytes,
                                    device.l2Bytes, device.pinBytesPerSecond);
  double compute = roof.peakFlopsPerSecond > 0
                       ? work.flops / roof.peakFlopsPerSecond * 1e6
                       : 0;
  roof.boundMicroseconds = std::max(memory, compute);
  if (roof.boundMicroseconds > 0)
    roof.boundBy = compute > memory ? "compute" : "memory";
  if (roof.boundMicroseconds > 0 && work.measuredMicroseconds > 0)
    roof.headroom = work.measuredMicroseconds / roof.boundMicroseconds;
  return roof;
}

bool usesTensorPipe(const Profile &profile) {
  bool known = !profile.kernels.empty();
  for (const KernelProfile &kernel : profile.kernels) {
    auto counter = kernel.counters.find("tensorPipe");
    bool hasCounter = counter != kernel.counters.end();
    bool hasMix = !kernel.instructionMix.empty();
    if (hasMix && kernel.instructionMix.contains("tensor"))
      return true;
    if (!hasMix && hasCounter && counter->second >= 1)
      return true;
    known &= hasMix || hasCounter;
  }
  return !known;
}

} // namespace kclaw
