//===- Defaults.cpp - Every driver entry point, answering "success" -------===//
//
// Weak symbols under the names that the table asks for; FakeDriver.cpp defines
// those that do more. Calling conventions allow one function for all: it reads
// no argument.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Cuda/DriverApi.h"

extern "C" int fakeDriverSucceeds() { return 0; }

// Two levels, so that cuda.h's versioned names reach the string.
#define FAKE_TEXT(NAME) #NAME
#define FAKE_SYMBOL(NAME) FAKE_TEXT(NAME)
#define FAKE_DEFAULT(NAME)                                                     \
  asm(".weak " FAKE_SYMBOL(NAME) "\n.set " FAKE_SYMBOL(                        \
      NAME) ", fakeDriverSucceeds\n");
KCLAW_DRIVER_ENTRIES(FAKE_DEFAULT)
