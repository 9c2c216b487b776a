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
