//===- Base64.h - Binary data inside JSON (RFC 4648) ------------*- C++ -*-===//
//
// Private to the agent half: cubins, fatbins and constants in JSON strings.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SUPPORT_BASE64_H
#define KERNELCLAW_LIB_SUPPORT_BASE64_H

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kclaw {

inline constexpr std::string_view base64Alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

inline std::string encodeBase64(std::span<const uint8_t> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    size_t n = std::min<size_t>(3, bytes.size() - i);
    uint32_t word = bytes[i] << 16;
    word |= n > 1 ? bytes[i + 1] << 8 : 0;
    word |= n > 2 ? bytes[i + 2] : 0;
    for (size_t k = 0; k < 4; ++k)
      text += k <= n ? base64Alphabet[(word >> (18 - 6 * k)) & 63] : '=';
  }
  return text;
}

/// nullopt when a character or the length is wrong.
inline std::optional<std::vector<uint8_t>> decodeBase64(std::string_view text) {
  if (text.size() % 4 != 0)
    return std::nullopt;
  size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  std::vector<uint8_t> bytes;
  bytes.reserve(text.size() / 4 * 3);
  uint32_t word = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    size_t digit =
        i + padding >= text.size() ? 0 : base64Alphabet.find(text[i]);
    if (digit == std::string_view::npos)
      return std::nullopt;
    word = word << 6 | uint32_t(digit);
    if (i % 4 == 3)
      for (int shift : {16, 8, 0})
        bytes.push_back(uint8_t(word >> shift));
  }
  bytes.resize(bytes.size() - padding);
  return bytes;
}

} // namespace kclaw

#endif // KERNELCLAW_LIB_SUPPORT_BASE64_H
