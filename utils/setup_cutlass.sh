#!/usr/bin/env bash
# Installs CUTLASS's headers (PyPI's nvidia-cutlass, pinned) into
# .prefix/cutlass, once, and prints their include root. Fails when they cannot
# be fetched.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
prefix=$top/.prefix/cutlass
pin=nvidia-cutlass==4.2.0.0

if [ "$(cat "$prefix/installed.txt" 2>/dev/null)" != "$pin" ]; then
  rm -rf "$prefix"
  echo "[setup] installing $pin into .prefix/cutlass" >&2
  if ! python3 -m pip install -q --disable-pip-version-check --no-deps \
    --retries 1 --timeout 20 --target "$prefix" "$pin" >&2; then
    echo "[setup] $pin could not be installed: is PyPI reachable?" >&2
    exit 1
  fi
  printf '%s\n' "$pin" >"$prefix/installed.txt"
fi
printf '%s\n' "$prefix/cutlass_library/source/include"
