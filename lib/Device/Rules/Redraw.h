//===- Rules/Redraw.h - Are these data worth judging by? --------*- C++ -*-===//
//
// Milder data are drawn while the reference or stock is not finite somewhere,
// or the reference is constant. At the mildest level a part may stay: then a
// NaN must be a NaN (Rules/NonFinite.h), and a constant is still compared with.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_RULES_REDRAW_H
#define KERNELCLAW_LIB_DEVICE_RULES_REDRAW_H

#include "Comparison.h"

#include <span>
#include <string>

namespace kclaw {

/// What stock against the reference says about the data, for one result.
struct DataCase {
  const Comparison &stock;
  bool isFloat = true;
  bool planted = false; ///< not finite by intention
  bool mildest = false; ///< no milder level is left
  bool whole = false;   ///< a module: some of its results may be constant
};

struct Redraw {
  static constexpr const char *zero = "the reference is zero";

  static bool mostlyNonFinite(const Comparison &stock) {
    return 4 * stock.wantNonFinite > 3 * stock.count;
  }
  /// All of several elements are one value.
  static bool isConstant(const Comparison &stock) {
    return stock.count > 1 && stock.meanError < 1e-12 &&
           stock.wantNonFinite == 0;
  }
  /// An error relative to zeros says nothing (PT-14 b).
  static bool isZero(const DataCase &data) {
    return data.isFloat && data.stock.zeroReference && data.stock.count > 0 &&
           data.stock.wantNonFinite == 0;
  }

  /// Why the data cannot be used for this result, or "".
  static std::string reason(const DataCase &data) {
    const Comparison &stock = data.stock;
    if (mostlyNonFinite(stock) && !(data.planted && data.mildest))
      return "the reference is mostly not finite";
    if (data.planted)
      return "";
    if (stock.wantNonFinite && !data.mildest)
      return "the reference is not finite";
    if (stock.stockNonFinite > (data.mildest ? stock.count / 2 : 0))
      return "stock is not finite";
    return "";
  }

  /// ... for all results of a draw. That some are constant is no reason, as
  /// long as others tell something.
  static std::string reasonOfAll(std::span<const DataCase> results) {
    bool telling = results.empty();
    bool anyZero = false;
    bool skip = false;
    for (const DataCase &data : results) {
      if (std::string why = reason(data); !why.empty())
        return why;
      anyZero |= isZero(data);
      telling |= !isZero(data) && !isConstant(data.stock);
      skip |= data.whole || data.planted;
    }
    if (telling || skip)
      return "";
    if (anyZero)
      return zero;
    return results.front().mildest ? "" : "the reference is constant";
  }
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_RULES_REDRAW_H
