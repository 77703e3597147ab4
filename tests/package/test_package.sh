#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs a finished build under a scratch prefix, moves the prefix, and builds and runs a program against it: once
# through find_package, once through pkg-config. Neither may know the source tree or the build folder.
# usage: test_package.sh BUILD_FOLDER COMPILER CMAKE
set -euo pipefail
build=$1 compiler=$2 cmake=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$cmake" --install "$build" --prefix "$scratch/first" >/dev/null
mv "$scratch/first" "$scratch/prefix"
mkdir "$scratch/source"
cp "$here/CMakeLists.txt" "$here/consumer.cpp" "$scratch/source"

for wanted in bin/ritz share/licenses/ritz/LICENSE; do
  test -f "$scratch/prefix/$wanted" || { echo "not installed: $wanted"; exit 1; }
done
if grep -rlIF -e "$root" -e "$scratch/first" "$scratch/prefix"; then
  echo "the files above name a folder of this build"
  exit 1
fi
"$scratch/prefix/bin/ritz" --version

echo "find_package:"
"$cmake" -G Ninja -S "$scratch/source" -B "$scratch/build" -D CMAKE_CXX_COMPILER="$compiler" -D CMAKE_BUILD_TYPE=Debug \
  -D CMAKE_PREFIX_PATH="$scratch/prefix" >/dev/null
"$cmake" --build "$scratch/build" >/dev/null
"$scratch/build/consumer"

echo "pkg-config:"
pc=$(find "$scratch/prefix" -name ritz.pc)
export PKG_CONFIG_PATH=${pc%/*}
library=$(find "$scratch/prefix" -name 'libritz.*' | head -1)
static=()
if [[ $library == *.a ]]; then static=(--static); else export LD_LIBRARY_PATH=${library%/*}; fi
read -ra compile < <(pkg-config --cflags ritz)
read -ra link < <(pkg-config --libs "${static[@]}" ritz)
"$compiler" -std=c++20 "${compile[@]}" "$scratch/source/consumer.cpp" -o "$scratch/consumer" "${link[@]}"
"$scratch/consumer"
