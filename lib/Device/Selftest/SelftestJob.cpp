//===- SelftestJob.cpp - From a plan of the self-test to a job ------------===//
#include "SelftestJob.h"
#include "Problem.h"

#include <nlohmann/json.hpp>

namespace kclaw {

using Json = nlohmann::ordered_json;

constexpr double timeoutSeconds = 30;
constexpr double timingSeconds = 0.5;
constexpr uint64_t seed = 7;

static Expected<std::string_view> findFile(std::span<const SelftestFile> files,
                                           const std::string &path) {
  for (const SelftestFile &file : files)
    if (file.path == path)
      return file.text;
  return makeError(Error::Code::Invalid, "there is no " + path);
}

static Expected<Json> parseObject(const std::string &text,
                                  const std::string &what) {
  Json value = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!value.is_object())
    return makeError(Error::Code::Invalid,
                     what + ": '" + text + "' is not a JSON object");
  return value;
}

/// Merges the objects of `key` into `target`, as RFC 7396 has it.
static Expected<void> merge(const SelftestHeader &header,
                            const std::string &key, Json &target) {
  auto found = header.values.find(key);
  if (found == header.values.end())
    return {};
  for (const std::string &text : found->second) {
    Expected<Json> patch = parseObject(text, key);
    if (!patch)
      return std::unexpected(patch.error());
    target.merge_patch(*patch);
  }
  return {};
}

/// Adds to a list of the plan the objects of `key`, each over `defaults` where
/// it is of their kind.
static Expected<void> append(const SelftestHeader &header,
                             const std::string &key, const Json &defaults,
                             Json &list) {
  auto found = header.values.find(key);
  if (found == header.values.end())
    return {};
  for (const std::string &text : found->second) {
    Expected<Json> given = parseObject(text, key);
    if (!given)
      return std::unexpected(given.error());
    bool same =
        !given->contains("kind") || (*given)["kind"] == defaults["kind"];
    Json item = same ? defaults : Json::object();
    item.update(*given);
    list.push_back(std::move(item));
  }
  return {};
}

/// A size of the table: a number, or a list of samples of a dynamic one.
static Json dimension(const std::string &name, const Json &sizes) {
  Json size = sizes.value(name, Json(1));
  if (!size.is_array())
    return {{"name", name}, {"value", size}};
  int64_t largest = 1;
  for (const Json &sample : size)
    largest = std::max(largest, sample.get<int64_t>());
  return {{"name", name}, {"min", 1}, {"max", largest}, {"samples", size}};
}

/// Names of dimensions become dimensions; bytes are counted.
static Expected<Json> completeSpec(Json spec, const std::string &problem,
                                   const Json &sizes) {
  for (const char *list : {"arguments", "results"})
    for (Json &tensor : spec[list]) {
      Json dims = Json::array();
      for (const Json &name : tensor["dims"])
        dims.push_back(dimension(name.get<std::string>(), sizes));
      tensor["dims"] = dims;
    }
  if (spec.contains("graph"))
    for (Json &value : spec["graph"]["values"])
      for (Json &size : value["shape"]) {
        Json named = sizes.value(size.get<std::string>(), Json(1));
        size = named.is_array() ? Json(-1) : named;
      }
  spec["symbol"] = "selftest_" + problem;
  spec["specHash"] = problem + sizes.dump();
  Expected<KernelSpec> parsed = parseKernelSpec(spec.dump());
  if (!parsed)
    return std::unexpected(parsed.error());
  Expected<Problem> concrete = instantiate(*parsed);
  if (!concrete)
    return std::unexpected(concrete.error());
  double bytes = resultBytes(*concrete);
  for (const ProblemTensor &tensor : concrete->arguments)
    bytes += static_cast<double>(tensor.bytes);
  spec["bytes"] = bytes;
  return spec;
}

static Json borderBuffers(const Json &spec) {
  Json buffers = Json::array();
  for (auto [list, kind] :
       {std::pair("arguments", "argument"), std::pair("results", "result")})
    for (const Json &tensor : spec[list]) {
      int index = 0;
      for (const Json &buffer : buffers)
        index += buffer["kind"] == kind;
      buffers.push_back(
          {{"name", tensor["name"]}, {"kind", kind}, {"index", index}});
    }
  return buffers;
}

/// A plan without steps of its own has one kernel with the problem's `launch`.
static Expected<Json> makePlan(const SelftestHeader &header,
                               std::string_view source, const char *producer,
                               const Json &spec, const Json &launch) {
  Json module{{"name", "m"}, {"kind", "cuda"}, {"source", source}};
  if (auto ok = merge(header, "module", module); !ok)
    return std::unexpected(ok.error());
  Json kernel{
      {"kind", "kernel"}, {"module", "m"}, {"entry", "k"}, {"block", 256}};
  Json buffers = borderBuffers(spec);
  Json steps = Json::array();
  Json prepare = Json::array();
  struct List {
    const char *key;
    Json defaults;
    Json &list;
  };
  for (const List &row :
       {List{"buffer", {{"kind", "workspace"}}, buffers},
        List{"step", kernel, steps}, List{"prepare", kernel, prepare}})
    if (auto ok = append(header, row.key, row.defaults, row.list); !ok)
      return std::unexpected(ok.error());
  if (steps.empty()) {
    kernel.update(launch);
    steps.push_back(kernel);
  }
  Json plan{{"version", 1},        {"producer", producer},
            {"title", "selftest"}, {"modules", Json::array({module})},
            {"buffers", buffers},  {"steps", steps},
            {"prepare", prepare}};
  if (auto ok = merge(header, "plan", plan); !ok)
    return std::unexpected(ok.error());
  return plan;
}

/// The problem's own plan, as a job that compiles it, and the plan itself.
static Expected<Json> problemPlan(std::span<const SelftestFile> files,
                                  const std::string &problem,
                                  const char *producer, const Json &spec,
                                  const Json &launch) {
  std::string path = "problems/" + problem + "." + producer + ".cu";
  auto text = findFile(files, path);
  if (!text)
    return std::unexpected(text.error());
  auto header = parseSelftestHeader(*text);
  if (!header)
    return std::unexpected(header.error().context(path));
  return makePlan(*header, *text, producer, spec, launch);
}

static std::string compileJob(const Json &job, const Json &plan) {
  return Json{{"id", "compile"},     {"kind", "compile"},
              {"spec", job["spec"]}, {"candidate", plan},
              {"arch", job["arch"]}, {"timeoutSeconds", 60}}
      .dump();
}

static Expected<SelftestJob> build(const SelftestPlan &plan,
                                   std::span<const SelftestFile> files,
                                   const SelftestDevice &device) {
  std::string problem = plan.header.first("problem");
  auto text = findFile(files, "problems/" + problem + ".json");
  if (!text)
    return std::unexpected(text.error());
  auto described = parseObject(std::string(*text), problem + ".json");
  if (!described)
    return std::unexpected(described.error());
  Json sizes = (*described)["sizes"];
  if (auto ok = merge(plan.header, "sizes", sizes); !ok)
    return std::unexpected(ok.error());
  if (device.simulated) {
    sizes.update((*described)["sizes-sim"]);
    if (auto ok = merge(plan.header, "sizes-sim", sizes); !ok)
      return std::unexpected(ok.error());
  }
  Json given = (*described)["spec"];
  if (auto ok = merge(plan.header, "spec", given); !ok)
    return std::unexpected(ok.error());
  auto spec = completeSpec(given, problem, sizes);
  if (!spec)
    return std::unexpected(spec.error());
  const Json &launch = (*described)["launch"];
  Json job{{"id", plan.name},
           {"spec", *spec},
           {"arch", device.arch},
           {"seed", seed},
           {"timeoutSeconds", timeoutSeconds},
           {"maxTimingSeconds", timingSeconds}};
  for (const char *producer : {"stock", "reference"}) {
    auto made = problemPlan(files, problem, producer, *spec, launch);
    if (!made)
      return std::unexpected(made.error());
    job[producer] = *made;
  }
  auto candidate = makePlan(plan.header, plan.source, "model", *spec, launch);
  if (!candidate)
    return std::unexpected(candidate.error());
  job["candidate"] = *candidate;
  if (auto ok = merge(plan.header, "job", job); !ok)
    return std::unexpected(ok.error());
  return SelftestJob{plan.name, job.dump(), job["timeoutSeconds"].get<double>(),
                     compileJob(job, job["stock"]),
                     compileJob(job, job["reference"])};
}

Expected<SelftestJob> makeSelftestJob(const SelftestPlan &plan,
                                      std::span<const SelftestFile> files,
                                      const SelftestDevice &device) {
  try {
    auto job = build(plan, files, device);
    if (!job)
      return std::unexpected(job.error().context(plan.name));
    return job;
  } catch (const Json::exception &wrong) {
    return makeError(Error::Code::Invalid, plan.name + ": " + wrong.what());
  }
}

std::string withImages(const SelftestJob &job, const std::string &stockAnswer,
                       const std::string &referenceAnswer) {
  Json whole = Json::parse(job.job);
  whole["stockImages"] = Json::parse(stockAnswer).value("images", Json());
  whole["referenceImages"] =
      Json::parse(referenceAnswer).value("images", Json());
  return whole.dump();
}

} // namespace kclaw
