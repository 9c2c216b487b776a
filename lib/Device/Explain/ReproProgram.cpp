//===- ReproProgram.cpp - A plan as tables of a C++ source ----------------===//
#include "ReproProgram.h"
#include "DeviceAnnotation.h"
#include "KernelSignatures.h"
#include "kernelclaw/Plan/CheckPlan.h"

#include <algorithm>
#include <cstring>
#include <sstream>

namespace kclaw {

std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result + "\"";
}

namespace {

constexpr const char *kindNames[] = {"Argument", "Result", "Workspace",
                                     "Persistent", "Constant"};

std::string identifier(const std::string &text) {
  std::string result = text;
  for (char &c : result)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  return result;
}

std::string byteArray(const std::vector<uint8_t> &bytes) {
  std::string text = "{";
  for (size_t i = 0; i < bytes.size(); ++i)
    text += (i % 24 ? "" : "\n    ") + std::to_string(bytes[i]) + ",";
  return text + (bytes.empty() ? "0" : "") + "};\n";
}

/// "#include" lines leave a source that goes into a namespace; claw_spec.h is
/// in the repro already.
std::string takeIncludes(const std::string &source,
                         std::vector<std::string> &includes) {
  std::string rest;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);) {
    size_t first = line.find_first_not_of(" \t");
    bool isInclude =
        first != std::string::npos && line[first] == '#' &&
        line.find("include", first) != std::string::npos &&
        line.find_first_not_of(" \t", first + 1) == line.find("include", first);
    if (!isInclude) {
      rest += line + "\n";
      continue;
    }
    if (line.find("claw_spec.h") == std::string::npos &&
        std::ranges::find(includes, line) == includes.end())
      includes.push_back(line);
    rest += "\n"; // line numbers stay
  }
  return rest;
}

class ProgramWriter {
public:
  ProgramWriter(const std::string &who, const Plan &plan,
                const std::vector<ModuleImage> &images, const KernelSpec &spec,
                const Problem &problem, bool asSource)
      : who(who), plan(plan), images(images), problem(problem),
        asSource(asSource), names(planBindings(spec, plan, problem.dims)) {}

  ReproProgram write() {
    out.body += "  p." + who + ".name = \"" + who + "\";\n";
    out.body += "  p." + who + ".wide = " +
                (plan.producer == Producer::Reference ? "true" : "false") +
                ";\n";
    for (const PlanBuffer &buffer : plan.buffers)
      writeBuffer(buffer);
    for (const PlanModule &module : plan.modules)
      writeModule(module);
    writeSteps(plan.prepare, "prepare");
    writeSteps(plan.steps, "steps");
    if (!out.missing.empty())
      out.body += "  p." + who + ".missing = " + quoted(out.missing[0]) + ";\n";
    return std::move(out);
  }

private:
  void miss(const std::string &path, const std::string &what) {
    out.missing.push_back(who + " " + path + ": " + what);
  }

  int64_t value(const Expr &expr, const std::string &path) {
    Expected<int64_t> result = expr.evaluate(names);
    if (!result)
      miss(path, result.error().message);
    return result ? *result : 0;
  }

  std::string number(const Expr &expr, const std::string &path) {
    return std::to_string(value(expr, path)) + "ull";
  }

  void writeBuffer(const PlanBuffer &buffer) {
    std::string bytes = "0";
    std::string data = "nullptr";
    if (buffer.kind == PlanBuffer::Kind::Workspace ||
        buffer.kind == PlanBuffer::Kind::Persistent)
      bytes = number(buffer.sizeBytes, "buffer '" + buffer.name + "'");
    if (buffer.kind == PlanBuffer::Kind::Constant) {
      bytes = std::to_string(buffer.data.size());
      data = who + "_constant_" + identifier(buffer.name);
      out.declarations += "extern const unsigned char " + data + "[];\n";
      out.definitions +=
          "const unsigned char " + data + "[] = " + byteArray(buffer.data);
    }
    out.body += "  p." + who + ".buffers.push_back({" + quoted(buffer.name) +
                ", Kind::" + kindNames[int(buffer.kind)] + ", " +
                std::to_string(buffer.index) + ", " + bytes + ", " + data +
                "});\n";
  }

  std::vector<std::string> entriesOf(const std::string &module) const {
    std::vector<std::string> entries;
    for (const auto *list : {&plan.prepare, &plan.steps})
      forEachLeaf(*list, "", [&](const std::string &, const Step &step) {
        if (const auto *kernel = std::get_if<KernelStep>(&step))
          if (kernel->module == module &&
              std::ranges::find(entries, kernel->entry) == entries.end())
            entries.push_back(kernel->entry);
      });
    return entries;
  }

  bool goesInAsSource(const PlanModule &module) const {
    if (!asSource || module.kind != PlanModule::Kind::Cuda)
      return false;
    auto kernels = findKernels(module.source);
    return std::ranges::all_of(
        entriesOf(module.name), [&kernels](const std::string &entry) {
          return std::ranges::find(kernels, entry, &KernelSignature::name) !=
                 kernels.end();
        });
  }

  void writeModule(const PlanModule &module) {
    std::string table = "nullptr", image = "nullptr";
    if (goesInAsSource(module)) {
      table = who + "_kernels_" + identifier(module.name);
      writeSource(module, table);
    } else {
      image = who + "_image_" + identifier(module.name);
      writeImage(module, image);
    }
    out.body += "  p." + who + ".modules.push_back({" + quoted(module.name) +
                ", " + table + ", " + image + "});\n";
  }

  /// Several modules may call different things alike: each in its namespace,
  /// its kernels renamed.
  void writeSource(const PlanModule &module, const std::string &table) {
    std::string source = takeIncludes(module.source, out.includes);
    std::string space =
        plan.modules.size() > 1 ? "module_" + identifier(module.name) : "";
    std::vector<std::string> entries = entriesOf(module.name);
    out.declarations += "extern const repro::Kernel " + table + "[];\n";
    std::string text;
    for (const std::string &entry : entries)
      if (!space.empty())
        text += "#define " + entry + " " + space + "_" + entry + "\n";
    if (!space.empty())
      text += "namespace " + space + " {\n";
    text += "#line 1 " + quoted(module.name + ".cu") + "\n" +
            annotateForDevice(source) + "\n#line 1 \"repro.cu: tables\"\n";
    if (!space.empty())
      text += "} // namespace " + space + "\n";
    text += "const repro::Kernel " + table + "[] = {\n";
    for (const std::string &entry : entries) {
      std::string symbol =
          space.empty() ? "::" + entry : space + "::" + space + "_" + entry;
      std::string shown = space.empty() ? entry : space + "_" + entry;
      text += "    {" + quoted(entry) + ", reinterpret_cast<const void *>(" +
              symbol + ")},\n";
    }
    text += "    {nullptr, nullptr}};\n";
    for (const std::string &entry : entries)
      if (!space.empty())
        text += "#undef " + entry + "\n";
    out.definitions += text;
  }

  void writeImage(const PlanModule &module, const std::string &name) {
    auto found = std::ranges::find(images, module.name, &ModuleImage::module);
    if (found == images.end()) {
      miss("module '" + module.name + "'", "was not compiled");
      return;
    }
    out.declarations += "extern const char *const " + name + ";\n";
    if (!found->ptx.empty())
      out.definitions += "const char *const " + name + " = R\"KCLPTX(" +
                         found->ptx + ")KCLPTX\";\n";
    else
      out.definitions +=
          "static const unsigned char " + name +
          "_bytes[] = " + byteArray(found->cubin) + "const char *const " +
          name + " = reinterpret_cast<const char *>(" + name + "_bytes);\n";
  }

  void writeSteps(const std::vector<Step> &steps, const std::string &list) {
    for (size_t i = 0; i < steps.size(); ++i)
      writeStep(steps[i], list, list + "[" + std::to_string(i) + "]");
  }

  void writeStep(const Step &step, const std::string &list,
                 const std::string &path) {
    if (const auto *repeat = std::get_if<RepeatStep>(&step))
      return writeRepeat(*repeat, list, path);
    if (const auto *when = std::get_if<WhenStep>(&step))
      return writeWhen(*when, list, path);
    std::string text = "  {\n    Step s{};\n";
    if (const auto *kernel = std::get_if<KernelStep>(&step))
      text += kernelText(*kernel, path);
    else if (const auto *memset = std::get_if<MemsetStep>(&step))
      text += memsetText(*memset, path);
    else if (const auto *copy = std::get_if<CopyStep>(&step))
      text += copyText(*copy, path);
    else if (std::holds_alternative<MatmulStep>(step))
      miss(path, "a matrix product of cuBLASLt");
    else
      miss(path, "a convolution of cuDNN");
    out.body += text + "    p." + who + "." + list + ".push_back(s);\n  }\n";
  }

  /// Unrolled.
  void writeRepeat(const RepeatStep &repeat, const std::string &list,
                   const std::string &path) {
    int64_t count = value(repeat.count, path + ".count");
    if (count > maxLaunches)
      return miss(path, std::to_string(count) + " repetitions");
    for (int64_t i = 0; i < count; ++i) {
      names[repeat.name] = i;
      for (size_t j = 0; j < repeat.steps.size(); ++j)
        writeStep(repeat.steps[j], list,
                  path + ".steps[" + std::to_string(j) + "]");
    }
    names.erase(repeat.name);
  }

  /// The flag is one more argument of each kernel inside.
  void writeWhen(const WhenStep &when, const std::string &list,
                 const std::string &path) {
    flags.push_back(location(when.buffer, when.offset, path));
    for (size_t j = 0; j < when.steps.size(); ++j)
      writeStep(when.steps[j], list,
                path + ".steps[" + std::to_string(j) + "]");
    flags.pop_back();
  }

  std::string location(const std::string &buffer, const Expr &offset,
                       const std::string &path) {
    for (size_t i = 0; i < plan.buffers.size(); ++i)
      if (plan.buffers[i].name == buffer)
        return "{" + std::to_string(i) + ", " + number(offset, path) + "}";
    miss(path, "unknown buffer '" + buffer + "'");
    return "{0, 0}";
  }

  std::string argText(const PlanArg &arg, const std::string &path) {
    uint64_t bits = 0;
    switch (arg.kind) {
    case PlanArg::Kind::Buffer:
      return location(arg.buffer, arg.value, path);
    case PlanArg::Kind::I32:
    case PlanArg::Kind::I64:
      bits = static_cast<uint64_t>(value(arg.value, path));
      break;
    case PlanArg::Kind::F32: {
      float number = static_cast<float>(arg.number);
      std::memcpy(&bits, &number, sizeof number);
      break;
    }
    case PlanArg::Kind::F64:
      if (!arg.buffer.empty())
        miss(path, "a scalar argument of the region");
      std::memcpy(&bits, &arg.number, sizeof bits);
      break;
    default:
      miss(path, "a tensor map");
    }
    return "{-1, " + std::to_string(bits) + "ull}";
  }

  std::string kernelText(const KernelStep &step, const std::string &path) {
    auto module =
        std::ranges::find(plan.modules, step.module, &PlanModule::name);
    std::string text = "    s.kind = Step::Kernel;\n    s.module = " +
                       std::to_string(module - plan.modules.begin()) +
                       ";\n    s.entry = " + quoted(step.entry) + ";\n";
    const std::pair<const char *, const std::array<Expr, 3> *> sizes[] = {
        {"grid", &step.grid},
        {"block", &step.block},
        {"cluster", &step.cluster}};
    for (const auto &[name, list] : sizes)
      for (size_t i = 0; i < 3; ++i)
        text += "    s." + std::string(name) + "[" + std::to_string(i) +
                "] = " + std::to_string(value((*list)[i], path + "." + name)) +
                ";\n";
    text += "    s.sharedBytes = " +
            std::to_string(value(step.sharedBytes, path + ".sharedBytes")) +
            ";\n    s.cooperative = " + (step.cooperative ? "true" : "false") +
            ";\n    s.args = {";
    for (size_t i = 0; i < step.args.size(); ++i)
      text += (i ? ", " : "") +
              argText(step.args[i], path + ".args[" + std::to_string(i) + "]");
    for (const std::string &flag : flags)
      text += (text.back() == '{' ? "" : ", ") + flag;
    return text + "};\n";
  }

  std::string memsetText(const MemsetStep &step, const std::string &path) {
    return "    s.kind = Step::Memset;\n    s.to = " +
           location(step.buffer, step.offset, path) +
           ";\n    s.bytes = " + number(step.bytes, path) +
           ";\n    s.value = " + std::to_string(step.value) + ";\n";
  }

  std::string copyText(const CopyStep &step, const std::string &path) {
    return "    s.kind = Step::Copy;\n    s.from = " +
           location(step.source, step.sourceOffset, path) +
           ";\n    s.to = " + location(step.target, step.targetOffset, path) +
           ";\n    s.bytes = " + number(step.rowBytes, path) +
           ";\n    s.rows = " + number(step.rows, path) +
           ";\n    s.fromPitch = " + number(step.sourcePitch, path) +
           ";\n    s.toPitch = " + number(step.targetPitch, path) + ";\n";
  }

  const std::string &who;
  const Plan &plan;
  const std::vector<ModuleImage> &images;
  const Problem &problem;
  bool asSource;
  Bindings names;
  std::vector<std::string> flags; ///< of the when steps around
  ReproProgram out;
};

} // namespace

ReproProgram renderProgram(const std::string &who, const Plan &plan,
                           const std::vector<ModuleImage> &images,
                           const KernelSpec &spec, const Problem &problem,
                           bool asSource) {
  return ProgramWriter(who, plan, images, spec, problem, asSource).write();
}

} // namespace kclaw
