//===- Recurrent.cpp - LSTM, GRU and plain RNN layers ---------------------===//
//
// The input's share of the gates is one contraction over all steps. Up to 64
// steps are unrolled; longer sequences become one scf.for that carries state
// and output.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace kclaw {

namespace {
/// What the body of one gate formula gets: the gates' input and state shares,
/// and the old states.
struct GateArgs {
  ArrayRef<Num> input, state, old;
};
/// A cell: how many gates, how many states, and the new value of each state.
/// State 0 is the output.
struct Cell {
  int64_t gates, states;
  Num (*next)(const GateArgs &, int64_t state);
};

/// One layer in one direction.
struct Layer {
  Tensor inputGates; ///< [T, B, gates * H], with the input's bias
  Tensor weight;     ///< [gates * H, H]
  std::optional<Tensor> bias;
};
} // namespace

//===--- Cells ------------------------------------------------------------===//

/// Gates i, f, g, o; states h, c.
static Num lstmCell(const GateArgs &a, int64_t state) {
  auto gate = [&](int k) { return a.input[k] + a.state[k]; };
  Num memory = sigmoid(gate(1)) * a.old[1] + sigmoid(gate(0)) * tanh(gate(2));
  return state == 1 ? memory : sigmoid(gate(3)) * tanh(memory);
}

/// Gates r, z, n.
static Num gruCell(const GateArgs &a, int64_t) {
  Num reset = sigmoid(a.input[0] + a.state[0]);
  Num update = sigmoid(a.input[1] + a.state[1]);
  Num fresh = tanh(a.input[2] + reset * a.state[2]);
  return (1.0 - update) * fresh + update * a.old[0];
}

static Num tanhCell(const GateArgs &a, int64_t) {
  return tanh(a.input[0] + a.state[0]);
}
static Num reluCell(const GateArgs &a, int64_t) {
  return maximum(a.input[0] + a.state[0], 0.0);
}

//===--- One step ---------------------------------------------------------===//

/// x [.., K] times weight [N, K] transposed, unrounded.
static Tensor project(OpContext &c, Tensor x, Tensor weight) {
  int64_t lead = x.rank() - 1;
  Sizes domain = c.sizes(x);
  domain.insert(domain.end() - 1, c.size(weight, 0));
  Dims left = dimRange(0, lead);
  left.push_back(lead + 1);
  return c.contract({x, c.dimsMap(lead + 2, left)},
                    {weight, c.dimsMap(lead + 2, {lead, lead + 1})}, domain,
                    {lead + 1}, c.dtype());
}

/// States [B, H] after the step whose input gates are [1, B, gates * H].
static SmallVector<Tensor> step(OpContext &c, const Cell &cell,
                                const Layer &layer, Tensor inputGates,
                                ArrayRef<Tensor> states) {
  Tensor x = c.splitDim(c.squeeze(inputGates, {0}), 1, cell.gates);
  Tensor h = c.splitDim(project(c, states[0], layer.weight), 1, cell.gates);
  SmallVector<Input> inputs;
  for (Tensor share : {x, h})
    for (int64_t k = 0; k < cell.gates; ++k)
      inputs.push_back({share, c.map(2, {c.d(0), c.c(k), c.d(1)})});
  for (Tensor state : states)
    inputs.push_back(state);
  if (layer.bias) {
    Tensor bias = c.splitDim(*layer.bias, 0, cell.gates);
    for (int64_t k = 0; k < cell.gates; ++k)
      inputs.push_back({bias, c.map(2, {c.c(k), c.d(1)})});
  }
  SmallVector<Tensor> next;
  for (int64_t i = 0; i < cell.states; ++i)
    next.push_back(c.elementwise(
        inputs, c.sizes(states[i]), states[i].dtype, states[i].dtype,
        [&](Body, ArrayRef<Num> a) {
          SmallVector<Num> shares(a.slice(cell.gates, cell.gates));
          if (layer.bias)
            for (auto [share, bias] :
                 llvm::zip(shares, a.take_back(cell.gates)))
              share = share + bias;
          return cell.next({a.take_front(cell.gates), shares,
                            a.slice(2 * cell.gates, cell.states)},
                           i);
        }));
  return next;
}

//===--- All steps --------------------------------------------------------===//

static Tensor unroll(OpContext &c, const Cell &cell, const Layer &layer,
                     SmallVector<Tensor> &states, int64_t steps,
                     bool reversed) {
  SmallVector<Tensor> outputs(steps, states[0]);
  for (int64_t i = 0; i < steps; ++i) {
    int64_t t = reversed ? steps - 1 - i : i;
    Tensor gates = c.slice(layer.inputGates, 0, c.fixed(t), c.fixed(1));
    states = step(c, cell, layer, gates, states);
    outputs[t] = c.unsqueeze(states[0], {0});
  }
  return c.concat(outputs, 0);
}

/// The same as a loop whose values are the states and the output.
static Tensor loop(OpContext &c, const Cell &cell, const Layer &layer,
                   SmallVector<Tensor> &states, OpFoldResult steps,
                   bool reversed) {
  Sizes sizes = c.sizes(states[0]);
  sizes.insert(sizes.begin(), steps);
  Tensor output = c.empty(sizes, states[0].dtype);
  SmallVector<Value> carried;
  for (Tensor state : states)
    carried.push_back(state.value);
  carried.push_back(output.value);
  Value zero = c.asIndex(c.fixed(0)), one = c.asIndex(c.fixed(1));
  Value end = c.asIndex(steps);
  auto build = [&](OpBuilder &nested, Location at, Value i, ValueRange args) {
    OpBuilder::InsertionGuard guard(c.b);
    c.b.setInsertionPoint(nested.getInsertionBlock(),
                          nested.getInsertionPoint());
    OpFoldResult t = i;
    if (reversed)
      t = c.sub(c.sub(steps, c.fixed(1)), i);
    SmallVector<Tensor> old;
    for (auto [state, arg] : llvm::zip(states, args.drop_back()))
      old.push_back({arg, state.dtype});
    Tensor gates = c.slice(layer.inputGates, 0, t, c.fixed(1));
    SmallVector<Tensor> next = step(c, cell, layer, gates, old);
    Sizes offsets = {t, c.fixed(0), c.fixed(0)};
    Tensor all = c.insert({args.back(), output.dtype},
                          c.unsqueeze(next[0], {0}), offsets, {1, 1, 1});
    SmallVector<Value> yielded;
    for (Tensor state : next)
      yielded.push_back(state.value);
    yielded.push_back(all.value);
    scf::YieldOp::create(c.b, at, yielded);
  };
  auto op = scf::ForOp::create(c.b, c.loc, zero, end, one, carried, build);
  for (auto [state, result] : llvm::zip(states, op.getResults().drop_back()))
    state.value = result;
  return {op.getResults().back(), output.dtype};
}

namespace {
/// The operands of a whole network.
struct Network {
  SmallVector<Tensor> initial; ///< [layers * directions, B, H] a state
  SmallVector<Tensor> weights;
  bool biases, bidirectional;
  int64_t layers;
};
} // namespace

/// x [T, B, I] through all layers; `finals` gets each layer's last states.
static Tensor run(OpContext &c, const Cell &cell, const Network &n, Tensor x,
                  SmallVector<SmallVector<Tensor>> &finals) {
  int64_t directions = n.bidirectional ? 2 : 1, each = n.biases ? 4 : 2;
  Type inner = c.computeDtype(c.dtype());
  for (int64_t layer = 0; layer < n.layers; ++layer) {
    SmallVector<Tensor> outputs;
    for (int64_t way = 0; way < directions; ++way) {
      int64_t slot = layer * directions + way;
      ArrayRef<Tensor> own = ArrayRef(n.weights).slice(slot * each, each);
      Tensor gates = project(c, x, own[0]);
      if (n.biases)
        gates = c.elementwise(
            {gates, own[2]}, c.sizes(gates), gates.dtype, gates.dtype,
            [](Body, ArrayRef<Num> a) { return a[0] + a[1]; });
      Layer l{gates, own[1], std::nullopt};
      if (n.biases)
        l.bias = own[3];
      SmallVector<Tensor> states;
      for (Tensor all : n.initial)
        states.push_back(c.convertTo(
            c.squeeze(c.slice(all, 0, c.fixed(slot), c.fixed(1)), {0}), inner));
      int64_t steps = gates.shape()[0];
      outputs.push_back(
          !ShapedType::isDynamic(steps) && steps <= 64
              ? unroll(c, cell, l, states, steps, way == 1)
              : loop(c, cell, l, states, c.size(gates, 0), way == 1));
      for (auto [i, state] : llvm::enumerate(states))
        finals[i].push_back(c.unsqueeze(state, {0}));
    }
    x = c.concat(outputs, 2);
    x = c.convertTo(x, c.dtype()); // each layer's output is rounded
  }
  return x;
}

/// (x, states, weights, has biases, layers, dropout, train, bidirectional,
/// batch first)
static void recurrent(OpContext &c, const Cell &cell) {
  Network n;
  n.initial =
      cell.states == 1 ? SmallVector<Tensor>{c.tensor(1)} : c.tensors(1);
  n.weights = c.tensors(2);
  n.biases = c.flag(3);
  n.layers = c.integer(4, 1);
  n.bidirectional = c.flag(7);
  bool batchFirst = c.flag(8);
  size_t expected = n.layers * (n.bidirectional ? 2 : 1) * (n.biases ? 4 : 2);
  Tensor x = c.tensor(0);
  if (c.number(5) != 0 && c.flag(6) && n.layers > 1)
    return c.fail("dropout between layers draws random numbers");
  if (x.rank() != 3 || n.weights.size() != expected ||
      n.initial.size() != static_cast<size_t>(cell.states))
    return c.fail("a batched input and one set of weights a layer expected; "
                  "projections are not supported");
  if (batchFirst)
    x = c.permute(x, {1, 0, 2});
  SmallVector<SmallVector<Tensor>> finals(cell.states);
  Tensor y = run(c, cell, n, x, finals);
  c.set(0, batchFirst ? c.permute(y, {1, 0, 2}) : y);
  for (auto [i, parts] : llvm::enumerate(finals)) {
    if (!c.used(1 + i))
      continue;
    Tensor all = c.concat(parts, 0);
    // torch-mlir declares LSTM states with an extra dim of 1.
    Sizes declared;
    for (int64_t extent : c.resultShape(1 + i))
      declared.push_back(c.fixed(extent));
    bool reshaped = declared.size() != size_t(all.rank()) &&
                    !ShapedType::isDynamicShape(c.resultShape(1 + i));
    c.set(1 + i, reshaped ? c.reshape(all, declared) : all);
  }
}

static void lstm(OpContext &c) { recurrent(c, {4, 2, lstmCell}); }
static void gru(OpContext &c) { recurrent(c, {3, 1, gruCell}); }
static void rnnTanh(OpContext &c) { recurrent(c, {1, 1, tanhCell}); }
static void rnnRelu(OpContext &c) { recurrent(c, {1, 1, reluCell}); }

OpRows recurrentRows() {
  static constexpr OpRow rows[] = {
      {"aten.gru.input", gru},
      {"aten.lstm.input", lstm},
      {"aten.rnn_relu.input", rnnRelu},
      {"aten.rnn_tanh.input", rnnTanh},
  };
  return rows;
}

} // namespace kclaw
