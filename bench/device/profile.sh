#!/usr/bin/env bash
# Profiles on a GPU machine, against ncu and a plain event loop. After
# bench/device/pack_profile.sh made .stage/profile/ elsewhere, there:
#
#   OUT=results bash .stage/profile/bench/device/profile.sh
#
# Writes $OUT/profile.md (the tables) and $OUT/profile.tgz (all raw files). Each
# part runs whatever became of the one before.
set -uo pipefail
stage=$(cd "$(dirname "$0")/../.." && pwd)
OUT=${OUT:-.}
mkdir -p "$OUT"
OUT=$(cd "$OUT" && pwd)
work=$(mktemp -d)
cd "$stage"
helper=bench/device/profile_jobs.py
say() { echo "[profile] $(date +%T) $*" >&2; }

{
  nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm --format=csv,noheader
  uname -r
  ncu --version 2>&1 | tail -1
  cat /proc/driver/nvidia/params 2>/dev/null | grep -i Profiling
  ls -l /usr/local/cuda/lib64/libcupti* /usr/local/cuda/extras/CUPTI/lib64/libcupti* 2>/dev/null
  command -v cuobjdump nvdisasm ncu
  id -un
} >"$work/machine.txt" 2>&1
cat "$work/machine.txt" >&2

say "worker on $(wc -l <jobs.jsonl) jobs, kept warm"
start=$SECONDS
timeout 200 bin/kernelclaw-worker --device=cuda --verbose <jobs.jsonl \
  >"$work/results.jsonl" 2>"$work/worker.log"
echo "exit $?, $(wc -l <"$work/results.jsonl") answers in $((SECONDS - start)) s" |
  tee "$work/worker.txt" >&2
python3 bench/device/profile_report.py brief "$work/results.jsonl" >&2

say "no CUPTI at all"
grep -m1 '"softmax-winner.profiled' jobs.jsonl | KERNELCLAW_CUPTI=/nonexistent timeout 60 \
  bin/kernelclaw-worker --device=cuda >"$work/absent.jsonl" 2>>"$work/worker.log"
if [ "$(id -u)" = 0 ]; then
  say "as an ordinary user"
  chmod -R a+rX "$stage" "$work" 2>/dev/null
  grep -m1 '"softmax-winner.profiled' jobs.jsonl >"$work/one.jsonl"
  chmod a+r "$work/one.jsonl"
  timeout 60 setpriv --reuid=65534 --regid=65534 --clear-groups \
    bin/kernelclaw-worker --device=cuda <"$work/one.jsonl" \
    >"$work/user.jsonl" 2>>"$work/worker.log"
fi
python3 bench/device/profile_report.py brief "$work/absent.jsonl" "$work/user.jsonl" >&2

mkdir -p "$work/loops"
python3 $helper loops jobs.jsonl "$work/results.jsonl" "$work/loops" >"$work/loops.txt"
metrics=$(python3 $helper metrics)
while read -r name entry grid block shared args; do
  say "event loop: $name"
  # shellcheck disable=SC2086
  timeout 60 bin/event_loop "$work/loops/$name.cubin" "$entry" "$grid" "$block" \
    "$shared" 50 $args >"$work/loops/$name.json" 2>>"$work/loops.log"
done <"$work/loops.txt"
while read -r name entry grid block shared args; do
  say "ncu: $name"
  # shellcheck disable=SC2086
  timeout 100 ncu --clock-control none --cache-control all --csv --page raw \
    --print-units base --kernel-name "regex:^$entry\$" --launch-skip 2 \
    --launch-count 5 --metrics "gpu__time_duration.sum,$metrics" \
    --log-file "$work/loops/$name.csv" \
    bin/event_loop "$work/loops/$name.cubin" "$entry" "$grid" "$block" \
    "$shared" 4 $args </dev/null >>"$work/loops.log" 2>&1
  # The time alone takes one pass: nothing is replayed.
  # shellcheck disable=SC2086
  timeout 60 ncu --clock-control none --cache-control all --csv --page raw \
    --print-units base --kernel-name "regex:^$entry\$" --launch-skip 2 \
    --launch-count 20 --metrics gpu__time_duration.sum \
    --log-file "$work/loops/$name.time.csv" \
    bin/event_loop "$work/loops/$name.cubin" "$entry" "$grid" "$block" \
    "$shared" 20 $args </dev/null >>"$work/loops.log" 2>&1
done <"$work/loops.txt"

say "report"
python3 bench/device/profile_report.py report "$work" >"$OUT/profile.md" 2>"$work/report.log" ||
  cat "$work/report.log" >&2
cat "$OUT/profile.md"
tar -C "$work" -czf "$OUT/profile.tgz" .
