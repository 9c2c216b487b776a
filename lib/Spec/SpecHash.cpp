//===- SpecHash.cpp - The name of a region --------------------------------===//
//
// XXH3-128 over what decides whether a kernel for one region serves another:
// text, dtypes, roles, domains, alignment, dimension ranges, policy. Names,
// scales and sample sizes stay out. A dynamic dimension enters as its number
// in order of appearance, so that "the same dynamic size" is part of the hash
// while its name is not.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Spec/KernelSpec.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <map>

namespace kclaw {
namespace {

class HashText {
public:
  HashText &add(const std::string &field) {
    // Length first: no two different field lists give the same text.
    text += std::to_string(field.size()) + ":" + field;
    return *this;
  }
  HashText &add(int64_t value) { return add(std::to_string(value)); }

  std::string digest() const {
    XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
    XXH128_canonical_t bytes;
    XXH128_canonicalFromHash(&bytes, hash);
    static const char digits[] = "0123456789abcdef";
    std::string hex;
    for (unsigned char byte : bytes.digest) {
      hex += digits[byte >> 4];
      hex += digits[byte & 15];
    }
    return hex;
  }

private:
  std::string text;
};

void addTensor(HashText &text, const TensorSpec &tensor,
               std::map<std::string, int64_t> &dynamic) {
  text.add(std::string(info(tensor.dtype).name));
  text.add(int64_t(tensor.role)).add(tensor.alignmentBytes);
  text.add(int64_t(tensor.domain.kind)).add(tensor.domain.limit);
  text.add(int64_t(tensor.dims.size()));
  for (const Dim &dim : tensor.dims) {
    text.add(dim.value);
    if (dim.isStatic())
      continue;
    auto [it, added] = dynamic.try_emplace(dim.name, int64_t(dynamic.size()));
    text.add(it->second).add(dim.min).add(dim.max);
  }
}

} // namespace

std::string computeSpecHash(const KernelSpec &spec) {
  HashText text;
  text.add("claw-spec-1").add(spec.canonicalText);
  text.add(int64_t(spec.policy));
  std::map<std::string, int64_t> dynamic;
  for (const auto *tensors : {&spec.arguments, &spec.results}) {
    text.add(int64_t(tensors->size()));
    for (const TensorSpec &tensor : *tensors)
      addTensor(text, tensor, dynamic);
  }
  return text.digest();
}

} // namespace kclaw
