//===- Store.cpp - Opening a folder or an exported file -------------------===//
#include "Schema.h"
#include "SqliteStore.h"

#include "Support/Files.h"
#include "kernelclaw/Support/CacheDirectory.h"

namespace kclaw {
namespace {

Expected<std::unique_ptr<Store>> openFolder(const std::string &folder) {
  if (auto done = makeDirectory(folder); !done)
    return std::unexpected(done.error().context("store"));
  auto database = Database::open(folder + "/store.sqlite");
  if (!database)
    return std::unexpected(database.error());
  if (auto done = prepareSchema(*database); !done)
    return std::unexpected(done.error());
  return std::make_unique<SqliteStore>(std::move(*database));
}

/// The rows of an exported file, in memory. A build is not to depend on what
/// is left of a damaged file.
Expected<std::unique_ptr<Store>> openExported(const std::string &path) {
  auto text = readFile(path);
  if (!text)
    return std::unexpected(text.error().context("store"));
  auto contents = parseStoreFile(*text);
  if (!contents)
    return std::unexpected(contents.error().context("store '" + path + "'"));
  if (!contents->damage.empty())
    return makeError(Error::Code::Invalid,
                     "store '" + path + "': " + contents->damage[0] +
                         "; mend the file, or import what is whole of it with "
                         "kernelclaw-store import");
  auto database = Database::memory(path);
  if (!database)
    return std::unexpected(database.error());
  if (auto done = prepareSchema(*database); !done)
    return std::unexpected(done.error());
  auto store = std::make_unique<SqliteStore>(std::move(*database));
  if (auto merged = store->merge(*contents, 1); !merged)
    return std::unexpected(merged.error());
  return store;
}

} // namespace

Expected<std::unique_ptr<Store>> openStore(const std::string &where) {
  if (where.ends_with(".json"))
    return openExported(where);
  Expected<std::string> folder = where;
  if (where.empty())
    folder = defaultCacheDirectory();
  if (!folder)
    return std::unexpected(folder.error());
  return openFolder(*folder);
}

} // namespace kclaw
