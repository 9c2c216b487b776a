#!/usr/bin/env bash
# Installs LiteLLM's proxy (pinned in utils/litellm.txt) into .prefix/litellm,
# once, and prints the path of its executable. Exit code 77 when it cannot be
# fetched: the test that needs it is then skipped.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
prefix=$top/.prefix/litellm
pins=$top/utils/litellm.txt

if ! cmp -s "$pins" "$prefix/installed.txt"; then
  rm -rf "$prefix"
  python3 -m venv "$prefix"
  echo "[setup] installing LiteLLM's proxy into .prefix/litellm" >&2
  if ! "$prefix/bin/pip" install -q --disable-pip-version-check --retries 1 \
    --timeout 20 -r "$pins" >&2; then
    echo "[setup] LiteLLM could not be installed: is PyPI reachable?" >&2
    exit 77
  fi
  cp "$pins" "$prefix/installed.txt"
fi
printf '%s\n' "$prefix/bin/litellm"
