//===- Error.h - The one error type outside of IR code ----------*- C++ -*-===//
//
// `Expected<T>` carries a value or an Error. Context is added at each border
// (`error.context("reading plan.json")`) and the text is printed once, at the
// top. A kernel that fails is not an Error: it is an Evaluation.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_SUPPORT_ERROR_H
#define KERNELCLAW_SUPPORT_ERROR_H

#include <expected>
#include <string>
#include <utility>

namespace kclaw {

/// What failed, on what, why, what to try: lower case, no full stop.
struct Error {
  /// Callers branch on the code, people read the message.
  enum class Code {
    Invalid,     ///< input that does not follow its contract
    Io,          ///< a file or process could not be read, written or started
    Unavailable, ///< no GPU, no driver, no NVRTC, endpoint down, key missing
    Parked,      ///< an answer from outside is awaited (exit code 75)
    Budget,      ///< a cap on attempts, tokens, dollars or seconds is reached
    Internal,    ///< one of our own invariants does not hold
  };

  Code code = Code::Internal;
  std::string message;

  /// The same error, told from one level further out: "where: message".
  Error context(const std::string &where) const {
    return {code, where + ": " + message};
  }
};

template <typename T> using Expected = std::expected<T, Error>;

inline std::unexpected<Error> makeError(Error::Code code, std::string message) {
  return std::unexpected<Error>(Error{code, std::move(message)});
}

} // namespace kclaw

#endif // KERNELCLAW_SUPPORT_ERROR_H
