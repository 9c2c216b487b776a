#!/usr/bin/env bash
# verify=module and kernelclaw-run --verify on the GPU machine, in the
# repository's root, after bench/device/pack.sh made .stage/ elsewhere:
#
#   OUT=results bash bench/device/verify.sh [model ...]
#
# For each model of bench/exports: optimised and verified on the way out, as .mlir
# and (from the warm store) as .so; then both by kernelclaw-run --verify. Last, a
# store whose winner was made wrong (sabotage.py): the culprit must be found, and
# not be taken again. Writes $OUT/verify.md and the logs; exit 0: all as expected.
set -uo pipefail
cd "$(dirname "$0")/../.."
OUT=${OUT:-.}
eval "$(bench/device/unpack.sh)"
models=${*:-softmax rms_norm layer_norm gelu_chain linear_epilogue}
work=/tmp/kernelclaw-verify
rm -rf $work && mkdir -p $work "$OUT"
table=$OUT/verify.md
bad=0

status() { # of the run's own check
  python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["verify"]["status"])' "$1/run.json" 2>/dev/null || echo none
}
optimise() { # OUTPUT RUN-DIR STORE MODEL [FLAGS]
  timeout 120 kernelclaw-opt "bench/exports/$4.mlir" -o "$1" ${5:-} \
    --llm-optimize="provider=expert evaluator=local store=$3 run-dir=$2 max-attempts=${ATTEMPTS:-2}" >"$2.log" 2>&1
  echo $?
}
check() { # FILE: the verdict, and of the worst row error / bound
  [ -f "$1" ] || { echo "no file"; return; }
  timeout 120 kernelclaw-run "$1" --verify --json "$1.report.json" >"$1.log" 2>&1
  echo "exit $?, $(tail -1 "$1.log" | cut -c1-60)"
}
expect() { # WHAT GOT WANTED
  [ "$2" = "$3" ] && return
  echo "UNEXPECTED: $1: $2, not $3" | tee -a "$work/unexpected"
  bad=1
}

{
  echo "Device: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1), $(date -u +%F)"
  echo
  echo "| model | opt | winners | its check | seconds | .mlir --verify | .so --verify |"
  echo "|---|---|---|---|---|---|---|"
} >"$table"
for model in $models; do
  stem=$work/$model
  start=$SECONDS
  code=$(optimise "$stem.mlir" "$stem-run" $work/store "$model")
  taken=$((SECONDS - start))
  so=$(optimise "$stem.so" "$stem-so-run" $work/store "$model" --emit=so)
  mlir_verdict=$(check "$stem.mlir")
  so_verdict=$(check "$stem.so")
  echo "| $model | $code, $so | $(grep -c ': won: ' "$stem-run.log") | $(status "$stem-run") | $taken | $mlir_verdict | $so_verdict |" >>"$table"
  expect "$model: optimised" "$code" 0
  expect "$model: check" "$(status "$stem-run")" passed
  expect "$model: .mlir" "$mlir_verdict" "exit 0, verify: PASS"
  expect "$model: .so" "$so_verdict" "exit 0, verify: PASS"
done

model=${models%% *}
cp -r $work/store $work/bad-store
python3 bench/device/sabotage.py $work/bad-store
code=$(optimise $work/bad.mlir $work/bad-run $work/bad-store "$model")
warned=$(grep -c 'makes the whole module wrong' $work/bad-run.log)
inside=$(grep -c '_won_image' $work/bad.mlir)
again=$(optimise $work/again.mlir $work/again-run $work/bad-store "$model")
refound=$(grep -c 'from the store' $work/again-run.log)
{
  echo
  echo "Sabotaged winner of $model: exit $code, culprit named $warned time(s), winners left in the module: $inside;"
  echo "second run: exit $again, taken from the store again: $refound, its check: $(status $work/again-run)."
  echo
  echo '```'
  grep -h 'makes the whole module wrong' $work/bad-run.log | cut -c1-400
  echo '```'
} >>"$table"
expect "sabotage: exit" "$code" 4
expect "sabotage: culprit named" "$warned" 1
expect "sabotage: winners left" "$inside" 0
expect "second run: exit" "$again" 0
expect "second run: from the store" "$refound" 0
[ -f $work/unexpected ] && { echo; cat $work/unexpected; } >>"$table"
cat "$table"
tail -25 "$work/${models%% *}.mlir.log"
tar -C $work --exclude='*store' --exclude='*.so' --exclude='*.mlir' -czf "$OUT/verify-logs.tgz" . 2>/dev/null
exit $bad
