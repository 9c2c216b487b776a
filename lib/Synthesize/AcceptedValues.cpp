//===- AcceptedValues.cpp - Options against their own help ----------------===//
//
// Reads the accepted values out of an option's description.
//
//===----------------------------------------------------------------------===//
#include "AcceptedValues.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

SmallVector<StringRef> kclaw::acceptedValues(StringRef description) {
  constexpr StringLiteral marker = "one of: ";
  size_t start = description.find(marker);
  if (start == StringRef::npos)
    return {};
  StringRef list = description.substr(start + marker.size());
  list = list.take_until([](char c) { return c == '.' || c == '('; });
  SmallVector<StringRef> values;
  for (StringRef part : split(list, ','))
    values.push_back(part.trim());
  return values;
}
