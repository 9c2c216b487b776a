#!/usr/bin/env bash
# Packs what a GPU machine without LLVM needs, into .stage/ (at most 64 MiB).
#
#   bench/device/pack.sh [BUILD]
#
# .stage/llvm.tar.xz   libMLIR, libLLVM (made once), their dependencies
# .stage/bin.tar.xz    our tools and runtime, the example of examples/cpp with a
#                      module whose winner comes from examples/demo, and
#                      bench/launch_overhead with its module
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
cp -L "$build"/lib/libkernelclaw_{runtime,jit,simcuda}.so "$folder/lib/"

echo "[pack] example and benchmark" >&2
cmake --build "$build" --target launch_overhead >&2
cp "$build/bin/launch_overhead" "$folder/bin/"
cp "$build/lib/libkclaw_recording_driver.so" "$folder/lib/"
"$build/bin/kernelclaw-opt" "$top/bench/empty_steps.mlir" --header=none \
  --kclaw-lower=device=cuda --emit=so -o "$folder/lib/libempty_steps.so"
example=$(mktemp -d)
"$build/bin/kernelclaw-opt" "$top/examples/cpp/rms_norm.mlir" --emit=so \
  -o "$example/librms_norm.so" --llm-optimize="evaluator=replay store=none \
  replay=$top/examples/demo/recorded run-dir=$example/run max-attempts=3"
cmake -S "$top/examples/cpp" -B "$example/build" -DCMAKE_BUILD_TYPE=Release \
  -DKERNELCLAW_INCLUDE_DIR="$top/include" -DMODULE="$example/librms_norm.so" >&2
cmake --build "$example/build" >&2
cp "$example/build/call_module" "$folder/bin/"
cp "$example/librms_norm.so" "$folder/lib/"
rm -rf "$example"

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
