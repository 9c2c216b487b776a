//===- Call.cpp - Calls an entry with arrays ------------------------------===//
//
// DLTensors live in one vector each for arguments and results; both are sized
// before addresses are taken.
//
//===----------------------------------------------------------------------===//
#include "Call.h"

#include <optional>

namespace kclaw {
namespace {

/// DLTensors over memory that somebody else owns.
struct TensorList {
  std::vector<std::vector<int64_t>> shapes;
  std::vector<DLTensor> tensors;
  std::vector<DLTensor *> pointers;

  void add(void *data, int32_t device, DType dtype,
           std::vector<int64_t> shape) {
    const DTypeInfo &row = info(dtype);
    shapes.push_back(std::move(shape));
    tensors.push_back(
        {.data = data,
         .device = {static_cast<DLDeviceType>(device), 0},
         .ndim = static_cast<int32_t>(shapes.back().size()),
         .dtype = {row.dlpackCode, static_cast<uint8_t>(row.sizeBytes * 8), 1},
         .shape = nullptr,
         .strides = nullptr,
         .byte_offset = 0});
  }
  DLTensor *const *list() {
    pointers.clear();
    for (size_t i = 0; i < tensors.size(); ++i) {
      tensors[i].shape = shapes[i].data();
      pointers.push_back(&tensors[i]);
    }
    return pointers.data();
  }
};

class Caller {
public:
  Caller(const EntryFunctions &entry, DeviceBuffers &buffers)
      : entry(entry), buffers(buffers), host(makeHostBuffers()) {
    call.abi_version = KCL_ABI_VERSION;
    call.stream = buffers.stream();
  }

  Expected<void> placeArguments(const std::vector<Array> &arguments);
  /// Fresh memory each time.
  Expected<void> placeResults();
  Expected<void> placeWorkspace();
  Expected<void> load();
  /// Fills the prepared buffers, which the caller keeps, from the arguments.
  Expected<void> prepare();
  Expected<void> run();
  Expected<std::vector<Array>> fetchResults();

  kcl_call call = {};

private:
  Expected<void> check(int32_t status, const std::string &what);
  /// Scalars live on the host, tensors on the entry's device.
  std::pair<DeviceBuffers *, int32_t> home(const kcl_value_info &value);

  const EntryFunctions &entry;
  DeviceBuffers &buffers;
  std::unique_ptr<DeviceBuffers> host;
  TensorList arguments, results;
};

} // namespace

static std::optional<DType> dtypeOf(DLDataType dtype) {
  for (const DTypeInfo &row : dtypeTable)
    if (row.dlpackCode == dtype.code && row.sizeBytes * 8 == dtype.bits)
      return row.type;
  return std::nullopt;
}

Expected<void> Caller::check(int32_t status, const std::string &what) {
  if (status == KCL_OK)
    return {};
  return makeError(status == KCL_UNAVAILABLE ? Error::Code::Unavailable
                                             : Error::Code::Invalid,
                   what + " failed: " + call.error);
}

std::pair<DeviceBuffers *, int32_t> Caller::home(const kcl_value_info &value) {
  if (value.kind != KCL_TENSOR)
    return {host.get(), kDLCPU};
  return {&buffers, entry.info->device_type};
}

Expected<void> Caller::placeArguments(const std::vector<Array> &arrays) {
  if (static_cast<int32_t>(arrays.size()) != entry.info->num_args)
    return makeError(Error::Code::Invalid,
                     std::to_string(arrays.size()) + " arguments given, " +
                         std::to_string(entry.info->num_args) + " expected");
  for (size_t i = 0; i < arrays.size(); ++i) {
    auto [place, device] = home(entry.info->args[i]);
    Expected<void *> memory =
        place->place(arrays[i].bytes.data(), arrays[i].bytes.size());
    if (!memory)
      return std::unexpected(
          memory.error().context("argument " + std::to_string(i)));
    arguments.add(*memory, device, arrays[i].dtype, arrays[i].shape);
  }
  return {};
}

Expected<void> Caller::placeResults() {
  results = {};
  std::vector<int64_t> sizes;
  for (int32_t i = 0; i < entry.info->num_results; ++i)
    for (int32_t dim = 0; dim < entry.info->results[i].ndim; ++dim)
      if (entry.info->results[i].shape[dim] < 0)
        sizes.push_back(0);
  if (!sizes.empty())
    if (auto known = check(entry.shapes(arguments.list(), sizes.data(), &call),
                           entry.name + "_shapes");
        !known)
      return known;

  size_t next = 0;
  for (int32_t i = 0; i < entry.info->num_results; ++i) {
    const kcl_value_info &value = entry.info->results[i];
    std::optional<DType> dtype = dtypeOf(value.dtype);
    if (!dtype)
      return makeError(Error::Code::Invalid,
                       "result " + std::to_string(i) + " has no known dtype");
    std::vector<int64_t> shape;
    for (int32_t dim = 0; dim < value.ndim; ++dim)
      shape.push_back(value.shape[dim] < 0 ? sizes[next++] : value.shape[dim]);
    auto [place, device] = home(value);
    Expected<uint64_t> bytes = arrayBytes(*dtype, shape);
    if (!bytes)
      return std::unexpected(
          bytes.error().context("result " + std::to_string(i)));
    Expected<void *> memory = place->place(nullptr, *bytes);
    if (!memory)
      return std::unexpected(memory.error().context(
          "result " + std::to_string(i) + ", " + describe(*dtype, shape)));
    results.add(*memory, device, *dtype, shape);
  }
  return {};
}

Expected<void> Caller::placeWorkspace() {
  uint64_t bytes = 0;
  if (auto known = check(entry.workspace(arguments.list(), &bytes, &call),
                         entry.name + "_workspace");
      !known)
    return known;
  Expected<void *> memory = buffers.place(nullptr, bytes);
  if (!memory)
    return std::unexpected(memory.error().context("workspace"));
  call.workspace = *memory;
  call.workspace_bytes = bytes;
  return {};
}

Expected<void> Caller::load() {
  return check(entry.load(&call), entry.name + "_load");
}

Expected<void> Caller::prepare() {
  uint64_t bytes = 0;
  if (auto known = check(entry.persistent(arguments.list(), &bytes, &call),
                         entry.name + "_persistent");
      !known)
    return known;
  if (bytes > 0) {
    Expected<void *> memory = buffers.place(nullptr, bytes);
    if (!memory)
      return std::unexpected(memory.error().context("prepared buffers"));
    call.persistent = *memory;
    call.persistent_bytes = bytes;
  }
  return check(entry.prepare(arguments.list(), &call), entry.name + "_prepare");
}

Expected<void> Caller::run() {
  return check(entry.run(arguments.list(), results.list(), &call), entry.name);
}

Expected<std::vector<Array>> Caller::fetchResults() {
  std::vector<Array> arrays;
  for (int32_t i = 0; i < entry.info->num_results; ++i) {
    Array array{.dtype = *dtypeOf(entry.info->results[i].dtype),
                .shape = results.shapes[i],
                .bytes = {}};
    try {
      array.bytes.resize(array.count() * info(array.dtype).sizeBytes);
    } catch (const std::bad_alloc &) {
      return makeError(Error::Code::Budget,
                       "result " + std::to_string(i) + ": no host memory for " +
                           describe(array.dtype, array.shape));
    }
    auto [place, device] = home(entry.info->results[i]);
    if (auto done = place->fetch(array.bytes.data(), results.tensors[i].data,
                                 array.bytes.size());
        !done)
      return std::unexpected(
          done.error().context("result " + std::to_string(i)));
    arrays.push_back(std::move(array));
  }
  return arrays;
}

/// Milliseconds of `repeat` calls, one at a time.
static Expected<std::vector<double>>
timeCalls(DeviceBuffers &buffers, int repeat,
          const std::function<Expected<void>()> &call) {
  std::vector<double> milliseconds;
  for (int i = 0; i < repeat; ++i) {
    Expected<double> time = buffers.time(call);
    if (!time)
      return std::unexpected(time.error());
    milliseconds.push_back(*time);
  }
  return milliseconds;
}

/// Captures a call on fresh results, so that they can only come from the graph,
/// which is launched once and then timed.
static Expected<void> callAsGraph(Caller &caller, DeviceBuffers &buffers,
                                  int repeat, CallOutcome &outcome) {
  if (auto placed = caller.placeResults(); !placed)
    return placed;
  auto launch = buffers.capture([&] { return caller.run(); });
  if (!launch)
    return std::unexpected(launch.error());
  if (auto launched = (*launch)(); !launched)
    return launched;
  Expected<std::vector<Array>> results = caller.fetchResults();
  if (!results)
    return std::unexpected(results.error());
  outcome.graph = GraphOutcome{};
  for (size_t i = 0; i < results->size(); ++i)
    outcome.graph->same &= (*results)[i].bytes == outcome.results[i].bytes;
  outcome.results = std::move(*results);
  Expected<std::vector<double>> times = timeCalls(buffers, repeat, *launch);
  if (!times)
    return std::unexpected(times.error());
  outcome.graph->milliseconds = std::move(*times);
  return {};
}

static Expected<CallOutcome> callLoaded(Caller &caller, DeviceBuffers &buffers,
                                        const CallOptions &options) {
  Expected<void> done = caller.prepare();
  if (done)
    done = caller.run();
  if (!done)
    return std::unexpected(done.error());
  CallOutcome outcome;
  outcome.regionsWon = caller.call.regions_won;
  outcome.regionsStock = caller.call.regions_stock;
  outcome.workspaceBytes = caller.call.workspace_bytes;
  outcome.persistentBytes = caller.call.persistent_bytes;
  Expected<std::vector<Array>> results = caller.fetchResults();
  if (!results)
    return std::unexpected(results.error());
  outcome.results = std::move(*results);
  Expected<std::vector<double>> times =
      timeCalls(buffers, options.repeat, [&] { return caller.run(); });
  if (!times)
    return std::unexpected(times.error());
  outcome.milliseconds = std::move(*times);
  if (options.graph)
    if (auto graph = callAsGraph(caller, buffers, options.repeat, outcome);
        !graph)
      return std::unexpected(graph.error());
  return outcome;
}

Expected<CallOutcome> callEntry(const EntryFunctions &entry,
                                DeviceBuffers &buffers,
                                const std::vector<Array> &arguments,
                                const CallOptions &options) {
  Caller caller(entry, buffers);
  Expected<void> done = caller.placeArguments(arguments);
  if (done)
    done = caller.placeResults();
  if (done)
    done = caller.placeWorkspace();
  if (done)
    done = caller.load();
  if (!done)
    return std::unexpected(done.error());
  Expected<CallOutcome> outcome = callLoaded(caller, buffers, options);
  entry.unload(&caller.call);
  return outcome;
}

} // namespace kclaw
