#!/usr/bin/env bash
# examples/cpp on a GPU machine: own device buffers, own stream, the winner that
# examples/demo recorded. The program and its module were built by
# bench/device/pack.sh; neither LLVM nor CMake nor a compiler is needed here.
#
#   OUT=results bash bench/device/example_cpp.sh
#
# Exit code 0: the result is right and the region ran its winner.
set -euo pipefail
cd "$(dirname "$0")/../.."
OUT=${OUT:-.}
eval "$(bench/device/unpack.sh)"
{
  ldd "$(command -v call_module)" | awk '{print $1}' | grep -E 'libMLIR|libLLVM|libcuda' &&
    { echo "linked against what it must not need"; exit 1; }
  call_module --device=cuda
} | tee "$OUT/example_cpp.txt"
grep -q '1 regions won, 0 stock: right' "$OUT/example_cpp.txt"
