#!/usr/bin/env bash
# What the simulated driver found, on a real GPU. After bench/device/pack.sh made
# .stage/ elsewhere, in the repository's root:
#
#   OUT=results bash bench/device/rejudge.sh [SAMPLE ...]
#
# For each sample: optimised on the simulator, that module run on the GPU against
# PyTorch's results, and then the same store with device=auto, which must judge
# the simulated winner again on the GPU. Writes $OUT/rejudge.md; exit 0: all as
# expected.
set -uo pipefail
cd "$(dirname "$0")/../.."
OUT=${OUT:-.}
eval "$(bench/device/unpack.sh)"
samples=${*:-softmax_last rms_norm_manual layer_norm gelu_tanh}
work=/tmp/kernelclaw-rejudge
rm -rf $work && mkdir -p $work
failed=0

optimize() { # OUTPUT, more options
  timeout 120 kernelclaw-opt "$source" -o "$1" --llm-optimize="provider=expert \
    evaluator=local store=$work/store-$sample run-dir=$1.run max-attempts=3 $2" \
    >"$1.log" 2>&1
}
winner() { grep -m1 -oE 'won: [^;]*' "$1.log" || echo "no winner"; }

{
  echo "# Simulated winners on an H200"
  echo
  echo "Command: \`bash bench/device/rejudge.sh $samples\`"
  echo
  echo "Device: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1), $(date -u +%F)"
  echo
  echo "| sample | on the simulator | that module on the GPU | the same store on the GPU |"
  echo "|---|---|---|---|"
} >"$OUT/rejudge.md"
for sample in $samples; do
  folder=test/samples/$sample
  source=$folder/keep.mlir
  [ -f "$source" ] || { echo "no $source" >&2; failed=1; continue; }
  optimize $work/$sample-sim.mlir "device=sim accept=simulated" || true
  timeout 60 kernelclaw-run $work/$sample-sim.mlir --device=cuda --args $folder/args.npz \
    --expect $folder/expected.npz >$work/$sample-run.log 2>&1 || failed=1
  optimize $work/$sample-gpu.mlir "device=auto" || failed=1
  again=$(winner $work/$sample-gpu.mlir)
  case $again in *measured* | "no winner") ;; *) failed=1 ;; esac
  echo "| $sample | $(winner $work/$sample-sim.mlir) | $(grep -m1 regions: $work/$sample-run.log); $(tail -1 $work/$sample-run.log) | $again |" >>"$OUT/rejudge.md"
done
cat "$OUT/rejudge.md"
echo "rejudge: $([ $failed = 0 ] && echo PASS || echo FAIL)"
exit $failed
