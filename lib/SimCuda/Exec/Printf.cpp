//===- Printf.cpp ---------------------------------------------------------===//
#include "Printf.h"

#include <bit>
#include <cstdio>

namespace kclaw::sim {

namespace {

/// One conversion, from its percent sign to its letter.
struct Conversion {
  std::string flags; ///< flags, width and precision, stars replaced
  char letter = 0;
  bool wide = false; ///< 8 bytes: l, ll, z, j, t
  char narrow = 0;   ///< 'h': short, 'b' (hh): char
};

template <class T> std::string print(const std::string &format, T value) {
  int size = std::snprintf(nullptr, 0, format.c_str(), value);
  std::string text(size_t(size), '\0');
  std::snprintf(text.data(), text.size() + 1, format.c_str(), value);
  return text;
}

class Formatter {
public:
  Formatter(const std::string &format, const PrintfArguments &arguments)
      : format(format), arguments(arguments) {}

  PrintfResult run() {
    while (at < format.size()) {
      if (format[at] != '%') {
        result.text += format[at++];
        continue;
      }
      if (at + 1 < format.size() && format[at + 1] == '%') {
        result.text += '%';
        at += 2;
        continue;
      }
      size_t start = at;
      Conversion c = parse();
      if (!append(c)) // as it stands
        result.text += format.substr(start, at - start);
    }
    return std::move(result);
  }

private:
  uint64_t word(unsigned bytes) {
    ++result.arguments;
    return arguments.word(bytes);
  }

  Conversion parse() {
    Conversion c;
    c.flags = "%";
    for (++at; at < format.size(); ++at) {
      char now = format[at];
      if (now == '*')
        c.flags += std::to_string(int32_t(word(4)));
      else if (std::string_view("-+ #.0123456789").contains(now))
        c.flags += now;
      else
        break;
    }
    for (; at < format.size(); ++at) {
      char now = format[at];
      if (now == 'h')
        c.narrow = c.narrow ? 'b' : 'h';
      else if (std::string_view("lzjt").contains(now))
        c.wide = true;
      else if (now != 'L')
        break;
    }
    if (at < format.size())
      c.letter = format[at++];
    return c;
  }

  bool append(const Conversion &c) {
    std::string_view letters = "diuxXocfFeEgGaApsn";
    if (!letters.contains(c.letter) || c.letter == 'n')
      return false;
    switch (c.letter) {
    case 'd':
    case 'i':
      result.text += print(c.flags + "lld", signedValue(c));
      return true;
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      result.text += print(c.flags + "ll" + c.letter, unsignedValue(c));
      return true;
    case 'c':
      result.text += print(c.flags + "c", int(word(4)));
      return true;
    case 'p':
      result.text +=
          print(c.flags + "p", reinterpret_cast<void *>(uintptr_t(word(8))));
      return true;
    case 's': {
      std::string text = arguments.string(word(8));
      result.text += print(c.flags + "s", text.c_str());
      return true;
    }
    default:
      result.text += print(c.flags + c.letter, std::bit_cast<double>(word(8)));
      return true;
    }
  }

  long long signedValue(const Conversion &c) {
    if (c.wide)
      return (long long)(word(8));
    auto value = int32_t(word(4));
    return c.narrow == 'b' ? int8_t(value) : c.narrow ? int16_t(value) : value;
  }
  unsigned long long unsignedValue(const Conversion &c) {
    if (c.wide)
      return word(8);
    auto value = uint32_t(word(4));
    return c.narrow == 'b' ? uint8_t(value)
           : c.narrow      ? uint16_t(value)
                           : value;
  }

  const std::string &format;
  const PrintfArguments &arguments;
  size_t at = 0;
  PrintfResult result;
};

} // namespace

PrintfResult formatPrintf(const std::string &format,
                          const PrintfArguments &arguments) {
  return Formatter(format, arguments).run();
}

} // namespace kclaw::sim
