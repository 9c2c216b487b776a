/* A driver whose device goes away: the simulator's, linked to this library,
   until $KCLAW_VANISH_AFTER launches were made and the file $KCLAW_VANISH_ONCE,
   which is then removed, is there. After that every call that asks the device
   fails. */
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

enum { unavailable = 46 }; /* CUDA_ERROR_DEVICE_UNAVAILABLE */
static int launches, gone;

static int isGone(int counts) {
  const char *after = getenv("KCLAW_VANISH_AFTER");
  const char *once = getenv("KCLAW_VANISH_ONCE");
  launches += counts;
  if (!gone && after && launches > atoi(after))
    gone = !once || unlink(once) == 0;
  return gone;
}

#define FORWARD(NAME, COUNTS, PARAMETERS, ARGUMENTS)                           \
  int NAME PARAMETERS {                                                        \
    static int(*real) PARAMETERS;                                              \
    if (!real)                                                                 \
      real = (int(*) PARAMETERS)dlsym(RTLD_NEXT, #NAME);                       \
    return isGone(COUNTS) ? unavailable : real ARGUMENTS;                      \
  }
FORWARD(cuLaunchKernelEx, 1, (void *c, void *f, void **a, void **e),
        (c, f, a, e))
FORWARD(cuMemGetInfo_v2, 0, (size_t *f, size_t *t), (f, t))
FORWARD(cuEventQuery, 0, (void *e), (e))
FORWARD(cuMemcpyDtoH_v2, 0, (void *t, unsigned long long f, size_t n),
        (t, f, n))
