#!/usr/bin/env bash
# The worker's self-test on this machine's GPU, and its table.
#
#   bench/device/selftest.sh
#
# KERNELCLAW_WORKER: the worker (default build/bin/kernelclaw-worker). Writes
# h200-selftest.md, and the worker's log and the table as JSON beside it, to the
# folder OUT; without OUT the table alone goes to docs/results/. Exit code: the
# self-test's.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
worker=${KERNELCLAW_WORKER:-$root/build/bin/kernelclaw-worker}
keep=${OUT:-$(mktemp -d)}
mkdir -p "$keep"
"$worker" --probe >"$keep/probe.json"
code=0
"$worker" --selftest --device=cuda --verbose --json "$keep/selftest.json" \
  2>"$keep/worker.log" | tee "$keep/selftest.txt" || code=$?
python3 "$root/bench/device/selftest_report.py" "$keep" "$SECONDS" \
  >"${OUT:-$root/docs/results}/h200-selftest.md"
exit "$code"
