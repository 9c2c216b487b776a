#!/usr/bin/env bash
# Runs kernelclaw-worker on hand-made good and bad plans on this machine's GPU
# and compares outcomes with the table in test/Worker/Inputs/selftest_jobs.py.
#   worker_selftest.sh [WORKER] [OUT-FOLDER]
# Exit 0: every outcome is as expected.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
worker=${1:-$root/build/bin/kernelclaw-worker}
out=${2:-$(mktemp -d)}
jobs=$root/test/Worker/Inputs/selftest_jobs.py
"$worker" --probe | tee "$out/probe.json"
python3 "$jobs" jobs > "$out/jobs.jsonl"
start=$(date +%s.%N)
"$worker" --device=cuda --verbose < "$out/jobs.jsonl" \
  > "$out/results.jsonl" 2> "$out/worker.log"
echo "judged $(wc -l < "$out/results.jsonl") jobs in" \
  "$(echo "$(date +%s.%N) - $start" | bc 2>/dev/null || echo ?) s; log in $out"
python3 "$jobs" check "$out/results.jsonl"
