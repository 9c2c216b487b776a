#!/usr/bin/env bash
# Everything that waits for a GPU, in one go. Run on the GPU machine, in the
# repository's root, after bench/device/pack.sh made .stage/ elsewhere:
#
#   OUT=results bash bench/device/run_all.sh [model ...]
#
# For each model of bench/models: arguments and f64 results from a seed,
# kernelclaw-opt with the expert provider and the local evaluator, then
# kernelclaw-run --device=cuda against the f64 results. Writes $OUT/h200.md.
set -uo pipefail
cd "$(dirname "$0")/../.."
OUT=${OUT:-.}
eval "$(bench/device/unpack.sh)"
models=${*:-softmax rms_norm layer_norm gelu_chain linear_epilogue}
work=/tmp/kernelclaw-work
mkdir -p $work
facts=$work/facts.md
{
  echo "Device: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1)"
  echo "Worker: $(kernelclaw-worker --probe 2>&1 | tr '\n' ' ')"
  echo "Torch (arguments and f64 results): $(python3 -c 'import torch; print(torch.__version__)')"
  echo "Date: $(date -u +%F)"
} >$facts
cat $facts

pairs=()
for model in $models; do
  echo "=== $model"
  folder=$work/$model
  rm -rf "$folder" && mkdir -p "$folder"
  python3 bench/device/make_data.py "bench/models/$model.py" "$folder" ||
    { echo "FAILED data $model"; continue; }
  timeout 150 kernelclaw-opt "bench/exports/$model.mlir" -o "$folder/module.mlir" \
    --llm-optimize="provider=expert evaluator=local device=cuda store=$work/store run-dir=$folder/run max-attempts=${ATTEMPTS:-3} stop-after=lower" \
    2>&1 | tee "$folder/opt.log" | tail -25
  echo "opt: exit ${PIPESTATUS[0]}"
  timeout 100 kernelclaw-run "$folder/module.mlir" --device=cuda \
    --args "$folder/args.npz" --expect "$folder/expected.npz" --repeat 20 2>&1 |
    tee "$folder/run.log"
  echo "run: exit ${PIPESTATUS[0]}"
  pairs+=("$model=$folder/run")
  rm -f "$folder"/*.npz
done

{
  echo "# Winners on an H200"
  echo
  echo "Command: \`bash bench/device/run_all.sh $models\`"
  sed 's/^/\n/' $facts
  echo
  python3 bench/device/table.py "${pairs[@]}"
  echo
  echo "Whole module by kernelclaw-run --device=cuda against torch's f64 results:"
  echo
  echo '```'
  for model in $models; do echo "$model: $(tr '\n' ';' <$work/$model/run.log)"; done
  echo '```'
} >"$OUT/h200.md"
cat "$OUT/h200.md"
tar -C $work --exclude='*.npz' --exclude=store -czf "$OUT/runs.tgz" .
