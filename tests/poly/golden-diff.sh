#!/usr/bin/env bash
# Both texts of what the built-in coder prints otherwise than at COMMIT: golden-diff.sh COMMIT [WORD...], words of the functions' names.
# The commit is built apart; the texts stay in $TEXTS (default: a folder of /tmp) as before/ and now/.
set -eu
cd "$(dirname "$0")/../.."
commit=$1; shift
out=${TEXTS:-$(mktemp -d /tmp/golden-XXXXXX)}; rm -rf "$out/before" "$out/now"; mkdir -p "$out/tree" "$out/before" "$out/now"
git archive "$commit" | tar -x -C "$out/tree"
make -C "$out/tree" --no-print-directory -j"$(nproc)" CC="${CC:-cc}" build/tests/poly/test_golden >"$out/build" || { tail "$out/build"; exit 2; }
(cd "$out/tree" && build/tests/poly/test_golden --texts "$out/before" "$@") >"$out/log" || { tail "$out/log"; exit 2; }
"${BUILD:-build}/tests/poly/test_golden" --texts "$out/now" "$@" >"$out/log" || { tail "$out/log"; exit 2; }
diff -ru "$out/before" "$out/now" && echo "no difference; texts in $out"
