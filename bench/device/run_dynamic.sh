#!/usr/bin/env bash
# Every dynamic export of the samples through llm-optimize and kernelclaw-run on
# the GPU, at sizes other than the traced ones; writes $OUT/dynamic.txt. Needs
# .stage/ as run_all.sh does.
#   OUT=results bash bench/device/run_dynamic.sh [SECONDS]
OUT=${OUT:-.}
eval "$(bench/device/unpack.sh)"
export WORK=/tmp/kclaw-dynamic
mkdir -p $WORK
one() {
  f=$1; d=$(dirname $f); n=$(basename $d)-$(basename $f .mlir); w=$WORK/$n; mkdir -p $w
  # 4: written, but a winner was dropped or the whole is unverified (the log says)
  timeout 100 kernelclaw-opt $f -o $w/m.mlir --llm-optimize="provider=expert evaluator=local store=none run-dir=$w/run max-attempts=1 cpu-fallback=false" > $w/opt.log 2>&1
  code=$?
  if [ $code != 0 ] && [ $code != 4 ]; then
    echo "OPTFAIL $n $(grep -m1 error $w/opt.log | cut -c1-160)"; return
  fi
  timeout 60 kernelclaw-run $w/m.mlir --device=cuda --args $d/dynamic_args.npz --expect $d/dynamic_expected.npz > $w/run.log 2>&1
  echo "$(tail -1 $w/run.log | cut -c1-150) $n $(grep regions: $w/run.log) opt=$code $(grep -m1 -oE '(dropped: .*|unverified: .*)' $w/opt.log | cut -c1-330) $(grep -m1 FAIL, $w/run.log | cut -c1-140) :: $(grep -oE '(won|keeps stock): .*' $w/opt.log | cut -c1-110 | tr '\n' '/' | cut -c1-300)"
}
export -f one
ls test/samples/*/dynamic*.mlir | timeout ${1:-280} xargs -P 10 -I{} bash -c 'one {}' > $OUT/dynamic.txt 2>&1
sort $OUT/dynamic.txt | awk '{print $1}' | uniq -c
grep -v '^PASS' $OUT/dynamic.txt | cut -c1-330 | head -40
tar -C $WORK -czf $OUT/dynamic-logs.tgz --exclude=run --exclude=m.mlir .
