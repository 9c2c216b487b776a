#!/usr/bin/env bash
# Every number of the evaluator that needs a GPU, in at most ten minutes. After
# bench/device/pack_evaluator.sh made .stage/evaluator/ elsewhere, there:
#
#   OUT=results bash .stage/evaluator/bench/device/evaluator.sh [PART ...]
#
# Parts, in this order (default: all): speed, agreement, repeatability,
# reference-time, selftest, library. Each has its own time limit, and the whole
# has SECONDS_TOTAL (570); a part that fails or does not fit is said to have, and
# the next one runs. Writes $OUT/PART.md, $OUT/evaluator.md (what ran, how long)
# and $OUT/evaluator.tgz (raw files and logs). Exit 0: every part was as wanted.
set -uo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top"
[ -x "$top/bin/kernelclaw-worker" ] && stage=$top || stage=${STAGE:-$top/.stage/evaluator}
OUT=${OUT:-.}
mkdir -p "$OUT"
OUT=$(cd "$OUT" && pwd)
work=$(mktemp -d)
here=$top/bench/device/evaluator
worker=$stage/bin/kernelclaw-worker
jobs=$stage/jobs
total=${SECONDS_TOTAL:-570}
wanted=" ${*:-speed agreement repeatability reference-time selftest library} "
export PYTHONUNBUFFERED=1 PATH=$stage/bin:$PATH
# The toolkit's nvrtc, and what NVIDIA's wheels have beside torch.
export KERNELCLAW_CUDA_ROOT=${KERNELCLAW_CUDA_ROOT:-$(ls -d /usr/local/cuda /usr/local/cuda-* 2>/dev/null | head -1)}
summary=$OUT/evaluator.md
bad=0
{
  echo "# The evaluator on a GPU: what ran"
  echo
  echo "Command: \`bash bench/device/evaluator.sh$([ $# -eq 0 ] || echo " $*")\`, $(date -u +%F)"
  echo
  echo "Device: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1)"
  echo
  echo "Packed at commit $(cat "$stage/commit" 2>/dev/null || echo unknown)."
  echo
  echo "| part | seconds | of at most | ended |"
  echo "|---|---|---|---|"
} >"$summary"
[ -x "$worker" ] ||
  { echo "no $worker: run bench/device/pack_evaluator.sh first, and carry .stage/evaluator" >&2; exit 1; }

part() { # NAME LIMIT FILE COMMAND...: its standard output becomes $OUT/FILE
  local name=$1 limit=$2 file=$3 left=$((total - SECONDS)) begun=$SECONDS code how
  shift 3
  case $wanted in *" $name "*) ;; *) return ;; esac
  if [ $left -lt 20 ]; then
    echo "| $name | 0 | $limit | not run: $left s of $total are left |" >>"$summary"
    bad=1
    return
  fi
  [ $left -ge "$limit" ] || limit=$left
  echo "[evaluator] $(date +%T) $name, at most $limit s" >&2
  mkdir -p "$work/$name"
  timeout -k 5 "$limit" "$@" >"$OUT/$file" 2>"$work/$name/stderr.log"
  code=$?
  case $code in
    0) how="as wanted" ;;
    124 | 137) how="CUT OFF after $limit s" ;;
    *) how="NOT as wanted (exit $code)" ;;
  esac
  [ $code -eq 0 ] || bad=1
  [ $code -eq 0 ] || tail -5 "$work/$name/stderr.log" >&2
  echo "| $name | $((SECONDS - begun)) | $limit | $how |" >>"$summary"
}

# First: the first start of a worker on this machine is one of its numbers.
part speed 150 evaluator-speed.md \
  python3 "$here/speed.py" "$worker" "$jobs/speed.jsonl" "$work/speed"
part agreement 150 agreement.md \
  python3 "$here/agreement.py" "$worker" "$stage/bin/event_loop" "$jobs/agreement.jsonl" "$work/agreement"
part repeatability 120 repeatability.md \
  python3 "$here/repeatability.py" "$worker" "$jobs/repeatability.jsonl" "$work/repeatability"
part reference-time 150 reference-time.md \
  python3 "$here/reference_time.py" "$worker" "$jobs" "$work/reference-time" 140
others() { # SCRIPT FOLDER: with an $OUT of its own; prints its tables
  mkdir -p "$2"
  OUT=$2 KERNELCLAW_WORKER=$worker bash "$1" >"$2/stdout.log"
  local code=$?
  cat "$2"/*.md 2>/dev/null || cat "$2/stdout.log"
  return $code
}
export -f others
export worker
part selftest 200 selftest.md bash -c "others bench/device/selftest.sh $work/selftest"
part library 150 library-steps.md bash -c "others bench/device/library_steps.sh $work/library"

cat "$summary"
cat "$OUT"/{evaluator-speed,agreement,repeatability,reference-time}.md 2>/dev/null
tar -C "$work" --exclude='*.cubin' -czf "$OUT/evaluator.tgz" . 2>/dev/null
rm -rf "$work"
exit $bad
