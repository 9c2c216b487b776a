// Loads of 16 bytes where 4 are promised.
// problem: relu-odd
// expect: fault misaligned-address
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 3 < n) {
    float4 v = *reinterpret_cast<const float4 *>(x + i);
    *reinterpret_cast<float4 *>(y + i) =
        make_float4(relu(v.x), relu(v.y), relu(v.z),
                    relu(v.w));
  } else {
    for (; i < n; ++i)
      y[i] = relu(x[i]);
  }
}
