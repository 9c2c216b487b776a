//===- EmbeddedText.h - Files that travel inside the worker -----*- C++ -*-===//
#ifndef KERNELCLAW_LIB_DEVICE_EXPLAIN_EMBEDDEDTEXT_H
#define KERNELCLAW_LIB_DEVICE_EXPLAIN_EMBEDDEDTEXT_H

#include <string>

namespace kclaw {

std::string adviceText();       ///< memorybank/diagnosis/advice.json
std::string elementsText();     ///< device/Elements.h
std::string reproHarnessText(); ///< Explain/ReproHarness.cuh

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_EXPLAIN_EMBEDDEDTEXT_H
