#!/usr/bin/env bash
# On the GPU machine, in the repository's root: judges the jobs that
# bench/mailbox_demo.sh posted and writes the answers to $OUT.
#
#   here:          bench/device/pack.sh && bench/mailbox_demo.sh post
#   GPU machine:   OUT=answers bash bench/device/mailbox.sh     (carry .stage/)
#   here again:    bench/mailbox_demo.sh resume answers
#
# Carried: .stage/llvm.tar.xz, .stage/bin.tar.xz, .stage/mailbox. Needs the
# driver, and NVRTC for the judge's own kernels; candidates come compiled.
set -euo pipefail
cd "$(dirname "$0")/../.."
OUT=${OUT:-.}
mkdir -p "$OUT"
eval "$(bench/device/unpack.sh)"
[ -d .stage/mailbox/jobs ] ||
  { echo "no .stage/mailbox: run bench/mailbox_demo.sh post first" >&2; exit 1; }
mailbox=$(mktemp -d)
cp -r .stage/mailbox/jobs "$mailbox/"
mkdir -p "$mailbox/results"
cp .stage/mailbox/results/result-*.json "$mailbox/results/" 2>/dev/null || true
kernelclaw-worker --probe | tee "$OUT/probe.json"
code=0
timeout "${LIMIT:-500}" kernelclaw-worker --device=cuda --mailbox "$mailbox" \
  --verbose 2>"$OUT/worker.log" || code=$?
tail -1 "$OUT/worker.log"
cp "$mailbox"/results/result-*.json "$OUT/" 2>/dev/null || true
python3 - "$OUT" <<'PYTHON'
import glob, json, sys
for path in sorted(glob.glob(sys.argv[1] + "/result-*.json")):
    e = json.load(open(path))
    print(f"{e['jobId']}: {e['outcome']} {e['rule']} {e['speedup']:.2f}x of "
          f"stock, {e['time']['medianMicroseconds']:.1f} us {e['message'][:200]}")
PYTHON
exit $code
