//===- RooflineModel.h - How far a run is from the roof ---------*- C++ -*-===//
//
// Pure arithmetic, tested with invented numbers. Terms: Williams et al.,
// "Roofline", CACM 52(4), 2009.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_ROOFLINEMODEL_H
#define KERNELCLAW_LIB_DEVICE_ROOFLINEMODEL_H

#include "kernelclaw/Plan/Profile.h"
#include "kernelclaw/Support/DType.h"

namespace kclaw {

/// The device's side.
struct RooflineDevice {
  std::string arch; ///< "sm_90"
  int multiprocessors = 0;
  double clockHertz = 0; ///< the top clock of the multiprocessors
  double pinBytesPerSecond = 0;
  double l2Bytes = 0;
};

/// The work's side.
struct RooflineWork {
  double flops = 0;
  double minimalBytes = 0;
  double resultBytes = 0; ///< may stay in the L2
  double movedBytes = 0;  ///< 0: unknown
  DType dtype = DType::f32;
  bool tensorPipe = false; ///< the tensor pipe was seen working
  double measuredMicroseconds = 0;
};

/// Peaks are 0 and the bound is memory's alone for an architecture that the
/// table lacks.
Roofline rooflineOf(const RooflineDevice &device, const RooflineWork &work);

/// Whether matrix instructions do the arithmetic. The code says so, else the
/// counter, in which a few HFMA2.MMA that only move constants show as under
/// one percent. Unknown counts as seen: the roof must not be too low.
bool usesTensorPipe(const Profile &profile);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_ROOFLINEMODEL_H
