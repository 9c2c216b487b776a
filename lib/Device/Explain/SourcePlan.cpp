//===- SourcePlan.cpp - A plan from comments in a CUDA source -------------===//
#include "SourcePlan.h"
#include "ClawComments.h"
#include "KernelSignatures.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

namespace kclaw {
namespace {

template <typename T> std::string joined(const T &list) {
  std::string text;
  for (const std::string &each : list)
    text += (text.empty() ? "" : ", ") + each;
  return text;
}

/// Types of the kernels' parameters that are passed by value.
struct ValueType {
  const char *type;
  PlanArg::Kind kind;
};
constexpr ValueType valueTypes[] = {
    {"int", PlanArg::Kind::I32},
    {"unsigned", PlanArg::Kind::I32},
    {"unsigned int", PlanArg::Kind::I32},
    {"int32_t", PlanArg::Kind::I32},
    {"uint32_t", PlanArg::Kind::I32},
    {"long long", PlanArg::Kind::I64},
    {"long", PlanArg::Kind::I64},
    {"unsigned long long", PlanArg::Kind::I64},
    {"unsigned long", PlanArg::Kind::I64},
    {"int64_t", PlanArg::Kind::I64},
    {"uint64_t", PlanArg::Kind::I64},
    {"size_t", PlanArg::Kind::I64},
    {"float", PlanArg::Kind::F32},
    {"double", PlanArg::Kind::F64},
};
constexpr std::pair<const char *, PlanArg::Kind> casts[] = {
    {"i32(", PlanArg::Kind::I32},
    {"i64(", PlanArg::Kind::I64},
    {"f32(", PlanArg::Kind::F32},
    {"f64(", PlanArg::Kind::F64}};

std::optional<PlanArg::Kind> kindOf(const KernelParameter &parameter) {
  for (const ValueType &row : valueTypes)
    if (parameter.type == row.type ||
        parameter.type == std::string("std::") + row.type)
      return row.kind;
  return std::nullopt;
}

class SourcePlan {
public:
  SourcePlan(const std::string &source, const std::string &file,
             const KernelSpec &spec)
      : source(source), file(file), spec(spec), kernels(findKernels(source)) {}

  Expected<Plan> read() {
    auto comments = findClawComments(source, file);
    if (!comments)
      return std::unexpected(comments.error());
    if (kernels.empty())
      return fail(0, "no __global__ function was found");
    start();
    // Buffers and tunables may be named below their use.
    for (const ClawComment &comment : *comments)
      if (auto done = declare(comment); !done)
        return std::unexpected(done.error());
    for (const ClawComment &comment : *comments)
      if (auto done = addStep(comment); !done)
        return std::unexpected(done.error());
    if (plan.steps.empty())
      return fail(kernels[0].line,
                  "no line '// claw: grid=..., block=...' says how kernel '" +
                      kernels[0].name + "' is launched");
    return std::move(plan);
  }

private:
  std::unexpected<Error> fail(size_t line, const std::string &why) const {
    std::string where = line ? file + ":" + std::to_string(line) : file;
    return std::unexpected(Error{Error::Code::Invalid, where + ": " + why});
  }

  void start() {
    std::string stem = std::filesystem::path(file).stem().string();
    for (char &c : stem)
      if (!std::isalnum(static_cast<unsigned char>(c)))
        c = '_';
    module = stem.empty() ? "main" : stem;
    plan.producer = Producer::Expert;
    plan.title = std::filesystem::path(file).filename().string();
    plan.modules.push_back({module, PlanModule::Kind::Cuda, source});
    addBorder(spec.arguments, PlanBuffer::Kind::Argument, "arg");
    addBorder(spec.results, PlanBuffer::Kind::Result, "res");
  }

  /// Buffers are called arg0, res0, ...; the spec's own names are aliases.
  void addBorder(const std::vector<TensorSpec> &tensors, PlanBuffer::Kind kind,
                 const std::string &prefix) {
    for (size_t i = 0; i < tensors.size(); ++i) {
      PlanBuffer buffer;
      buffer.name = prefix + std::to_string(i);
      buffer.kind = kind;
      buffer.index = static_cast<int>(i);
      plan.buffers.push_back(buffer);
      aliases.emplace(tensors[i].name, buffer.name);
      aliases.emplace(buffer.name, buffer.name);
    }
  }

  Expected<void> declare(const ClawComment &comment) {
    if (comment.has("title"))
      plan.title = comment.values.at("title");
    if (comment.has("resizable"))
      plan.resizable = true;
    if (comment.has("requires"))
      plan.requirements.push_back(comment.values.at("requires"));
    if (comment.has("constraint"))
      plan.constraint = comment.values.at("constraint");
    if (comment.has("workspace")) {
      if (!comment.has("bytes"))
        return fail(comment.line, "workspace needs bytes=...");
      PlanBuffer buffer;
      buffer.name = comment.values.at("workspace");
      buffer.sizeBytes = Expr(comment.values.at("bytes"));
      plan.buffers.push_back(buffer);
      aliases.emplace(buffer.name, buffer.name);
    }
    if (!comment.has("tunable"))
      return {};
    Tunable tunable;
    tunable.name = comment.values.at("tunable");
    for (const std::string &text :
         splitList(comment.has("values") ? comment.values.at("values") : "")) {
      int64_t value = 0;
      auto [end, code] =
          std::from_chars(text.data(), text.data() + text.size(), value);
      if (code != std::errc() || end != text.data() + text.size())
        return fail(comment.line, "'" + text + "' is no integer");
      tunable.values.push_back(value);
    }
    if (tunable.values.empty())
      return fail(comment.line, "tunable needs values=16,32,...");
    tunable.chosen = tunable.values.front();
    plan.tunables.push_back(tunable);
    return {};
  }

  Expected<void> addStep(const ClawComment &comment) {
    if (comment.has("memset"))
      return addMemset(comment);
    if (comment.has("grid") || comment.has("block") || comment.has("kernel"))
      return addKernel(comment);
    return {};
  }

  Expected<void> addMemset(const ClawComment &comment) {
    auto text = [&](const char *key, const char *fallback) {
      return comment.has(key) ? comment.values.at(key) : fallback;
    };
    MemsetStep step;
    std::string target = comment.values.at("memset");
    auto found = aliases.find(target);
    if (found == aliases.end())
      return fail(comment.line,
                  "unknown buffer '" + target + "'; known: " + knownNames());
    if (!comment.has("bytes"))
      return fail(comment.line, "memset needs bytes=...");
    step.buffer = found->second;
    step.bytes = Expr(text("bytes", "0"));
    step.offset = Expr(text("offset", "0"));
    step.value = static_cast<uint8_t>(std::atoi(text("value", "0").c_str()));
    plan.steps.push_back(step);
    return {};
  }

  /// Named, else the first one below the comment.
  const KernelSignature *kernelOf(const ClawComment &comment) const {
    for (const KernelSignature &kernel : kernels)
      if (comment.has("kernel") ? kernel.name == comment.values.at("kernel")
                                : kernel.line > comment.line)
        return &kernel;
    return comment.has("kernel") ? nullptr : &kernels.back();
  }

  Expected<void> addKernel(const ClawComment &comment) {
    const KernelSignature *kernel = kernelOf(comment);
    if (!kernel) {
      std::vector<std::string> names;
      for (const KernelSignature &each : kernels)
        names.push_back(each.name);
      return fail(comment.line, "no kernel '" + comment.values.at("kernel") +
                                    "'; found: " + joined(names));
    }
    for (const char *needed : {"grid", "block"})
      if (!comment.has(needed))
        return fail(comment.line, std::string(needed) +
                                      "=... is missing for kernel '" +
                                      kernel->name + "'");
    KernelStep step;
    step.module = module;
    step.entry = kernel->name;
    const std::pair<const char *, std::array<Expr, 3> *> sizes[] = {
        {"grid", &step.grid},
        {"block", &step.block},
        {"cluster", &step.cluster}};
    for (auto [key, target] : sizes) {
      auto parts = splitList(comment.has(key) ? comment.values.at(key) : "1");
      if (parts.empty() || std::ranges::find(parts, "") != parts.end())
        return fail(comment.line, std::string(key) + "=... of kernel '" +
                                      kernel->name +
                                      "' has an empty size; one to three, as "
                                      "in " +
                                      key + "=(32, 4)");
      if (parts.size() > 3)
        return fail(comment.line,
                    std::string(key) + " has more than three sizes");
      for (size_t i = 0; i < parts.size(); ++i)
        (*target)[i] = Expr(parts[i]);
    }
    if (comment.has("shared"))
      step.sharedBytes = Expr(comment.values.at("shared"));
    step.cooperative = comment.has("cooperative");
    auto args = comment.has("args") ? listedArgs(comment, *kernel)
                                    : impliedArgs(comment, *kernel);
    if (!args)
      return std::unexpected(args.error());
    step.args = std::move(*args);
    plan.steps.push_back(std::move(step));
    return {};
  }

  Expected<std::vector<PlanArg>> listedArgs(const ClawComment &comment,
                                            const KernelSignature &kernel) {
    std::vector<PlanArg> args;
    auto texts = splitList(comment.values.at("args"));
    if (texts.size() != kernel.parameters.size())
      return fail(comment.line, "args has " + std::to_string(texts.size()) +
                                    " values, '" + kernel.name + "' takes " +
                                    std::to_string(kernel.parameters.size()));
    for (size_t i = 0; i < texts.size(); ++i) {
      auto arg = parseArg(comment, texts[i], kernel.parameters[i]);
      if (!arg)
        return std::unexpected(arg.error());
      args.push_back(std::move(*arg));
    }
    return args;
  }

  Expected<PlanArg> parseArg(const ClawComment &comment,
                             const std::string &text,
                             const KernelParameter &parameter) const {
    PlanArg arg;
    size_t plus = text.find('+');
    std::string base = text.substr(0, plus);
    while (!base.empty() && base.back() == ' ')
      base.pop_back();
    if (auto found = aliases.find(base);
        found != aliases.end() && parameter.isPointer()) {
      arg.buffer = found->second;
      if (plus != std::string::npos)
        arg.value = Expr(text.substr(plus + 1));
      return arg;
    }
    for (const auto &[prefix, kind] : casts)
      if (text.starts_with(prefix) && text.ends_with(")"))
        return value(comment, kind, text.substr(4, text.size() - 5));
    std::optional<PlanArg::Kind> kind = kindOf(parameter);
    if (!kind)
      return fail(comment.line,
                  "'" + text + "' is no buffer for parameter '" +
                      parameter.type + " " + parameter.name +
                      "'; known buffers: " + knownNames() +
                      "; numbers of other types: i32(...), i64(...), "
                      "f32(...), f64(...)");
    return value(comment, *kind, text);
  }

  Expected<PlanArg> value(const ClawComment &comment, PlanArg::Kind kind,
                          const std::string &text) const {
    PlanArg arg;
    arg.kind = kind;
    if (kind == PlanArg::Kind::I32 || kind == PlanArg::Kind::I64) {
      arg.value = Expr(text);
      return arg;
    }
    char *end = nullptr;
    arg.number = std::strtod(text.c_str(), &end);
    if (text.empty() || *end)
      return fail(comment.line, "'" + text + "' is no number");
    return arg;
  }

  bool isSize(const std::string &name) const {
    for (const auto *tensors : {&spec.arguments, &spec.results})
      for (const TensorSpec &tensor : *tensors)
        for (const Dim &dim : tensor.dims)
          if (dim.name == name)
            return true;
    return std::ranges::find(plan.tunables, name, &Tunable::name) !=
           plan.tunables.end();
  }

  /// Tensors by name; those that are left over fill the other pointers in
  /// order. Integers by name of a dimension or tunable.
  Expected<std::vector<PlanArg>> impliedArgs(const ClawComment &comment,
                                             const KernelSignature &kernel) {
    std::vector<PlanArg> args(kernel.parameters.size());
    std::vector<std::string> left;
    for (const PlanBuffer &buffer : plan.buffers)
      left.push_back(buffer.name);
    for (size_t i = 0; i < args.size(); ++i)
      if (auto found = aliases.find(kernel.parameters[i].name);
          found != aliases.end() && kernel.parameters[i].isPointer()) {
        args[i].buffer = found->second;
        std::erase(left, found->second);
      }
    for (size_t i = 0; i < args.size(); ++i) {
      const KernelParameter &parameter = kernel.parameters[i];
      if (!args[i].buffer.empty())
        continue;
      std::string shown = "parameter '" + parameter.type + " " +
                          parameter.name + "' of '" + kernel.name + "'";
      if (parameter.isPointer()) {
        if (left.empty())
          return fail(comment.line,
                      "no buffer is left for " + shown + "; say args=...");
        args[i].buffer = left.front();
        left.erase(left.begin());
        continue;
      }
      std::optional<PlanArg::Kind> kind = kindOf(parameter);
      if (!kind || !isSize(parameter.name))
        return fail(comment.line, "nothing is called like " + shown +
                                      "; say args=... (a dimension's name as "
                                      "parameter name is taken by itself)");
      auto arg = value(comment, *kind, parameter.name);
      if (!arg)
        return std::unexpected(arg.error());
      args[i] = std::move(*arg);
    }
    return args;
  }

  std::string knownNames() const {
    std::vector<std::string> names;
    for (const auto &[name, buffer] : aliases)
      names.push_back(name);
    return joined(names);
  }

  const std::string &source;
  const std::string &file;
  const KernelSpec &spec;
  std::vector<KernelSignature> kernels;
  std::string module;
  std::map<std::string, std::string> aliases;
  Plan plan;
};

} // namespace

Expected<Plan> planFromSource(const std::string &source,
                              const std::string &file, const KernelSpec &spec) {
  return SourcePlan(source, file, spec).read();
}

} // namespace kclaw
