"""C source of a CUDA driver that is there but sees no device.

usage: no_device_driver.py DRIVER_API_HEADER. Every entry point of the header's
lists, with and without a version suffix, answers CUDA_ERROR_NO_DEVICE.
"""
import re
import sys

names = sorted(set(re.findall(r"\bcu[A-Z]\w+", open(sys.argv[1]).read())))
# cuda.h makes a macro of this one.
names.append("cuGraphInstantiateWithFlags")
for name in {n + suffix for n in names for suffix in ("", "_v2", "_v3")}:
    if not name.startswith(("cuGetError", "cuda")):
        print(f"int {name}(void) {{ return 100; }}")
print("""int cuGetErrorString(int e, const char **text) {
  *text = "no CUDA-capable device is detected"; return 0; }
int cuGetErrorName(int e, const char **text) {
  *text = "CUDA_ERROR_NO_DEVICE"; return 0; }""")
