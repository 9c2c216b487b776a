#!/usr/bin/env bash
# Installs what the build and the tests need, on Debian 12 or Ubuntu 24.04.
#
# Idempotent; says what it installs before it does; without root it only checks
# and says what is missing. Prints the CUDA root, for ./check and ./demo, on
# standard output; all else goes to standard error.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '[setup] %s\n' "$*" >&2; }

# Ubuntu has no chromium package (a snap instead): the tests of reports in a
# browser are skipped there, unless a chromium is installed.
missing_packages() {
  local name
  grep -v '^#' "$top/utils/packages.txt" | while read -r name; do
    [ "$name" = chromium ] && grep -q '^ID=ubuntu' /etc/os-release && continue
    dpkg-query -W -f='${Status}' "$name" 2>/dev/null |
      grep -q 'ok installed' || printf '%s ' "$name"
  done
}

# Ubuntu 24.04 has no LLVM 22 of its own: add the LLVM project's repository.
add_llvm_source_on_ubuntu() {
  . /etc/os-release
  [ "${ID:-}" = ubuntu ] || return 0
  apt-cache policy llvm-22-dev | grep -q 'Candidate: [0-9]' && return 0
  say "LLVM 22 is not in this Ubuntu: adding the LLVM project's own apt" \
    "repository (apt.llvm.org) under /etc/apt/sources.list.d/llvm-22.list"
  apt-get install -y -qq ca-certificates curl gnupg >&2
  curl -fsSL https://apt.llvm.org/llvm-snapshot.gpg.key |
    gpg --dearmor -o /usr/share/keyrings/llvm-22.gpg
  echo "deb [signed-by=/usr/share/keyrings/llvm-22.gpg]" \
    "https://apt.llvm.org/$VERSION_CODENAME/ llvm-toolchain-$VERSION_CODENAME-22 main" \
    >/etc/apt/sources.list.d/llvm-22.list
  apt-get update -qq >&2
}

install_packages() {
  local missing
  missing=$(missing_packages)
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" != 0 ]; then
    say "missing packages: $missing"
    say "not root: run 'sudo utils/setup.sh', or install them and try again"
    exit 1
  fi
  say "installing packages: $missing"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq >&2
  add_llvm_source_on_ubuntu
  # shellcheck disable=SC2086
  apt-get install -y -qq --no-install-recommends $missing >&2
}

# A toolkit is a folder with cuda.h, NVRTC and libdevice.
is_cuda_root() {
  [ -f "$1/include/cuda.h" ] && [ -f "$1/include/nvrtc.h" ] &&
    [ -f "$1/nvvm/libdevice/libdevice.10.bc" ] &&
    compgen -G "$1/lib*/libnvrtc.so.1[23]" >/dev/null
}

find_cuda_root() {
  local nvcc candidate
  nvcc=$(command -v nvcc || true)
  for candidate in "${KERNELCLAW_CUDA_ROOT:-}" "${CUDA_HOME:-}" \
    ${nvcc:+"$(dirname "$(dirname "$(readlink -f "$nvcc")")")"} \
    /usr/local/cuda "$top/.prefix/cuda"; do
    if [ -n "$candidate" ] && is_cuda_root "$candidate"; then
      printf '%s\n' "$candidate"
      return 0
    fi
  done
  return 1
}

install_cuda_wheels() {
  say "no CUDA toolkit found: installing NVIDIA's wheels" \
    "($(grep -v '^#' "$top/utils/cuda-wheels.txt" | tr '\n' ' ')) into .prefix/"
  mkdir -p "$top/.prefix"
  python3 -m venv "$top/.prefix/venv" >&2
  "$top/.prefix/venv/bin/pip" install -q --no-deps --upgrade \
    --target "$top/.prefix/wheels" -r "$top/utils/cuda-wheels.txt" >&2
  ln -sfn wheels/nvidia/cu13 "$top/.prefix/cuda"
}

# nvFatbin is optional (without it cubins are embedded instead of fatbins), and
# not part of every toolkit. Offline we go on without it.
install_nvfatbin() { # CUDA-ROOT
  compgen -G "$1/lib*/libnvfatbin.so.1[23]" >/dev/null && return 0
  compgen -G "$top/.prefix/nvfatbin/nvidia/*/lib/libnvfatbin.so.1[23]" \
    >/dev/null && return 0
  say "this toolkit has no nvFatbin: installing NVIDIA's wheel into" \
    ".prefix/nvfatbin"
  mkdir -p "$top/.prefix"
  [ -x "$top/.prefix/venv/bin/pip" ] || python3 -m venv "$top/.prefix/venv" >&2
  "$top/.prefix/venv/bin/pip" install -q --no-deps \
    --target "$top/.prefix/nvfatbin" \
    "$(grep '^nvidia-nvfatbin' "$top/utils/cuda-wheels.txt")" >&2 ||
    say "not reachable: its tests are skipped"
}

# cudnn-frontend: NVIDIA's headers over cuDNN's graph API, no library. Of use
# where the toolkit has cudnn.h; without it convolution steps are left out.
install_cudnn_frontend() { # CUDA-ROOT
  [ -f "$1/include/cudnn.h" ] || return 0
  [ -f "$1/include/cudnn_frontend.h" ] && return 0
  [ -f "$top/.prefix/cudnn-frontend/include/cudnn_frontend.h" ] && return 0
  say "installing cudnn-frontend's headers into .prefix/cudnn-frontend"
  mkdir -p "$top/.prefix"
  [ -x "$top/.prefix/venv/bin/pip" ] || python3 -m venv "$top/.prefix/venv" >&2
  "$top/.prefix/venv/bin/pip" install -q --no-deps \
    --target "$top/.prefix/cudnn-frontend" \
    -r "$top/utils/cudnn-frontend.txt" >&2 ||
    say "not reachable: convolution steps will run on the simulator only"
}

# Pinned packages from PyPI into .prefix/venv, once. Offline we go on without.
install_python_packages() { # PINS WHAT-FOR
  local pins=$top/utils/$1 done=$top/.prefix/venv/$1
  cmp -s "$pins" "$done" && return 0
  say "installing $(grep -v '^#' "$pins" | tr '\n' ' ')into .prefix/venv"
  mkdir -p "$top/.prefix"
  [ -x "$top/.prefix/venv/bin/pip" ] || python3 -m venv "$top/.prefix/venv" >&2
  if "$top/.prefix/venv/bin/pip" install -q --disable-pip-version-check \
    --retries 1 --timeout 20 --no-deps -r "$pins" >&2; then
    cp "$pins" "$done"
  else
    say "not reachable: $2"
  fi
}

install_packages
if [ -n "${KERNELCLAW_FORCE_WHEELS:-}" ] || ! cuda_root=$(find_cuda_root); then
  is_cuda_root "$top/.prefix/cuda" || install_cuda_wheels
  cuda_root=$top/.prefix/cuda
fi
install_nvfatbin "$cuda_root"
install_cudnn_frontend "$cuda_root"
install_python_packages report.txt "kernelclaw-report will not work"
install_python_packages browser.txt "reports are not tested in a browser"
say "packages are there; CUDA pieces from $cuda_root"
printf '%s\n' "$cuda_root"
