//===- ClawComments.h - The lines "// claw: ..." of a source ----*- C++ -*-===//
#ifndef KERNELCLAW_LIB_DEVICE_EXPLAIN_CLAWCOMMENTS_H
#define KERNELCLAW_LIB_DEVICE_EXPLAIN_CLAWCOMMENTS_H

#include "kernelclaw/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace kclaw {

/// One line: "grid=ceildiv(n,256), block=256" -> {"grid": "ceildiv(n,256)",
/// "block": "256"}; a word without '=' has the value "". A line that ends in a
/// backslash or a comma goes on in the next comment line.
struct ClawComment {
  size_t line = 0; ///< from 1
  std::map<std::string, std::string> values;
  bool has(const std::string &key) const { return values.contains(key); }
};

/// Invalid names the line and the unknown word, with those that are known.
Expected<std::vector<ClawComment>> findClawComments(const std::string &source,
                                                    const std::string &file);

/// Parts between commas outside of parentheses, without spaces around.
std::vector<std::string> splitList(const std::string &text);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_EXPLAIN_CLAWCOMMENTS_H
