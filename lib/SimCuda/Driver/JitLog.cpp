//===- JitLog.cpp - JIT options: the logs ---------------------------------===//
#include "Image.h"

#include <algorithm>
#include <cstring>

namespace kclaw::sim::api {

JitLog::JitLog(unsigned count, const CUjit_option *options, void **values)
    : values(values) {
  require(!count || (options && values));
  names.assign(options, options + count);
  for (CUjit_option name : names)
    require(int(name) >= 0 && name < CU_JIT_NUM_OPTIONS);
}

int JitLog::maxRegisters() const {
  auto found = std::ranges::find(names, CU_JIT_MAX_REGISTERS);
  return found == names.end()
             ? 0
             : int(reinterpret_cast<uintptr_t>(values[found - names.begin()]));
}

/// Sizes come in the value's place, and the length written goes there.
static void writeText(const std::string &text, void *buffer, void **size) {
  if (!size)
    return;
  size_t room = uint32_t(reinterpret_cast<uintptr_t>(*size));
  size_t count = room ? std::min(room - 1, text.size()) : 0;
  if (buffer && room) {
    std::memcpy(buffer, text.data(), count);
    static_cast<char *>(buffer)[count] = 0;
  }
  *size = reinterpret_cast<void *>(uintptr_t(count));
}

void JitLog::write() {
  auto place = [&](CUjit_option wanted) -> void ** {
    auto found = std::ranges::find(names, wanted);
    return found == names.end() ? nullptr : values + (found - names.begin());
  };
  auto value = [&](CUjit_option wanted) {
    void **at = place(wanted);
    return at ? *at : nullptr;
  };
  writeText(infoText, value(CU_JIT_INFO_LOG_BUFFER),
            place(CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES));
  writeText(errorText, value(CU_JIT_ERROR_LOG_BUFFER),
            place(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES));
  if (void **time = place(CU_JIT_WALL_TIME)) {
    float none = 0;
    std::memcpy(time, &none, sizeof none);
  }
}

} // namespace kclaw::sim::api
