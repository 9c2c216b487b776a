//===- LibrarySteps.cpp - Matrix products and convolutions by libraries ---===//
//
// What is known of a struct is constant bytes that load reads, too; calls fill
// in the rest.
//
//===----------------------------------------------------------------------===//
#include "StepLowering.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kclaw::claw;

namespace kclaw {

/// Copies the struct to the stack, fills in values and what load made, calls.
void StepLowering::callLibrary(Operation *op, StructImage image, bool known,
                               kcl_library_kind kind, StringRef choice,
                               StringRef function) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  std::string fixed = data.bytes("kcl_library_step", image.bytes);
  std::string handle = data.variable("kcl_library_handle", data.ptr);
  std::string object = data.variable("kcl_library_object", data.ptr);
  state.table.libraries.push_back(
      {Field::integer(data.i32, kind), Field::integer(data.i32, 0),
       Field::address(known ? fixed : ""), Field::address(data.text(choice)),
       Field::address(handle), Field::address(object)});
  LLVM::MemcpyOp::create(b, loc, step, data.addressOf(b, loc, fixed),
                         data.constant(b, loc, data.i64, image.bytes.size()),
                         /*isVolatile=*/false);
  for (auto [at, value] : image.values)
    store(b, loc, step, at, value);
  for (auto [at, slot] :
       {std::pair{image.handle, handle}, {image.object, object}})
    store(b, loc, step, at,
          LLVM::LoadOp::create(b, loc, data.ptr, data.addressOf(b, loc, slot)));
  check(op, data.call(b, loc, function, {step, call}));
}

template <typename Struct> static std::string bytesOf(const Struct &value) {
  return std::string(reinterpret_cast<const char *>(&value), sizeof value);
}

LogicalResult StepLowering::lower(MatmulStepOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  kcl_matmul_step fixed = {};
  StructImage image;
  image.handle = offsetof(kcl_matmul_step, handle);
  image.object = offsetof(kcl_matmul_step, algorithm);
  bool known = true;
  // The i-th number, known or at `at`.
  auto number = [&](unsigned i, int64_t &to, int64_t at) {
    APInt value;
    if (matchPattern(op.getNumbers()[i], m_ConstantInt(&value))) {
      to = value.getSExtValue();
      return;
    }
    known = false;
    image.values.push_back({at, integer(b, loc, op.getNumbers()[i], data.i64)});
  };
  unsigned next = 0;
  auto pointer = [&](int64_t at) {
    Value offset = integer(b, loc, op.getOffsets()[next], data.i64);
    image.values.push_back(
        {at, address(b, loc, op.getBuffers()[next], offset)});
    ++next;
  };
  number(0, fixed.m, offsetof(kcl_matmul_step, m));
  number(1, fixed.n, offsetof(kcl_matmul_step, n));
  number(2, fixed.k, offsetof(kcl_matmul_step, k));
  number(3, fixed.batch, offsetof(kcl_matmul_step, batch));
  constexpr size_t at[] = {
      offsetof(kcl_matmul_step, a), offsetof(kcl_matmul_step, b),
      offsetof(kcl_matmul_step, c), offsetof(kcl_matmul_step, d)};
  kcl_matrix *matrices[] = {&fixed.a, &fixed.b, &fixed.c, &fixed.d};
  for (unsigned i = 0; i < 4; ++i) {
    if (i == 2 && !op.hasC())
      continue;
    number(4 + 2 * i, matrices[i]->ld, at[i] + offsetof(kcl_matrix, ld));
    number(5 + 2 * i, matrices[i]->batch_stride,
           at[i] + offsetof(kcl_matrix, batch_stride));
    matrices[i]->element = op.getElements()[i];
    matrices[i]->transposed = op.getTransposed()[i];
    pointer(at[i] + offsetof(kcl_matrix, data));
  }
  if (op.hasBias())
    pointer(offsetof(kcl_matmul_step, bias));
  if (op.hasWorkspace())
    pointer(offsetof(kcl_matmul_step, workspace));
  int64_t scratch = 0;
  number(12, scratch, offsetof(kcl_matmul_step, workspace_bytes));
  fixed.workspace_bytes = static_cast<uint64_t>(scratch);
  fixed.alpha = op.getAlpha().convertToDouble();
  fixed.beta = op.getBeta().convertToDouble();
  fixed.compute = static_cast<int32_t>(op.getCompute());
  entry.tf32 |= fixed.compute == KCL_COMPUTE_TF32;
  fixed.epilogue = static_cast<int32_t>(op.getEpilogue());
  image.bytes = bytesOf(fixed);
  callLibrary(op, std::move(image), known, KCL_LIBRARY_MATMUL, op.getChoice(),
              "kclStepMatmul");
  return success();
}

LogicalResult StepLowering::lower(ConvolutionStepOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  kcl_convolution_step fixed = {};
  ArrayRef<int32_t> flags = op.getFlags();
  fixed.element = flags[0];
  fixed.tf32 = flags[1];
  entry.tf32 |= fixed.tf32 && fixed.element == KCL_F32;
  fixed.transposed = flags[2];
  fixed.channels_last = flags[3];
  fixed.spatial = flags[4];
  ArrayRef<int64_t> sizes = op.getSizes();
  fixed.batch = sizes[0];
  fixed.in_channels = sizes[1];
  fixed.out_channels = sizes[2];
  fixed.groups = sizes[3];
  int64_t *lists[] = {fixed.in,       fixed.out,      fixed.kernel,
                      fixed.stride,   fixed.dilation, fixed.pad_before,
                      fixed.pad_after};
  for (auto [i, list] : llvm::enumerate(lists))
    llvm::copy(sizes.slice(4 + 3 * i, 3), list);
  fixed.workspace_bytes = static_cast<uint64_t>(sizes.back());
  // Only whether there is one counts at load; calls fill in the address.
  if (op.getHasBias())
    fixed.bias = reinterpret_cast<const void *>(uintptr_t{1});
  StructImage image;
  image.bytes = bytesOf(fixed);
  image.handle = offsetof(kcl_convolution_step, handle);
  image.object = offsetof(kcl_convolution_step, plan);
  SmallVector<int64_t> pointers = {offsetof(kcl_convolution_step, input),
                                   offsetof(kcl_convolution_step, weight)};
  if (op.getHasBias())
    pointers.push_back(offsetof(kcl_convolution_step, bias));
  pointers.push_back(offsetof(kcl_convolution_step, output));
  if (op.hasWorkspace())
    pointers.push_back(offsetof(kcl_convolution_step, workspace));
  for (auto [at, buffer, offset] :
       llvm::zip(pointers, op.getBuffers(), op.getOffsets()))
    image.values.push_back(
        {at, address(b, loc, buffer, integer(b, loc, offset, data.i64))});
  callLibrary(op, std::move(image), true, KCL_LIBRARY_CONVOLUTION,
              op.getChoice(), "kclStepConvolution");
  return success();
}

} // namespace kclaw
