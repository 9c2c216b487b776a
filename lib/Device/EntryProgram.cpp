//===- EntryProgram.cpp - An entry of a lowered module, to be judged ------===//
#include "EntryProgram.h"

namespace kclaw {

static DLDataType dlpackType(DType dtype) {
  const DTypeInfo &row = info(dtype);
  return {row.dlpackCode, static_cast<uint8_t>(row.sizeBytes * 8), 1};
}

static std::string describeList(const kcl_value_info *values, int32_t count,
                                const std::vector<ProblemTensor> &tensors,
                                const std::string &what) {
  if (static_cast<size_t>(count) != tensors.size())
    return std::to_string(count) + " " + what + "s in the module, " +
           std::to_string(tensors.size()) + " in the record";
  for (int32_t i = 0; i < count; ++i) {
    const kcl_value_info &value = values[i];
    const ProblemTensor &tensor = tensors[i];
    std::string which = what + " " + std::to_string(i);
    if (value.kind != KCL_TENSOR)
      return which + " is a host scalar, a tensor in the record";
    DLDataType type = dlpackType(tensor.dtype);
    if (value.dtype.code != type.code || value.dtype.bits != type.bits)
      return which + " has another element type than the record's " +
             std::string(info(tensor.dtype).name);
    bool same = static_cast<size_t>(value.ndim) == tensor.shape.size();
    for (int32_t dim = 0; same && dim < value.ndim; ++dim)
      same = value.shape[dim] < 0 || value.shape[dim] == tensor.shape[dim];
    if (!same)
      return which + " has another shape than the record's";
  }
  return "";
}

std::string describeDifference(const kcl_entry_info &info,
                               const Problem &problem) {
  if (info.device_type != kDLCUDA)
    return "the entry runs on the host, not on a CUDA device";
  std::string text =
      describeList(info.args, info.num_args, problem.arguments, "argument");
  if (text.empty())
    text =
        describeList(info.results, info.num_results, problem.results, "result");
  return text;
}

/// The entry checks that tensors have addresses before it says how much scratch
/// memory a call needs; nothing is read there. bind() puts the true ones in.
static void *const noAddressYet = reinterpret_cast<void *>(uintptr_t{1} << 12);

static std::vector<DLTensor>
makeTensors(const std::vector<ProblemTensor> &tensors,
            std::vector<std::vector<int64_t>> &shapes) {
  std::vector<DLTensor> list;
  for (const ProblemTensor &tensor : tensors) {
    shapes.push_back(tensor.shape); // its elements stay where they are
    list.push_back({.data = noAddressYet,
                    .device = {kDLCUDA, 0},
                    .ndim = static_cast<int32_t>(tensor.shape.size()),
                    .dtype = dlpackType(tensor.dtype),
                    .shape = shapes.back().data(),
                    .strides = nullptr,
                    .byte_offset = 0});
  }
  return list;
}

static std::vector<DLTensor *> pointers(std::vector<DLTensor> &tensors) {
  std::vector<DLTensor *> list;
  for (DLTensor &tensor : tensors)
    list.push_back(&tensor);
  return list;
}

EntryProgram::EntryProgram(const ModuleEntry &entry, const Problem &problem,
                           void *stream)
    : entry(entry) {
  shapes.reserve(problem.arguments.size() + problem.results.size());
  arguments = makeTensors(problem.arguments, shapes);
  results = makeTensors(problem.results, shapes);
  argumentList = pointers(arguments);
  resultList = pointers(results);
  call.abi_version = KCL_ABI_VERSION;
  call.stream = stream;
}

std::string EntryProgram::failure(const std::string &what) const {
  return entry.name + what + " failed: " + call.error;
}

Run<std::unique_ptr<EntryProgram>>
EntryProgram::create(const ModuleEntry &entry, const Problem &problem,
                     void *stream) {
  if (std::string text = describeDifference(*entry.info, problem);
      !text.empty())
    return failRun(Outcome::Rejected, "record",
                   "not judged: the record is not this module's: " + text);
  std::unique_ptr<EntryProgram> made(new EntryProgram(entry, problem, stream));
  uint64_t bytes = 0;
  if (entry.workspace(made->argumentList.data(), &bytes, &made->call) != KCL_OK)
    return failRun(Outcome::LaunchError, "workspace",
                   made->failure("_workspace"));
  made->needs.push_back({"workspace", bytes, false});
  if (entry.load(&made->call) != KCL_OK)
    return failRun(Outcome::LaunchError, "load", made->failure("_load"));
  made->loaded = true;
  return made;
}

EntryProgram::~EntryProgram() {
  if (loaded)
    (void)entry.unload(&call);
}

Run<void> EntryProgram::bind(const BoundAddresses &addresses) {
  for (size_t i = 0; i < arguments.size(); ++i)
    arguments[i].data = addresses.arguments[i];
  for (size_t i = 0; i < results.size(); ++i)
    results[i].data = addresses.results[i];
  call.workspace = addresses.scratch[0];
  call.workspace_bytes = needs[0].bytes;
  return {};
}

Run<void> EntryProgram::run(void *stream) {
  call.stream = stream;
  call.regions_won = call.regions_stock = 0;
  if (entry.run(argumentList.data(), resultList.data(), &call) != KCL_OK)
    return failRun(Outcome::LaunchError, "entry", failure(""));
  return {};
}

} // namespace kclaw
