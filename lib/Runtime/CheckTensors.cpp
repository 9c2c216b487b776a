//===- CheckTensors.cpp - A call against what its entry declares ----------===//
//
// One pass over the tensors; the text is only built when something is wrong.
//
//===----------------------------------------------------------------------===//
#include "CallText.h"
#include "kernelclaw/Runtime/kcl_entry.h"
#include "kernelclaw/Support/DType.h"

#include <algorithm>
#include <array>
#include <vector>

using namespace kclaw;

namespace {

/// One tensor of a call and its place in it.
struct Place {
  const char *what; ///< "argument" or "result"
  int32_t index;
  const kcl_value_info &info;
  const DLTensor *tensor;

  std::string name() const {
    std::string text = std::string(what) + " " + std::to_string(index);
    // Default names say no more than the position does.
    std::string known = info.name ? info.name : "";
    bool isDefault =
        known == (what[0] == 'a' ? "arg" : "res") + std::to_string(index);
    return known.empty() || isDefault ? text : text + " '" + known + "'";
  }
};

/// Sizes of symbols as the arguments give them; -1: not seen yet.
class Symbols {
public:
  Symbols(const kcl_entry_info *info, int32_t count)
      : info(info), many(count > 16 ? count : 0, -1) {
    few.fill(-1);
  }
  int64_t &operator[](int64_t symbol) {
    return many.empty() ? few[symbol] : many[symbol];
  }
  /// The argument dimension that gave the size.
  std::string source(int64_t symbol) const;

private:
  const kcl_entry_info *info;
  std::array<int64_t, 16> few;
  std::vector<int64_t> many;
};

} // namespace

std::string Symbols::source(int64_t symbol) const {
  for (int32_t i = 0; i < info->num_args; ++i)
    for (int32_t dim = 0; dim < info->args[i].ndim; ++dim)
      if (info->args[i].shape[dim] == -1 - symbol)
        return "dimension " + std::to_string(dim) + " of " +
               Place{"argument", i, info->args[i], nullptr}.name();
  return "the results";
}

static std::string shapeText(const int64_t *shape, int32_t ndim) {
  std::string text = "[";
  for (int32_t dim = 0; dim < ndim; ++dim)
    text += (dim ? "," : "") +
            (shape[dim] < 0 ? std::string("?") : std::to_string(shape[dim]));
  return text + "]";
}

static std::string dtypeText(DLDataType dtype) {
  for (const DTypeInfo &row : dtypeTable)
    if (row.dlpackCode == dtype.code && row.sizeBytes * 8 == dtype.bits &&
        dtype.lanes == 1)
      return std::string(row.name);
  return "DLDataType{" + std::to_string(dtype.code) + "," +
         std::to_string(dtype.bits) + "," + std::to_string(dtype.lanes) + "}";
}

static const char *deviceText(int32_t device) {
  switch (device) {
  case kDLCPU:
    return "the CPU";
  case kDLCUDA:
    return "a CUDA device";
  case kDLCUDAHost:
    return "pinned host memory";
  default:
    return "another kind of device";
  }
}

static int32_t invalid(const std::string &text, kcl_call *call) {
  return failCall(KCL_INVALID_ARGUMENT, text, call);
}

/// What to do where PyTorch might repeat an argument.
static const char *repeatText(const Place &place, int64_t known, int64_t size) {
  return place.what[0] == 'a' && (known == 1 || size == 1)
             ? "; a dynamic size of 1 is not repeated: export it as a static 1"
             : "";
}

static int32_t checkShape(const Place &place, Symbols &symbols,
                          kcl_call *call) {
  const DLTensor &tensor = *place.tensor;
  bool fits = tensor.ndim == place.info.ndim;
  for (int32_t dim = 0; fits && dim < tensor.ndim; ++dim) {
    int64_t expected = place.info.shape[dim];
    if (expected >= 0) {
      fits = tensor.shape[dim] == expected;
      continue;
    }
    int64_t &known = symbols[-1 - expected];
    if (known < 0)
      known = tensor.shape[dim];
    if (tensor.shape[dim] < 0)
      return invalid(place.name() + " has size " +
                         std::to_string(tensor.shape[dim]) + " in dimension " +
                         std::to_string(dim) + "; a size is not negative",
                     call);
    if (known != tensor.shape[dim])
      return invalid(place.name() + " has size " +
                         std::to_string(tensor.shape[dim]) + " in dimension " +
                         std::to_string(dim) + "; it must equal " +
                         std::to_string(known) + ", the size of " +
                         symbols.source(-1 - expected) +
                         repeatText(place, known, tensor.shape[dim]),
                     call);
  }
  if (fits)
    return KCL_OK;
  return invalid(place.name() + " has shape " +
                     shapeText(tensor.shape, tensor.ndim) + ", " +
                     shapeText(place.info.shape, place.info.ndim) + " expected",
                 call);
}

/// Row-major without gaps; strides of sizes 1 do not matter.
static bool isContiguous(const DLTensor &tensor) {
  if (!tensor.strides)
    return true;
  int64_t stride = 1;
  for (int32_t dim = tensor.ndim; dim-- > 0;) {
    if (tensor.shape[dim] == 0)
      return true;
    if (tensor.shape[dim] != 1 && tensor.strides[dim] != stride)
      return false;
    stride *= tensor.shape[dim];
  }
  return true;
}

static bool isEmpty(const DLTensor &tensor) {
  for (int32_t dim = 0; dim < tensor.ndim; ++dim)
    if (tensor.shape[dim] == 0)
      return true;
  return false;
}

static int32_t checkMemory(const Place &place, int32_t device, kcl_call *call) {
  const DLTensor &tensor = *place.tensor;
  if (!isContiguous(tensor))
    return invalid(place.name() + " has strides " +
                       shapeText(tensor.strides, tensor.ndim) +
                       "; a contiguous row-major tensor expected",
                   call);
  if (isEmpty(tensor))
    return KCL_OK;
  if (!tensor.data)
    return invalid(place.name() + " has no data (a null pointer)", call);
  if (place.info.kind != KCL_TENSOR)
    device = kDLCPU;
  if (tensor.device.device_type != device)
    return invalid(place.name() + " is on " +
                       deviceText(tensor.device.device_type) + ", " +
                       deviceText(device) + " expected",
                   call);
  uint64_t address = reinterpret_cast<uintptr_t>(tensor.data);
  if (place.info.alignment &&
      (address + tensor.byte_offset) % place.info.alignment != 0)
    return invalid(place.name() + " is not aligned to " +
                       std::to_string(place.info.alignment) + " bytes",
                   call);
  return KCL_OK;
}

static int32_t checkTensor(const Place &place, int32_t device, Symbols &symbols,
                           kcl_call *call) {
  if (!place.tensor)
    return invalid(place.name() + " is missing (a null pointer)", call);
  DLDataType got = place.tensor->dtype, expected = place.info.dtype;
  if (got.code != expected.code || got.bits != expected.bits ||
      got.lanes != expected.lanes)
    return invalid(place.name() + " has dtype " + dtypeText(got) + ", " +
                       dtypeText(expected) + " expected",
                   call);
  if (place.tensor->ndim > 0 && !place.tensor->shape)
    return invalid(place.name() + " has no shape (a null pointer)", call);
  if (int32_t status = checkShape(place, symbols, call))
    return status;
  return checkMemory(place, device, call);
}

static int32_t checkList(const char *what, int32_t count,
                         const kcl_value_info *infos, DLTensor *const *tensors,
                         int32_t device, Symbols &symbols, kcl_call *call) {
  if (count > 0 && !tensors)
    return invalid("no " + std::string(what) + "s given, " +
                       std::to_string(count) + " expected",
                   call);
  for (int32_t i = 0; i < count; ++i)
    if (int32_t status =
            checkTensor({what, i, infos[i], tensors[i]}, device, symbols, call))
      return status;
  return KCL_OK;
}

int32_t kclCheckTensors(const kcl_entry_info *info, DLTensor *const *args,
                        DLTensor *const *results, kcl_call *call) {
  if (!call)
    return KCL_INVALID_ARGUMENT;
  if (call->abi_version != KCL_ABI_VERSION)
    return invalid("call has ABI version " + std::to_string(call->abi_version) +
                       ", " + std::to_string(KCL_ABI_VERSION) +
                       " expected; set kcl_call.abi_version",
                   call);
  call->regions_won = call->regions_stock = 0;
  call->error[0] = '\0';
  Symbols symbols(info, info->num_symbols);
  if (int32_t status = checkList("argument", info->num_args, info->args, args,
                                 info->device_type, symbols, call))
    return status;
  // Null results: the caller asks about arguments only (NAME_workspace).
  if (!results)
    return KCL_OK;
  return checkList("result", info->num_results, info->results, results,
                   info->device_type, symbols, call);
}

int32_t kclCheckResultSizes(const kcl_entry_info *info,
                            DLTensor *const *results, const int64_t *sizes,
                            kcl_call *call) {
  for (int32_t i = 0; i < info->num_results; ++i)
    for (int32_t dim = 0; dim < info->results[i].ndim; ++dim) {
      if (info->results[i].shape[dim] >= 0)
        continue;
      int64_t expected = *sizes++;
      if (results[i]->shape[dim] != expected)
        return invalid("result " + std::to_string(i) + " has size " +
                           std::to_string(results[i]->shape[dim]) +
                           " in dimension " + std::to_string(dim) + ", " +
                           std::to_string(expected) + " expected",
                       call);
    }
  return KCL_OK;
}

int32_t kclCheckSizes(const char *text, const kcl_entry_info *info,
                      DLTensor *const *args, const int64_t *sizes,
                      int32_t count, kcl_call *call) {
  if (std::find(sizes, sizes + count, INT64_MAX) == sizes + count)
    return KCL_OK;
  std::string error = text;
  for (int32_t i = 0; i < info->num_args; ++i)
    error += (i ? ", " : " with arguments of shape ") +
             shapeText(args[i]->shape, args[i]->ndim);
  return invalid(error, call);
}

/// Memory that the caller brings, of at least `bytes`, 256-aligned.
static int32_t checkBrought(const char *what, const void *memory, uint64_t held,
                            uint64_t needed, kcl_call *call) {
  if (needed == 0)
    return KCL_OK;
  if (!memory || held < needed)
    return failCall(KCL_NO_MEMORY,
                    std::string(what) + " has " +
                        std::to_string(memory ? held : 0) + " bytes, " +
                        std::to_string(needed) + " needed; ask NAME_" + what,
                    call);
  if (reinterpret_cast<uintptr_t>(memory) % 256 != 0)
    return invalid(std::string(what) + " is not aligned to 256 bytes", call);
  return KCL_OK;
}

int32_t kclCheckWorkspace(uint64_t bytes, kcl_call *call) {
  return checkBrought("workspace", call->workspace, call->workspace_bytes,
                      bytes, call);
}

int32_t kclCheckPersistent(uint64_t bytes, kcl_call *call) {
  return checkBrought("persistent", call->persistent, call->persistent_bytes,
                      bytes, call);
}

int32_t kclCheckPrepared(uint64_t bytes, kcl_call *call) {
  return call->persistent ? kclCheckPersistent(bytes, call) : KCL_OK;
}
