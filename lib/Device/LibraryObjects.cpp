//===- LibraryObjects.cpp - What library steps need from load on ----------===//
#include "LibraryObjects.h"

#include <cstring>

namespace kclaw {

/// What differs between the two kinds of step.
template <typename Step> struct Library;
template <> struct Library<kcl_matmul_step> {
  static constexpr bool convolution = false;
  static constexpr auto load = kclMatmulLoad;
  static constexpr auto choose = kclMatmulChoose;
  static constexpr auto made = &kcl_matmul_step::algorithm;
};
template <> struct Library<kcl_convolution_step> {
  static constexpr bool convolution = true;
  static constexpr auto load = kclConvolutionLoad;
  static constexpr auto choose = kclConvolutionChoose;
  static constexpr auto made = &kcl_convolution_step::plan;
};

static kcl_matmul_step withoutAddresses(kcl_matmul_step step) {
  for (kcl_matrix *matrix : {&step.a, &step.b, &step.c, &step.d})
    matrix->data = nullptr;
  step.bias = step.handle = step.workspace = nullptr;
  step.algorithm = nullptr;
  return step;
}

/// Whether there is a bias decides which kernels serve.
static kcl_convolution_step withoutAddresses(kcl_convolution_step step) {
  static const char present = 0;
  step.input = step.weight = nullptr;
  step.bias = step.bias ? &present : nullptr;
  step.output = step.handle = step.workspace = nullptr;
  step.plan = nullptr;
  return step;
}

/// The structs have no padding.
template <typename Step> static std::string keyOf(const Step &step) {
  Step sizes = withoutAddresses(step);
  return std::string(reinterpret_cast<const char *>(&sizes), sizeof sizes);
}

static std::unexpected<RunFailure> noLibrary(const kcl_call &call) {
  return failRun(Outcome::Rejected, "library", call.error);
}

void LibraryObjects::unload(const Object &object) {
  if (object.convolution)
    kclConvolutionUnload(object.handle, object.made);
  else
    kclMatmulUnload(object.handle, object.made);
}

LibraryObjects::~LibraryObjects() {
  for (const auto &[key, object] : objects)
    unload(object);
}

template <typename Step>
Run<void> LibraryObjects::attach(Step &step, const std::string &choice) {
  auto [entry, fresh] = objects.try_emplace(keyOf(step));
  kcl_call call = {};
  Object &object = entry->second;
  object.convolution = Library<Step>::convolution;
  if (fresh && Library<Step>::load(&step, choice.c_str(), &object.handle,
                                   &object.made, &call) != KCL_OK) {
    objects.erase(entry);
    return noLibrary(call);
  }
  step.handle = object.handle;
  step.*Library<Step>::made = object.made;
  return {};
}

static LibraryChoice recorded(const kcl_library_choice &made) {
  return {"", made.text, made.microseconds, made.workspace_bytes};
}

template <typename Step>
Run<LibraryChoice> LibraryObjects::choose(Step &step, void *stream) {
  kcl_call call = {};
  call.stream = stream;
  kcl_library_choice made;
  if (Library<Step>::choose(&step, &made, &call) != KCL_OK)
    return noLibrary(call);
  if (made.text[0]) {
    auto old = objects.find(keyOf(step));
    unload(old->second);
    objects.erase(old);
    KCLAW_TRY(attach(step, made.text));
  }
  return recorded(made);
}

template Run<void> LibraryObjects::attach(kcl_matmul_step &,
                                          const std::string &);
template Run<void> LibraryObjects::attach(kcl_convolution_step &,
                                          const std::string &);
template Run<LibraryChoice> LibraryObjects::choose(kcl_matmul_step &, void *);
template Run<LibraryChoice> LibraryObjects::choose(kcl_convolution_step &,
                                                   void *);

} // namespace kclaw
