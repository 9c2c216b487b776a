#!/usr/bin/env bash
# On the GPU machine, in the repository's root: judges the jobs that
# bench/regions/rounds.sh posted, and leaves the answers in $OUT/results.tar.xz.
#
#   here:          bench/regions/rounds.sh go
#   GPU machine:   OUT=answers bash bench/device/regions.sh  (carry .stage/)
#   here again:    bench/regions/rounds.sh take answers
#
# Carried: .stage/regions/bin/kernelclaw-worker and .stage/regions/mailbox. Needs the driver,
# and NVRTC for the judge's own kernels; candidates come compiled. Judges until
# the mailbox is empty, LIMIT seconds (500) at most.
set -euo pipefail
cd "$(dirname "$0")/../.."
stage=.stage/regions
OUT=${OUT:-.}
mkdir -p "$OUT"
[ -d $stage/mailbox/jobs ] ||
  { echo "no $stage/mailbox: run bench/regions/rounds.sh first" >&2; exit 1; }
mailbox=$(mktemp -d)
mkdir -p "$mailbox/jobs" "$mailbox/results"
cp $stage/mailbox/jobs/job-*.json "$mailbox/jobs/"
worker=$stage/bin/kernelclaw-worker
"$worker" --probe >"$OUT/probe.json"
code=0
timeout "${LIMIT:-500}" "$worker" --device=cuda --mailbox "$mailbox" --verbose \
  2>"$OUT/worker.log" || code=$?
tail -1 "$OUT/worker.log"
tar -C "$mailbox/results" -cJf "$OUT/results.tar.xz" .
python3 - "$mailbox/results" <<'PYTHON'
import glob, json, sys
for path in sorted(glob.glob(sys.argv[1] + "/result-*.json")):
    e = json.load(open(path))
    print(f"{e['jobId']}: {e['outcome']} {e['rule']} {e['speedup']:.2f}x of "
          f"stock, {e['time']['medianMicroseconds']:.1f} us {e['message'][:200]}")
PYTHON
exit $code
