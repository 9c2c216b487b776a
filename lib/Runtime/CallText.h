//===- CallText.h - Error texts of a call -----------------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_RUNTIME_CALLTEXT_H
#define KERNELCLAW_LIB_RUNTIME_CALLTEXT_H

#include "kernelclaw/Runtime/kernelclaw.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace kclaw {

/// Writes `text`, cut at the call's space; returns `status`.
inline int32_t failCall(kcl_status status, const std::string &text,
                        kcl_call *call) {
  if (call) {
    size_t size = std::min(text.size(), sizeof(call->error) - 1);
    std::memcpy(call->error, text.data(), size);
    call->error[size] = '\0';
  }
  return status;
}

} // namespace kclaw

#endif // KERNELCLAW_LIB_RUNTIME_CALLTEXT_H
