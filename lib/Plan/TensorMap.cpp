//===- TensorMap.cpp - The rules of tiled tensor maps ---------------------===//
//
// Worker and plan check share them, so that a map that the driver would refuse
// with CUDA_ERROR_INVALID_VALUE is refused with its field and the reason.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Plan/TensorMap.h"

#include <algorithm>

namespace kclaw {
namespace {

constexpr int64_t elementBytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
constexpr size_t maxRank = 5;

std::unexpected<Error> invalid(const std::string &field,
                               const std::string &why) {
  return makeError(Error::Code::Invalid, field + ": " + why);
}

class MapCheck {
public:
  MapCheck(const PlanTensorMap &map, const Bindings &bindings)
      : map(map), bindings(bindings) {}

  Expected<TensorMapValues> run(int64_t bufferBytes) {
    for (auto part : {&MapCheck::sizes, &MapCheck::modes})
      if (auto done = (this->*part)(); !done)
        return std::unexpected(done.error());
    for (auto rule : {&MapCheck::alignment, &MapCheck::tile})
      if (auto done = (this->*rule)(); !done)
        return std::unexpected(done.error());
    if (auto done = inside(bufferBytes); !done)
      return std::unexpected(done.error());
    return values;
  }

private:
  Expected<int64_t> value(const std::string &field, const Expr &expr,
                          int64_t low, int64_t high) {
    Expected<int64_t> found = expr.evaluate(bindings);
    if (!found)
      return invalid(field, found.error().message);
    if (*found < low || *found > high)
      return invalid(field, std::to_string(*found) + " is outside [" +
                                std::to_string(low) + ", " +
                                std::to_string(high) + "]");
    return found;
  }

  Expected<void> list(const char *field, const std::vector<Expr> &exprs,
                      size_t count, int64_t low, int64_t high,
                      std::vector<int64_t> &into) {
    if (exprs.size() != count)
      return invalid(field,
                     std::to_string(exprs.size()) + " entries; the map has " +
                         std::to_string(map.dims.size()) +
                         " dimensions and needs " + std::to_string(count));
    for (size_t i = 0; i < count; ++i) {
      auto found = value(std::string(field) + "[" + std::to_string(i) + "]",
                         exprs[i], low, high);
      if (!found)
        return std::unexpected(found.error());
      into.push_back(*found);
    }
    return {};
  }

  Expected<void> sizes() {
    size_t rank = map.dims.size();
    if (rank < 1 || rank > maxRank)
      return invalid("dims", "a tensor map has one to five dimensions, not " +
                                 std::to_string(rank));
    constexpr int64_t maxDim = int64_t(1) << 32;
    constexpr int64_t maxStride = (int64_t(1) << 40) - 1;
    if (auto done = list("dims", map.dims, rank, 0, maxDim, values.dims); !done)
      return done;
    if (auto done = list("strides", tensorMapStrides(map), rank - 1, 0,
                         maxStride, values.strides);
        !done)
      return done;
    if (auto done = list("box", map.box, rank, 1, 256, values.box); !done)
      return done;
    return list("elementStrides", tensorMapElementStrides(map), rank, 1, 8,
                values.elementStrides);
  }

  Expected<void> mode(const char *field, const Expr &expr,
                      std::initializer_list<int64_t> allowed, int64_t &into) {
    auto found = value(field, expr, 0, 256);
    if (!found)
      return std::unexpected(found.error());
    into = *found;
    if (std::ranges::find(allowed, into) != allowed.end())
      return {};
    std::string known;
    for (int64_t each : allowed)
      known += (known.empty() ? "" : ", ") + std::to_string(each);
    return invalid(field, std::to_string(into) + "; accepted: " + known);
  }

  Expected<void> modes() {
    constexpr int64_t maxOffset = int64_t(1) << 40;
    auto offset = value("offset", map.offset, 0, maxOffset);
    if (!offset)
      return std::unexpected(offset.error());
    values.offset = *offset;
    struct Row {
      const char *field;
      const Expr &expr;
      std::initializer_list<int64_t> allowed;
      int64_t &into;
    };
    const Row rows[] = {
        {"swizzle", map.swizzle, {0, 32, 64, 128}, values.swizzle},
        {"interleave", map.interleave, {0, 16, 32}, values.interleave},
        {"l2Promotion", map.l2Promotion, {0, 64, 128, 256}, values.l2Promotion},
        {"nanFill", map.nanFill, {0, 1}, values.nanFill}};
    for (const Row &row : rows)
      if (auto done = mode(row.field, row.expr, row.allowed, row.into); !done)
        return done;
    return {};
  }

  Expected<void> alignment() {
    int64_t unit = values.interleave == 32 ? 32 : 16;
    std::string wants = " is no multiple of " + std::to_string(unit) +
                        " bytes, which the hardware wants";
    if (values.offset % unit)
      return invalid("offset", std::to_string(values.offset) + wants);
    for (size_t i = 0; i < values.strides.size(); ++i)
      if (values.strides[i] % unit)
        return invalid("strides[" + std::to_string(i) + "]",
                       std::to_string(values.strides[i]) + wants +
                           "; pad the rows, or load them without a map");
    return {};
  }

  Expected<void> tile() {
    int64_t inner = values.box[0] * sizeBytes(map.element);
    if (values.interleave == 0 && inner % 16)
      return invalid("box[0]", std::to_string(inner) +
                                   " bytes of a row of the tile are no "
                                   "multiple of 16");
    if (values.interleave == 0 && values.swizzle && inner > values.swizzle)
      return invalid("box[0]", std::to_string(inner) +
                                   " bytes of a row of the tile do not fit a "
                                   "swizzle of " +
                                   std::to_string(values.swizzle) +
                                   " bytes; use a narrower box, or no swizzle");
    if (values.interleave && map.dims.size() < 3)
      return invalid("interleave", "needs at least three dimensions");
    if (values.interleave == 32 && values.swizzle != 32)
      return invalid("interleave", "32 needs a swizzle of 32");
    bool floats = map.element >= TensorMapElement::F16;
    if (values.nanFill && !floats)
      return invalid("nanFill", "integers have no NaN");
    return {};
  }

  Expected<void> inside(int64_t bufferBytes) {
    if (std::ranges::find(values.dims, 0) != values.dims.end())
      return {}; // nothing is there to be read
    __int128 last = values.offset;
    for (size_t i = 0; i < values.strides.size(); ++i)
      last += __int128(values.dims[i + 1] - 1) * values.strides[i];
    last += __int128(values.dims[0]) * sizeBytes(map.element);
    if (last > bufferBytes)
      return invalid("dims", "the map reaches beyond '" + map.buffer +
                                 "', which has " + std::to_string(bufferBytes) +
                                 " bytes");
    return {};
  }

  const PlanTensorMap &map;
  const Bindings &bindings;
  TensorMapValues values;
};

} // namespace

int64_t sizeBytes(TensorMapElement element) {
  return elementBytes[static_cast<size_t>(element)];
}

std::vector<Expr> tensorMapStrides(const PlanTensorMap &map) {
  if (!map.strides.empty())
    return map.strides;
  std::vector<Expr> strides;
  std::string bytes = std::to_string(sizeBytes(map.element));
  for (size_t i = 0; i + 1 < map.dims.size(); ++i) {
    bytes += " * (" + map.dims[i].str() + ")";
    strides.push_back(Expr(bytes));
  }
  return strides;
}

std::vector<Expr> tensorMapElementStrides(const PlanTensorMap &map) {
  if (!map.elementStrides.empty())
    return map.elementStrides;
  return std::vector<Expr>(map.dims.size(), Expr(1));
}

Expected<TensorMapValues> evaluateTensorMap(const PlanTensorMap &map,
                                            const Bindings &bindings,
                                            int64_t bufferBytes) {
  return MapCheck(map, bindings).run(bufferBytes);
}

} // namespace kclaw
