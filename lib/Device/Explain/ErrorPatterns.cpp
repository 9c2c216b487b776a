//===- ErrorPatterns.cpp - Where wrong elements cluster -------------------===//
#include "ErrorPatterns.h"
#include "IndexSets.h"
#include "Problem.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace kclaw {
namespace {

using Found = std::optional<ErrorPattern>;

/// Share of a region's elements that must be wrong to say that it is.
constexpr double nearlyAll = 0.95;
/// ... and below this share naming it tells nothing.
constexpr double someOf = 0.1;

int64_t wrongCount(const ErrorMap &map) {
  return static_cast<int64_t>(map.indices.size());
}

std::string where(const ErrorMap &map, int64_t index) {
  return map.shape.size() > 1
             ? std::to_string(index) + " " + position(map.shape, index)
             : std::to_string(index);
}

Found findAll(const ErrorMap &map) {
  if (static_cast<double>(wrongCount(map)) <
      nearlyAll * static_cast<double>(map.count))
    return std::nullopt;
  return ErrorPattern{"all", wrongCount(map) == map.count
                                 ? "every element is wrong"
                                 : "nearly every element is wrong (" +
                                       std::to_string(wrongCount(map)) +
                                       " of " + std::to_string(map.count) +
                                       ")"};
}

Found findSingle(const ErrorMap &map) {
  if (wrongCount(map) != 1)
    return std::nullopt;
  int64_t at = map.indices.front();
  const char *name = at == map.count - 1 ? "tail" : "single";
  return ErrorPattern{name, "one element, " + where(map, at) +
                                (at == map.count - 1 ? ", the last one"
                                 : at == 0           ? ", the first one"
                                                     : "")};
}

/// "4096 = 16 x 256" for a boundary that hints at a tile or a vector width.
std::string boundary(int64_t value) {
  for (int64_t power = 65536; power >= 4; power /= 2)
    if (value > power && value % power == 0)
      return std::to_string(value) + " = " + std::to_string(value / power) +
             " x " + std::to_string(power);
  return std::to_string(value);
}

Found findRange(const ErrorMap &map) {
  int64_t first = map.indices.front();
  int64_t length = map.indices.back() + 1 - first;
  if (wrongCount(map) < 2 || static_cast<double>(wrongCount(map)) <
                                 nearlyAll * static_cast<double>(length))
    return std::nullopt;
  std::string text = std::to_string(length) + " elements";
  if (first + length == map.count)
    return ErrorPattern{"tail", "the last " + text + ", from " +
                                    where(map, first) + " on (" +
                                    boundary(first) + " are right)"};
  if (first == 0)
    return ErrorPattern{"head", "the first " + text + ", up to " +
                                    where(map, length - 1)};
  return ErrorPattern{"range", "one contiguous range of " + text + ", from " +
                                   where(map, first) + " to " +
                                   where(map, first + length - 1)};
}

/// Every n-th element of the whole tensor, where n is no stride of a dimension
/// (a column or a channel is found as such).
Found findStride(const ErrorMap &map) {
  if (wrongCount(map) < 3)
    return std::nullopt;
  int64_t first = map.indices.front();
  int64_t step = 0;
  for (int64_t index : map.indices)
    step = std::gcd(step, index - first);
  int64_t expected = (map.count - 1 - first) / step + 1;
  int64_t stride = 1;
  for (size_t i = map.shape.size(); i > 1; --i) {
    stride *= map.shape[i - 1];
    if (step == stride)
      return std::nullopt;
  }
  if (step < 2 || first >= step ||
      static_cast<double>(wrongCount(map)) <
          nearlyAll * static_cast<double>(expected))
    return std::nullopt;
  return ErrorPattern{"stride", "every " + std::to_string(step) +
                                    "-th element, from " +
                                    std::to_string(first) + " on"};
}

int64_t trailing(const std::vector<int64_t> &shape, size_t dim) {
  int64_t product = 1;
  for (size_t i = dim + 1; i < shape.size(); ++i)
    product *= shape[i];
  return product;
}

struct DimensionName {
  const char *pattern;
  std::string one, many;
};
DimensionName dimensionName(const ErrorMap &map, size_t dim) {
  size_t fromEnd = map.shape.size() - dim;
  if (fromEnd == 1)
    return {"column", "column", "columns"};
  if (fromEnd == 2)
    return {"row", "row", "rows"};
  std::string name = "index of dimension " + std::to_string(dim);
  return {"outer", name, "indices of dimension " + std::to_string(dim)};
}

/// Errors that spare most values of one dimension.
Found findDimension(const ErrorMap &map, size_t dim) {
  int64_t size = map.shape[dim];
  int64_t inner = trailing(map.shape, dim);
  IndexSet values(size);
  for (int64_t index : map.indices)
    values.insert(index / inner % size);
  if (size < 2 || values.count() * 4 > size * 3)
    return std::nullopt;
  DimensionName name = dimensionName(map, dim);
  int64_t covered = map.count / size * values.count();
  double share =
      static_cast<double>(wrongCount(map)) / static_cast<double>(covered);
  if (share < someOf)
    return std::nullopt;
  bool whole = share >= nearlyAll;
  std::string text = "only " + (values.count() == 1 ? name.one : name.many) +
                     " " + values.describe() + " of " + std::to_string(size);
  if (whole)
    text += values.count() == 1 ? ", all of it" : ", all of them";
  else
    text += ", " + std::to_string(100 * wrongCount(map) / covered) +
            " % of their elements";
  return ErrorPattern{name.pattern, text};
}

/// Square tiles of the last two dimensions that are wrong as a whole.
Found findTile(const ErrorMap &map) {
  if (map.shape.size() < 2)
    return std::nullopt;
  int64_t columns = map.shape.back();
  int64_t rows = map.count / columns;
  for (int64_t side : {128, 64, 32, 16, 8}) {
    if (rows < 2 * side || columns < 2 * side)
      continue;
    int64_t across = (columns + side - 1) / side;
    int64_t down = (rows + side - 1) / side;
    IndexSet tiles(across * down);
    for (int64_t index : map.indices)
      tiles.insert(index / columns / side * across + index % columns / side);
    if (tiles.count() * 2 > across * down ||
        static_cast<double>(wrongCount(map)) <
            nearlyAll * static_cast<double>(tiles.count() * side * side))
      continue;
    int64_t first = tiles.first();
    return ErrorPattern{
        "tile",
        std::to_string(tiles.count()) + " of " + std::to_string(across * down) +
            " tiles of " + std::to_string(side) + " x " + std::to_string(side) +
            ", the first at row " + std::to_string(first / across * side) +
            ", column " + std::to_string(first % across * side)};
  }
  return std::nullopt;
}

/// If element i belonged to thread i of the grid: one thread of each block, or
/// one block.
Found findThreads(const ErrorMap &map, const LaunchShape &launch) {
  int64_t size = launch.blockThreads;
  if (size < 32 || map.count < 2 * size || wrongCount(map) < 2)
    return std::nullopt;
  int64_t blocks = (map.count + size - 1) / size;
  IndexSet threads(size), grid(blocks);
  for (int64_t index : map.indices) {
    threads.insert(index % size);
    grid.insert(index / size);
  }
  std::string assuming = " if thread i of the grid makes element i (kernel '" +
                         launch.kernel + "', " + std::to_string(size) +
                         " threads a block)";
  if (threads.count() * 8 <= size && grid.count() > 1)
    return ErrorPattern{"thread", "threads " + threads.describe() +
                                      " of their blocks," + assuming};
  if (grid.count() * 8 <= blocks)
    return ErrorPattern{"block", "blocks " + grid.describe() + " of " +
                                     std::to_string(blocks) + "," + assuming};
  return std::nullopt;
}

bool saysAll(const ErrorPattern &pattern) {
  return pattern.text.ends_with(", all of it") ||
         pattern.text.ends_with(", all of them");
}

/// Those that look at the flat order; the first that fits says it all.
constexpr Found (*flatDetectors[])(const ErrorMap &) = {findAll, findSingle,
                                                        findRange, findStride};

} // namespace

std::vector<ErrorPattern> findPatterns(const ErrorMap &map) {
  std::vector<ErrorPattern> patterns;
  auto keep = [&](Found found) {
    if (found)
      patterns.push_back(std::move(*found));
    return !patterns.empty();
  };
  if (map.indices.empty())
    return patterns;
  for (auto detector : flatDetectors)
    if (keep(detector(map)))
      break;
  bool settled =
      !patterns.empty() && (patterns[0].name == "all" || wrongCount(map) == 1);
  if (settled)
    return patterns;
  for (size_t dim = 0; map.shape.size() > 1 && dim < map.shape.size(); ++dim)
    keep(findDimension(map, dim));
  // Whole rows or columns are explained; tiles and threads would only repeat
  // it.
  if (std::ranges::any_of(patterns, saysAll))
    return patterns;
  keep(findTile(map));
  for (const LaunchShape &launch : map.launches)
    keep(findThreads(map, launch));
  if (patterns.empty())
    patterns.push_back(
        {"scattered", "no pattern: " + std::to_string(wrongCount(map)) +
                          " wrong elements between " +
                          where(map, map.indices.front()) + " and " +
                          where(map, map.indices.back())});
  return patterns;
}

} // namespace kclaw
