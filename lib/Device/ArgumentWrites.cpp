//===- ArgumentWrites.cpp - Kernels that store into arguments -------------===//
#include "ArgumentWrites.h"
#include "PtxGlobals.h"
#include "RuleNames.h"

#include <algorithm>

namespace kclaw {

static bool isArgument(const Plan &plan, const PlanArg &arg) {
  auto buffer = std::ranges::find(plan.buffers, arg.buffer, &PlanBuffer::name);
  return arg.kind == PlanArg::Kind::Buffer && buffer != plan.buffers.end() &&
         buffer->kind == PlanBuffer::Kind::Argument;
}

Run<void> checkArgumentWrites(const Plan &plan,
                              const std::vector<ModuleImage> &images) {
  std::map<std::string, std::map<std::string, std::set<size_t>>> written;
  for (const ModuleImage &image : images)
    written[image.module] = writtenParameters(image.ptx);
  std::string why;
  for (const auto *steps : {&plan.steps, &plan.prepare})
    forEachLeaf(*steps, "", [&](const std::string &, const Step &step) {
      const auto *kernel = std::get_if<KernelStep>(&step);
      if (!kernel || !why.empty())
        return;
      for (size_t position : written[kernel->module][kernel->entry])
        if (position < kernel->args.size() &&
            isArgument(plan, kernel->args[position]))
          why = "kernel '" + kernel->entry + "' stores through its parameter " +
                std::to_string(position) + ", which is the argument '" +
                kernel->args[position].buffer +
                "'; arguments are read-only, use a workspace";
    });
  if (why.empty())
    return {};
  return failRun(Outcome::Mismatch, rules::inputWritten, why);
}

} // namespace kclaw
