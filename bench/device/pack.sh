#!/usr/bin/env bash
# Packs what a GPU machine without LLVM needs, into .stage/ (at most 64 MiB).
#
#   bench/device/pack.sh [BUILD]
#
# .stage/llvm.tar.xz   libMLIR, libLLVM (made once), their dependencies
# .stage/bin.tar.xz    our tools and runtime
# On the GPU machine bench/device/unpack.sh undoes it.
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$top/build}
stage=$top/.stage
mkdir -p "$stage"

shared_objects() { # resolved dependencies but glibc's own
  ldd "$@" 2>/dev/null | awk '/=> \// {print $3}' | sort -u |
    grep -Ev '/(libc|libm|libdl|libpthread|librt|ld-linux.*|libresolv)\.so'
}

if [ ! -f "$stage/llvm.tar.xz" ]; then
  echo "[pack] LLVM libraries (once)" >&2
  folder=$(mktemp -d)
  for name in libMLIR.so.22.1 libLLVM.so.22.1; do
    cp -L "/usr/lib/llvm-22/lib/$name" "$folder/"
  done
  strip "$folder"/* 2>/dev/null || true
  XZ_OPT='-6 -T2' tar -C "$folder" -cJf "$stage/llvm.tar.xz" .
  rm -rf "$folder"
fi

echo "[pack] tools" >&2
folder=$(mktemp -d)
mkdir -p "$folder/bin" "$folder/lib"
for tool in kernelclaw-opt kernelclaw-run kernelclaw-worker; do
  [ -f "$build/bin/$tool" ] && cp "$build/bin/$tool" "$folder/bin/"
done
cp -L "$build"/lib/libkernelclaw_{runtime,jit}.so "$folder/lib/"
for library in $(shared_objects "$folder"/bin/* "$folder"/lib/* \
  /usr/lib/llvm-22/lib/libMLIR.so.22.1 /usr/lib/llvm-22/lib/libLLVM.so.22.1); do
  case $library in
    *libMLIR* | *libLLVM* | *libkernelclaw*) ;;
    *) cp -L "$library" "$folder/lib/" ;;
  esac
done
# libLLVM and libxml2 name these, and none of our paths calls them: 50 MB saved.
echo '' | gcc -shared -fPIC -x c - -Wl,-soname,libz3.so.4 -o "$folder/lib/libz3.so.4"
echo 'const char icudt72_dat[64];' | gcc -shared -fPIC -x c - \
  -Wl,-soname,libicudata.so.72 -o "$folder/lib/libicudata.so.72"
strip "$folder"/bin/* "$folder"/lib/* 2>/dev/null || true
XZ_OPT='-6 -T2' tar -C "$folder" -cJf "$stage/bin.tar.xz" .
rm -rf "$folder"
du -sh "$stage"/* >&2
