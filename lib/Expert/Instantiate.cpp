//===- Instantiate.cpp - A candidate's plan -------------------------------===//
//
// Fills the skeleton's template from the region and writes the launch recipe.
// Sizes are the names of claw_spec.h in the source and in grids, so that the
// plan serves other sizes too; what was chosen by the sizes of this region
// (packets, splits) is a number, and a requirement where it matters.
//
//===----------------------------------------------------------------------===//
#include "Candidates.h"
#include "KernelWriter.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace kclaw::expert {
namespace {

/// The template text with every {{name}} replaced; later lines of a filling
/// are indented like its first.
std::string fill(const std::string &text,
                 const std::map<std::string, std::string> &values) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    size_t open = text.find("{{", at);
    size_t close = open == std::string::npos ? open : text.find("}}", open);
    if (close == std::string::npos)
      return result + text.substr(at);
    result += text.substr(at, open - at);
    size_t lineStart = result.rfind('\n') + 1;
    std::string margin = result.substr(lineStart);
    bool alone = margin.find_first_not_of(' ') == std::string::npos;
    std::string value = values.at(text.substr(open + 2, close - open - 2));
    while (alone && value.ends_with('\n'))
      value.pop_back();
    for (char c : value) {
      if (alone && c != '\n' && result.ends_with('\n'))
        result += margin;
      result += c;
    }
    at = close + 2;
  }
  return result;
}

/// {name} becomes its number; where numbers wait for the sweep, a tunable or
/// derived number becomes its name.
std::string fillTitle(std::string text, const Bindings &names,
                      const std::set<std::string> &open) {
  for (const auto &[name, value] : names) {
    std::string token = "{" + name + "}";
    for (size_t at = text.find(token); at != std::string::npos;
         at = text.find(token))
      text.replace(at, token.size(),
                   open.contains(name) ? name : std::to_string(value));
  }
  return text;
}

/// The text with `change` applied to each name and number in it.
template <typename Change>
std::string eachWord(const std::string &text, Change change) {
  auto inWord = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  std::string result;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && inWord(text[end]))
      ++end;
    if (end == at)
      result += text[at++];
    else
      result += change(text.substr(at, end - at));
    at = std::max(at, end);
  }
  return result;
}

class Instantiation {
public:
  Instantiation(const Region &region, const Candidate &candidate,
                const MemoryBank &bank)
      : region(region), candidate(candidate), skeleton(*candidate.skeleton),
        bank(bank) {}

  Expected<Plan> run() {
    plan.producer = Producer::Expert;
    plan.title = skeleton.name + ": " +
                 fillTitle(skeleton.title, candidate.names, openNumbers());
    plan.resizable = region.program.resizable;
    declareTunables();
    declareConstraint();
    declareBuffers();
    declareRequirements();
    if (skeleton.perPhase)
      writePerPhase();
    else
      writeOnce();
    return plan;
  }

private:
  int64_t name(const std::string &name) const {
    return candidate.names.at(name);
  }

  Walk walk(int width) const {
    return {skeleton.registers,
            skeleton.loop,
            skeleton.column,
            skeleton.guard,
            width,
            skeleton.tail && region.schedule.rowCount == 1};
  }

  const AtomSpace &atoms() const { return region.program.atoms; }
  Extent rows() const { return atoms().extent(region.schedule.rows); }
  Extent columns() const { return atoms().extent(region.schedule.columns); }

  void declareTunables() {
    for (const Skeleton::Knob &knob : skeleton.tunables) {
      std::vector<int64_t> values{name(knob.name)};
      if (isSwept(knob.name))
        values = candidate.swept.at(knob.name);
      plan.tunables.push_back({knob.name, values, name(knob.name)});
    }
  }

  bool isSwept(const std::string &name) const {
    return candidate.swept.contains(name);
  }

  /// Names whose numbers the sweep decides.
  std::set<std::string> openNumbers() const {
    std::set<std::string> open;
    for (const auto &[name, values] : candidate.swept)
      open.insert(name);
    for (const auto &[name, expr] : skeleton.derived)
      if (Expected<std::vector<std::string>> used = expr.names();
          used && std::ranges::any_of(*used, [&](const std::string &each) {
            return open.contains(each);
          }))
        open.insert(name);
    return open;
  }

  /// The skeleton's conditions on its tunables, at the sizes of this region;
  /// the source holds `splits` as it was chosen.
  void declareConstraint() {
    if (candidate.swept.empty())
      return;
    std::vector<std::string> all;
    for (const Expr &condition : skeleton.conditions)
      all.push_back(condition.str());
    if (candidate.names.contains("splits"))
      for (const auto &[word, expr] : skeleton.derived)
        if (word == "splits")
          all.push_back("(" + expr.str() +
                        ") == " + std::to_string(name("splits")));
    for (const std::string &condition : all) {
      std::string text = withNumbers(condition);
      Expected<std::vector<std::string>> open = Expr(text).names();
      if (!open || open->empty())
        continue; // holds, or it would be no candidate
      plan.constraint += (plan.constraint.empty() ? "(" : " && (") + text + ")";
    }
  }

  /// Facts as numbers, derived numbers written out, swept tunables as names.
  std::string withNumbers(const std::string &text) const {
    return eachWord(text, [this](const std::string &word) -> std::string {
      if (isSwept(word))
        return word;
      for (const auto &[name, expr] : skeleton.derived)
        if (name == word)
          return "(" + withNumbers(expr.str()) + ")";
      auto known = candidate.names.find(word);
      return known == candidate.names.end() ? word
                                            : std::to_string(known->second);
    });
  }

  void declareBuffers() {
    for (int i : usedArguments(region.program, region.schedule))
      addBuffer("arg" + std::to_string(i), PlanBuffer::Kind::Argument, i);
    for (const Output &output : region.program.outputs)
      addBuffer("res" + std::to_string(output.result), PlanBuffer::Kind::Result,
                output.result);
  }

  void addBuffer(const std::string &name, PlanBuffer::Kind kind, int index) {
    PlanBuffer buffer;
    buffer.name = name;
    buffer.kind = kind;
    buffer.index = index;
    plan.buffers.push_back(buffer);
    arguments.push_back({PlanArg::Kind::Buffer, name, Expr(0), 0});
  }

  void declareRequirements() {
    Walk how = walk(int(name("vec")));
    std::set<std::string> required =
        packRequirements(region.program, region.schedule, how.width, how.tail);
    for (const Factor &factor : region.factors)
      required.insert(factor.requirements.begin(), factor.requirements.end());
    required.insert(atoms().requirements().begin(),
                    atoms().requirements().end());
    for (const Extent &all : indexSpaces())
      if (all.named && !isWide())
        required.insert(all.text + " < " + std::to_string(narrowLimit));
    plan.requirements.assign(required.begin(), required.end());
  }

  std::string tunableText() const {
    std::string text;
    for (const Tunable &tunable : plan.tunables)
      text += "#ifndef " + tunable.name + "\n#define " + tunable.name + " " +
              std::to_string(tunable.chosen) + "\n#endif\n";
    return text;
  }

  std::string preludeText() const {
    std::string text = "#include \"claw_spec.h\"\n";
    auto uses = [&](DType type) {
      return std::ranges::any_of(
          region.spec->graph.values,
          [type](const GraphValue &value) { return value.dtype == type; });
    };
    if (uses(DType::f16))
      text += "#include <cuda_fp16.h>\n";
    if (uses(DType::bf16))
      text += "#include <cuda_bf16.h>\n";
    text += std::string("using idx_t = ") + (isWide() ? "long long" : "int") +
            ";\n";
    std::set<std::string> names;
    for (const AtomList *axis :
         {&region.schedule.rows, &region.schedule.columns,
          &region.schedule.depth})
      for (int atom : *axis)
        if (Extent size = atoms().extent(atom); size.named)
          names.insert(size.text);
    for (const std::string &name : names)
      text += "constexpr idx_t " + name + " = claw::" + name + ";\n";
    return text + bank.prelude;
  }

  /// An index of an element, and one step past a guard, stay below 2^31.
  static constexpr int64_t narrowLimit =
      (int64_t(1) << 31) - (int64_t(1) << 20);
  bool isWide() const {
    return std::ranges::any_of(indexSpaces(), [](const Extent &all) {
      return all.value >= narrowLimit;
    });
  }

  /// What elements are counted in; of a contraction, the operands' too.
  std::vector<Extent> indexSpaces() const {
    std::vector<Extent> spaces{rows() * columns()};
    Extent depth = atoms().extent(region.schedule.depth);
    Extent batch = atoms().extent(region.schedule.batch);
    for (const Factor &factor : region.factors)
      spaces.push_back(batch * factor.size * depth);
    return spaces;
  }

  void addProduct(std::map<std::string, std::string> &values) const {
    const std::vector<Factor> &factors = region.factors;
    values["operands"] =
        factorText(factors[0], "OperandA") + factorText(factors[1], "OperandB");
    values["a"] = "arg" + std::to_string(factors[0].argument);
    values["b"] = "arg" + std::to_string(factors[1].argument);
    values["batch"] = atoms().extent(region.schedule.batch).text;
    values["m"] = factors[0].size.text;
    values["n"] = factors[1].size.text;
    values["k"] = atoms().extent(region.schedule.depth).text;
    values["math"] = skeleton.math;
    values["math_header"] = bank.shared.at(skeleton.mathHeader);
  }

  std::map<std::string, std::string> commonValues() const {
    std::map<std::string, std::string> values;
    values["prelude"] = preludeText();
    values["tunables"] = tunableText();
    values["rows"] = rows().text;
    values["cols"] = columns().text;
    values["vec"] = std::to_string(name("vec"));
    values["params"] =
        parameterList(*region.spec, region.program, region.schedule);
    if (!region.factors.empty())
      addProduct(values);
    for (const auto &[name, text] : bank.shared)
      values["shared:" + name] = text;
    return values;
  }

  void addKernel(const std::string &entry, std::string source) {
    PlanModule module;
    module.name = entry;
    module.source = std::move(source);
    plan.modules.push_back(std::move(module));
    KernelStep step;
    step.module = entry;
    step.entry = entry;
    for (int i = 0; i < 3; ++i)
      step.grid[i] = resolved(skeleton.launch.grid[i]);
    step.block[0] = resolved(skeleton.launch.block);
    step.cluster[0] = resolved(skeleton.launch.cluster);
    step.sharedBytes = resolved(skeleton.launch.sharedBytes);
    step.args = arguments;
    plan.steps.push_back(std::move(step));
  }

  /// Facts and derived numbers become numbers, but for what follows from rows
  /// and columns.
  Expr resolved(const Expr &expr) const {
    std::string text = byNames(expr.str());
    Expected<std::vector<std::string>> names = Expr(text).names();
    if (names && !names->empty())
      return Expr(text);
    Expected<int64_t> value = expr.evaluate(candidate.names);
    return Expr(value.value_or(1));
  }

  std::string byNames(const std::string &text) const {
    return eachWord(
        text, [this](const std::string &word) { return wordByNames(word); });
  }

  /// A fact that is a size of the region.
  std::optional<Extent> sizeFact(const std::string &word) const {
    if (word == "rows" || word == "cols")
      return word == "rows" ? rows() : columns();
    if (region.factors.empty())
      return std::nullopt;
    const Schedule &schedule = region.schedule;
    if (word == "batch" || word == "k")
      return atoms().extent(word == "k" ? schedule.depth : schedule.batch);
    if (word == "m" || word == "n")
      return region.factors[word == "n"].size;
    return std::nullopt;
  }

  /// `splits` is part of the source, and stays as it was chosen.
  std::string wordByNames(const std::string &word) const {
    if (isSwept(word))
      return word;
    if (std::optional<Extent> size = sizeFact(word))
      return size->factor();
    for (const auto &[name, expr] : skeleton.derived)
      if (name == word && name != "splits")
        return "(" + resolved(expr).str() + ")";
    auto known = candidate.names.find(word);
    return known == candidate.names.end() ? word
                                          : std::to_string(known->second);
  }

  void writeOnce() {
    KernelWriter writer(*region.spec, region.program, region.schedule,
                        walk(int(name("vec"))));
    std::map<std::string, std::string> values = commonValues();
    values["entry"] = "kclaw_" + skeleton.name;
    values["body"] = writer.body();
    if (skeleton.tail) {
      KernelWriter tail(*region.spec, region.program, region.schedule, walk(1));
      values["body_tail"] = tail.body();
    }
    addKernel(values["entry"], fill(skeleton.source, values));
  }

  /// One kernel a phase; what a phase reduced goes through a workspace. The
  /// last kernel visits no column when every result is a row value.
  void writePerPhase() {
    const Schedule &schedule = region.schedule;
    KernelWriter writer(*region.spec, region.program, schedule,
                        walk(int(name("vec"))));
    for (int i = 0; i < schedule.phases; ++i)
      for (const KernelWriter::Accumulator &sum : writer.accumulators(i)) {
        addBuffer("parts" + std::to_string(sum.node),
                  PlanBuffer::Kind::Workspace, -1);
        // 16 bytes hold every accumulator: a value and its position.
        plan.buffers.back().sizeBytes = resolved(Expr("rows * splits * 16"));
      }
    std::map<std::string, std::string> values = commonValues();
    values["params"] += ", " + writer.partParameters();
    values["splits"] = std::to_string(name("splits"));
    for (int i = 0; i < schedule.phases; ++i) {
      bool last = i + 1 == schedule.phases;
      values["entry"] = "kclaw_" + skeleton.name + std::to_string(i);
      values["prologue"] = writer.prologue() + writer.combineParts(i);
      values["phase"] = writer.phase(i);
      values["finish"] = last ? writer.storeRows() : writer.writeParts(i);
      // The finishing kernel has one block for each row.
      values["blocks_a_row"] = last && !schedule.fullResults ? "1" : "SPLITS";
      addKernel(values["entry"], fill(skeleton.source, values));
      if (last && !schedule.fullResults)
        plan.steps.back() = oneBlockARow(plan.steps.back());
    }
  }

  Step oneBlockARow(Step step) const {
    KernelStep kernel = std::get<KernelStep>(step);
    kernel.grid[0] =
        resolved(Expr("(" + skeleton.launch.grid[0].str() + ") / splits"));
    return kernel;
  }

  const Region &region;
  const Candidate &candidate;
  const Skeleton &skeleton;
  const MemoryBank &bank;
  Plan plan;
  std::vector<PlanArg> arguments;
};

} // namespace

Expected<Plan> instantiate(const Region &region, const Candidate &candidate,
                           const MemoryBank &bank) {
  return Instantiation(region, candidate, bank).run();
}

} // namespace kclaw::expert
