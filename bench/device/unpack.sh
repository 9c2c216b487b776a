#!/usr/bin/env bash
# On the GPU machine: unpacks .stage/ into /tmp/kernelclaw and prints the lines
# to source:  eval "$(bench/device/unpack.sh)"
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
root=/tmp/kernelclaw
mkdir -p $root/lib
[ -f $root/lib/libMLIR.so.22.1 ] || tar -C $root/lib -xJf "$top/.stage/llvm.tar.xz"
tar -C $root -xJf "$top/.stage/bin.tar.xz"
nvrtc=$(ls -d /usr/local/cuda*/lib64 2>/dev/null | head -1)
cuda=$(dirname "${nvrtc:-/usr/local/cuda/lib64}")
cat <<TEXT
export PATH=$root/bin:\$PATH
export LD_LIBRARY_PATH=$root/lib:${nvrtc:-}:\${LD_LIBRARY_PATH:-}
export KERNELCLAW_MEMORYBANK=$top/memorybank
export KERNELCLAW_CUDA_ROOT=$cuda
TEXT
