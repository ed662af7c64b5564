#!/usr/bin/env bash
# Files that call one another in a circle can only be read together: in poly/ no circle has more than 4 files. Who calls whom
# (or names whose data) is read from the objects. Each circle that is longer is named, with the calls that close it.
set -u
cd "$(dirname "$0")/../.." || exit 1
build=${BUILD:-build}
most=4
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
# Lines `FROM TO NAME` to circles of more than $1 files, a line each, with the names behind the files.
circles() {
    awk -v most="$1" '
        { edge[$1, $2] = edge[$1, $2] " " $3; next_of[$1] = next_of[$1] " " $2; node[$1]; node[$2] }
        function reach(v, into,   stack, n, x, i, m, to) {
            stack[n = 1] = v
            while (n) {
                x = stack[n--]; m = split(next_of[x], to, " ")
                for (i = 1; i <= m; i++) if (!((v, to[i]) in into)) { into[v, to[i]]; stack[++n] = to[i] }
            }
        }
        END {
            for (v in node) reach(v, seen)
            for (v in node) {
                if (v in done) continue
                size = 0; split("", circle)
                for (w in node) if (((v, w) in seen) && ((w, v) in seen)) { circle[w]; done[w]; size++ }
                if (size <= most) continue
                printf "%d files:", size
                for (w in circle) printf " %s", w
                for (a in circle) for (b in circle) if ((a, b) in edge) printf "; %s -> %s:%s", a, b, edge[a, b]
                print ""
            }
        }'
}
# Of objects: who uses a name that another one defines.
calls() {
    nm -A -P "$@" 2>/dev/null | awk '
        { sub(/:$/, "", $1); if ($3 == "U") { used[++n] = $2; by[n] = $1 } else if ($3 ~ /^[TDBRVW]$/) at[$2] = $1 }
        END { for (i = 1; i <= n; i++) if ((used[i] in at) && at[used[i]] != by[i]) print by[i], at[used[i]], used[i] }'
}
result() { # right?, name, what to say
    if [ "$1" = 0 ]; then echo "ok $2"; else echo "not ok $2: $3"; bad=1; fi
}
bad=0
command -v nm >/dev/null || { echo "skip circles (no nm)"; exit 0; }

# What it finds: a circle of five, though one of them is in two; none of four, nor in what only leads there.
printf '%s\n' 'a b f' 'b c g' 'c d h' 'd e i' 'e a j' 'b a k' 'x a l' 'x y m' 'y x n' >"$tmp/five"
found=$(circles "$most" <"$tmp/five")
case $found in "5 files:"*"e -> a: j"*) rc=0 ;; *) rc=1 ;; esac
[ "$(printf '%s\n' "$found" | wc -l)" = 1 ] || rc=1
result $rc 'a circle of five files is found' "$found"
found=$(grep -v '^e' "$tmp/five" | circles "$most")
[ -z "$found" ]; result $? 'what only leads to one another is no circle' "$found"

objects=()
while read -r f; do objects+=("$build/${f%.c}.o"); done < <(find poly -name '*.c' | sort)
missing=$(for o in "${objects[@]}"; do [ -f "$o" ] || echo "$o"; done)
[ -z "$missing" ]; result $? 'poly is built' "$missing"
calls "${objects[@]}" >"$tmp/calls"
[ "$(wc -l <"$tmp/calls")" -gt 500 ]; result $? 'the calls among its files are seen' "$(wc -l <"$tmp/calls") of them"
found=$(circles "$most" <"$tmp/calls" | sed "s#$build/##g")
[ -z "$found" ]; result $? "no circle of poly's files has more than $most" "$found"
exit $bad
