#!/usr/bin/env bash
# packaging/install.sh install|uninstall: called by make, which says what is where (packaging/install.mk). Both go through one list.
set -eu
cd "$(dirname "$0")/.."
doc=$PREFIX/share/doc/regraph

list() { # mode, source, target
    local p f
    for p in $PROGRAMS; do
        echo "755 $BUILD/$p $PREFIX/bin/$p"
        echo "644 $BUILD/share/man/$p.1 $PREFIX/share/man/man1/$p.1"
        echo "644 $BUILD/share/bash/$p $PREFIX/share/bash-completion/completions/$p"
        echo "644 $BUILD/share/zsh/_$p $PREFIX/share/zsh/site-functions/_$p"
        echo "644 $BUILD/share/fish/$p.fish $PREFIX/share/fish/vendor_completions.d/$p.fish"
    done
    echo "755 $BUILD/libregraph.so.$SOVERSION $LIBDIR/libregraph.so.$VERSION"
    echo "link libregraph.so.$VERSION $LIBDIR/libregraph.so.$SOVERSION"
    echo "link libregraph.so.$SOVERSION $LIBDIR/libregraph.so"
    echo "644 $BUILD/share/regraph.pc $LIBDIR/pkgconfig/regraph.pc"
    for f in include/rg/*.h; do echo "644 $f $PREFIX/include/regraph/${f#include/}"; done
    for f in graphs/*.json; do echo "644 $f $PREFIX/share/regraph/${f#graphs/}"; done
    for f in runtime/devices/*.json; do echo "644 $f $PREFIX/share/regraph/${f#runtime/}"; done
    for f in README.md CHANGELOG.md LICENSE docs/*.md docs/*/* bench/RESULTS.md; do
        [ ! -f "$f" ] || echo "644 $f $doc/$f"
    done
    find examples -type f | LC_ALL=C sort | while read -r f; do echo "644 $f $doc/$f"; done
}

pkg_config_file() {
    mkdir -p "$BUILD/share"
    cat >"$BUILD/share/regraph.pc" <<PC
prefix=$PREFIX
libdir=${LIBDIR/#$PREFIX/\$\{prefix\}}
includedir=\${prefix}/include/regraph

Name: regraph
Description: Sequential C to verified CUDA kernels: the search as a library
Version: $VERSION
Cflags: -I\${includedir}
Libs: -L\${libdir} -lregraph
PC
}

case $1 in
install)
    pkg_config_file
    list | while read -r mode from to; do
        if [ "$mode" = link ]; then mkdir -p "$DESTDIR$(dirname "$to")"; ln -sfn "$from" "$DESTDIR$to"
        else install -D -m "$mode" "$from" "$DESTDIR$to"; fi
    done ;;
uninstall)
    list | while read -r _ _ to; do
        rm -f "$DESTDIR$to"
        dirname "$to"
    done | LC_ALL=C sort -ru | while read -r folder; do
        # what is ours goes when it is empty; share/man, lib and the like belong to all
        case $folder in */regraph | */regraph/*) rmdir -p --ignore-fail-on-non-empty "$DESTDIR$folder" 2>/dev/null || true ;; esac
    done ;;
*) echo "packaging/install.sh install|uninstall" >&2; exit 2 ;;
esac
