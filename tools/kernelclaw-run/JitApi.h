//===- JitApi.h - The border to libkernelclaw_jit.so ------------*- C++ -*-===//
//
// C functions, because the library is opened at run time: kernelclaw-run needs
// no LLVM to run a shared library. Diagnostics go to stderr as they come.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_TOOLS_RUN_JITAPI_H
#define KERNELCLAW_TOOLS_RUN_JITAPI_H

#include <cstddef>

extern "C" {

struct kcl_jit;

/// Parses, lowers where needed (`device` is "cpu" or "cuda") and compiles a
/// file. Null with a text of what failed.
kcl_jit *kclJitCompile(const char *path, const char *device, char *error,
                       size_t errorBytes);
/// Address of a function, or null.
void *kclJitSymbol(kcl_jit *jit, const char *name);
/// Name of the file's first entry.
const char *kclJitEntry(kcl_jit *jit);
void kclJitFree(kcl_jit *jit);
}

#endif // KERNELCLAW_TOOLS_RUN_JITAPI_H
