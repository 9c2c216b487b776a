//===- Builtins.cpp -------------------------------------------------------===//
#include "Builtins.h"

namespace kclaw::sim {

Handler findBuiltin(std::string_view) { return nullptr; }

} // namespace kclaw::sim
