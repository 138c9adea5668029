#!/bin/sh
# What `make demo` shows: the model Rats at every level, and its log density.
# usage: examples/demo.sh path/to/irc
irc=${1:-irc}
rats=$(dirname "$0")/bugs/rats
data="-data $rats-data.json"

# show prints the lines of a text from the first that matches to the n-th after it.
show() { awk -v start="$1" -v n="$2" '$0 ~ start { on = 1 } on && n-- > 0; END { if (n < 0) printf "  ... (%d more lines)\n", -n }'; }

echo "=== 1. The model ($rats.bug), as a statistician writes it"
grep -v '^#' "$rats.bug" | show 'model' 14
echo
echo "=== 2. The bugs dialect: statements in order, loops kept, sizes from the data"
$irc -emit=ir $data "$rats.bug" | show 'bugs.for' 22
echo
echo "=== 3. Lowered to scf, arith and math: sums as loop-carried values"
$irc -passes='lower{to=scf}' -emit=ir $data "$rats.bug" | show 'scf.for' 24
echo
echo "=== 4. LLVM IR"
$irc -emit=llvm $data "$rats.bug" | show '^define internal .*logdensity' 16
echo
echo "=== 5. Its log density at the initial values"
$irc logdensity -v $data -inits "$rats-inits.json" "$rats.bug" 2>&1
