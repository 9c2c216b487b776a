// The library convolves and adds the bias; what follows goes over the result in
// place, in packets.
// problem: conv-relu
// expect: ok
// step: {"kind": "convolution", "input": {"buffer": "x"},
//   "weight": {"buffer": "w"}, "bias": {"buffer": "b"},
//   "output": {"buffer": "y"}, "dtype": "f32",
//   "batch": "n", "inChannels": "c", "outChannels": "o",
//   "in": ["h", "s"], "out": ["h", "s"], "kernel": ["r", "r"],
//   "padBefore": [1, 1], "padAfter": [1, 1], "workspace": "ws"}
// step: {"grid": "ceildiv(n * o * h * s, 1024)",
//   "args": ["y", {"i64": "n * o * h * s / 4"}]}
// buffer: {"name": "ws", "sizeBytes": 67108864}
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void __launch_bounds__(256)
    k(float4 *y, long long packets) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= packets)
    return;
  float4 v = y[i]; // just written: it may still be in L2
  y[i] = make_float4(relu(v.x), relu(v.y), relu(v.z), relu(v.w));
}
