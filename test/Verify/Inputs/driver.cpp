// A driver that has every entry point and does nothing: enough for
// evaluator=local to start its worker.
#include "kernelclaw/Cuda/DriverApi.h"

extern "C" int succeeds() { return 0; }

// Two levels, so that cuda.h's versioned names reach the string.
#define TEXT(NAME) #NAME
#define SYMBOL(NAME) TEXT(NAME)
#define ENTRY(NAME)                                                            \
  asm(".globl " SYMBOL(NAME) "\n.set " SYMBOL(NAME) ", succeeds\n");
KCLAW_DRIVER_ENTRIES(ENTRY)
