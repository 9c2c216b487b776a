//===- Partition.cpp - Which compute ops share a region -------------------===//
//
// Greedy, in program order: each op joins the groups of its producers where
// that saves traffic and leaves the graph of groups without cycles.
//
//===----------------------------------------------------------------------===//
#include "Partition.h"

#include "kernelclaw/Torch/TorchOps.h"

#include "mlir/IR/Operation.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace kclaw;
using namespace kclaw::outline;

std::optional<Granularity> outline::parseGranularity(StringRef text) {
  static const std::pair<StringLiteral, Granularity> table[] = {
      {"auto", Granularity::Auto},
      {"op", Granularity::Op},
      {"fusion", Granularity::Fusion},
      {"function", Granularity::Function}};
  for (auto &[name, granularity] : table)
    if (name == text)
      return granularity;
  return std::nullopt;
}

namespace {
/// How a class of compute ops takes part in fusion groups.
struct FusionRow {
  OpClass opClass;
  bool heavy; ///< at most one of them in a group (see sameRows)
  bool fuses; ///< may share a group at all
  /// In `auto`, a small function with such an op and others is cut into fusion
  /// groups: no skeleton has this op with an epilogue, so the op stays stock
  /// and the rest gets a kernel.
  bool cutsSmallFunctions;
};

constexpr FusionRow fusionTable[] = {
    {OpClass::Pointwise, false, true, false},
    {OpClass::DataMove, true, false, false},
    {OpClass::Reduction, true, true, false},
    {OpClass::Softmax, true, true, false},
    {OpClass::Norm, true, true, false},
    {OpClass::Pooling, true, false, false},
    {OpClass::Scan, true, false, false},
    {OpClass::Sort, true, false, false},
    {OpClass::Attention, true, false, false},
    {OpClass::Recurrence, true, false, false},
    {OpClass::Contraction, true, false, true},
    {OpClass::Convolution, true, false, true},
};

const FusionRow &fusionRow(OpClass opClass) {
  for (const FusionRow &row : fusionTable)
    if (row.opClass == opClass)
      return row;
  return fusionTable[0];
}

/// Larger groups make kernels that no one can tune.
constexpr unsigned maxGroupSize = 48;
/// `auto` takes a function as one region up to this many compute ops.
constexpr unsigned maxFunctionSize = 12;

struct Group {
  SmallVector<unsigned> members; ///< sorted
  bool heavy = false;
  bool fuses = true;
  /// Operand type and dimensions of its reductions; groups with equal rows may
  /// hold several.
  std::string rows;
  /// Elements of the largest tensor; -1 when a size is dynamic.
  int64_t largest = 0;
};

class Fuser {
public:
  explicit Fuser(const Body &body);

  void fuseProducers();
  void fuseEverything();
  std::vector<SmallVector<unsigned>> take();

private:
  bool isProfitable(unsigned consumer, unsigned producer) const;
  bool mayMerge(unsigned a, unsigned b);
  bool dependsThroughOthers(unsigned from, unsigned on);
  void merge(unsigned into, unsigned from);

  const Body &body;
  std::vector<Group> groups;
  std::vector<unsigned> groupOf; ///< of each node
  std::vector<unsigned> visited; ///< epoch of the last visit, per group
  unsigned epoch = 0;
};
} // namespace

/// Elements of a tensor; 0 when the value is none, -1 when dynamic.
static int64_t countElements(Value value) {
  auto shape = torch::tensorShape(value.getType());
  if (!shape)
    return 0;
  int64_t count = 1;
  for (int64_t size : shape->sizes) {
    if (ShapedType::isDynamic(size))
      return -1;
    count *= size;
  }
  return count;
}

static int64_t largestTensor(Operation *op) {
  int64_t largest = 0;
  for (Value value :
       llvm::concat<Value>(SmallVector<Value>(op->getOperands()),
                           SmallVector<Value>(op->getResults()))) {
    int64_t count = countElements(value);
    if (count < 0)
      return -1;
    largest = std::max(largest, count);
  }
  return largest;
}

/// Over which rows a reduction goes: its input's sizes and its constant
/// dimension operands, in text. Empty for other ops.
static std::string rowsOf(const Node &node) {
  if (node.opClass != OpClass::Reduction || node.op->getNumOperands() < 2)
    return "";
  auto shape = torch::tensorShape(node.op->getOperand(0).getType());
  if (!shape)
    return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(shape->sizes, os, "x");
  os << " over ";
  Value dims = node.op->getOperand(1);
  SmallVector<Value> list =
      torch::listElements(dims).value_or(SmallVector<Value>{dims});
  for (Value dim : list) {
    auto constant = torch::constantValue(dim);
    auto integer = constant ? dyn_cast<IntegerAttr>(*constant) : IntegerAttr();
    if (!integer || isa<BoolAttr>(*constant))
      return "";
    int64_t value = integer.getInt();
    os << (value < 0 ? value + int64_t(shape->sizes.size()) : value) << " ";
  }
  return text;
}

Fuser::Fuser(const Body &body) : body(body) {
  for (auto [i, node] : llvm::enumerate(body.nodes)) {
    const FusionRow &row = fusionRow(node.opClass);
    groupOf.push_back(i);
    groups.push_back({{unsigned(i)},
                      row.heavy,
                      row.fuses,
                      rowsOf(node),
                      largestTensor(node.op)});
  }
  visited.assign(groups.size(), 0);
}

/// `consumer` is a node, `producer` one of its sources.
bool Fuser::isProfitable(unsigned consumer, unsigned producer) const {
  const Group &a = groups[groupOf[consumer]], &b = groups[groupOf[producer]];
  if (!a.fuses || !b.fuses ||
      a.members.size() + b.members.size() > maxGroupSize)
    return false;
  if (a.heavy && b.heavy)
    return !a.rows.empty() && a.rows == b.rows;
  // A consumer larger than all that the heavy op touches would wait for it.
  if (b.heavy)
    return b.largest < 0 || a.largest < 0 || a.largest <= b.largest;
  if (a.heavy)
    return true;
  const Node &source = body.nodes[producer];
  return source.users == 1 ||
         source.op->getResult(0).getType() ==
             body.nodes[consumer].op->getResult(0).getType();
}

/// Whether group `from` reaches group `on` through a third group or an op
/// outside. Groups that lie wholly before `on` cannot depend on it.
bool Fuser::dependsThroughOthers(unsigned from, unsigned on) {
  unsigned firstOfOn = groups[on].members.front();
  ++epoch;
  SmallVector<unsigned> work{from};
  visited[from] = epoch;
  while (!work.empty()) {
    unsigned current = work.pop_back_val();
    for (unsigned member : groups[current].members)
      for (unsigned source : body.nodes[member].sources) {
        unsigned next = groupOf[source];
        if (next == on) {
          if (current != from)
            return true;
          continue;
        }
        if (visited[next] == epoch || groups[next].members.back() < firstOfOn)
          continue;
        visited[next] = epoch;
        work.push_back(next);
      }
  }
  return false;
}

bool Fuser::mayMerge(unsigned a, unsigned b) {
  return !dependsThroughOthers(a, b) && !dependsThroughOthers(b, a);
}

void Fuser::merge(unsigned into, unsigned from) {
  Group &a = groups[into], &b = groups[from];
  for (unsigned member : b.members)
    groupOf[member] = into;
  llvm::append_range(a.members, b.members);
  llvm::sort(a.members);
  a.heavy |= b.heavy;
  a.fuses &= b.fuses;
  if (a.rows.empty())
    a.rows = b.rows;
  a.largest =
      a.largest < 0 || b.largest < 0 ? -1 : std::max(a.largest, b.largest);
  b.members.clear();
}

void Fuser::fuseProducers() {
  for (auto [i, node] : llvm::enumerate(body.nodes)) {
    if (node.fate != Fate::Compute)
      continue;
    for (unsigned source : llvm::reverse(node.sources))
      if (body.nodes[source].fate == Fate::Compute &&
          groupOf[source] != groupOf[i] && isProfitable(i, source) &&
          mayMerge(groupOf[i], groupOf[source]))
        merge(groupOf[source], groupOf[i]);
  }
}

/// As few groups as the ops outside allow.
void Fuser::fuseEverything() {
  SmallVector<unsigned> roots;
  for (auto [i, node] : llvm::enumerate(body.nodes)) {
    if (node.fate != Fate::Compute)
      continue;
    auto root = llvm::find_if(llvm::reverse(roots), [&](unsigned candidate) {
      return mayMerge(i, candidate);
    });
    if (root == llvm::reverse(roots).end())
      roots.push_back(i);
    else
      merge(*root, i);
  }
}

std::vector<SmallVector<unsigned>> Fuser::take() {
  std::vector<SmallVector<unsigned>> result;
  for (Group &group : groups)
    if (!group.members.empty() &&
        body.nodes[group.members.front()].fate == Fate::Compute)
      result.push_back(std::move(group.members));
  return result;
}

/// The whole function when it is small, unless a row says to cut it.
static Granularity resolveAuto(const Body &body) {
  unsigned count = body.countCompute();
  bool cuts = llvm::any_of(body.nodes, [](const Node &node) {
    return node.fate == Fate::Compute &&
           fusionRow(node.opClass).cutsSmallFunctions;
  });
  return count <= maxFunctionSize && !(cuts && count > 1)
             ? Granularity::Function
             : Granularity::Fusion;
}

Partition outline::partition(const Body &body, Granularity granularity) {
  if (granularity == Granularity::Auto)
    granularity = resolveAuto(body);
  Fuser fuser(body);
  Partition result;
  result.kind = "op";
  if (granularity == Granularity::Fusion) {
    fuser.fuseProducers();
    result.kind = "fusion";
  } else if (granularity == Granularity::Function) {
    fuser.fuseEverything();
    result.kind = "function";
  }
  result.groups = fuser.take();
  return result;
}
