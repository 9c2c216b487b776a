#!/usr/bin/env bash
# The benchmark table on a GPU machine, in under four minutes. After
# bench/device/pack.sh made .stage/ elsewhere, in the repository's root:
#
#   OUT=results bash bench/device/bench.sh
#
# Writes $OUT/bench.md; the run directories go to $OUT/bench_runs.tgz.
set -uo pipefail
cd "$(dirname "$0")/../.."
OUT=${OUT:-.}
eval "$(bench/device/unpack.sh)"
work=/tmp/kernelclaw-bench
rm -rf $work && mkdir -p $work
row() { python3 bench/time_command.py "$@"; }

candidates() { # three skeletons' plans for each of three 64 MB problems
  local runs=()
  for model in softmax rms_norm layer_norm; do
    sed 's/8192/4096/g' bench/exports/$model.mlir >$work/$model.mlir
    timeout 45 kernelclaw-opt $work/$model.mlir -o $work/$model.out.mlir \
      --llm-optimize="provider=expert evaluator=local store=none run-dir=$work/run-$model max-attempts=3 cpu-fallback=false" >&2
    runs+=($work/run-$model)
  done
  python3 bench/candidate_times.py "one candidate, 64 MB problem: compile, correctness, timing, profile" 3 "${runs[@]}"
}

warm() { # the first run fills the store, later ones are measured
  python3 bench/repeat_block.py test/samples/bf16_rms_norm_swiglu/keep.mlir 200 >$work/big.mlir
  local options="evaluator=local store=$work/store progress=false verify=none"
  timeout 100 kernelclaw-opt $work/big.mlir -o $work/cold.mlir \
    --llm-optimize="$options provider=expert max-attempts=2 run-dir=$work/cold" 2>$work/cold.log
  echo "cold run: $(grep -c ': won:' $work/cold.log) regions won, $(grep -c 'keeps stock:' $work/cold.log) keep stock" >&2
  again() { # LABEL OPTIONS: once, as its run directory must be fresh
    row "llm-optimize, warm store, 800 KB export, $1" 5 1 kernelclaw-opt $work/big.mlir \
      -o $work/warm.mlir --llm-optimize="$options run-dir=$work/warm-$RANDOM $2"
  }
  again "provider=none" "provider=none"
  again "provider=none, no CPU entry" "provider=none cpu-fallback=false"
  again "provider=expert" "provider=expert max-attempts=2"
}

{
  echo "# Benchmarks on a GPU machine"
  echo
  echo "Script: \`bash bench/device/bench.sh\`, $(date -u +%F)"
  echo
  echo "Device: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1);" \
    "host: $(nproc) cores, $(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2 | xargs)"
  echo
  echo "| what | measured | target | met |"
  echo "|---|---|---|---|"
  candidates
  warm
  row "parse, outline, print an 800 KB export" 1 5 kernelclaw-opt $work/big.mlir --kclaw-outline -o $work/outlined.mlir
  echo
  echo "Launches of an empty kernel (bench/launch_overhead.cpp), issue time on the host; target: a step adds less than 1 µs:"
  echo
  library=/tmp/kernelclaw/lib/libempty_steps.so
  launch_overhead $library
  echo
  real=$(ldconfig -p | awk '/libcuda\.so\.1/ {print $NF; exit}')
  KERNELCLAW_CUDA_DRIVER=/tmp/kernelclaw/lib/libkclaw_recording_driver.so \
    KCLAW_RECORD_DRIVER=${real:-libcuda.so.1} launch_overhead $library --calls
} >"$OUT/bench.md"
cat "$OUT/bench.md"
tar -C $work --exclude=store -czf "$OUT/bench_runs.tgz" .
