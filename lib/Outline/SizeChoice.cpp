//===- SizeChoice.cpp - The smaller sizes of a region ---------------------===//
//
// The largest dimension that is above its floor is halved. The floors sink step
// by step, those of what is reduced last, so that a kernel's loops run as often
// as at the region's own sizes.
//
//===----------------------------------------------------------------------===//
#include "SizeChoice.h"

#include <limits>

using namespace mlir;
using namespace kclaw;

using Sizes = ShrinkableDims::Sizes;

/// No dimension gets smaller: broadcasting treats a size of one otherwise, and
/// DimClasses ties none of that size.
static constexpr int64_t smallest = 4;

/// So many times `elements` are taken rather than sink the floors further.
static constexpr uint64_t most = 4;

static constexpr int64_t whole = std::numeric_limits<int64_t>::max();

/// By DimRole. Two tiles of 128 rows and columns, and four along what is
/// contracted, come out of the first for products of usual shapes.
static constexpr int64_t floors[][4] = {
    {16, 64, 512, whole},
    {8, 64, 512, whole},
    {smallest, 64, 256, whole},
    {smallest, 16, 256, whole},
    // What is reduced does not fit.
    {smallest, 16, 256, 256},
    {smallest, smallest, smallest, smallest},
};
static constexpr size_t stepsWithWhole = 4;

namespace {
class SizeChoice {
public:
  SizeChoice(const ShrinkableDims &dims, uint64_t elements, CountElements count)
      : dims(dims), elements(elements), count(count) {}

  std::vector<Sizes> choose();

private:
  /// What is reduced but not `kept` is an outer dimension; none: all are kept.
  DimRole roleOf(unsigned dimClass) const {
    DimRole role = dims.roleOf(dimClass);
    bool other = kept && role == DimRole::Reduced && dimClass != *kept;
    return other ? DimRole::Outer : role;
  }
  uint64_t countAt(const Sizes &sizes) const {
    auto all = dims.complete(sizes, smallest);
    return count(all ? *all : sizes);
  }
  bool isOwn(const Sizes &sizes) const {
    return llvm::equal(sizes, dims.sizes());
  }
  bool halveLargest(Sizes &sizes, const int64_t (&floor)[4]) const;
  std::optional<Sizes> shrink(size_t steps);
  std::vector<Sizes> bases();
  Sizes shrinkFurther(Sizes sizes);
  Sizes oddMultiples(Sizes sizes, int64_t unit) const;

  const ShrinkableDims &dims;
  uint64_t elements;
  CountElements count;
  std::optional<unsigned> kept;
};
} // namespace

/// False: nothing is left to halve.
bool SizeChoice::halveLargest(Sizes &sizes, const int64_t (&floor)[4]) const {
  std::optional<Sizes> best;
  int64_t largest = 0;
  for (auto [dimClass, size] : sizes) {
    if (size <= largest || size / 2 < floor[size_t(roleOf(dimClass))])
      continue;
    Sizes halved = sizes;
    halved[dimClass] = size / 2;
    if (!dims.complete(halved, smallest))
      continue;
    best = std::move(halved);
    largest = size;
  }
  if (best)
    sizes = std::move(*best);
  return best.has_value();
}

/// None: too large after so many steps.
std::optional<Sizes> SizeChoice::shrink(size_t steps) {
  Sizes sizes = dims.sizes();
  for (size_t i = 0; i < steps; ++i) {
    bool few = i < stepsWithWhole && !kept;
    uint64_t aim = few ? elements : most * elements;
    while (countAt(sizes) > aim && halveLargest(sizes, floors[i]))
      ;
    if (!isOwn(sizes) && countAt(sizes) <= most * elements)
      return sizes;
  }
  if (steps < std::size(floors))
    return std::nullopt;
  return sizes;
}

/// Everything that is reduced at its own size; else the last such dimension and
/// the first in turn.
std::vector<Sizes> SizeChoice::bases() {
  if (auto sizes = shrink(stepsWithWhole))
    return {*sizes};
  SmallVector<unsigned> reduced;
  for (auto [dimClass, size] : dims.sizes())
    if (dims.roleOf(dimClass) == DimRole::Reduced)
      reduced.push_back(dimClass);
  std::vector<Sizes> found;
  for (size_t i = 0; i < std::min<size_t>(2, reduced.size()); ++i) {
    kept = i == 0 ? reduced.back() : reduced.front();
    if (auto sizes = shrink(stepsWithWhole))
      found.push_back(*sizes);
  }
  kept.reset();
  if (found.empty())
    if (auto sizes = shrink(std::size(floors)))
      found.push_back(*sizes);
  return found;
}

/// The sizes that are not timed need few rows.
Sizes SizeChoice::shrinkFurther(Sizes sizes) {
  while (countAt(sizes) > elements &&
         halveLargest(sizes, {smallest, 64, 256, whole}))
    ;
  return sizes;
}

/// The largest odd multiple of `unit` that is no larger, `steps` steps lower;
/// a size that has none stays.
static int64_t oddMultiple(int64_t size, int64_t unit, int64_t steps) {
  int64_t multiples = (size / unit - 1) / 2 * 2 + 1 - 2 * steps;
  int64_t multiple = multiples * unit;
  return multiples >= 1 && multiple > 2 && size >= unit ? multiple : size;
}

/// Those that were shrunk, or along which loops run, at odd multiples that
/// differ.
Sizes SizeChoice::oddMultiples(Sizes sizes, int64_t unit) const {
  int64_t steps = 0;
  for (auto &[dimClass, size] : sizes)
    if (size != dims.sizes().find(dimClass)->second ||
        dims.roleOf(dimClass) >= DimRole::Contracted)
      if (int64_t multiple = oddMultiple(size, unit, steps); multiple != size) {
        size = multiple;
        ++steps;
      }
  return sizes;
}

std::vector<Sizes> SizeChoice::choose() {
  std::vector<Sizes> all;
  if (dims.sizes().empty() || countAt(dims.sizes()) <= elements)
    return all;
  std::vector<Sizes> found = bases();
  if (found.empty() || isOwn(found.front()))
    return all;
  for (const Sizes &sizes :
       {found.front(), oddMultiples(shrinkFurther(found.front()), 1),
        oddMultiples(shrinkFurther(found.back()), 8)})
    // Odd images may leave windows nothing to do.
    if (auto complete = dims.complete(sizes, 2))
      all.push_back(std::move(*complete));
  return all;
}

std::vector<Sizes> kclaw::chooseSizes(const ShrinkableDims &dims,
                                      uint64_t elements, CountElements count) {
  return SizeChoice(dims, elements, count).choose();
}
