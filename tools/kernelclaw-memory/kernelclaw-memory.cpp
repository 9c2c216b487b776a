//===- kernelclaw-memory.cpp - Looks at and checks the memory bank --------===//
#include "Learned.h"
#include "Subcommand.h"

#include <climits>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <unistd.h>

static constexpr const char *about =
    "Expert knowledge under memorybank/: what it holds, what it says about a "
    "region,\nand the proof that all of it can be used.";

namespace {
struct Row {
  const char *name, *about;
  Subcommand *add;
};
constexpr Row rows[] = {
    {"check",
     "prove that all of the bank can be used: entries load, cases are reached, "
     "none is shadowed, each precondition matters, examples are right",
     addCheck},
    {"features", "what conditions may name: name, unit, meaning, where from",
     addFeatures},
    {"list", "methods, cases, predicates, lessons, hardware", addList},
    {"show", "one entry, as it is", addShow},
    {"explain", "a method: the card, and which cases allow or forbid it",
     addExplain},
    {"diagnose",
     "features, predicates, case, allowed and refused methods of a region",
     addDiagnose},
};
} // namespace

int fail(const std::string &why, int code) {
  std::fprintf(stderr, "kernelclaw-memory: %s\n", why.c_str());
  return code;
}

std::optional<kclaw::MemoryBank> openBank(const MemoryOptions &options) {
  auto bank = kclaw::loadMemoryBank(options.bank);
  if (!bank) {
    fail(bank.error().message);
    return std::nullopt;
  }
  return std::move(*bank);
}

std::string wrap(const std::string &text, const std::string &indent) {
  std::string wrapped, line;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!line.empty() && indent.size() + line.size() + word.size() >= 79) {
      wrapped += indent + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return wrapped + indent + line + "\n";
}

static std::string ownFolder() {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return length > 0 ? std::filesystem::path(
                          std::string(path, static_cast<size_t>(length)))
                          .parent_path()
                          .string()
                    : ".";
}

int main(int argc, char **argv) {
  CLI::App app(about, "kernelclaw-memory");
  MemoryOptions options{KCLAW_MEMORYBANK_DIR, ownFolder()};
  app.add_option("--bank", options.bank,
                 "another memory bank than the one this was built with");
  app.require_subcommand(1);
  int code = Good;
  for (const Row &row : rows) {
    CLI::App *own = app.add_subcommand(row.name, row.about);
    own->fallthrough();
    own->callback([&code, run = row.add(*own, options)] { code = run(); });
  }
  std::string store;
  app.add_option("--store", store,
                 "for learned: folder of the store, or an exported FILE.json; "
                 "default: $KERNELCLAW_CACHE, else kernelclaw in the user's "
                 "cache folder");
  CLI::App *learned = app.add_subcommand("learned", kclaw::learnedSummary);
  learned->fallthrough();
  kclaw::addLearned(*learned, {"kernelclaw-memory", store, code});
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? int(Good) : int(WrongUse);
  }
  return code;
}
