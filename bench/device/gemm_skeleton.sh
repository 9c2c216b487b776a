#!/usr/bin/env bash
# The gemm skeletons on a GPU: the best plans of each for contractions, one line
# a plan.
#
#   bench/device/gemm_skeleton.sh pack [BUILD]   here, into .stage/gemm/
#   bench/device/gemm_skeleton.sh run [SECONDS]  on the GPU machine
#
# pack: ATTEMPTS plans (4) of every gemm_* skeleton for each linear layer of
# bench/learning and for matmul, bmm and linear of bench/exports/families. run:
# SECONDS (480) in all, the best plan of every region first; goes on where the
# last call ended, and prints the table. SKELETONS: names instead of all. Rows
# lie in OUT, or in .stage/gemm/; DEVICE=sim judges on the simulator.
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
stage=$top/.stage/gemm
skeletons=${SKELETONS:-$(cd "$top/memorybank/skeletons" && echo gemm_*)}
case ${1:-} in
pack)
  bank=$(mktemp -d)
  trap 'rm -rf "$bank"' EXIT
  rm -rf "$stage"
  mkdir -p "$stage"
  for name in $skeletons; do
    rm -rf "$bank"/*
    cp -r "$top"/memorybank/* "$bank/"
    for other in "$bank"/skeletons/gemm_*; do # its kernel.cu may be shared
      [ "${other##*/}" = "$name" ] || rm -f "$other/skeleton.json"
    done
    KERNELCLAW_MEMORYBANK=$bank ATTEMPTS=${ATTEMPTS:-4} \
      "$top/bench/learning/pack.sh" "${2:-$top/build}" "$stage/$name" \
      "$top"/bench/learning/exports/linear-*.mlir \
      "$top"/bench/exports/families/{matmul-4096,bmm,linear}.mlir
    mv "$stage/$name/kernelclaw-worker" "$stage/"
  done
  ;;
run)
  end=$((SECONDS + ${2:-480}))
  out=${OUT:-$stage}
  mkdir -p "$out"
  for name in $skeletons; do
    [ -d "$stage/$name" ] || continue
    ln -sf ../kernelclaw-worker "$stage/$name/"
    python3 "$top/bench/learning/measure.py" "$stage/$name" "$out/$name.jsonl" \
      --by-rank --seconds $((end - SECONDS)) --device "${DEVICE:-cuda}" >&2 ||
      echo "$name: plans are left: run again" >&2
  done
  python3 "$top/bench/device/gemm_table.py" "$out"/gemm_*.jsonl
  ;;
*)
  sed -n '2,15s/^# \{0,1\}//p' "$0" >&2
  exit 2
  ;;
esac
