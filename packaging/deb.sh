#!/usr/bin/env bash
# packaging/deb.sh MAKE: called by `make deb`, which has built for PREFIX=/usr. Writes BUILD/regraph_VERSION_ARCH.deb and prints its name.
set -eu
cd "$(dirname "$0")/.."
command -v dpkg-deb >/dev/null || { echo 'make deb needs dpkg-deb (a Debian or Ubuntu machine)' >&2; exit 4; }
arch=$(dpkg --print-architecture)
triplet=$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || cc -print-multiarch)
root=$BUILD/deb/regraph; rm -rf "$BUILD/deb"; mkdir -p "$root/DEBIAN" "$BUILD/deb/debian"
$1 --no-print-directory -s BUILD="$BUILD" PREFIX=/usr LIBDIR="/usr/lib/$triplet" DESTDIR="$(realpath "$root")" install
find "$root/usr/bin" "$root/usr/lib" -type f ! -name '*.pc' -exec strip --strip-unneeded {} +
gzip -9n "$root"/usr/share/man/man1/*.1
mv "$root/usr/share/doc/regraph/LICENSE" "$root/usr/share/doc/regraph/copyright"
gzip -9nc "$root/usr/share/doc/regraph/CHANGELOG.md" >"$root/usr/share/doc/regraph/changelog.gz"

# The libraries that the files name, with the versions that they need; where dpkg-dev is not there, the packages that own them here.
files=$(find "$root/usr/bin" "$root/usr/lib" -type f ! -name '*.pc')
echo 'Source: regraph' >"$BUILD/deb/debian/control"
libraries=$(cd "$BUILD/deb" && dpkg-shlibdeps -O --ignore-missing-info $(sed "s|^$BUILD/deb/||" <<<"$files") 2>/dev/null | sed -n 's/^shlibs:Depends=//p') || libraries=
[ -n "$libraries" ] || libraries=$(for f in $files; do ldd "$f"; done | awk '$2 == "=>" && $3 ~ /^\// {print $3}' | sort -u |
    while read -r l; do dpkg -S "$(realpath "$l")" "$l" 2>/dev/null | head -n 1; done | cut -d: -f1 | sort -u | paste -sd, | sed 's/,/, /g')
# libclang is opened at run time: any version that a release has
clang=$(for v in 20 19 18 17 16 15 14; do printf 'libclang1-%s | ' $v; done)
cat >"$root/DEBIAN/control" <<C
Package: regraph
Version: $VERSION
Section: devel
Priority: optional
Architecture: $arch
Maintainer: The authors of ReGraph <regraph@localhost>
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Depends: $libraries, ${clang% | }, gcc | c-compiler, libc6-dev | libc-dev
Suggests: nvidia-cuda-toolkit, pkg-config
Description: sequential C functions to verified CUDA kernels
 regraph-search takes a sequential C function and gives back a CUDA kernel that
 computes the same thing, verified against that function and timed on the device
 or estimated on a simulated one. Compiling kernels needs NVRTC of a CUDA toolkit
 (12.4 or newer), found through CUDA_HOME or in the usual places.
C
(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
find "$root" -type d -exec chmod 755 {} +
deb=$BUILD/regraph_${VERSION}_$arch.deb
dpkg-deb --root-owner-group --build "$root" "$deb" >/dev/null
echo "$deb"
