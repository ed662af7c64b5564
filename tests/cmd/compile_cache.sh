#!/usr/bin/env bash
# The cache of compiled programs: later searches find what earlier ones compiled, and no search ends otherwise for it.
set -u
here=$(pwd); S="regraph-search $here/examples/saxpy.c --device sim:h200 --no-learn --evals 8 --patience 0 --size n=4096 -q --json"
W=$(mktemp -d); trap 'chmod -R u+w "$W"; rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data XDG_CACHE_HOME=$W/cache; cd "$W" || exit 1
check() { if eval "$2"; then echo "ok $1"; else echo "not ok $1"; tail -n 5 "$W"/*.err; fi; }
search() { # name, options
    name=$1; shift; $S --out "$W/$name" "$@" >"$W/$name.json" 2>"$W/$name.err" </dev/null; }
member() { sed -nE 's/^ *"'"$2"'": ([0-9a-z]+),?$/\1/p' "$W/$1.json" | tail -n 1; }
course() { sed -E 's/,"clock":\{.*\}\}$/}/' "$W/$1/journal.jsonl"; }
# Of the candidates that the search waited for: what it compiled ahead of need depends on the clock.
before() { grep -c '"line":"eval".*"compiled_before":true' "$W/$1/journal.jsonl"; }
same() { [ -s "$W/$1/journal.jsonl" ] && course first >"$W/a" && course "$1" >"$W/b" && cmp -s "$W/a" "$W/b" && cmp -s "$W/first/best.cu" "$W/$1/best.cu"; }
search first
n=$(find "$W/cache/regraph/compiled" -type f | wc -l)
check filled '[ "$(member first hits)" -eq 0 ] && [ "$(member first compiled)" -gt 3 ] && [ "$n" -gt 3 ] && [ "$n" -le "$(member first compiled)" ]'
search second
all=$(before second)
check hits '[ "$all" -ge 5 ] && [ "$(member second hits)" -ge "$all" ] && ! grep -q compiled_before "$W/first/journal.jsonl"'
check same-course 'same second'
search off --no-compile-cache
check off '[ "$(member off hits)" -eq 0 ] && [ "$(member off on)" = false ] && same off'
# Each file is damaged, in two ways by turns: a byte other than it was, and an end that is missing.
find "$W/cache/regraph/compiled" -type f | while read -r f; do
    if [ -n "${odd-}" ]; then odd=; printf '\377' | dd of="$f" bs=1 seek=200 conv=notrunc 2>/dev/null
    else odd=1; truncate -s -7 "$f"; fi
done
search damaged
check damaged '[ "$(before damaged)" -eq 0 ] && [ "$(member damaged compiled)" -ge "$all" ] && same damaged'
search mended
check mended '[ "$(before mended)" -eq "$all" ] && same mended'
XDG_CACHE_HOME=/proc/nowhere search unwritable
check unwritable '[ "$(member unwritable hits)" -eq 0 ] && same unwritable && [ ! -s "$W/unwritable.err" ]'
XDG_CACHE_HOME=relative HOME=$W/home search home
check home '[ -d "$W/home/.cache/regraph/compiled" ] && [ ! -e relative ]'
# A limit is asked of what is found there too: the same answer as from the compiler.
search limit --limit regs=9; search limit-anew --limit regs=9 --no-compile-cache
check limits 'course limit >a; course limit-anew >b; cmp -s a b && grep -q "registers, the limit is 9" a && grep -q compiled_before limit/journal.jsonl'
