//===- CublasLtMatmul.cpp - Matmul steps by cuBLASLt ----------------------===//
//
// cuBLASLt is column-major: a row-major D = A B is its D^T = B^T A^T, so A and
// B change places and nothing is moved. Descriptors are made on the stack at
// each call (no allocation); the algorithm comes from load time.
//
//===----------------------------------------------------------------------===//
#include "CallError.h"
#include "HandlePool.h"
#include "LibraryBackends.h"
#include "kernelclaw/CudaLibs/CublasLtApi.h"

#include <algorithm>
#include <vector>

namespace kclaw {
namespace {

constexpr int heuristicsAsked = 16;
/// What buffers of plans are aligned to at least.
constexpr uint32_t loadAlignment = 16;
constexpr uint32_t maxAlignment = 256;

struct ComputeRow {
  int32_t compute;
  cublasComputeType_t type;
  cudaDataType_t scale;
};
constexpr ComputeRow computeRows[] = {
    {KCL_COMPUTE_F32, CUBLAS_COMPUTE_32F, CUDA_R_32F},
    {KCL_COMPUTE_TF32, CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F},
    {KCL_COMPUTE_F64, CUBLAS_COMPUTE_64F, CUDA_R_64F},
    {KCL_COMPUTE_I32, CUBLAS_COMPUTE_32I, CUDA_R_32I},
};

struct ElementRow {
  int32_t element;
  cudaDataType_t type;
};
constexpr ElementRow elementRows[] = {
    {KCL_F64, CUDA_R_64F},   {KCL_F32, CUDA_R_32F}, {KCL_F16, CUDA_R_16F},
    {KCL_BF16, CUDA_R_16BF}, {KCL_I8, CUDA_R_8I},   {KCL_I32, CUDA_R_32I},
};

struct EpilogueRow {
  int32_t epilogue;
  cublasLtEpilogue_t type;
  bool bias;
};
constexpr EpilogueRow epilogueRows[] = {
    {KCL_EPILOGUE_NONE, CUBLASLT_EPILOGUE_DEFAULT, false},
    {KCL_EPILOGUE_BIAS, CUBLASLT_EPILOGUE_BIAS, true},
    {KCL_EPILOGUE_RELU, CUBLASLT_EPILOGUE_RELU, false},
    {KCL_EPILOGUE_GELU, CUBLASLT_EPILOGUE_GELU, false},
    {KCL_EPILOGUE_BIAS_RELU, CUBLASLT_EPILOGUE_RELU_BIAS, true},
    {KCL_EPILOGUE_BIAS_GELU, CUBLASLT_EPILOGUE_GELU_BIAS, true},
};

/// The row whose `key` is `value`; null: no such thing.
template <typename Row, size_t N>
const Row *find(const Row (&rows)[N], int32_t Row::*key, int32_t value) {
  for (const Row &row : rows)
    if (row.*key == value)
      return &row;
  return nullptr;
}

union Scalar {
  float f32;
  double f64;
  int32_t i32;
};

Scalar scalar(double value, cudaDataType_t type) {
  Scalar made = {};
  if (type == CUDA_R_64F)
    made.f64 = value;
  else if (type == CUDA_R_32I)
    made.i32 = static_cast<int32_t>(value);
  else
    made.f32 = static_cast<float>(value);
  return made;
}

uint32_t alignmentOf(const void *pointer) {
  auto address = reinterpret_cast<uintptr_t>(pointer);
  if (!address)
    return loadAlignment;
  return static_cast<uint32_t>(
      std::min<uintptr_t>(address & (~address + 1), maxAlignment));
}

/// A step in cuBLASLt's words. Left and right are its own A and B.
struct Problem {
  cublasLtMatmulDescOpaque_t product;
  cublasLtMatrixLayoutOpaque_t left, right, c, d;
  Scalar alpha, beta;
};

cublasStatus_t describe(const CublasLtApi &api, const kcl_matrix &matrix,
                        int64_t rows, int64_t columns, int64_t batch,
                        cublasLtMatrixLayoutOpaque_t &layout) {
  const ElementRow *element =
      find(elementRows, &ElementRow::element, matrix.element);
  if (!element)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (matrix.transposed)
    std::swap(rows, columns);
  cublasStatus_t status = api.cublasLtMatrixLayoutInit_internal(
      &layout, sizeof layout, element->type, static_cast<uint64_t>(columns),
      static_cast<uint64_t>(rows), matrix.ld);
  if (status != CUBLAS_STATUS_SUCCESS || batch == 1)
    return status;
  auto count = static_cast<int32_t>(batch);
  status = api.cublasLtMatrixLayoutSetAttribute(
      &layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  return api.cublasLtMatrixLayoutSetAttribute(
      &layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
      &matrix.batch_stride, sizeof matrix.batch_stride);
}

cublasStatus_t describe(const CublasLtApi &api, const kcl_matmul_step &step,
                        Problem &problem) {
  const ComputeRow *compute =
      find(computeRows, &ComputeRow::compute, step.compute);
  const EpilogueRow *epilogue =
      find(epilogueRows, &EpilogueRow::epilogue, step.epilogue);
  if (!compute || !epilogue || step.batch > INT32_MAX)
    return CUBLAS_STATUS_INVALID_VALUE;
  problem.alpha = scalar(step.alpha, compute->scale);
  problem.beta = scalar(step.beta, compute->scale);
  cublasStatus_t status = api.cublasLtMatmulDescInit_internal(
      &problem.product, sizeof problem.product, compute->type, compute->scale);
  auto set = [&](cublasLtMatmulDescAttributes_t name, const auto &value) {
    if (status == CUBLAS_STATUS_SUCCESS)
      status = api.cublasLtMatmulDescSetAttribute(&problem.product, name,
                                                  &value, sizeof value);
  };
  set(CUBLASLT_MATMUL_DESC_TRANSA,
      step.b.transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
  set(CUBLASLT_MATMUL_DESC_TRANSB,
      step.a.transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
  if (step.epilogue != KCL_EPILOGUE_NONE)
    set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue->type);
  if (epilogue->bias)
    set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, step.bias);
  const kcl_matrix &c = step.beta != 0 ? step.c : step.d;
  auto layout = [&](const kcl_matrix &matrix, int64_t rows, int64_t columns,
                    cublasLtMatrixLayoutOpaque_t &to) {
    if (status == CUBLAS_STATUS_SUCCESS)
      status = describe(api, matrix, rows, columns, step.batch, to);
  };
  layout(step.b, step.k, step.n, problem.left);
  layout(step.a, step.m, step.k, problem.right);
  layout(c, step.m, step.n, problem.c);
  layout(step.d, step.m, step.n, problem.d);
  return status;
}

std::unexpected<Error> failed(const CublasLtApi &api, cublasStatus_t status,
                              const kcl_matmul_step &step,
                              const std::string &what) {
  return makeError(Error::Code::Unavailable,
                   what + " (m=" + std::to_string(step.m) +
                       ", n=" + std::to_string(step.n) +
                       ", k=" + std::to_string(step.k) +
                       ", batch=" + std::to_string(step.batch) +
                       "): " + api.cublasLtGetStatusString(status));
}

using Heuristics = std::vector<cublasLtMatmulHeuristicResult_t>;

/// What the library offers for this step, best first by its own estimate. Null
/// pointers count as aligned to 16.
Expected<Heuristics> heuristics(const CublasLtApi &api,
                                const kcl_matmul_step &step, int asked) {
  Problem problem;
  cublasStatus_t status = describe(api, step, problem);
  cublasLtMatmulPreferenceOpaque_t preference;
  if (status == CUBLAS_STATUS_SUCCESS)
    status = api.cublasLtMatmulPreferenceInit_internal(&preference,
                                                       sizeof preference);
  auto set = [&](cublasLtMatmulPreferenceAttributes_t name, const auto &value) {
    if (status == CUBLAS_STATUS_SUCCESS)
      status = api.cublasLtMatmulPreferenceSetAttribute(&preference, name,
                                                        &value, sizeof value);
  };
  const void *c = step.beta != 0 ? step.c.data : step.d.data;
  set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, step.workspace_bytes);
  set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignmentOf(step.b.data));
  set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignmentOf(step.a.data));
  set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignmentOf(c));
  set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignmentOf(step.d.data));
  // Sums of parts of k are added up in f32, never in D's 16 bits.
  bool narrow = step.d.element == KCL_F16 || step.d.element == KCL_BF16;
  uint32_t reductions = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
  if (narrow)
    set(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, reductions);
  if (status != CUBLAS_STATUS_SUCCESS)
    return failed(api, status, step, "describing a product to cuBLASLt");
  Heuristics found(static_cast<size_t>(asked));
  int count = 0;
  status = api.cublasLtMatmulAlgoGetHeuristic(
      static_cast<cublasLtHandle_t>(step.handle), &problem.product,
      &problem.left, &problem.right, &problem.c, &problem.d, &preference, asked,
      found.data(), &count);
  if (status != CUBLAS_STATUS_SUCCESS || count == 0)
    return failed(api, status, step, "cuBLASLt has no algorithm for a product");
  found.resize(static_cast<size_t>(count));
  std::erase_if(found, [](const cublasLtMatmulHeuristicResult_t &result) {
    return result.state != CUBLAS_STATUS_SUCCESS;
  });
  if (found.empty())
    return failed(api, CUBLAS_STATUS_NOT_SUPPORTED, step,
                  "cuBLASLt has no algorithm for a product");
  return found;
}

/// "66,20,1,0,0,0,36,0,0": the values that make an algorithm, in this order.
std::string algorithmText(const CublasLtApi &api,
                          const cublasLtMatmulAlgo_t &algorithm) {
  struct Part {
    cublasLtMatmulAlgoConfigAttributes_t name;
    size_t bytes;
  };
  constexpr Part parts[] = {
      {CUBLASLT_ALGO_CONFIG_ID, 4},
      {CUBLASLT_ALGO_CONFIG_TILE_ID, 4},
      {CUBLASLT_ALGO_CONFIG_SPLITK_NUM, 4},
      {CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, 4},
      {CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING, 4},
      {CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION, 4},
      {CUBLASLT_ALGO_CONFIG_STAGES_ID, 4},
      {CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID, 2},
      {CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, 2},
  };
  std::string text;
  for (const Part &part : parts) {
    uint32_t value = 0;
    size_t written = 0;
    (void)api.cublasLtMatmulAlgoConfigGetAttribute(
        &algorithm, part.name, &value, part.bytes, &written);
    text += (text.empty() ? "" : ",") + std::to_string(value);
  }
  return text;
}

cublasStatus_t multiply(const CublasLtApi &api, const kcl_matmul_step &step,
                        const cublasLtMatmulAlgo_t *algorithm, void *stream) {
  Problem problem;
  cublasStatus_t status = describe(api, step, problem);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  const void *c = step.beta != 0 ? step.c.data : step.d.data;
  return api.cublasLtMatmul(
      static_cast<cublasLtHandle_t>(step.handle), &problem.product,
      &problem.alpha, step.b.data, &problem.left, step.a.data, &problem.right,
      &problem.beta, c, &problem.c, step.d.data, &problem.d, algorithm,
      step.workspace, step.workspace_bytes, static_cast<cudaStream_t>(stream));
}

HandlePool &pool() {
  static HandlePool handles;
  return handles;
}

std::string libraryText(const CublasLtApi &api) {
  return "cuBLASLt " + std::to_string(api.version);
}

bool isAligned(const kcl_matmul_step &step) {
  const void *c = step.beta != 0 ? step.c.data : step.d.data;
  auto all = reinterpret_cast<uintptr_t>(step.a.data) |
             reinterpret_cast<uintptr_t>(step.b.data) |
             reinterpret_cast<uintptr_t>(c) |
             reinterpret_cast<uintptr_t>(step.d.data);
  return all % loadAlignment == 0;
}

} // namespace

Expected<std::string> matmulLibrary() {
  const Expected<CublasLtApi> &api = CublasLtApi::get();
  if (!api)
    return std::unexpected(api.error());
  return libraryText(*api);
}

Expected<void> loadMatmul(const kcl_matmul_step *step,
                          const std::string &choice, void **handle,
                          const void **algorithm) {
  const Expected<CublasLtApi> &api = CublasLtApi::get();
  if (!api)
    return std::unexpected(api.error());
  CUcontext context = nullptr;
  (void)DriverApi::get()->cuCtxGetCurrent(&context);
  Expected<SharedHandle *> shared =
      pool().acquire(context, [&]() -> Expected<void *> {
        cublasLtHandle_t made = nullptr;
        cublasStatus_t status = api->cublasLtCreate(&made);
        if (status == CUBLAS_STATUS_SUCCESS)
          return static_cast<void *>(made);
        return makeError(Error::Code::Unavailable,
                         std::string("creating a handle of cuBLASLt: ") +
                             api->cublasLtGetStatusString(status));
      });
  if (!shared)
    return std::unexpected(shared.error());
  *handle = (*shared)->handle;
  *algorithm = nullptr;
  if (!step)
    return {};
  kcl_matmul_step sizes = *step;
  sizes.handle = *handle;
  sizes.a.data = sizes.b.data = sizes.c.data = sizes.d.data = nullptr;
  // Only whether there is a bias counts, and how it is aligned.
  sizes.bias = reinterpret_cast<const void *>(uintptr_t{maxAlignment});
  Expected<Heuristics> found = heuristics(*api, sizes, heuristicsAsked);
  if (!found) {
    unloadMatmul(*handle, nullptr);
    *handle = nullptr;
    return std::unexpected(found.error());
  }
  const cublasLtMatmulAlgo_t *taken = &found->front().algo;
  std::string wanted = algorithmOf(choice);
  for (const cublasLtMatmulHeuristicResult_t &result : *found)
    if (algorithmText(*api, result.algo) == wanted)
      taken = &result.algo;
  *algorithm = new cublasLtMatmulAlgo_t(*taken);
  return {};
}

void unloadMatmul(void *handle, const void *algorithm) {
  const Expected<CublasLtApi> &api = CublasLtApi::get();
  delete static_cast<const cublasLtMatmulAlgo_t *>(algorithm);
  if (api)
    pool().release(handle, [&](void *unused) {
      (void)api->cublasLtDestroy(static_cast<cublasLtHandle_t>(unused));
    });
}

Expected<void> enqueueMatmul(const kcl_matmul_step &step, void *stream) {
  const CublasLtApi &api = *CublasLtApi::get();
  auto *algorithm = static_cast<const cublasLtMatmulAlgo_t *>(step.algorithm);
  Heuristics own;
  // Sizes or addresses that load did not know: the library's first choice.
  if (!algorithm || !isAligned(step)) {
    Expected<Heuristics> found = heuristics(api, step, 1);
    if (!found)
      return std::unexpected(found.error());
    own = std::move(*found);
    algorithm = &own.front().algo;
  }
  cublasStatus_t status = multiply(api, step, algorithm, stream);
  if (status != CUBLAS_STATUS_SUCCESS)
    return failed(api, status, step, "a product by cuBLASLt");
  return {};
}

Expected<TimedChoice> chooseMatmul(const kcl_matmul_step &step, void *stream,
                                   const Stopwatch &time) {
  const CublasLtApi &api = *CublasLtApi::get();
  Expected<Heuristics> found = heuristics(api, step, heuristicsAsked);
  if (!found)
    return std::unexpected(found.error());
  TimedChoice best;
  for (const cublasLtMatmulHeuristicResult_t &result : *found) {
    Expected<double> took = time([&]() -> Expected<void> {
      cublasStatus_t status = multiply(api, step, &result.algo, stream);
      if (status != CUBLAS_STATUS_SUCCESS)
        return failed(api, status, step, "a product by cuBLASLt");
      return {};
    });
    if (!took) // this one cannot; another will
      continue;
    if (best.choice.empty() || *took < best.microseconds)
      best = {choiceText(libraryText(api), algorithmText(api, result.algo)),
              *took, result.workspaceSize};
  }
  if (best.choice.empty())
    return failed(api, CUBLAS_STATUS_NOT_SUPPORTED, step,
                  "none of cuBLASLt's algorithms runs for a product");
  return best;
}

} // namespace kclaw
