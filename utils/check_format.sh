#!/usr/bin/env bash
# Every C, C++ and CUDA source of ours follows .clang-format (clang-format 22).
# CUDA templates under memorybank/ hold placeholders and are left out.
set -euo pipefail
cd "$(dirname "$0")/.."
git ls-files '*.h' '*.cpp' '*.c' | grep -v '^test/samples/' |
  xargs clang-format-22 --dry-run --Werror
echo "[format] ok"
