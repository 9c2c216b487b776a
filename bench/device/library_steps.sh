#!/usr/bin/env bash
# Library steps against PyTorch eager on a GPU machine. Elsewhere, in the
# repository's root:
#
#   bench/device/library_steps.sh pack [BUILD]     makes .stage/library/
#
# and on the GPU machine:
#
#   OUT=results bash bench/device/library_steps.sh run [--extra]
#
# Writes $OUT/library_steps.md and $OUT/library_steps.json. Needs Python with
# torch, whose cuBLASLt and cuDNN are used.
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
stage=$top/.stage/library
case ${1:-run} in
pack)
  build=${2:-$top/build}
  mkdir -p "$stage"
  cp -L "$build/lib/libkernelclaw_runtime.so" "$stage/"
  strip "$stage/libkernelclaw_runtime.so"
  ;;
run)
  shift || true
  OUT=${OUT:-.}
  mkdir -p "$OUT"
  PYTHONUNBUFFERED=1 python3 "$top/bench/device/library_steps.py" \
    "$stage/libkernelclaw_runtime.so" --json "$OUT/library_steps.json" "$@" |
    tee "$OUT/library_steps.md"
  ;;
*)
  echo "usage: library_steps.sh pack [BUILD] | run [--extra]" >&2
  exit 2
  ;;
esac
