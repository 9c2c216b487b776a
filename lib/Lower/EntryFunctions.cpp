//===- EntryFunctions.cpp - The C functions of an entry -------------------===//
//
// NAME and its companions as func.func on pointers: check through the runtime,
// unpack DLTensors into memrefs, call the body.
//
//===----------------------------------------------------------------------===//
#include "EntryAbi.h"
#include "kernelclaw/Runtime/kernelclaw.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace kclaw {
namespace {

/// Byte offsets in DLTensor and kcl_call.
namespace tensor {
enum { Data = 0, Shape = 24, ByteOffset = 40 };
} // namespace tensor
namespace kclCall {
enum { Workspace = 16, RegionsWon = 64, RegionsStock = 72 };
} // namespace kclCall

/// Builds one C function, top to bottom.
class Writer {
public:
  Writer(EntryModule &state, Entry &entry, StringRef suffix,
         unsigned numPointers);

  Value argument(unsigned index) {
    return function.getBody().front().getArgument(index);
  }
  Value address(StringRef symbol) { return data.addressOf(b, loc, symbol); }
  Value null() { return LLVM::ZeroOp::create(b, loc, data.ptr); }
  Value integer(Type type, int64_t value) {
    return data.constant(b, loc, type, value);
  }
  Value load(Type type, Value base, int64_t at) {
    return LLVM::LoadOp::create(b, loc, type, data.offset(b, loc, base, at));
  }
  void store(Value value, Value pointer) {
    LLVM::StoreOp::create(b, loc, value, pointer);
  }

  /// Calls a runtime function and returns its status where it is not zero.
  void checked(StringRef callee, ValueRange operands) {
    leaveUnlessOk(data.call(b, loc, callee, operands));
  }
  void leaveUnlessOk(Value status);
  /// Calls NAME__checks, if the entry has it, on a list of DLTensor pointers.
  void checkSizes(Value list, Value call);
  /// Returns the status of a runtime function, or zero.
  void finish(StringRef callee, ValueRange operands);
  /// Returns an error that begins with `text` where one of the `count` sizes
  /// that the caller gets (in argument 1, after argument 0: args) wrapped.
  void finishSizes(StringRef text, int64_t count);
  void finish() { func::ReturnOp::create(b, loc, integer(data.i32, 0)); }

  /// Arguments of the body from a list of DLTensor pointers, which begins with
  /// argument `first`.
  void unpack(Value list, unsigned first, unsigned count,
              SmallVectorImpl<Value> &values);
  /// The dynamic sizes of all results, as i64; empty without any.
  SmallVector<Value> resultSizes(ValueRange args);
  /// Result memrefs of these sizes, without memory.
  void emptyResults(ValueRange sizes, SmallVectorImpl<Value> &values);
  Value arenaMemref(Value address, Value bytes);
  /// Bytes of workspace that a call needs, as i64.
  Value arenaBytes(ValueRange argsAndResults);
  SmallVector<Value> callFunction(StringRef suffix, ValueRange operands);

  EntryModule &state;
  LlvmData &data;
  Entry &entry;
  Location loc;
  func::FuncOp function;
  OpBuilder b;
};

} // namespace

Writer::Writer(EntryModule &state, Entry &entry, StringRef suffix,
               unsigned numPointers)
    : state(state), data(state.data), entry(entry), loc(entry.body.getLoc()),
      b(entry.body) {
  SmallVector<Type> inputs(numPointers, data.ptr);
  function = func::FuncOp::create(b, loc, entry.name + suffix.str(),
                                  b.getFunctionType(inputs, data.i32));
  b.setInsertionPointToStart(function.addEntryBlock());
}

void Writer::leaveUnlessOk(Value status) {
  Value ok = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, status,
                                   arith::ConstantIntOp::create(b, loc, 0, 32));
  Block *now = b.getInsertionBlock();
  Block *leave = function.addBlock();
  Block *rest = function.addBlock();
  b.setInsertionPointToEnd(now);
  cf::CondBranchOp::create(b, loc, ok, rest, leave);
  b.setInsertionPointToEnd(leave);
  func::ReturnOp::create(b, loc, status);
  b.setInsertionPointToEnd(rest);
}

void Writer::finish(StringRef callee, ValueRange operands) {
  func::ReturnOp::create(b, loc, data.call(b, loc, callee, operands));
}

void Writer::finishSizes(StringRef text, int64_t count) {
  finish("kclCheckSizes",
         {address(data.text(text)), address(entry.infoSymbol), argument(0),
          argument(1), integer(data.i32, count), argument(2)});
}

void Writer::unpack(Value list, unsigned first, unsigned count,
                    SmallVectorImpl<Value> &values) {
  for (unsigned i = 0; i < count; ++i) {
    Type type = entry.body.getArgumentTypes()[first + i];
    Value dlTensor = load(data.ptr, list, 8 * i);
    Value bytes = load(data.i64, dlTensor, tensor::ByteOffset);
    Value start = LLVM::GEPOp::create(b, loc, data.ptr, data.i8,
                                      load(data.ptr, dlTensor, tensor::Data),
                                      ArrayRef<LLVM::GEPArg>{bytes});
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref) {
      Value raw = load(type.isInteger(1) ? data.i8 : type, start, 0);
      if (type.isInteger(1))
        raw = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, raw,
                                   integer(data.i8, 0));
      values.push_back(raw);
      continue;
    }
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < memref.getRank(); ++dim)
      if (memref.isDynamicDim(dim))
        sizes.push_back(
            load(data.i64, load(data.ptr, dlTensor, tensor::Shape), 8 * dim));
    values.push_back(memrefFromAddress(state, b, loc, memref, start, sizes));
  }
}

void Writer::checkSizes(Value list, Value call) {
  if (!state.module.lookupSymbol(entry.name + "__checks"))
    return;
  SmallVector<Value> values;
  for (unsigned i = 0; i < entry.numArgs; ++i) {
    auto memref = dyn_cast<MemRefType>(entry.body.getArgumentTypes()[i]);
    if (!memref) {
      unpack(data.offset(b, loc, list, 8 * i), i, 1, values);
      continue;
    }
    Value shape;
    for (int64_t dim = 0; dim < memref.getRank(); ++dim) {
      if (!memref.isDynamicDim(dim))
        continue;
      if (!shape)
        shape = load(data.ptr, load(data.ptr, list, 8 * i), tensor::Shape);
      values.push_back(arith::IndexCastOp::create(
          b, loc, b.getIndexType(), load(data.i64, shape, 8 * dim)));
    }
  }
  values.push_back(call);
  leaveUnlessOk(callFunction("__checks", values)[0]);
}

SmallVector<Value> Writer::callFunction(StringRef suffix, ValueRange operands) {
  auto callee =
      state.module.lookupSymbol<func::FuncOp>(entry.name + suffix.str());
  auto call = func::CallOp::create(b, loc, callee, operands);
  return SmallVector<Value>(call.getResults());
}

SmallVector<Value> Writer::resultSizes(ValueRange args) {
  SmallVector<Value> sizes;
  if (!state.module.lookupSymbol(entry.name + "__shapes"))
    return sizes;
  for (Value size : callFunction("__shapes", args))
    sizes.push_back(arith::IndexCastOp::create(b, loc, data.i64, size));
  return sizes;
}

void Writer::emptyResults(ValueRange sizes, SmallVectorImpl<Value> &values) {
  for (unsigned i = 0; i < entry.numResults; ++i) {
    auto type =
        cast<MemRefType>(entry.body.getArgumentTypes()[entry.numArgs + i]);
    unsigned count = type.getNumDynamicDims();
    values.push_back(memrefFromAddress(state, b, loc, type, null(),
                                       sizes.take_front(count)));
    sizes = sizes.drop_front(count);
  }
}

Value Writer::arenaMemref(Value address, Value bytes) {
  auto type = MemRefType::get({ShapedType::kDynamic}, data.i8);
  return memrefFromAddress(state, b, loc, type, address, bytes);
}

Value Writer::arenaBytes(ValueRange argsAndResults) {
  SmallVector<Value> operands(argsAndResults);
  operands.push_back(arenaMemref(null(), integer(data.i64, 0)));
  Value bytes = callFunction("__arena", operands)[0];
  return arith::IndexCastOp::create(b, loc, data.i64, bytes);
}

static bool isDynamic(Entry &entry) {
  return llvm::any_of(entry.body.getArgumentTypes().take_front(
                          entry.numArgs + entry.numResults),
                      [](Type type) {
                        auto memref = dyn_cast<MemRefType>(type);
                        return memref && !memref.hasStaticShape();
                      });
}

static void writeEntry(EntryModule &state, Entry &entry) {
  Writer w(state, entry, "", 3);
  Value args = w.argument(0), results = w.argument(1), call = w.argument(2);
  w.checked("kclCheckTensors",
            {w.address(entry.infoSymbol), args, results, call});
  w.checkSizes(args, call);
  if (!state.tableSymbol.empty())
    w.checked("kclCheckLoaded", {w.address(state.tableSymbol), call});
  if (entry.persistentBytes)
    w.checked("kclCheckPrepared",
              {w.integer(w.data.i64, entry.persistentBytes), call});

  SmallVector<Value> values;
  w.unpack(args, 0, entry.numArgs, values);
  SmallVector<Value> sizes = w.resultSizes(values);
  if (!sizes.empty()) {
    Value area = LLVM::AllocaOp::create(w.b, w.loc, w.data.ptr, w.data.i64,
                                        w.integer(w.data.i64, sizes.size()), 8);
    for (auto [i, size] : llvm::enumerate(sizes))
      w.store(size, w.data.offset(w.b, w.loc, area, 8 * i));
    w.checked("kclCheckResultSizes",
              {w.address(entry.infoSymbol), results, area, call});
  }
  w.unpack(results, entry.numArgs, entry.numResults, values);
  Value bytes = w.arenaBytes(values);
  w.checked("kclCheckWorkspace", {bytes, call});
  values.push_back(
      w.arenaMemref(w.load(w.data.ptr, call, kclCall::Workspace), bytes));
  values.push_back(call);
  func::ReturnOp::create(w.b, w.loc, w.callFunction("__body", values));
}

static void writeWorkspace(EntryModule &state, Entry &entry) {
  Writer w(state, entry, "_workspace", 3);
  if (isDynamic(entry)) {
    w.checked("kclCheckTensors", {w.address(entry.infoSymbol), w.argument(0),
                                  w.null(), w.argument(2)});
    w.checkSizes(w.argument(0), w.argument(2));
  }
  SmallVector<Value> values;
  if (isDynamic(entry)) {
    w.unpack(w.argument(0), 0, entry.numArgs, values);
  } else {
    for (Type type : entry.body.getArgumentTypes().take_front(entry.numArgs)) {
      auto memref = dyn_cast<MemRefType>(type);
      values.push_back(
          memref ? memrefFromAddress(state, w.b, w.loc, memref, w.null())
                 : LLVM::ZeroOp::create(w.b, w.loc, type).getResult());
    }
  }
  w.emptyResults(w.resultSizes(values), values);
  w.store(w.arenaBytes(values), w.argument(1));
  if (isDynamic(entry))
    w.finishSizes("the workspace would have more than 2^63-1 bytes", 1);
  else
    w.finish();
}

static void writePersistent(EntryModule &state, Entry &entry) {
  Writer w(state, entry, "_persistent", 3);
  if (isDynamic(entry))
    w.checked("kclCheckTensors", {w.address(entry.infoSymbol), w.argument(0),
                                  w.null(), w.argument(2)});
  w.store(w.integer(w.data.i64, entry.persistentBytes), w.argument(1));
  w.finish();
}

static void writePrepare(EntryModule &state, Entry &entry) {
  Writer w(state, entry, "_prepare", 2);
  Value args = w.argument(0), call = w.argument(1);
  w.checked("kclCheckTensors",
            {w.address(entry.infoSymbol), args, w.null(), call});
  if (!state.tableSymbol.empty())
    w.checked("kclCheckLoaded", {w.address(state.tableSymbol), call});
  Value bytes = w.integer(w.data.i64, entry.persistentBytes);
  if (!entry.persistentBytes)
    return w.finish("kclCheckPersistent", {bytes, call});
  w.checked("kclCheckPersistent", {bytes, call});
  w.checkSizes(args, call);
  SmallVector<Value> values;
  w.unpack(args, 0, entry.numArgs, values);
  w.emptyResults(w.resultSizes(values), values);
  values.push_back(w.arenaMemref(w.null(), w.integer(w.data.i64, 0)));
  values.push_back(call);
  // Guards count regions, which this call does not run.
  SmallVector<std::pair<Value, Value>> counts;
  for (int64_t at : {kclCall::RegionsWon, kclCall::RegionsStock})
    counts.push_back(
        {w.load(w.data.i64, call, at), w.data.offset(w.b, w.loc, call, at)});
  Value status = w.callFunction("__prepare", values)[0];
  for (auto [count, place] : counts)
    w.store(count, place);
  func::ReturnOp::create(w.b, w.loc, status);
}

static void writeShapes(EntryModule &state, Entry &entry) {
  Writer w(state, entry, "_shapes", 3);
  w.checked("kclCheckTensors", {w.address(entry.infoSymbol), w.argument(0),
                                w.null(), w.argument(2)});
  w.checkSizes(w.argument(0), w.argument(2));
  SmallVector<Value> values;
  w.unpack(w.argument(0), 0, entry.numArgs, values);
  SmallVector<Value> sizes = w.resultSizes(values);
  for (auto [i, size] : llvm::enumerate(sizes))
    w.store(size, w.data.offset(w.b, w.loc, w.argument(1), 8 * i));
  w.finishSizes("a dimension of a result would be more than 2^63-1",
                sizes.size());
}

void makeEntryFunctions(EntryModule &state, Entry &entry) {
  writeEntry(state, entry);
  writeWorkspace(state, entry);
  writeShapes(state, entry);
  writePersistent(state, entry);
  writePrepare(state, entry);

  Writer describe(state, entry, "_describe", 1);
  describe.store(describe.address(entry.infoSymbol), describe.argument(0));
  describe.finish();

  Writer hints(state, entry, "_hints", 1);
  // A guarded region has a step in each branch, a call takes one of them.
  bool graph = state.graphs && entry.numSteps > entry.numRegions + 1;
  hints.store(
      hints.integer(hints.data.i64, (graph ? KCL_HINT_GRAPH : 0) |
                                        (entry.tf32 ? KCL_HINT_TF32 : 0)),
      hints.argument(0));
  hints.finish();

  bool libraries = !state.table.libraries.empty();
  for (auto [suffix, callee] :
       {std::pair<StringRef, StringRef>{"_load", libraries ? "kclLoadLibraries"
                                                           : "kclLoad"},
        {"_unload", libraries ? "kclUnloadLibraries" : "kclUnload"}}) {
    Writer w(state, entry, suffix, 1);
    if (state.tableSymbol.empty())
      w.finish();
    else
      w.finish(callee, {w.address(state.tableSymbol), w.argument(0)});
  }
}

} // namespace kclaw
