//===- Forget.cpp - learned forget ----------------------------------------===//
#include "Learned.h"

#include <cstdio>

namespace kclaw {
namespace {

struct ForgetOptions {
  std::string lesson;
  bool all = false;
};

bool isNarrow(const ExperienceFilter &filter) {
  return filter.evidence || !filter.arch.empty() || !filter.family.empty() ||
         !filter.method.empty() || !filter.device.empty() ||
         !filter.specHash.empty() || !filter.run.empty();
}

void forget(const ForgetOptions &options, const ExperienceFilter &filter,
            const LearnedTool &tool) {
  if (tool.where.ends_with(".json"))
    return tool.fail(
        {Error::Code::Invalid,
         "'" + tool.where + "' is an exported file, which is only read"});
  auto store = tool.open();
  if (!store)
    return;
  if (!options.lesson.empty()) {
    auto gone = store->dismiss(options.lesson);
    if (!gone)
      return tool.fail(gone.error());
    std::printf("%d lesson candidates forgotten\n", int(*gone));
    return;
  }
  auto gone = store->forget(filter);
  if (!gone)
    return tool.fail(gone.error());
  std::printf("%lld experiences forgotten\n", static_cast<long long>(*gone));
}

} // namespace

void addLearnedForget(CLI::App &app, const LearnedTool &tool) {
  auto filter = addFilter(app);
  auto options = std::make_shared<ForgetOptions>();
  app.add_option("--lesson", options->lesson,
                 "a lesson candidate: run/region/attempt");
  app.add_flag("--all", options->all, "every experience");
  app.callback([=] {
    if (options->lesson.empty() && !options->all && !isNarrow(*filter))
      throw CLI::RequiredError("a filter, --lesson or --all");
    forget(*options, *filter, tool);
  });
}

} // namespace kclaw
