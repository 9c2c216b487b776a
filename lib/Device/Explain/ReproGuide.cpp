//===- ReproGuide.cpp - The command lines beside a repro ------------------===//
#include "ReproGuide.h"

namespace kclaw {

/// Words between @ are filled in.
static const char script[] = R"SH(#!/usr/bin/env bash
# Builds repro.cu and runs it: run.sh [run|memcheck|racecheck|initcheck|
# synccheck|ncu] [options of the program]. CUDA_HOME names the toolkit.
set -eu
cd "$(dirname "$0")"
CUDA=${CUDA_HOME:-/usr/local/cuda}
ARCH=${ARCH:-@ARCH@}
"$CUDA/bin/nvcc" -std=c++20 -O3 -arch="$ARCH" -lineinfo --expt-relaxed-constexpr \
  repro.cu -o repro -L"$CUDA/lib64/stubs" -lcuda
what=${1:-run}
[ $# -eq 0 ] || shift
case $what in
run) ./repro "$@" ;;
memcheck | racecheck | initcheck | synccheck)
  compute-sanitizer --tool "$what" --error-exitcode 1 \
    ./repro --once --time=0 "$@" ;;
ncu)
  ncu --set full --import-source yes --clock-control none --cache-control all \
    --kernel-name 'regex:^(@KERNELS@)$' ./repro --once --time=0 "$@" ;;
*) echo "run.sh: unknown word '$what'" >&2; exit 2 ;;
esac
)SH";

static const char readme[] = R"MD(# Repro: @TITLE@

Verdict: **@VERDICT@**

@MESSAGE@

`repro.cu` is stand-alone: a host main, the judge's generator of data (the same
numbers), the kernel's source, stock and the f64 reference as PTX, the check
and a timing loop. It needs a CUDA toolkit (13.0 or newer, or the one that the
PTX was made with) and a GPU of @ARCH@.

    nvcc -std=c++20 -O3 -arch=@ARCH@ -lineinfo --expt-relaxed-constexpr repro.cu -o repro -lcuda
    ./repro                          # all data, errors, then times
    ./repro --draw=judged            # only the data it failed on, if it failed
    compute-sanitizer --tool memcheck ./repro --once --time=0
    compute-sanitizer --tool racecheck ./repro --once --time=0
    compute-sanitizer --tool initcheck ./repro --once --time=0
    compute-sanitizer --tool synccheck ./repro --once --time=0
    ncu --set full --import-source yes --clock-control none --cache-control all \
      --kernel-name 'regex:^(@KERNELS@)$' ./repro --once --time=0

`./run.sh [run|memcheck|racecheck|initcheck|synccheck|ncu]` does the same.
`--image=FILE` takes the kernels that a PTX, cubin or fatbin file has from there:
`--image=candidate_NAME.ptx` runs what was judged, as NVRTC compiled it.
`--exact-alignment` puts tensors at exactly their declared alignment. Exit code
0: right, 1: wrong.

What differs from the judge: nvcc instead of NVRTC (which has 64-bit types as
`long long`), no guard bands, no second run, buffers of their own allocation.
@COMMAND@)MD";

static std::string filled(std::string text, const std::string &word,
                          const std::string &value) {
  for (size_t at = text.find(word); at != std::string::npos;
       at = text.find(word, at + value.size()))
    text.replace(at, word.size(), value);
  return text;
}

static std::string kernelNames(const Plan &plan) {
  std::string names;
  forEachLeaf(plan.steps, "", [&names](const std::string &, const Step &step) {
    if (const auto *kernel = std::get_if<KernelStep>(&step))
      names += (names.empty() ? "" : "|") + kernel->entry;
  });
  return names;
}

std::string reproReadme(const Job &job, const Evaluation &evaluation,
                        const std::string &commandLine) {
  std::string text = readme;
  std::string title =
      job.candidate.title.empty() ? job.id : job.candidate.title;
  std::string verdict =
      name(evaluation.outcome) +
      (evaluation.rule.empty() ? "" : ", rule " + evaluation.rule);
  text = filled(text, "@TITLE@", title);
  text = filled(text, "@VERDICT@", verdict);
  text = filled(text, "@MESSAGE@", evaluation.message);
  text = filled(text, "@ARCH@", job.arch);
  text = filled(text, "@KERNELS@", kernelNames(job.candidate));
  return filled(text, "@COMMAND@",
                commandLine.empty() ? ""
                                    : "\nMade by `" + commandLine + "`.\n");
}

std::string reproScript(const Job &job) {
  return filled(filled(script, "@ARCH@", job.arch), "@KERNELS@",
                kernelNames(job.candidate));
}

} // namespace kclaw
