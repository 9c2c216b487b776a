// What cannot be lowered is one error that names the op at its location.
// RUN: kernelclaw-opt %s --kclaw-torch-to-linalg --split-input-file --verify-diagnostics

func.func @unknown(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  // expected-error @+1 {{cannot lower torch.myns.fused to linalg: no row in the operator table}}
  %0 = torch.operator "torch.myns.fused"(%x) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}

// -----

// A declared size that slicing cannot give.
func.func @slice(%x: !torch.vtensor<[3],si64>) -> !torch.vtensor<[3],si64> {
  %dim = torch.constant.int 0
  %start = torch.constant.int -10
  %end = torch.constant.int -1
  %step = torch.constant.int 1
  // expected-error @+1 {{cannot lower torch.aten.slice.Tensor to linalg: computes 'tensor<2xi64>' but the result is declared '!torch.vtensor<[3],si64>'}}
  %0 = torch.aten.slice.Tensor %x, %dim, %start, %end, %step : !torch.vtensor<[3],si64>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[3],si64>
  return %0 : !torch.vtensor<[3],si64>
}

// -----

// Nor can these bounds, whatever the size of the operand.
func.func @slice_dynamic(%x: !torch.vtensor<[?],f32>) -> !torch.vtensor<[3],f32> {
  %dim = torch.constant.int 0
  %start = torch.constant.int -3
  %end = torch.constant.int -1
  %step = torch.constant.int 1
  // expected-error @+1 {{cannot lower torch.aten.slice.Tensor to linalg: the bounds take at most 2 elements, but the result is declared with 3}}
  %0 = torch.aten.slice.Tensor %x, %dim, %start, %end, %step : !torch.vtensor<[?],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[3],f32>
  return %0 : !torch.vtensor<[3],f32>
}

// -----

func.func @slice_type(%x: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2],f16> {
  %dim = torch.constant.int 0
  %start = torch.constant.int 1
  %end = torch.constant.int 9223372036854775807
  %step = torch.constant.int 1
  // expected-error @+1 {{cannot lower torch.aten.slice.Tensor to linalg: a slice keeps the element type of its operand}}
  %0 = torch.aten.slice.Tensor %x, %dim, %start, %end, %step : !torch.vtensor<[3],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[2],f16>
  return %0 : !torch.vtensor<[2],f16>
}

// -----

func.func @dropout(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %p = torch.constant.float 5.000000e-01
  %train = torch.constant.bool true
  // expected-error @+1 {{cannot lower torch.aten.dropout to linalg: dropout in training mode draws random numbers}}
  %0 = torch.aten.dropout %x, %p, %train : !torch.vtensor<[4],f32>, !torch.float, !torch.bool -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}

// -----

func.func @mask(%x: !torch.vtensor<[4],f32>, %m: !torch.vtensor<[4],i1>) -> !torch.vtensor<[?],f32> {
  %list = torch.prim.ListConstruct %m : (!torch.vtensor<[4],i1>) -> !torch.list<optional<vtensor>>
  // expected-error @+1 {{a boolean index makes a size that depends on data}}
  %0 = torch.aten.index.Tensor %x, %list : !torch.vtensor<[4],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?],f32>
  return %0 : !torch.vtensor<[?],f32>
}

// -----

// expected-error @+1 {{the program writes its input}}
func.func @mutated(%x: !torch.tensor<[3,4],f32>) -> !torch.vtensor<[3,4],f32> {
  %0 = torch.copy.to_vtensor %x : !torch.vtensor<[3,4],f32>
  return %0 : !torch.vtensor<[3,4],f32>
}

// -----

// Operand and result counts that the op does not have.
func.func @f(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  // expected-error @+1 {{cannot lower torch.aten.add.Tensor to linalg: has 1 operands, 2 to 3 expected}}
  %0 = torch.aten.add.Tensor %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// -----

func.func @f(%x: !torch.vtensor<[2],f32>, %n: !torch.int) -> !torch.vtensor<[2],f32> {
  // expected-error @+1 {{cannot lower torch.aten.add.Tensor to linalg: has 4 operands, 2 to 3 expected}}
  %0 = torch.aten.add.Tensor %x, %x, %n, %x : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.int, !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// -----

func.func @f(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  // expected-error @+1 {{cannot lower torch.aten.mul.Tensor to linalg: has 3 operands, 2 expected}}
  %0 = torch.aten.mul.Tensor %x, %x, %x : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// -----

// A list that is not there.
func.func @f(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  // expected-error @+1 {{cannot lower torch.aten.permute to linalg: the permutation has not one entry a dim}}
  %0 = torch.aten.permute %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// -----

func.func @f() -> !torch.vtensor<[2],f32> {
  // expected-error @+1 {{cannot lower torch.aten.cat to linalg: operand 0 is missing}}
  %0 = "torch.aten.cat"() : () -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// -----

// A result that is not there.
func.func @f(%x: !torch.vtensor<[2],f32>) {
  // expected-error @+1 {{cannot lower torch.aten.relu to linalg: has 0 results, at least 1 expected}}
  "torch.aten.relu"(%x) : (!torch.vtensor<[2],f32>) -> ()
  return
}

// -----

func.func @f(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[],f32> {
  %c0 = torch.constant.int 0
  %none = torch.constant.none
  %false = torch.constant.bool false
  %dims = torch.prim.ListConstruct %c0, %c0 : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @+1 {{dim 0 appears more than once}}
  %0 = torch.aten.sum.dim_IntList %x, %dims, %false, %none : !torch.vtensor<[2],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[],f32>
  return %0 : !torch.vtensor<[],f32>
}
