//===- Skeleton.cpp - Kernel skeletons of the memory bank -----------------===//
//
// Reads skeletons, the op tables and the hardware's facts, and checks what can
// be checked before a region is known: names in expressions, placeholders.
//
//===----------------------------------------------------------------------===//
#include "Skeleton.h"

#include "Files.h"
#include "Support/Json.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace kclaw::expert {
namespace {

using json::Cursor;

constexpr json::EnumRow<Layout> layoutNames[] = {{"row", Layout::Row},
                                                 {"column", Layout::Column},
                                                 {"product", Layout::Product}};
constexpr json::EnumRow<bool> storageNames[] = {{"registers", true},
                                                {"stream", false}};
constexpr json::EnumRow<bool> launchNames[] = {{"once", false},
                                               {"per phase", true}};

/// What Instantiate.cpp fills in; see memorybank/skeletons/README.md.
constexpr const char *knownPlaceholders[] = {"prelude",    "entry",
                                             "params",     "body",
                                             "body_tail",  "rows",
                                             "cols",       "vec",
                                             "tunables",   "prologue",
                                             "phase",      "finish",
                                             "splits",     "blocks_a_row",
                                             "operands",   "batch",
                                             "m",          "n",
                                             "k",          "a",
                                             "b",          "math",
                                             "math_header"};

/// Facts of a region that expressions may use.
constexpr const char *knownFacts[] = {
    "rows",    "cols",  "vec",   "live", "phases", "sms", "full_results",
    "reduces", "bytes", "batch", "m",    "n",      "k",   "operand_bytes",
    "tf32"};

/// An expression whose names are facts, tunables or derived before.
Expr readExpr(const Cursor &at, const std::set<std::string> &known) {
  if (at.get() && at.get()->is_number_integer())
    return Expr(at.integer());
  Expr expr(at.string());
  Expected<std::vector<std::string>> names = expr.names();
  if (!names) {
    at.fail(names.error().message);
    return expr;
  }
  for (const std::string &name : *names)
    if (!known.contains(name))
      at.fail("unknown name '" + name + "' in '" + expr.str() + "'");
  return expr;
}

Skeleton readSkeleton(const Cursor &at) {
  at.only({"about", "title", "layout", "storage", "launch", "walk", "tunables",
           "derive", "when", "score", "grid", "block", "cluster", "shared",
           "kernel", "math", "math_header"});
  Skeleton skeleton;
  skeleton.title = at.at("title").string();
  skeleton.layout = at.at("layout").oneOf(layoutNames, Layout::Row);
  skeleton.registers = at.at("storage").oneOf(storageNames, true);
  skeleton.kernel = at.find("kernel").string();
  skeleton.math = at.find("math").string();
  skeleton.mathHeader = at.find("math_header").string();
  if (Cursor launch = at.find("launch"); launch.present())
    skeleton.perPhase = launch.oneOf(launchNames, false);
  Cursor walk = at.at("walk");
  if (walk.present())
    walk.only({"loop", "column", "guard", "tail"});
  skeleton.loop = walk.find("loop").string();
  skeleton.column = walk.find("column").string();
  skeleton.guard = walk.find("guard").string();
  skeleton.tail = walk.find("tail").boolean();
  std::set<std::string> known(std::begin(knownFacts), std::end(knownFacts));
  at.at("tunables").members([&](const std::string &name, const Cursor &value) {
    Skeleton::Knob knob{name, value.list([](const Cursor &number) {
                          return number.integer(1, 1, 1 << 20);
                        })};
    if (knob.values.empty())
      value.fail("wants at least one value");
    known.insert(name);
    skeleton.tunables.push_back(std::move(knob));
  });
  if (Cursor derive = at.find("derive"); derive.present())
    derive.members([&](const std::string &name, const Cursor &value) {
      skeleton.derived.emplace_back(name, readExpr(value, known));
      known.insert(name);
    });
  if (skeleton.perPhase && !known.contains("splits"))
    at.find("launch").fail("per phase wants a derived number 'splits'");
  auto expression = [&](const Cursor &value) { return readExpr(value, known); };
  skeleton.conditions = at.at("when").list(expression);
  skeleton.score = expression(at.at("score"));
  std::vector<Expr> grid = at.at("grid").list(expression);
  if (grid.empty() || grid.size() > 3)
    at.at("grid").fail("wants one to three expressions");
  std::copy_n(grid.begin(), std::min<size_t>(grid.size(), 3),
              skeleton.launch.grid.begin());
  skeleton.launch.block = expression(at.at("block"));
  if (Cursor cluster = at.find("cluster"); cluster.present())
    skeleton.launch.cluster = expression(cluster);
  if (Cursor shared = at.find("shared"); shared.present())
    skeleton.launch.sharedBytes = expression(shared);
  return skeleton;
}

Expected<Bindings> loadHardware(const std::string &file) {
  Expected<std::string> text = readFile(file);
  if (!text)
    return std::unexpected(text.error());
  Bindings facts;
  Expected<bool> read = json::parseDocument(*text, "facts", [&](Cursor at) {
    at.only({"about", "name", "arch", "facts", "instructions", "pitfalls"});
    at.at("facts").members([&](const std::string &name, const Cursor &fact) {
      fact.only({"value", "unit", "source"});
      fact.at("source").string();
      const json::Json *value = fact.at("value").get();
      if (value && value->is_number_integer())
        facts[name] = fact.at("value").integer();
      else if (value && !value->is_number())
        fact.at("value").fail("expected a number");
    });
    if (!facts.contains("sms"))
      at.at("facts").fail("wants the fact 'sms'");
    return true;
  });
  if (!read)
    return std::unexpected(read.error().context(file));
  return facts;
}

/// The error names a placeholder that nobody fills.
Expected<void> setSource(Skeleton &skeleton, const std::string &source) {
  for (const std::string &placeholder : placeholders(source)) {
    bool known = placeholder.starts_with("shared:") ||
                 std::ranges::find(knownPlaceholders, placeholder) !=
                     std::end(knownPlaceholders);
    if (!known)
      return makeError(Error::Code::Invalid,
                       skeleton.file +
                           ": kernel.cu uses the unknown placeholder '{{" +
                           placeholder + "}}'");
  }
  skeleton.source = source;
  return {};
}

} // namespace

std::vector<std::string> placeholders(const std::string &text) {
  std::vector<std::string> names;
  for (size_t at = text.find("{{"); at != std::string::npos;
       at = text.find("{{", at + 2)) {
    size_t end = text.find("}}", at);
    if (end == std::string::npos)
      break;
    names.push_back(text.substr(at + 2, end - at - 2));
  }
  return names;
}

Expected<Skeleton> parseSkeleton(const std::string &json,
                                 const std::string &source,
                                 const std::string &name,
                                 const std::string &file) {
  Expected<Skeleton> skeleton =
      json::parseDocument(json, "skeleton", readSkeleton);
  if (!skeleton)
    return std::unexpected(skeleton.error().context(file));
  if (skeleton->layout == Layout::Product &&
      (skeleton->registers || skeleton->perPhase ||
       skeleton->mathHeader.empty()))
    return makeError(Error::Code::Invalid,
                     file + ": layout: product wants storage stream, launch "
                            "once and \"math_header\"");
  skeleton->name = name;
  skeleton->file = file;
  if (Expected<void> known = setSource(*skeleton, source); !known)
    return std::unexpected(known.error());
  return skeleton;
}
Expected<MemoryBank> loadMemoryBank(const std::string &folder) {
  MemoryBank bank;
  std::string root = folder + "/skeletons";
  Expected<OpTable> ops = loadOpTable(root + "/ops");
  if (!ops)
    return std::unexpected(ops.error());
  bank.ops = std::move(*ops);
  Expected<std::vector<std::string>> shared =
      listFiles(root + "/common", ".cuh");
  if (!shared)
    return std::unexpected(shared.error());
  for (const std::string &file : *shared) {
    Expected<std::string> text = readFile(file);
    if (!text)
      return std::unexpected(text.error());
    bank.shared[std::filesystem::path(file).stem().string()] = *text;
  }
  bank.prelude = bank.shared["prelude"];
  Expected<Bindings> hardware = loadHardware(folder + "/hardware/h200.json");
  if (!hardware)
    return std::unexpected(hardware.error());
  bank.hardware = *hardware;
  Expected<std::vector<std::string>> folders = listFiles(root, "");
  if (!folders)
    return std::unexpected(folders.error());
  for (const std::string &path : *folders) {
    std::string file = path + "/skeleton.json";
    if (!std::filesystem::exists(file))
      continue;
    Expected<std::string> json = readFile(file);
    if (!json)
      return std::unexpected(json.error());
    Expected<Skeleton> skeleton = parseSkeleton(
        *json, "", std::filesystem::path(path).filename().string(), file);
    if (!skeleton)
      return std::unexpected(skeleton.error());
    Expected<std::string> source = readFile(
        (skeleton->kernel.empty() ? path : root + "/" + skeleton->kernel) +
        "/kernel.cu");
    if (!source)
      return std::unexpected(source.error().context(file));
    if (std::string header = skeleton->mathHeader;
        !header.empty() && !bank.shared.contains(header))
      return makeError(Error::Code::Invalid, file + ": math_header: common/" +
                                                 header + ".cuh is absent");
    if (Expected<void> known = setSource(*skeleton, *source); !known)
      return std::unexpected(known.error());
    for (const std::string &placeholder : placeholders(skeleton->source))
      if (placeholder.starts_with("shared:") &&
          !bank.shared.contains(placeholder.substr(7)))
        return makeError(Error::Code::Invalid,
                         file + ": kernel.cu wants common/" +
                             placeholder.substr(7) + ".cuh, which is absent");
    bank.skeletons.push_back(std::move(*skeleton));
  }
  return bank;
}

} // namespace kclaw::expert
