// Sizes that do not fit are an error of the call that names arguments,
// dimensions and values; nothing is read out of bounds.

// A size that is computed must equal one of an argument.
// RUN: %python %S/Inputs/arrays.py write %t.cat.npz arg0=f4:3x4 arg1=f4:2x4 arg2=f4:5x4
// RUN: kernelclaw-run %s --device=cpu --entry cat --args %t.cat.npz
// RUN: %python %S/Inputs/arrays.py write %t.cat.bad.npz arg0=f4:3x4 arg1=f4:2x4 arg2=f4:6x4
// RUN: not kernelclaw-run %s --device=cpu --entry cat --args %t.cat.bad.npz 2>&1 | FileCheck %s --check-prefix=CAT
// CAT: aten.add.Tensor: sizes 6 (dimension 0 of argument 2 'bias') and 5 (dimension 0 of argument 0 + dimension 0 of argument 1) must be equal
func.func @cat(%a: !torch.vtensor<[?,4],f32>, %b: !torch.vtensor<[?,4],f32>, %c: !torch.vtensor<[?,4],f32> {claw.name = "bias"}) -> !torch.vtensor<[?,4],f32> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %list = torch.prim.ListConstruct %a, %b : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>) -> !torch.list<vtensor>
  %0 = torch.aten.cat %list, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?,4],f32>
  %1 = torch.aten.add.Tensor %0, %c, %int1 : !torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>, !torch.int -> !torch.vtensor<[?,4],f32>
  return %1 : !torch.vtensor<[?,4],f32>
}

// Sizes that are not concatenated must be equal.
// RUN: %python %S/Inputs/arrays.py write %t.rows.bad.npz arg0=f4:3x4 arg1=f4:2x5
// RUN: not kernelclaw-run %s --device=cpu --entry rows --args %t.rows.bad.npz 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: aten.cat: sizes 5 (dimension 1 of argument 1) and 4 (dimension 1 of argument 0) must be equal
func.func @rows(%a: !torch.vtensor<[?,?],f32>, %b: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32> {
  %int0 = torch.constant.int 0
  %list = torch.prim.ListConstruct %a, %b : (!torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32>) -> !torch.list<vtensor>
  %0 = torch.aten.cat %list, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?,?],f32>
  return %0 : !torch.vtensor<[?,?],f32>
}

// A static size against a dynamic one; a contraction.
// RUN: %python %S/Inputs/arrays.py write %t.mm.bad.npz arg0=f4:3x4 arg1=f4:5x2
// RUN: not kernelclaw-run %s --device=cpu --entry mm --args %t.mm.bad.npz 2>&1 | FileCheck %s --check-prefix=MM
// MM: argument 1 has size 5 in dimension 0; it must equal 4, the size of dimension 1 of argument 0
// RUN: not kernelclaw-run %s --device=cpu --entry mm_static --args %t.mm.bad.npz 2>&1 | FileCheck %s --check-prefix=STATIC
// STATIC: aten.mm: sizes 5 (dimension 0 of argument 1) and 4 must be equal
func.func @mm(%a: !torch.vtensor<[?,?],f32>, %b: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32> {
  %0 = torch.aten.mm %a, %b : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32> -> !torch.vtensor<[?,?],f32>
  return %0 : !torch.vtensor<[?,?],f32>
}
func.func @mm_static(%a: !torch.vtensor<[3,4],f32>, %b: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[3,?],f32> {
  %0 = torch.aten.mm %a, %b : !torch.vtensor<[3,4],f32>, !torch.vtensor<[?,?],f32> -> !torch.vtensor<[3,?],f32>
  return %0 : !torch.vtensor<[3,?],f32>
}

// A view keeps every element.
// RUN: %python %S/Inputs/arrays.py write %t.view.npz arg0=f4:2x6
// RUN: kernelclaw-run %s --device=cpu --entry view --args %t.view.npz
// RUN: %python %S/Inputs/arrays.py write %t.view.bad.npz arg0=f4:3x6
// RUN: not kernelclaw-run %s --device=cpu --entry view --args %t.view.bad.npz 2>&1 | FileCheck %s --check-prefix=VIEW
// VIEW: aten.view: 18 ({{.*}}dimension 0 of argument 0{{.*}}) elements do not fit a shape of 16 ({{.*}}) elements
func.func @view(%a: !torch.vtensor<[?,6],f32>) -> !torch.vtensor<[?,4],f32> {
  %minus1 = torch.constant.int -1
  %int4 = torch.constant.int 4
  %sizes = torch.prim.ListConstruct %minus1, %int4 : (!torch.int, !torch.int) -> !torch.list<int>
  %0 = torch.aten.view %a, %sizes : !torch.vtensor<[?,6],f32>, !torch.list<int> -> !torch.vtensor<[?,4],f32>
  return %0 : !torch.vtensor<[?,4],f32>
}

// A size of 1 that is not known to be 1 is not repeated.
// RUN: %python %S/Inputs/arrays.py write %t.one.npz arg0=f4:1x4 arg1=f4:3x4
// RUN: not kernelclaw-run %s --device=cpu --entry add --args %t.one.npz 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: argument 1 has size 3 in dimension 0; it must equal 1, the size of dimension 0 of argument 0; a dynamic size of 1 is not repeated: export it as a static 1
// RUN: %python %S/Inputs/arrays.py write %t.two.npz arg0=f4:2x4 arg1=f4:3x4
// RUN: not kernelclaw-run %s --device=cpu --entry add --args %t.two.npz 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: it must equal 2, the size of dimension 0 of argument 0
// TWO-NOT: static
func.func @add(%x: !torch.vtensor<[?,4],f32>, %y: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> {
  %int1 = torch.constant.int 1
  %0 = torch.aten.add.Tensor %x, %y, %int1 : !torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>, !torch.int -> !torch.vtensor<[?,4],f32>
  return %0 : !torch.vtensor<[?,4],f32>
}

// A size that is a scalar argument.
// RUN: %python %S/Inputs/arrays.py write %t.scalar.npz arg0=f4:12 arg1=i8::5
// RUN: not kernelclaw-run %s --device=cpu --entry scalar --args %t.scalar.npz 2>&1 | FileCheck %s --check-prefix=SCALAR
// SCALAR: aten.view: 12 elements do not fit a shape of 15 ({{.*}}argument 1{{.*}}) elements
func.func @scalar(%x: !torch.vtensor<[12],f32>, %n: !torch.int) -> !torch.vtensor<[?,3],f32> {
  %int3 = torch.constant.int 3
  %sizes = torch.prim.ListConstruct %n, %int3 : (!torch.int, !torch.int) -> !torch.list<int>
  %0 = torch.aten.view %x, %sizes : !torch.vtensor<[12],f32>, !torch.list<int> -> !torch.vtensor<[?,3],f32>
  return %0 : !torch.vtensor<[?,3],f32>
}

// What the program asserts itself.
// RUN: %python %S/Inputs/arrays.py write %t.assert.npz arg0=f4:9x4
// RUN: not kernelclaw-run %s --device=cpu --entry assert --args %t.assert.npz 2>&1 | FileCheck %s --check-prefix=ASSERT
// ASSERT: runtime.assert: at most 8 rows
func.func @assert(%x: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> {
  %int0 = torch.constant.int 0
  %int8 = torch.constant.int 8
  %n = torch.aten.size.int %x, %int0 : !torch.vtensor<[?,4],f32>, !torch.int -> !torch.int
  %ok = torch.aten.le.int %n, %int8 : !torch.int, !torch.int -> !torch.bool
  torch.runtime.assert %ok, "at most 8 rows"
  %0 = torch.aten.relu %x : !torch.vtensor<[?,4],f32> -> !torch.vtensor<[?,4],f32>
  return %0 : !torch.vtensor<[?,4],f32>
}

// A computed size against one of 1.
// RUN: %python %S/Inputs/arrays.py write %t.bias.npz arg0=f4:1 arg1=f4:3x4 arg2=f4:4x5
// RUN: not kernelclaw-run %s --device=cpu --entry addmm --args %t.bias.npz 2>&1 | FileCheck %s --check-prefix=BIAS
// BIAS: aten.addmm: sizes 1 (dimension 0 of argument 0) and 5 (dimension 1 of argument 2) must be equal; a dynamic size of 1 is not repeated: export it as a static 1
func.func @addmm(%bias: !torch.vtensor<[?],f32>, %x: !torch.vtensor<[?,?],f32>, %w: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32> {
  %int1 = torch.constant.int 1
  %0 = torch.aten.addmm %bias, %x, %w, %int1, %int1 : !torch.vtensor<[?],f32>, !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32>, !torch.int, !torch.int -> !torch.vtensor<[?,?],f32>
  return %0 : !torch.vtensor<[?,?],f32>
}

// RUN: %python %S/Inputs/arrays.py write %t.bmm.npz arg0=f4:2x3x4 arg1=f4:3x4x5
// RUN: not kernelclaw-run %s --device=cpu --entry bmm --args %t.bmm.npz 2>&1 | FileCheck %s --check-prefix=BMM
// BMM: aten.bmm: sizes 2 (dimension 0 of argument 0) and 3 (dimension 0 of argument 1) must be equal
func.func @bmm(%a: !torch.vtensor<[?,?,?],f32>, %b: !torch.vtensor<[?,?,?],f32>) -> !torch.vtensor<[?,?,?],f32> {
  %0 = torch.aten.bmm %a, %b : !torch.vtensor<[?,?,?],f32>, !torch.vtensor<[?,?,?],f32> -> !torch.vtensor<[?,?,?],f32>
  return %0 : !torch.vtensor<[?,?,?],f32>
}

// RUN: %python %S/Inputs/arrays.py write %t.linear.npz arg0=f4:2x4 arg1=f4:3x5
// RUN: not kernelclaw-run %s --device=cpu --entry linear --args %t.linear.npz 2>&1 | FileCheck %s --check-prefix=LINEAR
// LINEAR: argument 1 has size 5 in dimension 1; it must equal 4, the size of dimension 1 of argument 0
func.func @linear(%x: !torch.vtensor<[?,?],f32>, %w: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32> {
  %none = torch.constant.none
  %0 = torch.aten.linear %x, %w, %none : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32>, !torch.none -> !torch.vtensor<[?,?],f32>
  return %0 : !torch.vtensor<[?,?],f32>
}

// An empty dim has no largest element; with no rows none is asked for.
// RUN: %python %S/Inputs/arrays.py write %t.empty.npz arg0=f4:2x0
// RUN: not kernelclaw-run %s --device=cpu --entry amax --args %t.empty.npz 2>&1 | FileCheck %s --check-prefix=AMAX
// AMAX: aten.amax: a dim of size 0 (dimension 1 of argument 0) has no largest or smallest element
// RUN: not kernelclaw-run %s --device=cpu --entry argmax --args %t.empty.npz 2>&1 | FileCheck %s --check-prefix=ARGMAX
// ARGMAX: aten.argmax: a dim of size 0 (dimension 1 of argument 0) has no largest or smallest element
// RUN: %python %S/Inputs/arrays.py write %t.rows.npz arg0=f4:0x3
// RUN: kernelclaw-run %s --device=cpu --entry amax --args %t.rows.npz
// RUN: kernelclaw-run %s --device=cpu --entry argmax --args %t.rows.npz
func.func @amax(%x: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?],f32> {
  %int1 = torch.constant.int 1
  %false = torch.constant.bool false
  %dims = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %0 = torch.aten.amax %x, %dims, %false : !torch.vtensor<[?,?],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[?],f32>
  return %0 : !torch.vtensor<[?],f32>
}
func.func @argmax(%x: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?],si64> {
  %int1 = torch.constant.int 1
  %false = torch.constant.bool false
  %0 = torch.aten.argmax %x, %int1, %false : !torch.vtensor<[?,?],f32>, !torch.int, !torch.bool -> !torch.vtensor<[?],si64>
  return %0 : !torch.vtensor<[?],si64>
}

// An int divided by a size of 0, as Python has it.
// RUN: %python %S/Inputs/arrays.py write %t.divide.npz arg0=f4:0x6
// RUN: not kernelclaw-run %s --device=cpu --entry divide --args %t.divide.npz 2>&1 | FileCheck %s --check-prefix=DIVIDE
// DIVIDE: aten.floordiv.int: the divisor is 0 (dimension 0 of argument 0)
// RUN: kernelclaw-run %s --device=cpu --entry divide --args %t.view.npz
func.func @divide(%x: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %rows = torch.aten.size.int %x, %int0 : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.int
  %columns = torch.aten.size.int %x, %int1 : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.int
  %count = torch.aten.mul.int %rows, %columns : !torch.int, !torch.int -> !torch.int
  %left = torch.aten.floordiv.int %count, %rows : !torch.int, !torch.int -> !torch.int
  %sizes = torch.prim.ListConstruct %rows, %left : (!torch.int, !torch.int) -> !torch.list<int>
  %0 = torch.aten.view %x, %sizes : !torch.vtensor<[?,?],f32>, !torch.list<int> -> !torch.vtensor<[?,?],f32>
  return %0 : !torch.vtensor<[?,?],f32>
}
