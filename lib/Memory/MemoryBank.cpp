//===- MemoryBank.cpp - Reading memorybank/ -------------------------------===//
//
// In an order in which each name is known before it is used: hardware, derived
// numbers, predicates, tiers, methods, cases, lessons.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Memory/MemoryBank.h"

#include "Names.h"
#include "Readers.h"
#include "Support/Files.h"

#include <algorithm>

namespace kclaw {

namespace fs = std::filesystem;

const Method *MemoryBank::method(const std::string &name) const {
  auto found = std::ranges::find(methods, name, &Method::name);
  return found == methods.end() ? nullptr : &*found;
}

const Hardware *MemoryBank::target(const std::string &arch) const {
  // "sm_100a" has what sm_100 has.
  for (const std::string &name :
       {arch, arch + "a", arch.substr(0, arch.size() - arch.ends_with('a'))})
    if (auto found = std::ranges::find(hardware, name, &Hardware::arch);
        found != hardware.end())
      return &*found;
  return nullptr;
}

namespace {

class Loader {
public:
  explicit Loader(std::string directory) : root(std::move(directory)) {}
  Expected<MemoryBank> load();

private:
  Expected<void> loadHardware();
  Expected<void> loadDiagnosis();
  Expected<void> loadMethods();
  Expected<void> loadCases();
  Expected<void> loadLessons();

  /// Files of a folder that end in .json, sorted; others are an error, for a
  /// file under a wrong name would be ignored.
  Expected<std::vector<std::string>> jsonFiles(const std::string &folder);
  Expected<std::vector<NamedCondition>>
  conditions(const std::string &file, const char *key, NameSet &known);

  std::string root;
  MemoryBank bank;
  NameSet known = featureNames(); ///< what a condition may name
};

/// Reads `file` with `read(text)`; errors name the file.
template <typename Read>
auto readWith(const std::string &file, Read read)
    -> decltype(read(std::string())) {
  Expected<std::string> text = readFile(file);
  if (!text)
    return std::unexpected(text.error());
  auto result = read(*text);
  if (!result)
    return std::unexpected(result.error().context(file));
  return result;
}

} // namespace

Expected<std::vector<std::string>>
Loader::jsonFiles(const std::string &folder) {
  std::vector<std::string> files;
  std::error_code failed;
  for (const fs::directory_entry &entry :
       fs::directory_iterator(folder, failed)) {
    if (entry.is_directory())
      continue;
    if (entry.path().extension() != ".json")
      return makeError(Error::Code::Invalid,
                       entry.path().string() + ": only .json is read here");
    files.push_back(entry.path().string());
  }
  if (failed)
    return makeError(Error::Code::Io, "reading folder '" + folder +
                                          "' failed: " + failed.message());
  std::ranges::sort(files);
  return files;
}

Expected<void> Loader::loadHardware() {
  auto files = jsonFiles(root + "/hardware");
  if (!files)
    return std::unexpected(files.error());
  for (const std::string &file : *files) {
    auto hardware = readWith(file, readHardware);
    if (!hardware)
      return std::unexpected(hardware.error());
    if (bank.target(hardware->arch))
      return makeError(Error::Code::Invalid,
                       file + ": arch: a second file for " + hardware->arch);
    bank.hardware.push_back(std::move(*hardware));
  }
  return {};
}

Expected<std::vector<NamedCondition>>
Loader::conditions(const std::string &file, const char *key, NameSet &names) {
  return readWith(root + "/diagnosis/" + file, [&](const std::string &text) {
    return readConditions(text, key, names);
  });
}

Expected<void> Loader::loadDiagnosis() {
  struct Row {
    const char *file, *key;
    std::vector<NamedCondition> &target;
    bool names; ///< later conditions may use its entries
  };
  const Row rows[] = {
      {"derived.json", "value", bank.derived, true},
      {"predicates.json", "condition", bank.predicates, true},
      {"headroom.json", "condition", bank.headrooms, false},
      {"consistency.json", "condition", bank.consistency, false}};
  for (const Row &row : rows) {
    NameSet own = known;
    auto read = conditions(row.file, row.key, row.names ? known : own);
    if (!read)
      return std::unexpected(read.error());
    row.target = std::move(*read);
  }
  auto files = jsonFiles(root + "/diagnosis");
  if (!files)
    return std::unexpected(files.error());
  for (const std::string &file : *files) {
    std::string name = fs::path(file).filename().string();
    bool expected = name == "advice.json" || name == "witnesses.json" ||
                    std::ranges::any_of(
                        rows, [&](const Row &row) { return row.file == name; });
    if (!expected)
      return makeError(Error::Code::Invalid,
                       file + ": nothing reads a file of this name; see "
                              "memorybank/README.md");
  }
  return {};
}

Expected<void> Loader::loadMethods() {
  std::vector<fs::path> folders;
  std::error_code failed;
  for (const fs::directory_entry &entry :
       fs::directory_iterator(root + "/methods", failed))
    if (entry.path().filename() != "problems")
      folders.push_back(entry.path());
  if (failed)
    return makeError(Error::Code::Io,
                     "reading folder '" + root +
                         "/methods' failed: " + failed.message());
  std::ranges::sort(folders);
  for (const fs::path &folder : folders) {
    auto method = readWith(
        (folder / "method.json").string(),
        [&](const std::string &text) { return readMethod(text, known); });
    if (!method)
      return std::unexpected(method.error());
    method->name = folder.filename().string();
    Expected<std::string> example = readFile((folder / "example.cu").string());
    if (!example)
      return std::unexpected(example.error());
    method->example = std::move(*example);
    bank.methods.push_back(std::move(*method));
  }
  return {};
}

Expected<void> Loader::loadCases() {
  auto files = jsonFiles(root + "/diagnosis/cases");
  if (!files)
    return std::unexpected(files.error());
  for (const std::string &file : *files) {
    auto cases = readWith(file, [&](const std::string &text) {
      return readCases(text, bank, known);
    });
    if (!cases)
      return std::unexpected(cases.error());
    for (Case &one : *cases) {
      if (std::ranges::count(bank.cases, one.name, &Case::name))
        return makeError(Error::Code::Invalid,
                         file + ": a second case '" + one.name + "'");
      bank.cases.push_back(std::move(one));
    }
  }
  return {};
}

Expected<void> Loader::loadLessons() {
  auto files = jsonFiles(root + "/lessons");
  if (!files)
    return std::unexpected(files.error());
  for (const std::string &file : *files) {
    std::string stage = fs::path(file).stem().string();
    auto lessons = readWith(file, [&](const std::string &text) {
      return readLessons(text, stage);
    });
    if (!lessons)
      return std::unexpected(lessons.error());
    for (Lesson &lesson : *lessons) {
      if (std::ranges::count(bank.lessons, lesson.name, &Lesson::name))
        return makeError(Error::Code::Invalid,
                         file + ": a second lesson '" + lesson.name + "'");
      bank.lessons.push_back(std::move(lesson));
    }
  }
  return {};
}

Expected<MemoryBank> Loader::load() {
  bank.directory = root;
  for (auto part :
       {&Loader::loadHardware, &Loader::loadDiagnosis, &Loader::loadMethods,
        &Loader::loadCases, &Loader::loadLessons})
    if (Expected<void> done = (this->*part)(); !done)
      return std::unexpected(done.error());
  return std::move(bank);
}

Expected<MemoryBank> loadMemoryBank(const std::string &directory) {
  return Loader(directory).load();
}

} // namespace kclaw
