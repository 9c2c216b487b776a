#!/usr/bin/env bash
# Every sample (keep and default) through llm-optimize and kernelclaw-run on the
# GPU, ten at a time; writes $OUT/samples.txt. Needs .stage/ as run_all.sh does.
#   OUT=results bash bench/device/run_samples.sh [SECONDS]
OUT=${OUT:-.}
eval "$(bench/device/unpack.sh)"
w=/tmp/kclaw-samples; mkdir -p $w
one() {
  f=$1; d=$(dirname $f); n=$(basename $d)-$(basename $f .mlir); w=/tmp/kclaw-samples/$n; mkdir -p $w
  # 4: written, but a winner was dropped or the whole is unverified (the log says)
  timeout 100 kernelclaw-opt $f -o $w/m.mlir --llm-optimize="provider=expert evaluator=local store=none run-dir=$w/run max-attempts=1 cpu-fallback=false" > $w/opt.log 2>&1; code=$?; if [ $code != 0 ] && [ $code != 4 ]; then echo "OPTFAIL $n $(grep -m1 error $w/opt.log | cut -c1-160)"; return; fi
  timeout 60 kernelclaw-run $w/m.mlir --device=cuda --args $d/args.npz --expect $d/expected.npz > $w/run.log 2>&1
  echo "$(tail -1 $w/run.log | cut -c1-150) $n $(grep regions: $w/run.log) opt=$code $(grep -m1 -oE '(dropped: .*|unverified: .*)' $w/opt.log | cut -c1-330) $(grep -m1 FAIL, $w/run.log | cut -c1-140) :: $(grep -oE '(won|kept): .*' $w/opt.log | grep -v remark | cut -c1-90 | tr '\n' '/' | cut -c1-260)"
}
export -f one
ls test/samples/*/keep.mlir test/samples/*/default.mlir | grep -v custom_op | timeout ${1:-280} xargs -P 10 -I{} bash -c 'one {}' > $OUT/samples.txt 2>&1
sort $OUT/samples.txt | awk '{print $1}' | uniq -c
grep -v '^PASS' $OUT/samples.txt | cut -c1-330 | head -40
tar -C /tmp/kclaw-samples -czf $OUT/logs.tgz --exclude=run --exclude=m.mlir . 
