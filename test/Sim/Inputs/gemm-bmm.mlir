module {
  func.func @main(%arg0: !torch.vtensor<[3,40,64],f16>, %arg1: !torch.vtensor<[3,64,48],f16>) -> !torch.vtensor<[3,40,48],f16> {
    %0 = torch.aten.bmm %arg0, %arg1 : !torch.vtensor<[3,40,64],f16>, !torch.vtensor<[3,64,48],f16> -> !torch.vtensor<[3,40,48],f16>
    return %0 : !torch.vtensor<[3,40,48],f16>
  }
}
