#!/bin/sh
# Gets MLIR's own tests out of Debian's source of LLVM 19: 165 MB are downloaded, the 26 MB of mlir/test are kept, in
# bin/mlir-test. They are read and compared by `go test ./tests/conformance`, and run by `go test ./tests/mlir -run Suite -suite=...`.
# apt's own configuration stays as it is: a copy of its sources, for source packages, is used and thrown away.
set -eu
skip() { echo "deps-mlir: $1; the programs of MLIR's suite will not be compared"; exit 0; }
to=$PWD/bin/mlir-test
if test -d "$to/Dialect/Vector"; then echo "deps-mlir: $to is there"; exit 0; fi
for tool in apt-get xz; do command -v $tool >/dev/null || skip "no $tool here"; done

. "$(dirname "$0")/deps-apt.sh"
apt_sources 's/^Types:.*/Types: deb-src/' 's/^deb /deb-src /p'
cd "$dir"
apt-get source -qq --download-only --tar-only llvm-toolchain-19 >/dev/null 2>&1 || skip "there is no source of llvm-toolchain-19"
tar xJf llvm-toolchain-19_*.orig.tar.xz --wildcards --strip-components=2 '*/mlir/test/*'
mkdir -p "$(dirname "$to")"
mv test "$to"
echo "deps-mlir: $to, $(find "$to" -name '*.mlir' | wc -l) files"
