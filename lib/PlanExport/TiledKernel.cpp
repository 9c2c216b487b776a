//===- TiledKernel.cpp - Matmul-like generics through shared memory -------===//
//
// out[b,m,n] = start + sum over k of f(a[b,m,k]) * g(b[b,k,n]), any layout and
// any number of loops in each of b, m, n, k. A block of 256 threads computes a
// square tile, each thread micro x micro outputs. Sums below f64 are kept
// blockwise: one partial per k tile.
//
//===----------------------------------------------------------------------===//
#include "Contraction.h"
#include "Kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kclaw;

namespace {

constexpr int64_t threadSide = 16; ///< 16 x 16 threads

class TiledKernel {
public:
  TiledKernel(GenericBody &body, Contraction loops, KernelNames &names)
      : body(body), loops(std::move(loops)),
        kernel(names.module, names.take("tiled"), body.op, names.sizes),
        b(kernel.b), loc(kernel.loc()),
        type(body.op.getRegionOutputArgs()[0].getType()) {
    M = body.product(this->loops.m);
    N = body.product(this->loops.n);
    K = body.product(this->loops.k);
    batches = body.product(this->loops.batch);
    int64_t bigTiles = body.estimate(batches * M.ceilDiv(128) * N.ceilDiv(128));
    micro =
        body.estimate(M) >= 128 && body.estimate(N) >= 128 && bigTiles >= 132
            ? 8
            : 4;
    tile = threadSide * micro;
    depth = micro == 8 ? 8 : 16;
    pitch = tile + 1;
  }

  LogicalResult emit();

private:
  GenericBody &body;
  Contraction loops;
  KernelBuilder kernel;
  OpBuilder &b;
  Location loc;
  Type type; ///< of the sum
  Size M, N, K, batches;
  int64_t micro, tile, depth, pitch;
  IRMapping captured;
  SmallVector<Value> dims; ///< batch loops set
  Value thread, tx, ty, rowBase, columnBase, sharedA, sharedB;

  Value add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value mul(Value x, int64_t y) {
    return arith::MulIOp::create(b, loc, x, kernel.index(y));
  }
  Value rem(Value x, int64_t y) {
    return arith::RemUIOp::create(b, loc, x, kernel.index(y));
  }
  Value div(Value x, int64_t y) {
    return arith::DivUIOp::create(b, loc, x, kernel.index(y));
  }
  Value zero() {
    return arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  }

  void place();
  void setDims(SmallVector<Value> &at, ArrayRef<unsigned> loop, Value linear) {
    SmallVector<Value> coordinates =
        kernel.delinearize(linear, body.sizesOf(loop));
    for (auto [dim, value] : llvm::zip(loop, coordinates))
      at[dim] = value;
  }
  Value factor(const Factor &side, ArrayRef<unsigned> sideLoops, Value position,
               Value k, Size limit);
  void fill(const Factor &side, ArrayRef<unsigned> sideLoops, Value base,
            Size limit, Value kBase, SmallVectorImpl<Value> &values,
            SmallVectorImpl<Value> &slots);
  SmallVector<Value> multiply(ValueRange sums);
  void write(ValueRange sums);
};

/// Which block and thread this is.
void TiledKernel::place() {
  Size rows = M.ceilDiv(tile), columns = N.ceilDiv(tile);
  SmallVector<Value> at =
      kernel.delinearize(kernel.blockId(), {batches, rows, columns});
  dims.assign(body.sizes.size(), Value());
  setDims(dims, loops.batch, at[0]);
  rowBase = mul(at[1], tile);
  columnBase = mul(at[2], tile);
  thread = kernel.threadId();
  tx = rem(thread, threadSide);
  ty = div(thread, threadSide);
  sharedA = kernel.sharedBuffer(depth * pitch, type);
  sharedB = kernel.sharedBuffer(depth * pitch, type);
}

/// One factor at (position, k), zero outside.
Value TiledKernel::factor(const Factor &side, ArrayRef<unsigned> sideLoops,
                          Value position, Value k, Size limit) {
  Value inside;
  if (!limit.isMultipleOf(tile))
    inside = kernel.less(position, kernel.index(limit));
  if (!K.isMultipleOf(depth)) {
    Value insideK = kernel.less(k, kernel.index(K));
    inside = inside ? Value(arith::AndIOp::create(b, loc, inside, insideK))
                    : insideK;
  }
  auto load = [&]() {
    SmallVector<Value> at(dims);
    setDims(at, sideLoops, position);
    setDims(at, loops.k, k);
    return body.factorValue(kernel, captured, side.input, side.value, at);
  };
  if (!inside)
    return load();
  auto branch = scf::IfOp::create(b, loc, type, inside, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(branch.thenBlock());
  Value loaded = load();
  scf::YieldOp::create(b, loc, loaded);
  b.setInsertionPointToEnd(branch.elseBlock());
  Value nothing = zero();
  scf::YieldOp::create(b, loc, nothing);
  return branch.getResult(0);
}

/// This thread's share of one tile: values and their places in shared memory.
void TiledKernel::fill(const Factor &side, ArrayRef<unsigned> sideLoops,
                       Value base, Size limit, Value kBase,
                       SmallVectorImpl<Value> &values,
                       SmallVectorImpl<Value> &slots) {
  AffineMap map = body.op.getIndexingMapsArray()[side.input];
  auto last = dyn_cast<AffineDimExpr>(map.getResult(map.getNumResults() - 1));
  bool alongK = last && llvm::is_contained(loops.k, last.getPosition());
  for (int64_t i = 0; i < tile * depth / blockThreads; ++i) {
    Value element = add(thread, kernel.index(i * blockThreads));
    Value k = alongK ? rem(element, depth) : div(element, tile);
    Value position = alongK ? div(element, depth) : rem(element, tile);
    values.push_back(
        factor(side, sideLoops, add(base, position), add(kBase, k), limit));
    slots.push_back(add(mul(k, pitch), position));
  }
}

/// micro x micro sums plus the product of the tiles in shared memory.
SmallVector<Value> TiledKernel::multiply(ValueRange sums) {
  auto contract = arith::FastMathFlagsAttr::get(b.getContext(),
                                                arith::FastMathFlags::contract);
  bool blockwise = !type.isF64();
  SmallVector<Value> partial(sums);
  if (blockwise)
    partial.assign(sums.size(), zero());
  for (int64_t k = 0; k < depth; ++k) {
    SmallVector<Value> a, c;
    for (int64_t i = 0; i < micro; ++i) {
      Value offset = kernel.index(k * pitch + i * threadSide);
      a.push_back(memref::LoadOp::create(b, loc, sharedA, add(ty, offset)));
      c.push_back(memref::LoadOp::create(b, loc, sharedB, add(tx, offset)));
    }
    for (int64_t i = 0; i < micro * micro; ++i) {
      Value term =
          arith::MulFOp::create(b, loc, a[i / micro], c[i % micro], contract);
      partial[i] = arith::AddFOp::create(b, loc, partial[i], term, contract);
    }
  }
  if (blockwise)
    for (auto [sum, value] : llvm::zip(sums, partial))
      value = arith::AddFOp::create(b, loc, sum, value);
  return partial;
}

void TiledKernel::write(ValueRange sums) {
  bool guarded = !M.isMultipleOf(tile) || !N.isMultipleOf(tile);
  for (int64_t i = 0; i < micro * micro; ++i) {
    Value m = add(add(rowBase, ty), kernel.index(i / micro * threadSide));
    Value n = add(add(columnBase, tx), kernel.index(i % micro * threadSide));
    OpBuilder::InsertionGuard guard(b);
    if (guarded) {
      Value inside =
          arith::AndIOp::create(b, loc, kernel.less(m, kernel.index(M)),
                                kernel.less(n, kernel.index(N)));
      auto branch = scf::IfOp::create(b, loc, inside, /*withElse=*/false);
      b.setInsertionPointToStart(branch.thenBlock());
    }
    SmallVector<Value> at(dims);
    setDims(at, loops.m, m);
    setDims(at, loops.n, n);
    Value start = body.start(kernel, 0, at);
    body.store(kernel, at, body.combine(kernel, start, sums[i]));
  }
}

LogicalResult TiledKernel::emit() {
  if (failed(body.bind(kernel, captured)))
    return failure();
  place();
  SmallVector<Value> starts(micro * micro, zero());
  auto loop = scf::ForOp::create(b, loc, kernel.index(0), kernel.index(K),
                                 kernel.index(depth), starts);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(loop.getBody());
    SmallVector<Value> values, slots;
    fill(loops.left, loops.m, rowBase, M, loop.getInductionVar(), values,
         slots);
    size_t lefts = values.size();
    fill(loops.right, loops.n, columnBase, N, loop.getInductionVar(), values,
         slots);
    gpu::BarrierOp::create(b, loc);
    for (size_t i = 0; i < values.size(); ++i)
      memref::StoreOp::create(b, loc, values[i], i < lefts ? sharedA : sharedB,
                              slots[i]);
    gpu::BarrierOp::create(b, loc);
    scf::YieldOp::create(b, loc, multiply(loop.getRegionIterArgs()));
  }
  write(loop.getResults());
  kernel.launch(batches * M.ceilDiv(tile) * N.ceilDiv(tile), blockThreads);
  return success();
}

} // namespace

bool kclaw::wantsTiles(const GenericBody &body) {
  std::optional<Contraction> loops = matchContraction(body);
  auto reaches = [&](ArrayRef<unsigned> dims) {
    return body.estimate(body.product(dims)) >= 16;
  };
  return loops && reaches(loops->m) && reaches(loops->n) && reaches(loops->k);
}

LogicalResult kclaw::emitTiledKernel(GenericBody &body, KernelNames &names) {
  return TiledKernel(body, *matchContraction(body), names).emit();
}
