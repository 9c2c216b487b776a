#!/usr/bin/env bash
# Regions asked and judged by hand: questions are answered in writing
# (provider=exchange), kernels judged on a GPU machine that has no compiler
# (evaluator=mailbox). Some by `roles`, some by `agent`.
#
#   bench/regions/rounds.sh start [FOLDER]    afresh, in .stage/regions
#   bench/regions/rounds.sh go [NAME...]      every region, or these, as far as
#                                             it gets; prints what each waits for
#   --- on the GPU machine, with .stage/regions/{bin,mailbox} carried there:
#   OUT=answers bash bench/device/regions.sh
#   --- here again:
#   bench/regions/rounds.sh take ANSWERS      their results, then `go`
#
# A question is .stage/regions/NAME/run/exchange/request-ID.md; its answer goes
# to reply-ID.txt (or .json) beside it, by rename. BUILD: the build folder; it
# is copied at the start, so that later builds change nothing under way.
set -euo pipefail
cd "$(dirname "$0")/../.."
stage=$(realpath -m "${STAGE:-.stage/regions}")
declare -A strategy=(
  [masked_cumsum]=roles [depthwise_hardswish]=roles [max_pool]=roles
  [linear_gelu]=roles [linear_softmax]=roles [conv_relu]=roles
  [attention]=agent [cross_entropy]=agent [layer_norm_whole]=agent)

start() {
  local build=${BUILD:-build}
  rm -rf "$stage"
  mkdir -p "$stage/bin" "$stage/mailbox"
  cp -r memorybank "$stage/memorybank"
  cp "$build"/bin/kernelclaw-{opt,worker} "$stage/bin/"
  cp -r bench/regions/exports "$stage/exports"
  git rev-parse --short HEAD >"$stage/commit"
}

# One region as far as it gets: 0 done, 75 waits.
optimize() { # NAME
  local folder=$stage/$1
  mkdir -p "$folder"
  KERNELCLAW_MEMORYBANK=$stage/memorybank \
    "$stage/bin/kernelclaw-opt" "$stage/exports/$1.mlir" -o "$folder/module.mlir" \
    --llm-optimize="provider=exchange evaluator=mailbox mailbox-dir=$stage/mailbox \
      strategy=${strategy[$1]} store=none granularity=function verify=none cpu-fallback=false \
      seeds=2 max-attempts=${ATTEMPTS:-8} max-tokens=2000000 progress=plain run-dir=$folder/run" \
    >"$folder/opt.log" 2>&1
}

go() {
  local name code waiting=0
  [ $# -gt 0 ] || set -- $(printf '%s\n' "${!strategy[@]}" | sort)
  for name in "$@"; do
    code=0
    optimize "$name" || code=$?
    case $code in
      0 | 3) echo "$name: done ($code): $(grep -aE 'won|kept|keeps' "$stage/$name/opt.log" | tail -1)" ;;
      75)
        waiting=$((waiting + 1))
        echo "$name: $(grep -aoE 'waiting for .*' "$stage/$name/opt.log" | tail -1)"
        ;;
      *)
        echo "$name: kernelclaw-opt ended with code $code" >&2
        tail -5 "$stage/$name/opt.log" >&2
        ;;
    esac
  done
  [ $waiting -eq 0 ] || return 75
}

take() { # ANSWERS
  cp "$1"/result-*.json "$stage/mailbox/results/" 2>/dev/null || true
  if [ -f "$1/results.tar.xz" ]; then tar -C "$stage/mailbox/results" -xJf "$1/results.tar.xz"; fi
  for file in "$stage"/mailbox/results/result-*.json; do
    rm -f "$stage/mailbox/jobs/job-${file##*/result-}"
  done
  go
}

case ${1:-} in
  start) start && go ;;
  go) go "${@:2}" ;;
  take) take "$2" ;;
  *)
    sed -n '2,18p' "$0" | sed 's/^# \{0,1\}//' >&2
    exit 2
    ;;
esac
