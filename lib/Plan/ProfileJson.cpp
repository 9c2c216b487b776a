//===- ProfileJson.cpp - Profile <-> JSON ---------------------------------===//
#include "PlanJson.h"

namespace kclaw::json {
namespace {

constexpr EnumRow<ProfileLevel> levelNames[] = {
    {"none", ProfileLevel::None},
    {"static", ProfileLevel::Static},
    {"activity", ProfileLevel::Activity},
    {"counters", ProfileLevel::Counters}};

Json writeSizes(const std::array<int64_t, 3> &sizes) {
  return {sizes[0], sizes[1], sizes[2]};
}

std::array<int64_t, 3> readSizes(const Cursor &at) {
  std::array<int64_t, 3> sizes = {0, 0, 0};
  size_t next = 0;
  for (int64_t each : at.list([](const Cursor &c) { return c.integer(); }))
    if (next < sizes.size())
      sizes[next++] = each;
  return sizes;
}

Json write(const KernelProfile &kernel) {
  return {{"kernel", kernel.kernel},
          {"grid", writeSizes(kernel.grid)},
          {"block", writeSizes(kernel.block)},
          {"clusterBlocks", kernel.clusterBlocks},
          {"registers", kernel.registers},
          {"staticSharedBytes", kernel.staticSharedBytes},
          {"dynamicSharedBytes", kernel.dynamicSharedBytes},
          {"localBytes", kernel.localBytes},
          {"blocksPerMultiprocessor", kernel.blocksPerMultiprocessor},
          {"occupancyLimit", kernel.occupancyLimit},
          {"instructionMix", Json(kernel.instructionMix)},
          {"samplesMicroseconds", writeNumbers(kernel.samplesMicroseconds)},
          {"medianMicroseconds", number(kernel.medianMicroseconds)},
          {"spread", number(kernel.spread)},
          {"counters", writeNumbers(kernel.counters)}};
}

KernelProfile readKernel(const Cursor &at) {
  KernelProfile kernel;
  kernel.kernel = at.at("kernel").string();
  kernel.grid = readSizes(at.find("grid"));
  kernel.block = readSizes(at.find("block"));
  kernel.clusterBlocks = at.find("clusterBlocks").integer(1);
  kernel.registers = int(at.find("registers").integer(0, 0, 1 << 20));
  kernel.staticSharedBytes = at.find("staticSharedBytes").integer();
  kernel.dynamicSharedBytes = at.find("dynamicSharedBytes").integer();
  kernel.localBytes = at.find("localBytes").integer();
  kernel.blocksPerMultiprocessor =
      int(at.find("blocksPerMultiprocessor").integer(0, 0, 1 << 20));
  kernel.occupancyLimit = at.find("occupancyLimit").string();
  kernel.instructionMix = readIntegers(at.find("instructionMix"));
  kernel.samplesMicroseconds = at.find("samplesMicroseconds").list(readNumber);
  kernel.medianMicroseconds = at.find("medianMicroseconds").number();
  kernel.spread = at.find("spread").number();
  kernel.counters = readNumbers(at.find("counters"));
  return kernel;
}

Json write(const Roofline &roof) {
  return {{"flops", number(roof.flops)},
          {"minimalBytes", number(roof.minimalBytes)},
          {"movedBytes", number(roof.movedBytes)},
          {"peakBytesPerSecond", number(roof.peakBytesPerSecond)},
          {"peakFlopsPerSecond", number(roof.peakFlopsPerSecond)},
          {"peakKind", roof.peakKind},
          {"intensity", number(roof.intensity)},
          {"ridge", number(roof.ridge)},
          {"boundBy", roof.boundBy},
          {"boundMicroseconds", number(roof.boundMicroseconds)},
          {"measuredMicroseconds", number(roof.measuredMicroseconds)},
          {"headroom", number(roof.headroom)}};
}

Roofline readRoofline(const Cursor &at) {
  Roofline roof;
  roof.flops = at.find("flops").number();
  roof.minimalBytes = at.find("minimalBytes").number();
  roof.movedBytes = at.find("movedBytes").number();
  roof.peakBytesPerSecond = at.find("peakBytesPerSecond").number();
  roof.peakFlopsPerSecond = at.find("peakFlopsPerSecond").number();
  roof.peakKind = at.find("peakKind").string();
  roof.intensity = at.find("intensity").number();
  roof.ridge = at.find("ridge").number();
  roof.boundBy = at.find("boundBy").string();
  roof.boundMicroseconds = at.find("boundMicroseconds").number();
  roof.measuredMicroseconds = at.find("measuredMicroseconds").number();
  roof.headroom = at.find("headroom").number();
  return roof;
}

} // namespace

Json write(const Profile &profile) {
  if (profile.level == ProfileLevel::None)
    return nullptr;
  Json kernels = Json::array();
  for (const KernelProfile &kernel : profile.kernels)
    kernels.push_back(write(kernel));
  return {{"level", nameOf(levelNames, profile.level)},
          {"reason", profile.reason},
          {"source", profile.source},
          {"device", profile.device},
          {"kernels", kernels},
          {"kernelSpanMicroseconds", number(profile.kernelSpanMicroseconds)},
          {"instructionMixReason", profile.instructionMixReason},
          {"missingCounters", profile.missingCounters},
          {"passes", profile.passes},
          {"roofline", write(profile.roofline)},
          {"seconds", writeNumbers(profile.seconds)}};
}

Profile readProfile(const Cursor &at) {
  Profile profile;
  if (!at.present())
    return profile;
  profile.level = at.at("level").oneOf(levelNames, ProfileLevel::None);
  profile.reason = at.find("reason").string();
  profile.source = at.find("source").string();
  profile.device = at.find("device").string();
  profile.kernels = at.find("kernels").list(readKernel);
  profile.kernelSpanMicroseconds = at.find("kernelSpanMicroseconds").number();
  profile.instructionMixReason = at.find("instructionMixReason").string();
  profile.missingCounters =
      at.find("missingCounters").list([](const Cursor &c) {
        return c.string();
      });
  profile.passes = int(at.find("passes").integer(0, 0, 1 << 20));
  profile.roofline = readRoofline(at.find("roofline"));
  profile.seconds = readNumbers(at.find("seconds"));
  return profile;
}

} // namespace kclaw::json
