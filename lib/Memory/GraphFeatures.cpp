//===- GraphFeatures.cpp - What the op graph says -------------------------===//
#include "Extractors.h"
#include "GraphWork.h"

#include <algorithm>
#include <set>

namespace kclaw {
namespace {

/// The graph with the class of each op and who makes and reads each value.
class Graph {
public:
  explicit Graph(const KernelSpec &spec)
      : spec(spec), graph(spec.graph), makers(graph.values.size(), -1),
        readers(graph.values.size()) {
    for (size_t i = 0; i < graph.ops.size(); ++i) {
      classes.push_back(classOf(graph.ops[i].name));
      for (int value : graph.ops[i].results)
        makers[size_t(value)] = int(i);
      for (int value : inputs(i))
        readers[size_t(value)].insert(int(i));
    }
  }

  void addClasses(FeatureMap &features) const;
  void addNeighbours(FeatureMap &features) const;
  void addSizes(FeatureMap &features) const;
  void addBorder(FeatureMap &features) const;

private:
  std::vector<int> inputs(size_t op) const {
    std::vector<int> values;
    for (const GraphOperand &operand : graph.ops[op].operands)
      for (int value : operand.values)
        if (value >= 0)
          values.push_back(value);
    return values;
  }
  size_t count(OpKind kind) const {
    return size_t(std::ranges::count(classes, kind, &OpClass::kind));
  }
  bool isContraction(size_t op) const {
    return classes[op].kind == OpKind::Contraction ||
           classes[op].kind == OpKind::Convolution;
  }
  /// Ops that cost nothing or one operation an element.
  bool isLight(size_t op) const {
    OpKind kind = classes[op].kind;
    return kind == OpKind::View || kind == OpKind::Pointwise ||
           kind == OpKind::Layout || kind == OpKind::Creation;
  }
  /// Pointwise ops that can be reached from `start` through light ops only.
  std::set<int> pointwiseFrom(size_t start, bool forward) const;
  /// A heavy op of `kind` reached from `start` through light ops.
  bool reaches(size_t start, bool forward, OpKind kind) const;
  template <typename Visit>
  void walk(size_t start, bool forward, Visit visit) const;
  bool hasNormByParts() const;
  bool isAttention() const;
  /// The contraction with the most products, or -1.
  int largestContraction() const;

  const KernelSpec &spec;
  const OpGraph &graph;
  std::vector<OpClass> classes;
  std::vector<int> makers;
  std::vector<std::set<int>> readers;
};

/// Visits ops from `start` on; goes on behind those for which it says so.
template <typename Visit>
void Graph::walk(size_t start, bool forward, Visit visit) const {
  std::set<int> seen = {int(start)};
  std::vector<int> open = {int(start)};
  while (!open.empty()) {
    size_t op = size_t(open.back());
    open.pop_back();
    std::vector<int> next;
    if (forward)
      for (int value : graph.ops[op].results)
        next.insert(next.end(), readers[size_t(value)].begin(),
                    readers[size_t(value)].end());
    else
      for (int value : inputs(op))
        if (makers[size_t(value)] >= 0)
          next.push_back(makers[size_t(value)]);
    for (int other : next)
      if (seen.insert(other).second && visit(size_t(other)))
        open.push_back(other);
  }
}

std::set<int> Graph::pointwiseFrom(size_t start, bool forward) const {
  std::set<int> found;
  walk(start, forward, [&](size_t op) {
    if (classes[op].kind == OpKind::Pointwise)
      found.insert(int(op));
    return isLight(op);
  });
  return found;
}

bool Graph::reaches(size_t start, bool forward, OpKind kind) const {
  bool found = false;
  walk(start, forward, [&](size_t op) {
    found |= classes[op].kind == kind;
    return isLight(op);
  });
  return found;
}

/// A variance or mean, and the reciprocal root of something: a normalisation
/// in its parts, as decomposed exports have it.
bool Graph::hasNormByParts() const {
  bool statistics = false, root = false;
  for (const GraphOp &op : graph.ops) {
    std::string_view base = baseName(op.name);
    statistics |= base == "var_mean" || base == "var" || base == "mean";
    root |= base == "rsqrt";
  }
  return statistics && root;
}

bool Graph::isAttention() const {
  if (count(OpKind::Attention))
    return true;
  for (size_t i = 0; i < classes.size(); ++i)
    if (classes[i].kind == OpKind::Softmax &&
        reaches(i, false, OpKind::Contraction) &&
        reaches(i, true, OpKind::Contraction))
      return true;
  return false;
}

void Graph::addClasses(FeatureMap &features) const {
  size_t norms = count(OpKind::Norm), softmaxes = count(OpKind::Softmax);
  size_t reductions = count(OpKind::Reduction) + norms + softmaxes;
  size_t contractions = count(OpKind::Contraction) + count(OpKind::Convolution);
  size_t recurrences = count(OpKind::Recurrence);
  size_t attentions = count(OpKind::Attention), scans = count(OpKind::Scan);
  size_t poolings = count(OpKind::Pooling), gathers = count(OpKind::Gather);
  bool attention = isAttention();
  bool normByParts = hasNormByParts();
  size_t light = count(OpKind::View) + count(OpKind::Creation);
  int largest = largestContraction();
  bool convolution =
      largest >= 0 && classes[size_t(largest)].kind == OpKind::Convolution;
  size_t works = contractions + recurrences + attentions + scans + poolings +
                 count(OpKind::Sort) +
                 (normByParts && norms == 0 ? 1 : reductions);
  // Softmax and both products of an attention are one kernel's work.
  bool onlyAttention = attention && attentions == 0 && contractions == 2 &&
                       works == contractions + softmaxes && softmaxes == 1;
  bool heavy = contractions || recurrences || attentions;
  features["ops"] = double(graph.ops.size() - light);
  features["graph"] = works > 1 && !onlyAttention;
  features["isPointwise"] = works == 0 && gathers == 0;
  features["isReduction"] = reductions > 0 && !heavy && !poolings && !scans;
  features["isNorm"] = norms > 0 || normByParts;
  features["isSoftmax"] = softmaxes > 0;
  features["isContraction"] =
      contractions > 0 && !convolution && !recurrences && !attention;
  features["isConvolution"] = convolution && !recurrences && !attention;
  features["isPooling"] = poolings > 0;
  features["isScan"] = scans > 0;
  features["isAttention"] = attention;
  features["isRecurrence"] = recurrences > 0;
  features["gathers"] = double(gathers);
  features["contractions"] = double(contractions);
  features["reductions"] = double(reductions);
  features["pointwiseOps"] = double(count(OpKind::Pointwise));
  features["layoutOps"] = double(count(OpKind::Layout));
  features["transcendentals"] = double(std::ranges::count_if(
      classes, [](const OpClass &one) { return one.transcendental; }));
}

void Graph::addNeighbours(FeatureMap &features) const {
  std::set<int> after, before;
  std::map<int, int> contractionsOf;
  bool transposed = false, depthwise = false, zeros = false, f32 = false,
       constant = false;
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    std::string_view base = baseName(graph.ops[i].name);
    zeros |= base == "tril" || base == "triu" || base == "diag_embed" ||
             base == "eye";
    if (!isContraction(i))
      continue;
    after.merge(pointwiseFrom(i, true));
    before.merge(pointwiseFrom(i, false));
    std::vector<int> values = inputs(i);
    if (!values.empty())
      ++contractionsOf[values.front()];
    if (!values.empty())
      f32 |= graph.values[size_t(values.front())].dtype == DType::f32;
    for (int value : values) {
      auto argument = std::ranges::find(graph.arguments, value);
      if (argument == graph.arguments.end())
        continue;
      size_t index = size_t(argument - graph.arguments.begin());
      constant |= index < spec.arguments.size() &&
                  (spec.arguments[index].role == Role::Param ||
                   spec.arguments[index].role == Role::Constant);
    }
    if (classes[i].kind != OpKind::Convolution)
      continue;
    transposed |= isTransposed(graph.ops[i]);
    auto groups = groupsOf(graph, graph.ops[i]);
    const GraphValue *input = firstTensor(graph, graph.ops[i]);
    depthwise |= groups && *groups > 1 && input && input->shape.size() > 1 &&
                 input->shape[1] == *groups;
  }
  int same = 0, shared = 0;
  for (const auto &[value, times] : contractionsOf)
    same = std::max(same, times > 1 ? times : 0);
  for (const std::set<int> &each : readers)
    shared += each.size() > 1;
  features["epilogueOps"] = double(after.size());
  features["prologueOps"] = double(before.size());
  features["sameInputContractions"] = same;
  features["sharedOperands"] = shared;
  features["isTransposedConvolution"] = transposed;
  features["isDepthwise"] = depthwise;
  features["structuredZeros"] = zeros;
  features["f32Contraction"] = f32;
  features["constantOperand"] = constant;
}

int Graph::largestContraction() const {
  int largest = -1;
  double most = -1;
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    if (!isContraction(i))
      continue;
    auto size = gemmSize(graph, graph.ops[i]);
    double work = size ? size->work() : 0;
    if (work > most) {
      most = work;
      largest = int(i);
    }
  }
  return largest;
}

static void addGemm(const GemmSize &size, FeatureMap &features) {
  features["gemmM"] = size.m;
  features["gemmN"] = size.n;
  features["gemmK"] = size.k;
  features["gemmBatch"] = size.batch;
}

void Graph::addSizes(FeatureMap &features) const {
  int product = largestContraction();
  if (product >= 0)
    if (auto size = gemmSize(graph, graph.ops[size_t(product)]))
      addGemm(*size, features);
  bool reduced = false;
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    OpKind kind = classes[i].kind;
    // Its softmax is over the keys.
    if (auto scores = scoreSize(graph, graph.ops[i]); scores && !reduced) {
      if (product < 0)
        addGemm(*scores, features);
      features["rows"] = scores->batch * scores->m;
      features["reductionLength"] = scores->n;
      features["reducesInner"] = 1;
      reduced = true;
    }
    bool windowed = kind == OpKind::Pooling || kind == OpKind::Convolution;
    if (windowed && !features.contains("windowElements"))
      if (auto window = windowOf(graph, graph.ops[i])) {
        features["windowElements"] = window->elements;
        features["windowOverlap"] = window->overlaps;
      }
    if (reduced || classes[i].reduced == ReducedDims::None)
      continue;
    reduced = true;
    if (auto size = reductionSize(graph, graph.ops[i])) {
      features["rows"] = size->rows;
      features["reductionLength"] = size->length;
      features["reducesInner"] = size->inner;
    }
  }
  double largest = 0;
  for (int value : graph.results)
    if (auto elements = elementsOf(graph.values[size_t(value)]))
      largest = std::max(largest, *elements);
  if (largest > 0)
    features["outputElements"] = largest;
  if (!reduced) {
    features["reductionLength"] = 1;
    features["reducesInner"] = 0;
    if (largest > 0)
      features["rows"] = largest;
  }
}

/// Elements of a row; nullopt when dynamic.
std::optional<double> rowBytes(const TensorSpec &tensor) {
  if (tensor.dims.empty())
    return 0;
  if (!tensor.dims.back().isStatic())
    return std::nullopt;
  return double(tensor.dims.back().value) * info(tensor.dtype).sizeBytes;
}

void Graph::addBorder(FeatureMap &features) const {
  double parameters = 0, largest = -1;
  bool narrow = false, dynamic = false, aligned = true, alignmentKnown = true;
  for (const auto *list : {&spec.arguments, &spec.results})
    for (const TensorSpec &tensor : *list) {
      double bytes = info(tensor.dtype).sizeBytes;
      for (const Dim &dim : tensor.dims) {
        dynamic |= !dim.isStatic();
        bytes *= double(dim.isStatic() ? dim.value : dim.max);
      }
      auto row = rowBytes(tensor);
      alignmentKnown &= row.has_value();
      bool severalRows = tensor.dims.size() > 1;
      aligned &= tensor.alignmentBytes % 16 == 0 &&
                 (!severalRows || !row || int64_t(*row) % 16 == 0);
      if (list == &spec.results)
        continue;
      narrow |= tensor.dtype == DType::f16 || tensor.dtype == DType::bf16;
      if (tensor.role == Role::Param || tensor.role == Role::Constant)
        parameters += bytes;
      if (bytes > largest) {
        largest = bytes;
        features["elementBytes"] = info(tensor.dtype).sizeBytes;
      }
    }
  features["parameterBytes"] = parameters;
  features["narrowFloat"] = narrow;
  features["dynamicShapes"] = dynamic;
  if (alignmentKnown || !aligned)
    features["alignedRows"] = aligned;
}

} // namespace

void addGraphFeatures(const KernelSpec &spec, FeatureMap &features) {
  if (spec.bytes > 0) {
    features["minimalBytes"] = spec.bytes;
    features["intensity"] = spec.flops / spec.bytes;
  }
  Graph graph(spec);
  graph.addBorder(features);
  // A spec without a graph says nothing of its ops.
  if (spec.graph.ops.empty())
    return;
  graph.addClasses(features);
  graph.addNeighbours(features);
  graph.addSizes(features);
  bool convolution = features["isConvolution"] != 0;
  bool tf32 = spec.policy == Policy::Tf32 || spec.policy == Policy::Loose ||
              (spec.policy == Policy::Torch && convolution);
  bool main = features["contractions"] > 0 || features["isAttention"] != 0;
  features["tensorCoresAllowed"] =
      main &&
      (features["f32Contraction"] == 0 ? features["narrowFloat"] != 0 : tf32);
}

} // namespace kclaw
