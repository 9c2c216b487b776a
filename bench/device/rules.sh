#!/usr/bin/env bash
# What the judge's rules refuse on a GPU: the self-test, the examples of the
# method cards, and the gemm skeletons' table.
#
#   bench/device/rules.sh pack [BUILD]   here, into .stage/gemm/
#   bench/device/rules.sh run [SECONDS]  on the GPU machine; SECONDS (300): gemm
#
# Everything is written to OUT (.stage/rules): selftest, methods and gemm, the
# table of each and its log. Exit code: of the self-test, then of the examples.
set -uo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
case ${1:-} in
pack)
  exec "$top/bench/device/gemm_skeleton.sh" pack "${2:-$top/build}"
  ;;
run)
  out=${OUT:-$top/.stage/rules}
  worker=$top/.stage/gemm/kernelclaw-worker
  mkdir -p "$out"
  code=0
  OUT=$out KERNELCLAW_WORKER=$worker "$top/bench/device/selftest.sh" |
    tail -2 || code=$?
  "$worker" --selftest --device=cuda --plans "$top/memorybank/methods" \
    --json "$out/methods.json" >"$out/methods.txt" 2>"$out/methods.log" ||
    code=$?
  tail -2 "$out/methods.txt"
  OUT=$out "$top/bench/device/gemm_skeleton.sh" run "${2:-300}" \
    >"$out/gemm.md" 2>"$out/gemm.log"
  tail -1 "$out/gemm.log"
  grep -c mismatch "$out/gemm.md" | sed 's/$/ gemm plans refused/'
  exit "$code"
  ;;
*)
  sed -n '2,10s/^# \{0,1\}//p' "$0" >&2
  exit 2
  ;;
esac
