//===- TemporaryDirectory.h - A folder that a test may fill -----*- C++ -*-===//
//
// Its name has a space, quotes, a percent sign and a CJK character (report:
// paths with those broke compile steps and database URIs). Removed at the end.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_UNITTESTS_TEMPORARYDIRECTORY_H
#define KERNELCLAW_UNITTESTS_TEMPORARYDIRECTORY_H

#include <cstdlib>
#include <filesystem>
#include <string>

namespace kclaw {

class TemporaryDirectory {
public:
  TemporaryDirectory() {
    auto base = std::filesystem::temp_directory_path() / "kclaw XXXXXX";
    std::string text = base.string();
    root = mkdtemp(text.data());
    path = root + "/it's 100% \"\xE6\xA0\xB8\"?mode=ro";
    std::filesystem::create_directories(path);
  }
  TemporaryDirectory(const TemporaryDirectory &) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(root, ignored);
  }
  const std::string &str() const { return path; }
  std::string operator/(const std::string &name) const {
    return path + "/" + name;
  }

private:
  std::string root, path;
};

} // namespace kclaw

#endif // KERNELCLAW_UNITTESTS_TEMPORARYDIRECTORY_H
