#!/usr/bin/env bash
# Packs what bench/device/profile.sh needs on a GPU machine, into
# .stage/profile/: the worker, the event loop, the jobs, and the scripts.
#
#   bench/device/pack_profile.sh [BUILD]
#
# The softmax winner's plan comes from a run of kernelclaw-opt (KERNELCLAW_OPT,
# else BUILD's) without a device, when there is one; else it is hand-written.
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$top/build}
stage=$top/.stage/profile
rm -rf "$stage"
mkdir -p "$stage/bin"
cmake --build "$build" --target kernelclaw-worker event_loop >&2
cp "$build/bin/kernelclaw-worker" "$build/bin/event_loop" "$stage/bin/"
strip "$stage"/bin/*
for file in bench/device/profile.sh bench/device/profile_jobs.py \
  bench/device/profile_report.py bench/device/hand_jobs.py \
  include/kernelclaw/Support/Counters.h; do
  mkdir -p "$stage/$(dirname "$file")"
  cp "$top/$file" "$stage/$file"
done
region=()
opt=${KERNELCLAW_OPT:-$build/bin/kernelclaw-opt}
if [ -x "$opt" ]; then
  work=$(mktemp -d)
  sed 's/8192/4096/g' "$top/bench/exports/softmax.mlir" >"$work/softmax.mlir"
  "$opt" "$work/softmax.mlir" -o "$work/out.mlir" \
    --llm-optimize="provider=expert evaluator=none store=none run-dir=$work/run \
    max-attempts=1 cpu-fallback=false verify=none" >&2
  region=("$work"/run/regions/*)
fi
python3 "$top/bench/device/profile_jobs.py" jobs "${region[@]}" \
  >"$stage/jobs.jsonl"
du -sh "$stage" >&2
