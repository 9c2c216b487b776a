//===- ClawOps.td - The claw dialect: regions and steps ---------*- tablegen -*-//
//
// Regions are marked by #claw.region; embedded plans are sequences of step ops
// on memrefs, which Lower turns into calls of the step ABI (kcl_steps.h).
// claw.require says what must hold of sizes and indices.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_CLAW_CLAWOPS_TD
#define KERNELCLAW_CLAW_CLAWOPS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Claw_Dialect : Dialect {
  let name = "claw";
  let summary = "regions worth a custom kernel, and steps of embedded plans";
  let cppNamespace = "::kclaw::claw";
  let useDefaultAttributePrinterParser = 1;
}

def Claw_RegionAttr : AttrDef<Claw_Dialect, "Region"> {
  let mnemonic = "region";
  let summary = "marks a private function that was outlined";
  let description = [{
    `kind` is "function", "fusion" or "op" by how it was cut out, or "residual"
    for what no agent works on (views and copies that are left). `family` sets
    the error constant: pointwise, reduction, softmax, norm, contraction,
    convolution, other. `computeOps` counts ops that are not views or scalars.
  }];
  let parameters = (ins StringRefParameter<"kind">:$kind,
                        StringRefParameter<"family">:$family,
                        "unsigned":$computeOps);
  let assemblyFormat = "`<` $kind `,` $family `,` $computeOps `>`";
}

class Claw_Op<string mnemonic, list<Trait> traits = []>
    : Op<Claw_Dialect, mnemonic, traits>;

def Claw_KernelStepOp : Claw_Op<"kernel_step", [AttrSizedOperandSegments]> {
  let summary = "launches one kernel of an embedded binary";
  let description = [{
    `kernel` is @binary::@entry, the binary a gpu.binary with one object. Each
    argument is a contiguous memref (the kernel gets pointer + byte offset) or
    an i32, i64, f32 or f64 scalar (its offset is 0 and ignored). `grid`,
    `block` and `cluster` have three values each.
  }];
  let arguments = (ins SymbolRefAttr:$kernel,
                       Variadic<Index>:$grid, Variadic<Index>:$block,
                       Variadic<Index>:$cluster, Index:$sharedBytes,
                       Variadic<AnyType>:$args, Variadic<I64>:$offsets,
                       UnitAttr:$cooperative);
  let assemblyFormat = [{
    $kernel `grid` `(` $grid `)` `block` `(` $block `)` `cluster` `(` $cluster
    `)` `shared` $sharedBytes `args` `(` $args `:` type($args) `)` `offsets`
    `(` $offsets `)` (`cooperative` $cooperative^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Claw_TensorMapOp : Claw_Op<"tensor_map", [AttrSizedOperandSegments]> {
  let summary = "encodes a tensor map for the kernels that follow";
  let description = [{
    The result is 128 bytes of host memory with the CUtensorMap, to be an
    argument of claw.kernel_step; a memref, so that whoever asks for the life of
    the buffer sees its use. `element` is a CUtensorMapDataType; `modes` are
    swizzle, interleave, L2 promotion and NaN fill (kcl_tensor_map).
  }];
  let arguments = (ins AnyMemRef:$buffer, I64:$offset, I32Attr:$element,
                       Variadic<I64>:$dims, Variadic<I64>:$strides,
                       Variadic<I32>:$box, Variadic<I32>:$elementStrides,
                       Variadic<I32>:$modes);
  let results = (outs AnyMemRef:$map);
  let assemblyFormat = [{
    $buffer `[` $offset `]` `element` $element `dims` `(` $dims `)` `strides`
    `(` $strides `)` `box` `(` $box `)` `by` `(` $elementStrides `)` `modes` `(`
    $modes `)` attr-dict `:` type($buffer) `->` type($map)
  }];
  let hasVerifier = 1;
}

def Claw_PersistentOp : Claw_Op<"persistent"> {
  let summary = "where a plan's prepared buffers are";
  let description = [{
    In call->persistent, which NAME_prepare has filled (`prepare` is false); in
    a call without it, in `fallback` of the call's workspace, where the steps
    marked `claw.prepare` have to fill it first (`prepare` is true). Where such
    a step reads what only a call computes, always the latter.
  }];
  let arguments = (ins AnyMemRef:$fallback);
  let results = (outs AnyMemRef:$buffer, I1:$prepare);
  let assemblyFormat = "$fallback attr-dict `:` type($fallback) `->` type($buffer)";
}

def Claw_MemsetStepOp : Claw_Op<"memset_step"> {
  let summary = "sets bytes of device memory";
  let arguments = (ins AnyMemRef:$target, I64:$offset, I64:$bytes,
                       I32Attr:$value);
  let assemblyFormat = [{
    $target `[` $offset `]` `bytes` $bytes `value` $value attr-dict `:`
    type($target)
  }];
}

def Claw_CopyStepOp : Claw_Op<"copy_step"> {
  let summary = "copies rows of bytes between device buffers";
  let arguments = (ins AnyMemRef:$source, I64:$sourceOffset, I64:$sourcePitch,
                       AnyMemRef:$target, I64:$targetOffset, I64:$targetPitch,
                       I64:$rowBytes, I64:$rows);
  let assemblyFormat = [{
    $source `[` $sourceOffset `]` `pitch` $sourcePitch `to` $target `[`
    $targetOffset `]` `pitch` $targetPitch `row` $rowBytes `rows` $rows
    attr-dict `:` type($source) `,` type($target)
  }];
}

def Claw_MatmulStepOp : Claw_Op<"matmul_step", [AttrSizedOperandSegments]> {
  let summary = "a matrix product by cuBLASLt (kcl_matmul_step)";
  let description = [{
    `buffers`: a, b, then c where `beta` is not 0, d, then the bias where the
    epilogue has one, then the workspace if there is one; `offsets` has the byte
    offset of each. `numbers`: m, n, k, batch, then ld and batch stride of a, b,
    c, d, then the bytes of the workspace. `elements` and `transposed` are those
    of a, b, c, d; all enumerators are those of kcl_steps.h.
  }];
  let arguments = (ins Variadic<AnyMemRef>:$buffers, Variadic<Index>:$offsets,
                       Variadic<Index>:$numbers,
                       DenseI32ArrayAttr:$elements,
                       DenseI32ArrayAttr:$transposed, F64Attr:$alpha,
                       F64Attr:$beta, I32Attr:$compute, I32Attr:$epilogue,
                       StrAttr:$choice);
  let assemblyFormat = [{
    `(` $buffers `:` type($buffers) `)` `offsets` `(` $offsets `)` `numbers` `(`
    $numbers `)` attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    static constexpr unsigned numNumbers = 13;
    bool hasC() { return !getBeta().isZero(); }
    bool hasBias() {
      return getEpilogue() == 1 || getEpilogue() == 4 || getEpilogue() == 5;
    }
    /// Position among the buffers; the last is the workspace, if any.
    unsigned resultIndex() { return hasC() ? 3 : 2; }
    unsigned numOperandBuffers() { return resultIndex() + 1 + hasBias(); }
    bool hasWorkspace() { return getBuffers().size() > numOperandBuffers(); }
  }];
}

def Claw_ConvolutionStepOp
    : Claw_Op<"convolution_step", [AttrSizedOperandSegments]> {
  let summary = "a convolution by cuDNN (kcl_convolution_step)";
  let description = [{
    `buffers`: input, weight, then the bias if `hasBias`, output, then the
    workspace if there is one; `offsets` has the byte offset of each. `flags`:
    element, tf32, transposed, channels_last, spatial. `sizes`: batch,
    in_channels, out_channels, groups, then three each of in, out, kernel,
    stride, dilation, pad_before, pad_after, then the bytes of the workspace;
    all as in kcl_steps.h. The library's plan is made for these sizes at load.
  }];
  let arguments = (ins Variadic<AnyMemRef>:$buffers, Variadic<Index>:$offsets,
                       UnitAttr:$hasBias, DenseI32ArrayAttr:$flags,
                       DenseI64ArrayAttr:$sizes, StrAttr:$choice);
  let assemblyFormat = [{
    `(` $buffers `:` type($buffers) `)` `offsets` `(` $offsets `)` attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    static constexpr unsigned numFlags = 5, numSizes = 26;
    unsigned resultIndex() { return getHasBias() ? 3 : 2; }
    bool hasWorkspace() { return getBuffers().size() > resultIndex() + 1; }
  }];
}

def Claw_ConvolutionOp
    : Claw_Op<"convolution", [DestinationStyleOpInterface]> {
  let summary = "a convolution that a library will do, before it is a step";
  let description = [{
    Channels first, static sizes, one element type; the tensors and the meaning
    of `transposed` are those of kcl_convolution_step. On tensors it returns
    the result, on memrefs it writes `init`. TorchToLinalg makes it when asked
    to leave convolutions to libraries, kclaw-linalg-to-gpu turns it into
    claw.convolution_step.
  }];
  let arguments = (ins AnyShaped:$input, AnyShaped:$weight,
                       Optional<AnyShaped>:$bias, AnyShaped:$init,
                       DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$padding,
                       DenseI64ArrayAttr:$dilation, I64Attr:$groups,
                       UnitAttr:$transposed);
  let results = (outs Variadic<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    `(` $input `,` $weight (`,` `bias` $bias^)? `)` `into` $init attr-dict `:`
    type($input) `,` type($weight) `,` type($init) (`bias` type($bias)^)?
    (`->` type($result)^)?
  }];
  let extraClassDeclaration = [{
    mlir::MutableOperandRange getDpsInitsMutable() { return getInitMutable(); }
  }];
}

def Claw_GuardOp : Claw_Op<"guard", [AttrSizedOperandSegments]> {
  let summary = "true when a winner may run here";
  let description = [{
    Architecture of the current device in `archs` (space-separated), every
    memref aligned to `alignment` bytes, and the condition `when`, if any, on
    dynamic sizes. Also counts the region as won or stock in the call.
  }];
  let arguments = (ins StrAttr:$archs, I64Attr:$alignment,
                       Optional<I1>:$when, Variadic<AnyMemRef>:$buffers);
  let results = (outs I1:$ok);
  let assemblyFormat = [{
    $archs `align` $alignment (`when` $when^)? `(` $buffers `:` type($buffers)
    `)` attr-dict
  }];
}

def Claw_RequireOp : Claw_Op<"require"> {
  let summary = "leaves the entry with an error unless the condition holds";
  let description = [{
    What PyTorch raises for sizes that do not fit and for indices that are out
    of range. In `message`, {0}, {1}, ... stand for the values at run time. What
    depends on the sizes of arguments alone, kclaw-size-checks moves to the
    start of the entry; the rest is checked where it stands. Lowered by
    kclaw-entry-abi; device code has none (PlanExport drops it).
  }];
  let arguments = (ins I1:$condition, StrAttr:$message,
                       Variadic<AnyTypeOf<[I64, Index]>>:$values);
  let assemblyFormat = [{
    $condition `,` $message (`(` $values^ `:` type($values) `)`)? attr-dict
  }];
  let hasCanonicalizeMethod = 1;
}

#endif // KERNELCLAW_CLAW_CLAWOPS_TD
