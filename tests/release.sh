#!/bin/sh
# tests/release.sh [OS/ARCH ...]: a release is the same bytes wherever it is built. The sources are copied to two folders,
# without .git, and `make release` runs in each with an empty build cache of its own.
set -eu
cd "$(dirname "$0")/.."
on=${*:-linux/amd64}
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
folders="a/irc another-place/of/the/sources"
for at in $folders; do
  mkdir -p "$work/$at"
  tar -cf - --exclude=./.git --exclude=./bin . | tar -xf - -C "$work/$at"
done
diff -r "$work/a/irc" "$work/another-place/of/the/sources" # they are the same, though somebody writes them
for at in $folders; do
  GOCACHE="$work/$at.cache" make -s -C "$work/$at" release RELEASES="$on"
done
cd "$work"
(cd a/irc/bin/release && sha256sum *) >a.sums
(cd another-place/of/the/sources/bin/release && sha256sum *) >another.sums
cat a.sums
cmp a.sums another.sums
echo "the same from two folders"
