#!/usr/bin/env bash
# Is the machine code of what the built-in coder prints the one that COMMIT's texts have? same-code.sh COMMIT [WORD...],
# words of the functions' names. Compiles both texts of every kernel that differs (machine_code.c) with NVRTC for sm_90.
# EVERY=n: every n-th pair alone. What differs stays in $TEXTS (default: a folder of /tmp): before/, now/, and code/ with
# text and PTX of both. Exit 1: some machine code differs.
set -eu
cd "$(dirname "$0")/../.."
commit=$1; shift
out=${TEXTS:-$(mktemp -d /tmp/code-XXXXXX)}; mkdir -p "$out"
build=${BUILD:-build}
make --no-print-directory CC="${CC:-cc}" "$build/tests/poly/test_golden" "$build/tests/poly/machine_code" >"$out/build" ||
    { tail "$out/build"; exit 2; }
TEXTS=$out CC=${CC:-cc} tests/poly/golden-diff.sh "$commit" "$@" >"$out/diff" && { echo "no text differs"; exit 0; }
[ -d "$out/now" ] || { tail "$out/diff"; exit 2; }
"$build/tests/poly/machine_code" "$out/before" "$out/now" "$out/code" "${EVERY:-1}"
