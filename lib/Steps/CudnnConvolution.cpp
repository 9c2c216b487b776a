//===- CudnnConvolution.cpp - Convolution steps by cuDNN ------------------===//
//
// A step is a graph of cudnn-frontend: the convolution (transposed: the
// gradient by the input), and the bias where cuDNN has a kernel for both. Else
// the bias is added by cudnnAddTensor behind it. A plan is built for the sizes
// of the step at load time.
//
// An algorithm's name is "bias+" (where the bias is inside) and the name that
// cuDNN's engine configuration has. cuDNN's handle knows one stream at a time:
// calls take its lock, which is held for the enqueueing only.
//
//===----------------------------------------------------------------------===//
#include "CallError.h"
#include "HandlePool.h"
#include "LibraryBackends.h"
#include "kernelclaw/CudaLibs/CudnnFrontend.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <vector>

namespace fe = cudnn_frontend;

namespace kclaw {
namespace {

constexpr int64_t plansTried = 12;
constexpr double choosingSeconds = 4;
constexpr const char *insidePrefix = "bias+";

enum Uid : int64_t { InputUid = 1, WeightUid, BiasUid, OutputUid };

using Dims = std::vector<int64_t>;

/// One spatial dim is two to cuDNN, the first of size 1.
struct Shape {
  Dims input, weight, output, bias;
  Dims stride, dilation, padBefore, padAfter;

  explicit Shape(const kcl_convolution_step &s) {
    bool flat = s.spatial == 1;
    auto spatial = [&](const int64_t *sizes, int64_t filler) {
      Dims dims(flat ? 1 : 0, filler);
      dims.insert(dims.end(), sizes, sizes + s.spatial);
      return dims;
    };
    auto tensor = [&](int64_t first, int64_t second, const int64_t *sizes) {
      Dims dims = {first, second};
      Dims rest = spatial(sizes, 1);
      dims.insert(dims.end(), rest.begin(), rest.end());
      return dims;
    };
    input = tensor(s.batch, s.in_channels, s.in);
    output = tensor(s.batch, s.out_channels, s.out);
    weight = s.transposed
                 ? tensor(s.in_channels, s.out_channels / s.groups, s.kernel)
                 : tensor(s.out_channels, s.in_channels / s.groups, s.kernel);
    bias = Dims(input.size(), 1);
    bias[1] = s.out_channels;
    stride = spatial(s.stride, 1);
    dilation = spatial(s.dilation, 1);
    padBefore = spatial(s.pad_before, 0);
    padAfter = spatial(s.pad_after, 0);
  }
};

/// Of a dense tensor of these dims, channels (dim 1) innermost if last.
Dims stridesOf(const Dims &dims, bool channelsLast) {
  Dims strides(dims.size());
  int64_t next = 1;
  if (channelsLast) {
    strides[1] = 1;
    next = dims[1];
  }
  for (size_t i = dims.size(); i-- > 0;) {
    if (channelsLast && i == 1)
      continue;
    strides[i] = next;
    next *= dims[i];
  }
  return strides;
}

struct ElementRow {
  int32_t element;
  fe::DataType_t type;
  cudnnDataType_t legacy;
};
constexpr ElementRow elementRows[] = {
    {KCL_F64, fe::DataType_t::DOUBLE, CUDNN_DATA_DOUBLE},
    {KCL_F32, fe::DataType_t::FLOAT, CUDNN_DATA_FLOAT},
    {KCL_F16, fe::DataType_t::HALF, CUDNN_DATA_HALF},
    {KCL_BF16, fe::DataType_t::BFLOAT16, CUDNN_DATA_BFLOAT16},
};

Expected<ElementRow> rowOf(const kcl_convolution_step &step) {
  for (const ElementRow &row : elementRows)
    if (row.element == step.element)
      return row;
  return makeError(Error::Code::Invalid,
                   "cuDNN convolutions here are f64, f32, f16 or bf16");
}

Expected<void> check(const fe::error_t &status, const std::string &what) {
  if (status.is_good())
    return {};
  return makeError(Error::Code::Unavailable,
                   what + " by cuDNN: " + status.err_msg);
}

using Graph = fe::graph::Graph;
using Tensor = std::shared_ptr<fe::graph::Tensor_attributes>;

/// The convolution's node between input and weight.
Tensor convolve(Graph &graph, const kcl_convolution_step &step,
                const Shape &shape, const Tensor &input, const Tensor &weight) {
  auto filled = [&](auto attributes) {
    attributes.set_pre_padding(shape.padBefore)
        .set_post_padding(shape.padAfter)
        .set_stride(shape.stride)
        .set_dilation(shape.dilation);
    return attributes;
  };
  if (step.transposed)
    return graph.conv_dgrad(input, weight,
                            filled(fe::graph::Conv_dgrad_attributes()));
  return graph.conv_fprop(input, weight,
                          filled(fe::graph::Conv_fprop_attributes()));
}

/// What cuDNN may not do: operands of fewer bits than declared, sums of fewer
/// than f32, and Winograd's largest tile, whose errors grow.
std::vector<fe::NumericalNote_t> refusedNotes(const kcl_convolution_step &s) {
  std::vector<fe::NumericalNote_t> notes = {
      fe::NumericalNote_t::DOWN_CONVERT_INPUTS,
      fe::NumericalNote_t::REDUCED_PRECISION_REDUCTION,
      fe::NumericalNote_t::WINOGRAD_TILE_13x13};
  if (s.element == KCL_F32 && !s.tf32)
    notes.push_back(fe::NumericalNote_t::TENSOR_CORE);
  return notes;
}

/// A graph with its list of plans, none built yet.
Expected<std::shared_ptr<Graph>> makeGraph(const kcl_convolution_step &step,
                                           cudnnHandle_t handle,
                                           bool biasInside) {
  Expected<ElementRow> row = rowOf(step);
  if (!row)
    return std::unexpected(row.error());
  Shape shape(step);
  bool last = step.channels_last != 0;
  fe::DataType_t sums =
      step.element == KCL_F64 ? fe::DataType_t::DOUBLE : fe::DataType_t::FLOAT;
  auto graph = std::make_shared<Graph>();
  graph->set_io_data_type(row->type)
      .set_intermediate_data_type(sums)
      .set_compute_data_type(sums);
  auto tensor = [&](const char *name, Uid uid, const Dims &dims) {
    return graph->tensor(fe::graph::Tensor_attributes()
                             .set_name(name)
                             .set_uid(uid)
                             .set_dim(dims)
                             .set_stride(stridesOf(dims, last)));
  };
  Tensor input = tensor("input", InputUid, shape.input);
  Tensor weight = tensor("weight", WeightUid, shape.weight);
  Tensor result = convolve(*graph, step, shape, input, weight);
  if (biasInside) {
    // A gradient's shape is not implied by its operands.
    result->set_dim(shape.output).set_stride(stridesOf(shape.output, last));
    Tensor bias = tensor("bias", BiasUid, shape.bias);
    result = graph->pointwise(result, bias,
                              fe::graph::Pointwise_attributes()
                                  .set_mode(fe::PointwiseMode_t::ADD)
                                  .set_compute_data_type(sums));
  }
  result->set_output(true)
      .set_uid(OutputUid)
      .set_data_type(row->type)
      .set_dim(shape.output)
      .set_stride(stridesOf(shape.output, last));
  auto done = check(graph->validate(), "describing a convolution");
  if (done)
    done = check(graph->build_operation_graph(handle), "a convolution");
  if (done)
    done = check(graph->create_execution_plans(
                     {fe::HeurMode_t::A, fe::HeurMode_t::FALLBACK}),
                 "plans of a convolution");
  if (!done)
    return std::unexpected(done.error());
  graph->deselect_numeric_notes(refusedNotes(step))
      .deselect_workspace_greater_than(
          static_cast<int64_t>(step.workspace_bytes));
  return graph;
}

/// A bias behind the convolution.
class BiasAddition {
public:
  BiasAddition(const CudnnApi &api, const kcl_convolution_step &step,
               const ElementRow &row)
      : api(api), isDouble(step.element == KCL_F64) {
    Shape shape(step);
    bool last = step.channels_last != 0;
    bias = descriptor(row.legacy, shape.bias, last);
    output = descriptor(row.legacy, shape.output, last);
  }
  BiasAddition(const BiasAddition &) = delete;
  BiasAddition &operator=(const BiasAddition &) = delete;
  ~BiasAddition() {
    (void)api.cudnnDestroyTensorDescriptor(bias);
    (void)api.cudnnDestroyTensorDescriptor(output);
  }

  cudnnStatus_t enqueue(cudnnHandle_t handle,
                        const kcl_convolution_step &step) const {
    static constexpr float one = 1;
    static constexpr double wideOne = 1;
    const void *factor = isDouble ? static_cast<const void *>(&wideOne) : &one;
    return api.cudnnAddTensor(handle, factor, bias, step.bias, factor, output,
                              step.output);
  }

private:
  cudnnTensorDescriptor_t descriptor(cudnnDataType_t type, const Dims &dims,
                                     bool last) const {
    cudnnTensorDescriptor_t made = nullptr;
    std::vector<int> sizes(dims.begin(), dims.end());
    Dims wide = stridesOf(dims, last);
    std::vector<int> strides(wide.begin(), wide.end());
    (void)api.cudnnCreateTensorDescriptor(&made);
    (void)api.cudnnSetTensorNdDescriptor(made, type,
                                         static_cast<int>(sizes.size()),
                                         sizes.data(), strides.data());
    return made;
  }

  const CudnnApi &api;
  bool isDouble;
  cudnnTensorDescriptor_t bias = nullptr, output = nullptr;
};

/// What `plan` of a step points at.
struct BuiltPlan {
  SharedHandle *handle = nullptr;
  std::shared_ptr<Graph> graph;
  int64_t index = 0;
  std::string name;
  bool biasInside = false;
  std::optional<BiasAddition> addition;

  uint64_t workspaceBytes() const {
    return static_cast<uint64_t>(
        std::max<int64_t>(0, graph->get_workspace_size_plan_at_index(index)));
  }
  Expected<void> enqueue(const kcl_convolution_step &step, void *stream) const {
    const CudnnApi &api = *CudnnApi::get();
    auto *cudnn = static_cast<cudnnHandle_t>(handle->handle);
    std::unordered_map<int64_t, void *> tensors = {
        {InputUid, const_cast<void *>(step.input)},
        {WeightUid, const_cast<void *>(step.weight)},
        {OutputUid, step.output}};
    if (biasInside)
      tensors.emplace(BiasUid, const_cast<void *>(step.bias));
    std::lock_guard guard(handle->lock);
    cudnnStatus_t status =
        api.cudnnSetStream(cudnn, static_cast<cudaStream_t>(stream));
    if (status == CUDNN_STATUS_SUCCESS) {
      auto done = check(
          graph->execute_plan_at_index(cudnn, tensors, step.workspace, index),
          "a convolution");
      if (!done)
        return done;
      if (addition)
        status = addition->enqueue(cudnn, step);
    }
    if (status == CUDNN_STATUS_SUCCESS)
      return {};
    return makeError(Error::Code::Unavailable,
                     std::string("a convolution by cuDNN: ") +
                         api.cudnnGetErrorString(status));
  }
};

HandlePool &pool() {
  static HandlePool handles;
  return handles;
}

Expected<SharedHandle *> acquireHandle(const CudnnApi &api) {
  CUcontext context = nullptr;
  (void)DriverApi::get()->cuCtxGetCurrent(&context);
  giveToFrontend(api);
  return pool().acquire(context, [&]() -> Expected<void *> {
    cudnnHandle_t made = nullptr;
    cudnnStatus_t status = api.cudnnCreate(&made);
    if (status == CUDNN_STATUS_SUCCESS)
      return static_cast<void *>(made);
    return makeError(Error::Code::Unavailable,
                     std::string("creating a handle of cuDNN: ") +
                         api.cudnnGetErrorString(status));
  });
}

void releaseHandle(void *handle) {
  pool().release(handle, [](void *unused) {
    (void)CudnnApi::get()->cudnnDestroy(static_cast<cudnnHandle_t>(unused));
  });
}

/// Calls `visit` with each plan that can be built, the library's favourites
/// first and those with the bias inside before the others, until it says no.
/// The error is why there was none.
Expected<void>
forEachPlan(const kcl_convolution_step &step, SharedHandle *handle,
            const std::function<bool(std::unique_ptr<BuiltPlan>)> &visit,
            const std::string &only = "") {
  const CudnnApi &api = *CudnnApi::get();
  std::string why = "no plan fits";
  bool any = false;
  for (bool inside : {true, false}) {
    if (inside && !step.bias)
      continue;
    auto graph =
        makeGraph(step, static_cast<cudnnHandle_t>(handle->handle), inside);
    if (!graph) {
      why = graph.error().message;
      continue;
    }
    int64_t built = 0;
    for (int64_t i = 0;
         i < (*graph)->get_execution_plan_count() && built < plansTried; ++i) {
      std::string name;
      if ((*graph)->get_plan_name_at_index(i, name).is_bad())
        continue;
      name = (inside ? insidePrefix : "") + name;
      if (!only.empty() && name != only)
        continue;
      if (auto done = check((*graph)->build_plan_at_index(i), name); !done) {
        why = done.error().message;
        continue;
      }
      ++built;
      any = true;
      auto plan = std::make_unique<BuiltPlan>();
      plan->handle = handle;
      plan->graph = *graph;
      plan->index = i;
      plan->name = name;
      plan->biasInside = inside;
      if (step.bias && !inside)
        plan->addition.emplace(api, step, *rowOf(step));
      if (!visit(std::move(plan)))
        return {};
    }
  }
  if (any)
    return {};
  return makeError(Error::Code::Unavailable,
                   "cuDNN has no plan for a convolution: " + why);
}

/// Runs `body`, which calls the front end; what that throws is an error.
template <typename Body> auto caught(Body body) -> decltype(body()) {
  try {
    return body();
  } catch (const std::exception &thrown) {
    return makeError(Error::Code::Unavailable,
                     std::string("a convolution by cuDNN: ") + thrown.what());
  }
}

std::string libraryText(const CudnnApi &api) {
  return "cuDNN " + std::to_string(api.version);
}

} // namespace

Expected<std::string> convolutionLibrary() {
  const Expected<CudnnApi> &api = CudnnApi::get();
  if (!api)
    return std::unexpected(api.error());
  return libraryText(*api);
}

Expected<void> loadConvolution(const kcl_convolution_step &step,
                               const std::string &choice, void **handle,
                               const void **plan) {
  const Expected<CudnnApi> &api = CudnnApi::get();
  if (!api)
    return std::unexpected(api.error());
  Expected<SharedHandle *> shared = acquireHandle(*api);
  if (!shared)
    return std::unexpected(shared.error());
  std::unique_ptr<BuiltPlan> taken;
  auto first = [&](std::unique_ptr<BuiltPlan> built) {
    taken = std::move(built);
    return false;
  };
  Expected<void> done = caught([&]() -> Expected<void> {
    std::string wanted = algorithmOf(choice);
    if (!wanted.empty() && forEachPlan(step, *shared, first, wanted))
      return {};
    return forEachPlan(step, *shared, first);
  });
  if (!done || !taken) {
    releaseHandle((*shared)->handle);
    return done;
  }
  *handle = (*shared)->handle;
  *plan = taken.release();
  return {};
}

void unloadConvolution(void *handle, const void *plan) {
  delete static_cast<const BuiltPlan *>(plan);
  releaseHandle(handle);
}

Expected<void> enqueueConvolution(const kcl_convolution_step &step,
                                  void *stream) {
  return caught([&]() -> Expected<void> {
    return static_cast<const BuiltPlan *>(step.plan)->enqueue(step, stream);
  });
}

Expected<TimedChoice> chooseConvolution(const kcl_convolution_step &step,
                                        void *stream, const Stopwatch &time) {
  using Clock = std::chrono::steady_clock;
  const Expected<CudnnApi> &api = CudnnApi::get();
  TimedChoice best;
  Clock::time_point start = Clock::now();
  SharedHandle *handle = static_cast<const BuiltPlan *>(step.plan)->handle;
  Expected<void> done = caught([&]() -> Expected<void> {
    return forEachPlan(step, handle, [&](std::unique_ptr<BuiltPlan> plan) {
      Expected<double> took = time([&] { return plan->enqueue(step, stream); });
      if (took && (best.choice.empty() || *took < best.microseconds))
        best = {choiceText(libraryText(*api), plan->name), *took,
                plan->workspaceBytes()};
      std::chrono::duration<double> spent = Clock::now() - start;
      return spent.count() < choosingSeconds;
    });
  });
  if (!done)
    return std::unexpected(done.error());
  if (best.choice.empty())
    return makeError(Error::Code::Unavailable,
                     "none of cuDNN's plans runs for a convolution");
  return best;
}

} // namespace kclaw
