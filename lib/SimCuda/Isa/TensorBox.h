//===- TensorBox.h - The rows that a tensor copy moves ----------*- C++ -*-===//
//
// A tensor map and coordinates name a box of a tensor: rows of elements that
// are contiguous in global memory, and side by side in shared memory, where
// the swizzle exchanges 16-byte chunks. Elements outside of the tensor are
// filled when read and left out when written.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_ISA_TENSORBOX_H
#define KERNELCLAW_LIB_SIMCUDA_ISA_TENSORBOX_H

#include "../Exec/TensorMap.h"
#include "Reduce.h"

#include <array>
#include <cstddef>
#include <vector>

namespace kclaw::sim {

struct Coordinates {
  std::array<int64_t, 5> at = {}; ///< dimension 0 first; im2col: C, W, H, D, N
  std::array<int64_t, 3> offset = {}; ///< im2col: of W, H, D
};

class TensorBox {
public:
  TensorBox(const TensorMap &map, const Coordinates &where);

  uint64_t bytes() const {
    return rows.size() * rowBytes;
  } ///< in shared memory
  /// f(address, bytes) for what each row touches inside of the tensor.
  template <class F> void eachRange(F &&f) const {
    for (std::byte *row : rows)
      if (row && end > begin)
        f(row + begin, uint64_t(end - begin));
  }
  /// `window` is the start of a block's shared memory, `offset` in it.
  void load(std::byte *window, uint32_t offset) const;
  void store(const std::byte *window, uint32_t offset,
             Reduction reduction) const;

private:
  void addTiles(const TensorMap &map, const Coordinates &where);
  void addPixels(const TensorMap &map, const Coordinates &where);

  std::vector<std::byte *> rows; ///< where the box's row begins; null: outside
  uint32_t rowBytes = 0;
  int64_t begin = 0, end = 0; ///< bytes of a row that are inside of the tensor
  unsigned swizzle = 16;
  std::array<std::byte, 8> fill = {};
  unsigned elementBytes = 1;
  bool rounds = false; ///< to tf32, when read
};

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_ISA_TENSORBOX_H
