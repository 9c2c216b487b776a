//===- HostComparison.h - The judge's comparison on host arrays -*- C++ -*-===//
//
// What kcl_row_scale and kcl_compare do, with the same functions on each
// element (device/Compare.h), one block.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_UNITTESTS_DEVICE_HOSTCOMPARISON_H
#define KERNELCLAW_UNITTESTS_DEVICE_HOSTCOMPARISON_H

#include "Comparison.h"
#include "ErrorBudget.h"
#include "Rules/ResultRule.h"

#include <cmath>

namespace kclaw {

/// Elements as the device holds them.
inline std::vector<uint8_t> encode(DType type,
                                   const std::vector<double> &values) {
  std::vector<uint8_t> bytes(values.size() * info(type).sizeBytes);
  int t = static_cast<int>(type);
  for (size_t i = 0; i < values.size(); ++i)
    kclStore(bytes.data(), i, t,
             isFloat(type)
                 ? kclEncode(kclRound(values[i], t), t)
                 : static_cast<kcl_u64>(static_cast<kcl_i64>(values[i])));
  return bytes;
}

class HostComparison {
public:
  HostComparison(DType type, std::vector<double> got, std::vector<double> want,
                 uint64_t rowLength = 0)
      : type(type), count(want.size()), got(encode(type, got)),
        stock(encode(type, want)), exact(std::move(want)),
        integers(encode(type, exact)) {
    params.count = count;
    params.rowLength = rowLength ? rowLength : count;
    params.type = static_cast<int>(type);
    params.bound = 1e-5;
    params.unitRoundoff = unitRoundoff(type);
    params.poisonByte = 0xff;
  }

  HostComparison &withStock(const std::vector<double> &values) {
    stock = encode(type, values);
    return *this;
  }
  HostComparison &withBound(double bound) {
    params.bound = bound;
    return *this;
  }
  HostComparison &withMarks(std::vector<uint8_t> list) {
    marks = std::move(list);
    params.excused = marks.data();
    return *this;
  }
  /// Indices into `values`, [outer, size, inner].
  HostComparison &selectingFrom(const std::vector<double> &values,
                                uint64_t size, uint64_t picks,
                                bool distinct = false, uint64_t inner = 1) {
    selected = encode(DType::f32, values);
    params.select = {selected.data(), size, picks, inner, KclF32, distinct};
    return *this;
  }
  /// Parts of the bound; spreads of rows.
  HostComparison &withShares(double inside, double rounding) {
    params.insideShare = inside;
    params.roundingShare = rounding;
    return *this;
  }
  /// `whole`: that of all rows, for rows in which little moves.
  HostComparison &withSpreads(std::vector<double> rows, double whole = 0) {
    spreads = std::move(rows);
    for (double each : spreads)
      spread.sum2 += (whole > 0 ? whole * whole : each * each) *
                     static_cast<double>(params.rowLength);
    spread.sum4 = 3 * whole * whole * spread.sum2;
    params.spread = &spread;
    params.rowSpread = spreads.data();
    return *this;
  }
  HostComparison &inProducts() {
    params.nanForInfinity = 1;
    return *this;
  }
  std::vector<uint8_t> &gotBytes() { return got; }

  Comparison run() {
    params.got = got.data();
    params.stock = stock.data();
    params.want = isFloat(type) ? static_cast<const void *>(exact.data())
                                : integers.data();
    uint64_t rows = (count + params.rowLength - 1) / params.rowLength;
    std::vector<double> scales(rows);
    std::vector<kcl_u64> nonZero(rows);
    double total = 0;
    for (uint64_t i = 0; i < count && isFloat(type); ++i) {
      double want = kclRound(exact[i], params.type);
      if (!kclFinite(want))
        continue;
      scales[i / params.rowLength] += want * want;
      nonZero[i / params.rowLength] += want != 0;
      total += want * want;
    }
    for (uint64_t row = 0; row < rows; ++row)
      scales[row] = kclRowScale(scales[row], nonZero[row]);
    params.rowScale = scales.data();
    params.total = &total;
    KclPartial part = {};
    part.worst = -1;
    part.spread2 = params.spread ? params.spread->sum2 : 0;
    double floor = kclScaleFloor(params);
    for (uint64_t i = 0; i < count; ++i)
      kclCompareElement(params, i, floor, part);
    return mergePartials({part}, count, params);
  }

  /// The rule that refuses, or "".
  std::string rule(ResultKind kind) {
    Comparison found = run();
    const ResultRule *refusal = firstRefusal({found, params.bound, kind, 0});
    return refusal ? refusal->name : "";
  }

private:
  DType type;
  uint64_t count;
  std::vector<uint8_t> got, stock;
  std::vector<double> spreads;
  KclSpread spread = {};
  std::vector<double> exact;
  std::vector<uint8_t> integers, selected, marks;
  KclCompare params = {};
};

} // namespace kclaw

#endif // KERNELCLAW_UNITTESTS_DEVICE_HOSTCOMPARISON_H
