#!/usr/bin/env bash
# Access hooks: what the user's own C does that it must not is found with its line; right programs are left alone. test-deadline: 900
# A file of hooks/bad says in `// says:` lines what the refusal must hold; some are tried with a second compiler too (clang measures
# the dimensions of variable arrays between the outermost and the innermost too wide: three_dimensions is gcc's).
set -u
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
export XDG_DATA_HOME; XDG_DATA_HOME=$(mktemp -d); tmp=$XDG_DATA_HOME
trap 'rm -rf "$tmp"' EXIT
here=$PWD/tests/cmd/hooks
compilers=
for c in gcc clang; do command -v $c >/dev/null && compilers="$compilers $c"; done
compilers=${compilers# }
look() { # folder compiler file options...
    (cd "$1" && CC=$2 "$OLDPWD/$BUILD/regraph-search" "$3" --explain --graph "$OLDPWD/graphs/cuda.json" --no-learn "${@:4}" 2>&1)
}
case $BUILD in /*) look() { (cd "$1" && CC=$2 "$BUILD/regraph-search" "$3" --explain --no-learn "${@:4}" 2>&1); } ;; esac
for c in $compilers; do
    for f in "$here"/bad/*.c; do
        n=$(basename "$f" .c)
        [[ $c != "${compilers%% *}" && $n != @(row_overrun|local_overrun|before_start|output_read|null_pointer) ]] && continue
        out=$(look "$here/bad" "$c" "$n.c" | grep -A1 '^verification')
        missing=
        while IFS= read -r want; do [[ $out == *"$want"* ]] || missing="$missing '$want'"; done < <(sed -n 's/^\/\/ says: //p' "$f")
        [[ $out == *"refuses it: "* ]] || missing="$missing refusal"
        if [ -z "$missing" ]; then echo "ok $c $n"; else echo "not ok $c $n: not said:$missing; but: $out"; fi
    done
    for f in "$here"/good/*.c; do
        n=$(basename "$f" .c)
        [[ $c != "${compilers%% *}" && $n != @(structs|inlined|library) ]] && continue
        out=$(look "$here/good" "$c" "$n.c")
        if [[ $out == *"refuses it"* || $out != *"bytes that must move"* || $out == *"not to be had"* ]]; then
            echo "not ok $c $n: $(echo "$out" | grep -A1 -E '^verification|^bytes|regraph-search:')"
        else echo "ok $c $n"; fi
    done
done
for f in examples/*.c; do
    n=$(basename "$f" .c)
    out=$(look examples ${compilers##* } "$n.c")
    if [[ $out == *"refuses it"* || $out != *"bytes that must move"* ]]; then echo "not ok example $n: $(echo "$out" | grep -A1 '^verification')"; else echo "ok example $n"; fi
done
