//===- ExplainMismatch.cpp - Looking at a wrong result --------------------===//
#include "ExplainMismatch.h"
#include "Comparison.h"
#include "ErrorBudget.h"
#include "ErrorPatterns.h"

#include <algorithm>
#include <cmath>

namespace kclaw {
namespace {

constexpr size_t shownElements = 10;
/// Elements that are on the host at once.
constexpr uint64_t chunkElements = uint64_t{1} << 22;
/// When no element alone is out of bounds, those that err this many times the
/// RMS of all errors are shown.
constexpr double outlierFactor = 2;

/// One result on its way to the host, a chunk at a time.
class Elements {
public:
  Elements(Workload &load, size_t result, CUdeviceptr got)
      : load(load), result(result), got(got),
        tensor(load.problem->results[result]) {}

  /// Calls `visit(element, isWrong)` for each, by the judge's own rules for
  /// one element (device/Compare.h).
  template <typename Visit>
  Run<void> each(double bound, uint8_t poisonByte, const Visit &visit) {
    KCLAW_TRY(readScales());
    uint64_t step = std::max<uint64_t>(1, chunkElements / tensor.rowLength) *
                    tensor.rowLength;
    for (uint64_t start = 0; start < tensor.count; start += step) {
      uint64_t count = std::min(step, tensor.count - start);
      KCLAW_TRY(readChunk(start, count));
      KclCompare params = compareParams(start, count, bound, poisonByte);
      for (uint64_t i = 0; i < count; ++i)
        visit(element(params, start, i), isWrong(params, i));
    }
    return {};
  }

private:
  bool floating() const { return isFloat(tensor.dtype); }
  uint64_t size() const { return info(tensor.dtype).sizeBytes; }

  Run<void> readScales() {
    if (!floating() || tensor.count == 0)
      return {};
    scales.resize((tensor.count + tensor.rowLength - 1) / tensor.rowLength + 1);
    KCLAW_TRY(load.session->download(scales.data(), load.rowScales[result],
                                     scales.size() * 8));
    if (load.rowSpreads[result]) {
      spreads.resize(scales.size() - 1);
      KCLAW_TRY(load.session->download(
          spreads.data(), load.rowSpreads[result] + sizeof(KclSpread),
          spreads.size() * 8));
      KCLAW_TRY(load.session->download(&wholeSpread, load.rowSpreads[result],
                                       sizeof(KclSpread)));
    }
    floor = unitRoundoff(tensor.dtype) *
            std::sqrt(scales[0] / static_cast<double>(tensor.count));
    return {};
  }

  Run<void> readChunk(uint64_t start, uint64_t count) {
    uint64_t wantSize = floating() ? 8 : size();
    struct Source {
      std::vector<uint8_t> &to;
      CUdeviceptr from;
      uint64_t elementBytes;
    };
    Source sources[] = {
        {gotBytes, got, size()},
        {wantBytes, load.reference().results[result].address(), wantSize},
        {stockBytes, load.stock().results[result].address(), size()}};
    for (Source &source : sources) {
      source.to.resize(count * source.elementBytes);
      KCLAW_TRY(load.session->download(
          source.to.data(), source.from + start * source.elementBytes,
          source.to.size()));
    }
    return {};
  }

  KclCompare compareParams(uint64_t start, uint64_t count, double bound,
                           uint8_t poisonByte) {
    KclCompare params = kclaw::compareParams(load, {result});
    params.excused = nullptr;
    params.select = {};
    params.spread = nullptr;
    params.rowSpread = nullptr;
    params.got = gotBytes.data();
    params.want = wantBytes.data();
    params.stock = stockBytes.data();
    if (floating())
      params.rowScale = scales.data() + 1 + start / tensor.rowLength;
    if (!spreads.empty()) {
      params.spread = &wholeSpread;
      params.rowSpread = spreads.data() + start / tensor.rowLength;
    }
    params.count = count;
    params.rowLength = tensor.rowLength;
    params.bound = bound;
    params.type = static_cast<int>(tensor.dtype);
    params.poisonByte = poisonByte;
    return params;
  }

  bool isWrong(const KclCompare &params, uint64_t i) const {
    KclPartial part = {};
    part.worst = -1;
    kclCompareElement(params, i, floor, part);
    return part.mismatches + part.badIndices + part.repeated + part.nanLost +
               part.infinityLost + part.spurious + part.beyond >
           0;
  }

  WrongElement element(const KclCompare &params, uint64_t start,
                       uint64_t i) const {
    WrongElement found;
    found.index = static_cast<int64_t>(start + i);
    kcl_u64 bits = kclLoad(params.got, i, params.type);
    found.got = kclDecode(bits, params.type);
    found.unwritten = kclIsPoison(bits, params.type, params.poisonByte);
    found.stock = kclDecode(kclLoad(params.stock, i, params.type), params.type);
    found.want =
        floating()
            ? kclRound(kclDecode(kclLoad(params.want, i, KclF64), KclF64),
                       params.type)
            : kclDecode(kclLoad(params.want, i, params.type), params.type);
    found.error = error(params, found, i);
    return found;
  }

  double error(const KclCompare &params, const WrongElement &found,
               uint64_t i) const {
    if (kclSame(found.got, found.want))
      return 0;
    if (!floating())
      return 1;
    if (!std::isfinite(found.got) || !std::isfinite(found.want))
      return INFINITY;
    return kclScaledError(params, i, found.got, found.want, floor);
  }

  Workload &load;
  size_t result;
  CUdeviceptr got;
  const ProblemTensor &tensor;
  std::vector<double> scales; ///< sum of squares, then one a row
  std::vector<double> spreads;
  KclSpread wholeSpread = {}; // empty: none
  double floor = 0;
  std::vector<uint8_t> gotBytes, wantBytes, stockBytes;
};

std::vector<LaunchShape> launchShapes(Workload &load) {
  std::vector<LaunchShape> shapes;
  if (!load.candidate().plan)
    return shapes;
  for (const ResolvedStep &step : load.candidate().plan->boundSteps())
    if (step.kind == ResolvedStep::Kind::Kernel)
      shapes.push_back(
          {step.entry, int64_t{step.kernel.block[0]} * step.kernel.block[1] *
                           step.kernel.block[2]});
  return shapes;
}

/// All errors are small, but together they are too large.
std::string noteNorm(double threshold) {
  char text[160];
  std::snprintf(text, sizeof text,
                "no element alone errs more than the bound, all together do; "
                "counted are those that err more than %.3g of their scale",
                threshold);
  return text;
}

} // namespace

Run<void> explainMismatch(Workload &load, size_t result, CUdeviceptr got,
                          double bound, uint8_t poisonByte,
                          Explanation &explanation) {
  const ProblemTensor &tensor = load.problem->results[result];
  Elements elements(load, result, got);
  ErrorMap map;
  auto keep = [&](const WrongElement &element) {
    map.indices.push_back(element.index);
    explanation.unwritten += element.unwritten;
    if (explanation.first.size() < shownElements)
      explanation.first.push_back(element);
  };
  double sum = 0;
  KCLAW_TRY(elements.each(bound, poisonByte,
                          [&](const WrongElement &element, bool isWrong) {
                            if (std::isfinite(element.error))
                              sum += element.error * element.error;
                            if (isWrong)
                              keep(element);
                          }));
  if (map.indices.empty() && tensor.count > 0) {
    double threshold =
        outlierFactor * std::sqrt(sum / static_cast<double>(tensor.count));
    explanation.note = noteNorm(threshold);
    KCLAW_TRY(elements.each(
        bound, poisonByte, [&](const WrongElement &element, bool) {
          if (element.error > threshold && std::isfinite(element.error))
            keep(element);
        }));
  }
  map.shape = tensor.shape;
  map.count = static_cast<int64_t>(tensor.count);
  map.launches = launchShapes(load);
  explanation.result = static_cast<int>(result);
  explanation.dtype = std::string(info(tensor.dtype).name);
  explanation.shape = tensor.shape;
  explanation.elements = map.count;
  explanation.wrong = static_cast<int64_t>(map.indices.size());
  explanation.bound = bound;
  explanation.patterns = findPatterns(map);
  return {};
}

void describeData(const Draw &draw, uint64_t seed, Explanation &explanation) {
  if (!draw.distribution)
    return;
  explanation.distribution = draw.distribution->name;
  explanation.level = draw.level;
  explanation.draw = draw.run;
  explanation.seed = seed;
}

} // namespace kclaw
