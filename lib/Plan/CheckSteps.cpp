//===- CheckSteps.cpp - Walking a plan's steps ----------------------------===//
//
// Order, loops, flags, and which buffers a step may use; what each kind wants
// is in CheckStepKinds.cpp.
//
//===----------------------------------------------------------------------===//
#include "CheckSteps.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace kclaw {

constexpr size_t maxSteps = 1000;
/// Of a repeat that is longer, the first and the last rounds are checked; the
/// worker evaluates all.
constexpr int64_t checkedRounds = 64, checkedInnerRounds = 8;

std::unexpected<Error> invalid(const std::string &path,
                               const std::string &message) {
  return makeError(Error::Code::Invalid, path + ": " + message);
}

std::string indexed(const std::string &list, size_t i) {
  return list + "[" + std::to_string(i) + "]";
}

bool isIdentifier(const std::string &name) {
  auto word = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  return !name.empty() && !std::isdigit((unsigned char)name[0]) &&
         std::ranges::all_of(name, word);
}

Expected<int64_t> StepChecker::evaluate(const std::string &path,
                                        const Expr &expr, int64_t low,
                                        int64_t high) {
  auto value = expr.evaluate(bindings);
  if (!value)
    return invalid(path, value.error().message);
  if (*value < low || *value > high)
    return invalid(path, std::to_string(*value) + " is outside [" +
                             std::to_string(low) + ", " + std::to_string(high) +
                             "]");
  return value;
}

Expected<const PlanBuffer *> StepChecker::findBuffer(const std::string &path,
                                                     const std::string &name) {
  std::string known;
  for (const PlanBuffer &buffer : plan.buffers) {
    if (buffer.name == name) {
      if (!mayUse(buffer))
        return invalid(path, "'" + name +
                                 "' may not be used by a prepare step; only "
                                 "parameters, buffers and constants of the "
                                 "region, and constant and persistent "
                                 "buffers may");
      return &buffer;
    }
    known += (known.empty() ? "" : ", ") + buffer.name;
  }
  return invalid(path, "no buffer is called '" + name + "'; known: " + known);
}

/// Prepare steps run once a weight version: they may not see what changes
/// from call to call.
bool StepChecker::mayUse(const PlanBuffer &buffer) const {
  switch (buffer.kind) {
  case PlanBuffer::Kind::Argument:
    return !inPrepare || spec.arguments[buffer.index].role != Role::Input;
  case PlanBuffer::Kind::Result:
  case PlanBuffer::Kind::Workspace:
    return !inPrepare;
  case PlanBuffer::Kind::Persistent:
  case PlanBuffer::Kind::Constant:
    break;
  }
  return true;
}

Expected<void> StepChecker::tensorMaps() {
  std::set<std::string> names;
  for (size_t i = 0; i < plan.tensorMaps.size(); ++i) {
    const PlanTensorMap &map = plan.tensorMaps[i];
    std::string path = indexed("tensorMaps", i);
    if (map.name.empty())
      return invalid(path + ".name", "empty");
    if (!names.insert(map.name).second)
      return invalid(path + ".name", "'" + map.name + "' is used twice");
    if (auto buffer = findBuffer(path + ".buffer", map.buffer); !buffer)
      return std::unexpected(buffer.error());
  }
  return {};
}

Expected<void> StepChecker::steps() {
  if (plan.steps.empty())
    return invalid("steps", "empty");
  return check("steps", plan.steps);
}

Expected<void> StepChecker::prepare() {
  inPrepare = true;
  launches = 0;
  std::set<std::string> before = std::exchange(referenced, {});
  if (auto done = check("prepare", plan.prepare); !done)
    return done;
  for (const PlanBuffer &buffer : plan.buffers)
    if (buffer.kind == PlanBuffer::Kind::Persistent &&
        !referenced.contains(buffer.name))
      return invalid("prepare", "no step writes the persistent buffer '" +
                                    buffer.name +
                                    "'; make it a workspace, or fill it");
  referenced = std::move(before);
  inPrepare = false;
  return {};
}

Expected<void> StepChecker::check(const std::string &path,
                                  const std::vector<Step> &steps) {
  if (steps.size() > maxSteps)
    return invalid(path, "more than 1000");
  for (size_t i = 0; i < steps.size(); ++i) {
    std::string where = indexed(path, i);
    auto visit = [&](const auto &step) { return check(where, step); };
    if (auto done = checkPlace(where, steps[i]); !done)
      return done;
    if (auto done = std::visit(visit, steps[i]); !done)
      return done;
  }
  return {};
}

/// Only kernels can look at a flag; and a plan is no program.
Expected<void> StepChecker::checkPlace(const std::string &path,
                                       const Step &step) {
  if (std::holds_alternative<RepeatStep>(step) ||
      std::holds_alternative<WhenStep>(step))
    return {};
  launches += rounds;
  if (launches > maxLaunches)
    return invalid(path, "more than " + std::to_string(maxLaunches) +
                             " launches a call; put the loop into a kernel");
  if (insideWhen && !std::holds_alternative<KernelStep>(step))
    return invalid(path, "only kernels can look at the flag of a 'when'; "
                         "write this step as a kernel, or move it out");
  return {};
}

Expected<void> StepChecker::check(const std::string &path,
                                  const RepeatStep &step) {
  if (!isIdentifier(step.name))
    return invalid(path + ".name", "'" + step.name + "' is not a C identifier");
  if (bindings.contains(step.name))
    return invalid(path + ".name", "'" + step.name +
                                       "' is already a dimension, a tunable "
                                       "or the index of a loop around");
  auto count = evaluate(path + ".count", step.count, 0, maxLaunches);
  if (!count)
    return std::unexpected(count.error());
  if (step.steps.empty())
    return invalid(path + ".steps", "empty");
  int64_t checked = rounds == 1 ? checkedRounds : checkedInnerRounds;
  int64_t outer =
      std::exchange(rounds, std::min(rounds * *count, maxLaunches + 1));
  int64_t before = launches;
  for (int64_t i = 0; i < *count; ++i) {
    if (*count > checked && i == checked / 2)
      i = *count - checked / 2;
    bindings[step.name] = i;
    launches = before;
    if (auto done = check(path + ".steps", step.steps); !done) {
      Error error = done.error();
      error.message += " (where " + step.name + " is " + std::to_string(i) +
                       " of " + std::to_string(*count) + ")";
      return std::unexpected(error);
    }
  }
  rounds = outer;
  bindings.erase(step.name);
  return {};
}

Expected<void> StepChecker::check(const std::string &path,
                                  const WhenStep &step) {
  if (auto buffer = findBuffer(path + ".buffer", step.buffer); !buffer)
    return std::unexpected(buffer.error());
  auto offset = evaluate(path + ".offset", step.offset, 0, maxWorkspaceBytes);
  if (!offset)
    return std::unexpected(offset.error());
  if (*offset % 4 != 0)
    return invalid(path + ".offset",
                   std::to_string(*offset) +
                       " is no multiple of 4; the flag is a 32-bit integer");
  if (auto done = checkRange(path + ".offset", step.buffer, *offset, 4); !done)
    return done;
  if (step.steps.empty())
    return invalid(path + ".steps", "empty");
  ++insideWhen;
  auto done = check(path + ".steps", step.steps);
  --insideWhen;
  return done;
}

Expected<void> StepChecker::checkMap(const std::string &path,
                                     const std::string &name) {
  std::string known;
  for (size_t i = 0; i < plan.tensorMaps.size(); ++i) {
    const PlanTensorMap &map = plan.tensorMaps[i];
    known += (known.empty() ? "" : ", ") + map.name;
    if (map.name != name)
      continue;
    if (auto buffer = findBuffer(path + ".tensorMap", map.buffer); !buffer)
      return std::unexpected(buffer.error());
    referenced.insert(map.buffer);
    auto values = evaluateTensorMap(map, bindings, sizes.at(map.buffer));
    if (!values)
      return invalid(indexed("tensorMaps", i) + "." + values.error().message,
                     "as " + path + " uses it");
    return {};
  }
  return invalid(path + ".tensorMap",
                 "no tensor map is called '" + name + "'; known: " + known);
}

/// [offset, offset + bytes) lies in the buffer.
Expected<void> StepChecker::checkRange(const std::string &path,
                                       const std::string &name, int64_t offset,
                                       int64_t bytes) {
  int64_t end = 0;
  if (__builtin_add_overflow(offset, bytes, &end) || end > sizes.at(name))
    return invalid(path, "bytes " + std::to_string(offset) + " to " +
                             std::to_string(end) + " are outside '" + name +
                             "', which has " + std::to_string(sizes.at(name)));
  return {};
}

Expected<void> StepChecker::checkTarget(const std::string &path,
                                        const std::string &name) {
  auto buffer = findBuffer(path, name);
  if (!buffer)
    return std::unexpected(buffer.error());
  PlanBuffer::Kind kind = (*buffer)->kind;
  bool target = inPrepare ? kind == PlanBuffer::Kind::Persistent
                          : kind == PlanBuffer::Kind::Result ||
                                kind == PlanBuffer::Kind::Workspace;
  if (!target)
    return invalid(path, "'" + name + "' may not be written; only " +
                             (inPrepare ? "persistent buffers may"
                                        : "results and workspaces may"));
  referenced.insert(name);
  return {};
}

} // namespace kclaw
