#!/usr/bin/env bash
# On a GPU: explain, check, --repro and the checks of winners. One line a step;
# exit code 1 when one is not as expected. Usage: explain.sh [BUILD_FOLDER]
# compute-sanitizer: from a toolkit, PATH or KERNELCLAW_COMPUTE_SANITIZER.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${1:-$root/build}" && pwd)
worker=$build/bin/kernelclaw-worker
out=${OUT:-$(mktemp -d)}
nvcc=${CUDA_HOME:-/usr/local/cuda}/bin/nvcc
files=(--spec "$root/examples/check/spec.json"
  --stock "$root/examples/check/stock.cu"
  --reference "$root/examples/check/reference.cu")
bad=0

step() { # NAME WANTED-CODE LOG COMMAND...
  local name=$1 wanted=$2 log=$out/$3.log start=$SECONDS
  shift 3
  "$@" >"$log" 2>&1
  local code=$?
  if [ $code -eq "$wanted" ]; then
    echo "ok    $name ($((SECONDS - start)) s)"
  else
    echo "BAD   $name: exit $code, wanted $wanted; $log:"
    tail -n 12 "$log"
    bad=1
  fi
}
holds() { # NAME LOG PATTERN
  if grep -qE "$3" "$out/$2.log"; then echo "ok    $1"; else
    echo "BAD   $1: no '$3' in $out/$2.log"; bad=1; fi
}

step "a right kernel, with profile and checks" 0 right \
  "$worker" check "$root/examples/check/softmax.cu" "${files[@]}" --profile --checks \
  --repro "$out/right" --timeout 400 --json "$out/right.json"
holds "times are measured" right 'times \(measured'
holds "the simulator's checks ran" right 'simulator +passed'
grep -A6 '^checks' "$out/right.log"
step "a tail that is not written" 1 tail \
  "$worker" check "$root/examples/check/softmax_tail.cu" "${files[@]}" --repro "$out/tail"
holds "the pattern is named" tail 'column: only columns 992 and above of 1000'
python3 "$root/test/Worker/Inputs/run_directory.py" "$out/run" \
  tail-not-written compile-error writes-past-end wrong-result relu-scalar
for attempt in 1 2 3 4; do
  step "explain attempt $attempt" 1 "explain-$attempt" \
    "$worker" explain "$out/run/selftest/$attempt"
done
step "explain a right attempt" 0 explain-5 "$worker" explain "$out/run/selftest/5"
for which in right tail; do
  [ -x "$nvcc" ] || continue
  step "nvcc compiles the repro ($which)" 0 "nvcc-$which" \
    "$nvcc" -std=c++20 -O3 -arch=sm_90a -lineinfo --expt-relaxed-constexpr \
    "$out/$which/repro.cu" -o "$out/$which/repro" \
    -L"${nvcc%/bin/nvcc}/lib64/stubs" -lcuda
done
if [ -x "$nvcc" ]; then
  step "the repro of the right kernel" 0 repro-right "$out/right/repro"
  tail -n 2 "$out/repro-right.log"
  step "the repro of the tail finds it" 1 repro-tail "$out/tail/repro" --draw=judged
  # The same numbers: the first wrong elements of both reports.
  want=$(awk '/^  992 /{print $4; exit}' "$out/tail.log")
  holds "with the judge's numbers ($want)" repro-tail " 992 .*$want"
  for tool in memcheck racecheck initcheck synccheck; do
    command -v compute-sanitizer >/dev/null || break
    step "compute-sanitizer --tool $tool on the repro" 0 "repro-$tool" \
      compute-sanitizer --tool $tool --error-exitcode 1 "$out/right/repro" --once --time=0
  done
fi
# A race that only racecheck (or the simulator) sees.
cat >"$out/race.cu" <<'CU'
// claw: grid=rows, block=128
#include <cmath>
extern "C" __global__ void softmax(const float *x, float *y, int rows, int cols) {
  __shared__ float parts[128];
  const float *in = x + (long long)blockIdx.x * cols;
  float top = -INFINITY;
  double total = 0;
  for (int j = 0; j < cols; ++j) top = fmaxf(top, in[j]);
  for (int j = 0; j < cols; ++j) total += expf(in[j] - top);
  parts[threadIdx.x] = total; // a barrier is missing; the result is right
  float other = parts[(threadIdx.x + 32) % 128];
  float sum = other == -1.0f ? 0.0f : (float)total;
  for (int j = threadIdx.x; j < cols; j += 128)
    y[(long long)blockIdx.x * cols + j] = expf(in[j] - top) / sum;
}
CU
step "a race is refused" 1 race \
  "$worker" check "$out/race.cu" "${files[@]}" --checks --timeout 400
holds "by a check" race 'rule (simulator|racecheck|data-race)'
head -n 3 "$out/race.log"
exit $bad
