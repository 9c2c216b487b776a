#!/usr/bin/env bash
# Packs what bench/device/evaluator.sh needs on a GPU machine, into
# .stage/evaluator/: the worker, the event loop, the jobs, and the scripts.
#
#   bench/device/pack_evaluator.sh [BUILD]
#
# Plans come from runs of kernelclaw-opt (KERNELCLAW_OPT, else BUILD's) without
# a device. What has no f64 reference is listed with its reason in
# jobs/missing.tsv.
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$top/build}
opt=${KERNELCLAW_OPT:-$build/bin/kernelclaw-opt}
[ -x "$opt" ] || { echo "no $opt: build kernelclaw-opt, or name one by KERNELCLAW_OPT" >&2; exit 1; }
stage=$top/.stage/evaluator
rm -rf "$stage"
mkdir -p "$stage/bin" "$stage/jobs"
cmake --build "$build" --target kernelclaw-worker event_loop kernelclaw_runtime >&2
cp "$build/bin/kernelclaw-worker" "$build/bin/event_loop" "$stage/bin/"
strip "$stage"/bin/*

runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT
run() { # NAME FILE OPTIONS: a run directory with one region
  local code=0
  timeout 120 "$opt" "$2" -o /dev/null --llm-optimize="evaluator=none store=none \
    run-dir=$runs/$1 cpu-fallback=false verify=none granularity=function \
    stop-after=synthesize sidecar=none $3" >"$runs/$1.log" 2>&1 || code=$?
  # 4: something fell back, such as an absent library; the plans are there.
  [ $code -eq 0 ] || [ $code -eq 4 ]
}
need() { # the same, and nothing goes without
  run "$@" && return
  echo "pack_evaluator.sh: $opt fails on $2:" >&2
  tail -5 "$runs/$1.log" >&2
  exit 1
}
for name in softmax-4096 matmul-4096 conv2d-64; do
  need $name "$top/bench/exports/families/$name.mlir" "provider=expert max-attempts=6"
done
for name in softmax rms_norm; do
  need $name "$top/bench/exports/$name.mlir" "provider=expert max-attempts=1"
done
while IFS=$'\t' read -r name family problem; do
  [ "$problem" != - ] || continue
  printf '%s\t%s\t%s\n' "$name" "$family" "$problem" >>"$stage/jobs/families.tsv"
  run "family-$name" "$top/bench/exports/families/$name.mlir" provider=none ||
    printf '%s\t%s\n' "$name" \
      "$(grep -m1 -oE 'error: .*' "$runs/family-$name.log" | cut -c8-200 || echo 'kernelclaw-opt failed')" \
      >>"$stage/jobs/missing.tsv"
done < <(python3 "$top/bench/device/evaluator/families.py" rows)
python3 "$top/bench/device/evaluator/jobs.py" "$runs" "$stage/jobs"
[ ! -f "$stage/jobs/missing.tsv" ] || cat "$stage/jobs/missing.tsv" >&2
mkdir -p "$stage/bench/device/evaluator"
cp "$top"/bench/device/evaluator/{worker,report,speed,agreement,repeatability,reference_time}.py \
  "$stage/bench/device/evaluator/"
cp "$top"/bench/device/{evaluator.sh,selftest.sh,selftest_report.py,library_steps.sh,library_steps.py} \
  "$stage/bench/device/"
mkdir -p "$stage/.stage/library" # where library_steps.sh looks
cp -L "$build/lib/libkernelclaw_runtime.so" "$stage/.stage/library/"
strip "$stage/.stage/library/libkernelclaw_runtime.so"
echo "$(git -C "$top" rev-parse --short HEAD 2>/dev/null || echo unknown)" >"$stage/commit"
du -sh "$stage" >&2
