#!/bin/sh
# gpu.sh [FILE]: on a machine with a GPU, checks that kernels equal the interpreter
# and takes their figures (into FILE, default tests/bench/results/device.json). It
# wants what `make gpu` has put into bin/ and the repository's files, but neither Go
# nor libLLVM: carry bin/ along.
set -eu
cd "$(dirname "$0")/../.."
out=${1:-tests/bench/results/device.json}
test -x bin/bench || { echo "gpu.sh: run make gpu where Go and libLLVM are, and bring bin/ here" >&2; exit 1; }
echo "== the driver's calls"
(cd backends/cuda && ../../bin/cuda.test -test.v -test.timeout 5m -test.run '/^device$')
echo "== kernels"
if bin/bench -row=device -bundle bin/kernels.json -o "$out.new" | tee "$out.txt" && ! grep -q 'skipped: no GPU' "$out.txt"; then
  mv "$out.new" "$out"
  rm "$out.txt"
  echo "figures: $out"
else
  rm -f "$out.new" "$out.txt"
fi
