#!/usr/bin/env bash
# Packs what bench/learning/measure.py needs on a GPU machine into
# .stage/learning/: the worker and regions.jsonl.xz, one region a line with its
# spec, stock, library stock, reference and every plan that the expert has for
# it.
#
#   bench/learning/pack.sh [BUILD [FOLDER FILE...]]
#
# FOLDER instead of .stage/learning, FILEs instead of bench/learning/exports;
# ATTEMPTS: the most plans of a region (64).
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$top/build}
stage=${2:-$top/.stage/learning}
files=("${@:3}")
[ ${#files[@]} -gt 0 ] || files=("$top"/bench/learning/exports/*.mlir)
runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT
rm -rf "$stage"
mkdir -p "$stage"
cp "$build/bin/kernelclaw-worker" "$stage/"
strip "$stage/kernelclaw-worker"
cp "$top"/bench/{learning/measure,device/evaluator/worker}.py "$stage/"
one() { # FILE
  name=$(basename "$1" .mlir)
  timeout 120 "$build/bin/kernelclaw-opt" "$1" -o /dev/null --llm-optimize="evaluator=none store=none \
    run-dir=$runs/$name cpu-fallback=false verify=none granularity=function \
    stop-after=synthesize sidecar=none provider=expert max-attempts=${ATTEMPTS:-64}" >"$runs/$name.log" 2>&1 || true
  # 4: something fell back, such as an absent library; the plans are there.
  [ -d "$runs/$name/regions" ] || { echo "pack.sh: $name: $(tail -1 "$runs/$name.log")" >&2; }
}
export -f one
export build runs
printf '%s\n' "${files[@]}" | xargs -P 2 -I{} bash -c 'one {}'
python3 - "$runs" <<'PY' | xz -T0 >"$stage/regions.jsonl.xz"
import glob, json, os, sys
read = lambda path: json.load(open(path))
arms = 0
for run in sorted(glob.glob(sys.argv[1] + "/*/")):
    name = os.path.basename(run[:-1])
    folders = glob.glob(run + "regions/*/")
    if len(folders) != 1:
        print(f"pack.sh: {name} has {len(folders)} regions, left out", file=sys.stderr)
        continue
    region = {"name": name}
    for part in ("spec", "stock", "reference"):
        region[part] = read(folders[0] + part + ".json")
    if os.path.exists(folders[0] + "library-stock.json"):
        region["libraryStock"] = read(folders[0] + "library-stock.json")
    plans = sorted(glob.glob(folders[0] + "attempt-*/plan.json"),
                   key=lambda p: int(p.split("attempt-")[1].split("/")[0]))
    region["arms"] = [read(p) for p in plans]
    arms += len(plans)
    print(json.dumps(region, separators=(",", ":")))
print(f"pack.sh: {arms} plans", file=sys.stderr)
PY
git -C "$top" rev-parse --short HEAD >"$stage/commit"
du -sh "$stage" >&2
