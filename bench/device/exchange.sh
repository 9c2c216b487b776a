#!/usr/bin/env bash
# One region through provider=exchange on the GPU machine: the replies under
# examples/exchange were written by hand in the role of the model. Each time the
# run parks (exit 75) the next reply is put where the request asks for it, and
# the same command goes on.
#
#   OUT=results bash bench/device/exchange.sh
#
# Leaves $OUT/exchange.tgz: the run directory, which test/Synthesize/exchange
# replays.
set -uo pipefail
cd "$(dirname "$0")/../.."
OUT=${OUT:-.}
eval "$(bench/device/unpack.sh)"
work=/tmp/kernelclaw-exchange
rm -rf $work && mkdir -p $work
python3 bench/device/make_data.py bench/models/rms_norm.py $work || exit 1

optimize() {
  kernelclaw-opt bench/exports/rms_norm.mlir -o $work/module.mlir \
    --llm-optimize="provider=exchange strategy=greedy evaluator=local device=cuda store=none run-dir=$work/run max-attempts=3"
}
for reply in 1 2 3; do
  optimize
  code=$?
  [ $code = 75 ] || { echo "expected to park (75), got $code"; exit 1; }
  request=$(ls -t $work/run/exchange/request-*.json | head -1)
  name=$(python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["replyFile"])' "$request")
  cp examples/exchange/reply-$reply.txt "$work/run/exchange/part"
  mv "$work/run/exchange/part" "$work/run/exchange/$(basename "${name%.json}").txt"
  echo "--- answered $(basename "$request") with reply-$reply.txt"
done
optimize || exit 1
kernelclaw-run $work/module.mlir --device=cuda --args $work/args.npz --expect $work/expected.npz --repeat 20
code=$?
tar -C $work -czf "$OUT/exchange.tgz" run module.mlir
exit $code
