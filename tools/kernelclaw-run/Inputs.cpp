//===- Inputs.cpp - Which arrays are the arguments ------------------------===//
//
// nlohmann_json's exceptions stay in here.
//
//===----------------------------------------------------------------------===//
#include "Inputs.h"

#include "Npz.h"

#include <nlohmann/json.hpp>

#include <cstring>
#include <fstream>

namespace kclaw {

/// Indices of the arguments with role `input`.
static Expected<std::vector<size_t>> inputIndices(const std::string &path) {
  std::ifstream file(path);
  if (!file)
    return makeError(Error::Code::Io, path + ": " + std::strerror(errno));
  std::vector<size_t> indices;
  try {
    nlohmann::json meta = nlohmann::json::parse(file);
    const nlohmann::json &args = meta.at("args");
    for (size_t i = 0; i < args.size(); ++i)
      if (args.at(i).at("role").get<std::string>() == "input")
        indices.push_back(i);
  } catch (const nlohmann::json::exception &error) {
    return makeError(Error::Code::Invalid, path + ": " + error.what());
  }
  return indices;
}

Expected<std::vector<Array>> readInputs(const std::string &argsPath,
                                        const std::string &metaPath) {
  Expected<Arrays> arrays = readArrays(argsPath, "arg0");
  if (!arrays)
    return std::unexpected(arrays.error());
  std::vector<size_t> indices;
  if (!metaPath.empty()) {
    Expected<std::vector<size_t>> inputs = inputIndices(metaPath);
    if (!inputs)
      return std::unexpected(inputs.error());
    indices = *inputs;
  } else {
    while (arrays->contains("arg" + std::to_string(indices.size())))
      indices.push_back(indices.size());
    if (indices.size() != arrays->size())
      return makeError(Error::Code::Invalid,
                       argsPath + ": holds " + std::to_string(arrays->size()) +
                           " arrays, but arg" + std::to_string(indices.size()) +
                           " is missing; keys are arg0, arg1, ...");
  }
  std::vector<Array> inputs;
  for (size_t index : indices) {
    auto found = arrays->find("arg" + std::to_string(index));
    if (found == arrays->end())
      return makeError(Error::Code::Invalid,
                       argsPath + ": arg" + std::to_string(index) +
                           " is missing, which " + metaPath + " asks for");
    inputs.push_back(std::move(found->second));
  }
  return inputs;
}

} // namespace kclaw
