#!/usr/bin/env bash
# Collects the programs, the GPU tests and the shared libraries that the GPU machine lacks in .bundle (ignored by git), so that one
# folder travels. What that machine has is listed here with everything those libraries need themselves.
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
rm -rf .bundle && mkdir -p .bundle
have='libc\.|libm\.|libdl\.|libpthread\.|librt\.|ld-linux|libgcc_s|libstdc\+\+|libjansson|libcurl|libpcre2|libisl|libgmp|libmpfr|libsqlite|libxml2|libcrypto|libssl|libz'
programs=$(ls "$build"/regraph-* "$build"/tests/llm/make_record "$build"/search-tables 2>/dev/null | grep -v '\.d$')
tests=$(ls "$build"/tests/gpu/test_* 2>/dev/null | grep -v '\.d$' || true)
for p in $programs $tests; do cp "$p" .bundle/; strip "--strip-debug" ".bundle/$(basename "$p")"; done
deps() { ldd "$1" | awk '$2 == "=>" && $3 ~ /^\// {print $3}'; }
there=$(for p in $programs; do deps "$p"; done | sort -u | grep -E "/($have)" | while read -r l; do deps "$l"; echo "$l"; done | sort -u)
for p in $programs $tests; do deps "$p"; done | sort -u | grep -vE "/($have)" | while read -r l; do
    echo "$there" | grep -qxF "$l" || cp -L "$l" .bundle/
done
for l in .bundle/*.so*; do [ -e "$l" ] && strip --strip-debug "$l"; done
# which tree the programs are of (bench/headlines): as git has it, when nothing of it is changed
parts='base ir engine regraph frontend poly runtime llm include graphs cmd'
tree=$(git ls-tree -r HEAD -- $parts | sha256sum | cut -c1-16)
[ -z "$(git status --porcelain -- $parts)" ] || tree="$tree, changed since"
echo "$tree" >.bundle/tree
du -sh .bundle
