#!/usr/bin/env bash
# Golden problems: what the front end makes of every C file in the tree and what is legal on it, for changes that must change nothing.
#   BUILD=build tests/golden/problems.sh OUT     a line FUNCTION HASH a function in OUT/hashes; what was hashed is in OUT too
# Run it on the build before and on the one after, then compare: diff -r OUT-BEFORE OUT-AFTER.
set -u
cd "$(dirname "$0")/../.."
BUILD=$(realpath -m "${BUILD:-build}"); out=$(realpath -m "${1:?a folder}"); mkdir -p "$out"
export BUILD out RG_DEVICES=$PWD/runtime/devices
one() { # FILE --function NAME [options]
    f=$1; shift
    to=$out/$(echo "$f.$2" | tr / _)
    # the text says how long things took
    timeout 120 "$BUILD/regraph-search" "$f" "$@" --device sim:h200 --graph graphs/cuda.json --no-learn --explain --save-problem "$to.json" \
        </dev/null 2>&1 | sed 's/[0-9.]* \(us\|ms\|s\)\b/T/g' >"$to.txt"
}
export -f one
functions() { # the file's functions, by how definitions begin: those that are none get a message that is compared too
    grep -oE '^[a-z][A-Za-z0-9_ *]*[ *][a-z_A-Z0-9]+\(' "$1" | grep -vE '^(typedef|return|else|if|for|while|switch) ' | grep -oE '[A-Za-z0-9_]+\($' | tr -d '(' | sort -u
}
{
    for f in examples/*.c examples/polybench/*.c tests/frontend/cases/*.c tests/frontend/bad/*.c tests/poly/cases/*.c tests/poly/programs/*.c; do
        for fn in $(functions "$f"); do echo "$f --function $fn"; done
    done
    grep -v '^#' tests/whole/options | sed 's#[^ ]*#tests/whole/&.c#' 
} | grep -E "${ONLY:-.}" | sed "s/.*/one &/" | tr '\n' '\0' | xargs -0 -P "${JOBS:-$(nproc)}" -I{} bash -c '{}'
(cd "$out" && for t in *.txt; do echo "$t $(cat "$t" "${t%.txt}.json" 2>/dev/null | sha256sum | cut -c1-16)"; done >hashes; wc -l <hashes)
