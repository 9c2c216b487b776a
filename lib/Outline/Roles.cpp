//===- Roles.cpp - Which arguments are weights ----------------------------===//
//
// By the position of the operand in linear, convolution, norm and embedding
// ops. Only arguments of the public function: a value that the module computes
// is never a parameter.
//
//===----------------------------------------------------------------------===//
#include "Roles.h"

#include "kernelclaw/Torch/TorchOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace kclaw;

namespace {
struct RoleRow {
  StringLiteral ops; ///< separated by blanks, without "aten." and overload
  unsigned first, last;
  StringLiteral role;
};
} // namespace

static const RoleRow roleTable[] = {
    {"linear", 1, 2, "param"},
    {"conv1d conv2d conv3d convolution _convolution conv_transpose1d "
     "conv_transpose2d conv_transpose3d",
     1, 2, "param"},
    {"layer_norm native_layer_norm rms_norm", 2, 3, "param"},
    {"group_norm", 2, 3, "param"},
    {"batch_norm native_batch_norm instance_norm _native_batch_norm_legit "
     "_native_batch_norm_legit_functional "
     "_native_batch_norm_legit_no_training",
     1, 2, "param"},
    {"batch_norm native_batch_norm instance_norm _native_batch_norm_legit "
     "_native_batch_norm_legit_functional "
     "_native_batch_norm_legit_no_training",
     3, 4, "buffer"},
    {"embedding embedding_bag", 0, 0, "param"},
    {"prelu", 1, 1, "param"},
};

static StringRef roleOfUse(OpOperand &use) {
  StringRef name = torch::opName(use.getOwner());
  if (!name.consume_front("aten."))
    return "";
  StringRef base = name.split('.').first;
  for (const RoleRow &row : roleTable) {
    SmallVector<StringRef> ops;
    row.ops.split(ops, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    if (use.getOperandNumber() >= row.first &&
        use.getOperandNumber() <= row.last && llvm::is_contained(ops, base))
      return row.role;
  }
  return "";
}

void outline::inferRoles(func::FuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (function.getArgAttr(i, "claw.role"))
      return;
  Builder builder(function.getContext());
  for (BlockArgument argument : function.getArguments())
    for (OpOperand &use : argument.getUses())
      if (StringRef role = roleOfUse(use); !role.empty()) {
        function.setArgAttr(argument.getArgNumber(), "claw.role",
                            builder.getStringAttr(role));
        break;
      }
}
