#!/usr/bin/env bash
# Kernels judged on a GPU machine that has no compiler: the local halves.
#
#   bench/device/pack.sh                    once per build: .stage/*.tar.xz
#   bench/mailbox_demo.sh post [SAMPLE ...] write jobs into .stage/mailbox
#   --- on the GPU machine, with .stage/ carried there:
#   OUT=answers bash bench/device/mailbox.sh
#   --- here again, with the folder of answers carried back:
#   bench/mailbox_demo.sh resume ANSWERS    go on; run the modules on the CPU
#
# SAMPLE is a folder name under test/samples (default: rms_norm_manual
# softmax_last layer_norm). `post` starts afresh; a model parks once per attempt
# (ATTEMPTS, default 1), so with ATTEMPTS=N there are N trips: `resume` says
# how many models still wait and leaves their next jobs in .stage/mailbox.
# Exit code of `resume`: 0 all done, 75 jobs wait for another trip.
set -euo pipefail
cd "$(dirname "$0")/.."
mailbox=.stage/mailbox
runs=.stage/mailbox-runs
bin=${BUILD:-build}/bin

optimize() { # SAMPLE; exit code of kernelclaw-opt
  local folder=$runs/$1
  mkdir -p "$folder"
  "$bin/kernelclaw-opt" "test/samples/$1/keep.mlir" -o "$folder/module.mlir" \
    --llm-optimize="provider=expert evaluator=mailbox mailbox-dir=$mailbox store=none run-dir=$folder/run max-attempts=$(cat $runs/attempts)" \
    >"$folder/opt.log" 2>&1
}

run_module() { # SAMPLE
  "$bin/kernelclaw-run" "$runs/$1/module.mlir" --device=auto \
    --args "test/samples/$1/args.npz" --expect "test/samples/$1/expected.npz" |
    tail -1
}

go_on() {
  local sample code waiting=0
  while read -r sample; do
    code=0
    optimize "$sample" || code=$?
    case $code in
      0)
        grep -oE '(won|kept): .*' "$runs/$sample/opt.log" | head -3 |
          sed "s/^/[$sample] /"
        echo "[$sample] $(run_module "$sample")"
        ;;
      75)
        waiting=$((waiting + 1))
        echo "[$sample] waits for a worker"
        ;;
      *)
        tail -5 "$runs/$sample/opt.log" >&2
        echo "[$sample] kernelclaw-opt ended with code $code" >&2
        exit 1
        ;;
    esac
  done <$runs/samples
  [ $waiting -eq 0 ] && return
  local jobs answers
  jobs=$(find $mailbox/jobs -name 'job-*.json' | wc -l)
  answers=$(find $mailbox/results -name 'result-*.json' | wc -l)
  echo "[mailbox] $((jobs - answers)) jobs without an answer in $mailbox"
  return 75
}

case ${1:-} in
  post)
    shift
    rm -rf $mailbox $runs
    mkdir -p $runs
    printf '%s\n' "${@:-rms_norm_manual}" >$runs/samples
    [ $# -gt 0 ] || printf '%s\n' softmax_last layer_norm >>$runs/samples
    echo "${ATTEMPTS:-1}" >$runs/attempts
    go_on || [ $? -eq 75 ]
    ;;
  resume)
    [ -d "${2:-}" ] || { echo "usage: $0 resume ANSWERS" >&2; exit 2; }
    cp "$2"/result-*.json $mailbox/results/
    go_on
    ;;
  *)
    sed -n '2,18s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
