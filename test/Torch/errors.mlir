// Malformed Torch IR: a located diagnostic, no crash.
// RUN: kernelclaw-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{invalid dtype 'i32' for a torch tensor}}
func.func private @f(!torch.vtensor<[2],i32>)

// -----

// expected-error @+1 {{invalid size -5 for a torch tensor}}
func.func private @f(!torch.vtensor<[-5],f32>)

// -----

// expected-error @+1 {{unknown torch type 'strange'}}
func.func private @f(!torch.list<strange>)

// -----

// expected-error @+1 {{expected ','}}
func.func private @f(!torch.vtensor<[2]>)

// -----

func.func @f(%x: !torch.vtensor<[2],f32>) {
  // expected-error @+1 {{expected ':'}}
  %0 = torch.aten.relu %x
  return
}

// -----

func.func @f(%x: !torch.vtensor<[2],f32>) {
  // expected-error @+1 {{number of operands and types do not match: got 2 operands and 1 types}}
  %0 = torch.aten.mul.Tensor %x, %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  return
}

// -----

func.func @f(%x: !torch.vtensor<[2],f32>) {
  // expected-error @+1 {{cannot name an operation with no results}}
  %0 = torch.aten.relu %x : !torch.vtensor<[2],f32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{integer constant out of range for attribute}}
  %0 = torch.constant.int 9999999999999999999999
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{holds a value of shape [2] but its result has type '!torch.vtensor<[3],si64>'}}
  %0 = torch.vtensor.literal(dense<[1, 0]> : tensor<2xsi64>) : !torch.vtensor<[3],si64>
  return
}

// -----

func.func @f(%x: !torch.vtensor<[?],f32>) {
  // expected-error @+1 {{has 0 shape symbols but its map uses 1}}
  torch.bind_symbolic_shape %x, [], affine_map<()[s0] -> (s0)> : !torch.vtensor<[?],f32>
  return
}

// -----

// expected-note @+1 {{prior use here}}
func.func @f(%m: !torch.tensor<[4],f32>) {
  // expected-error @+1 {{expects different type than prior uses}}
  %0 = torch.copy.to_vtensor %m : !torch.vtensor<[5],f32>
  return
}
