//===- Npz.h - NumPy files --------------------------------------*- C++ -*-===//
//
// Reads and writes .npz (zip, stored or deflated, through libzip) and .npy
// (versions 1 to 3, C order, little endian). bfloat16 is raw uint16 under a key
// that ends in "_bf16"; keys here are without that ending.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_TOOLS_RUN_NPZ_H
#define KERNELCLAW_TOOLS_RUN_NPZ_H

#include "Arrays.h"
#include "kernelclaw/Support/Error.h"

namespace kclaw {

/// A .npz, or a .npy, whose array is called `single`.
Expected<Arrays> readArrays(const std::string &path, const std::string &single);

/// A .npz, deflated; or a .npy when the path ends so and there is one array.
Expected<void> writeArrays(const std::string &path, const Arrays &arrays);

} // namespace kclaw

#endif // KERNELCLAW_TOOLS_RUN_NPZ_H
