#!/bin/sh
# Gets ptxas, NVIDIA's assembler, and nvdisasm, which shows what came of it, out of Debian's nvidia-cuda-toolkit,
# and the compiler for CUDA source, libnvrtc (component non-free; their licences are NVIDIA's): 110 MB are
# downloaded, 130 MB are kept, in /usr/local/bin and /usr/local/lib or, where these are not writable, in bin/.
# The packages are not installed, since they want gigabytes of others, and apt's own configuration stays
# as it is: a copy of its sources with more components is used and thrown away.
set -eu
skip() { echo "deps-ptx: $1; tests that assemble PTX will be skipped"; exit 0; }
lib=/usr/local/lib
[ -w $lib ] || lib=$PWD/bin
if command -v ptxas >/dev/null && command -v nvdisasm >/dev/null && test -e $lib/libnvrtc.so.11.2; then echo "deps-ptx: $(command -v ptxas), $(command -v nvdisasm) and $lib/libnvrtc.so.11.2 are there"; exit 0; fi
for tool in apt-get dpkg-deb; do command -v $tool >/dev/null || skip "no $tool here"; done

. "$(dirname "$0")/deps-apt.sh"
apt_sources 's/^Components:.*/Components: main contrib non-free/' 's/^\(deb .*\) main.*/\1 main contrib non-free/p'
cd "$dir"
apt-get download -qq nvidia-cuda-toolkit >/dev/null 2>&1 || skip "there is no package nvidia-cuda-toolkit for this machine"
dpkg-deb --fsys-tarfile nvidia-cuda-toolkit_*.deb | tar x ./usr/bin/ptxas ./usr/bin/nvdisasm
rm nvidia-cuda-toolkit_*.deb
if apt-get download -qq libnvrtc11.2 libnvrtc-builtins11.8 >/dev/null 2>&1; then
  for deb in libnvrtc*.deb; do dpkg-deb --fsys-tarfile "$deb" | tar x --wildcards './usr/lib/*'; done
else
  echo "deps-ptx: there is no libnvrtc; the bench's row sass will be skipped"
fi
cd "$OLDPWD"
to=/usr/local/bin
[ -w $to ] || { mkdir -p bin; to=$PWD/bin; }
install -m 755 "$dir/usr/bin/ptxas" "$dir/usr/bin/nvdisasm" "$to"
for file in "$dir"/usr/lib/*/libnvrtc*; do
  case "$file" in */libnvrtc.so.11.2|*/libnvrtc-builtins.so.11.8) install -m 644 "$(readlink -f "$file")" "$lib/$(basename "$file")" ;; esac
done
echo "deps-ptx: $to/ptxas, $("$to/ptxas" --version | sed -n 's/.*release \([0-9.]*\),.*/version \1/p')"
case ":$PATH:" in *":$to:"*) ;; *) echo "deps-ptx: put $to on PATH" ;; esac
