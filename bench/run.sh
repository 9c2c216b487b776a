#!/usr/bin/env bash
# The benchmark table of a machine without a GPU: what can be measured there.
#
#   bench/run.sh [BUILD]          or: cmake --build BUILD --target bench
#
# bench/device/bench.sh measures the rest on a GPU machine.
set -uo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$top/build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PATH=$build/bin:$PATH
row() { python3 "$top/bench/time_command.py" "$@"; }

big=$work/big.mlir
python3 "$top/bench/repeat_block.py" "$top/test/samples/bf16_rms_norm_swiglu/keep.mlir" 200 >"$big"
echo "$(date -u +%F), $(nproc) cores: $(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2 | xargs), export of $(($(stat -c %s "$big") / 1000)) KB"
echo
echo "| what | measured | target | met |"
echo "|---|---|---|---|"
row "parse, outline, print" 1 5 kernelclaw-opt "$big" --kclaw-outline -o "$work/outlined.mlir"
optimize() { # NAME OPTIONS
  echo "provider=expert evaluator=none store=$work/store max-attempts=1 progress=false run-dir=$work/$1 $2"
}
for cut in auto op; do
  kernelclaw-opt "$big" -o "$work/first.mlir" \
    --llm-optimize="$(optimize $cut granularity=$cut)" 2>/dev/null
  row "llm-optimize again, granularity=$cut, compile only" 5 3 kernelclaw-opt "$big" \
    -o "$work/second.mlir" --llm-optimize="$(optimize $cut granularity=$cut)"
  row "the same without the CPU entry" 5 3 kernelclaw-opt "$big" -o "$work/second.mlir" \
    --llm-optimize="$(optimize $cut "granularity=$cut cpu-fallback=false")"
done
echo
echo "Launches, on a driver that only counts (bench/device/bench.sh has a real one):"
echo
kernelclaw-opt "$top/bench/empty_steps.mlir" --kclaw-lower=device=cuda --emit=so \
  -o "$work/libempty_steps.so"
export KERNELCLAW_CUDA_DRIVER=$build/lib/libkclaw_recording_driver.so
"$build/bin/launch_overhead" "$work/libempty_steps.so"
"$build/bin/launch_overhead" "$work/libempty_steps.so" --calls
