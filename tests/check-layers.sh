#!/usr/bin/env bash
# The include rule of docs/design.md section 3: who sees whom, and who owns which foreign header.
set -u
cd "$(dirname "$0")/.."
bad=0
fail() { echo "check-layers: $*" >&2; bad=1; }
owner() { # header-regex, allowed path regex
    grep -nE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]$1" -r --include='*.c' --include='*.h' base regraph frontend runtime poly llm engine cmd include 2>/dev/null |
        grep -vE "^($2)" | while read -r l; do echo "$l"; done
}
check() { r=$(owner "$1" "$2"); [ -z "$r" ] || fail "only $2 may include $1: $r"; }
check 'igraph' 'regraph/'
check 'clang-c/' 'frontend/'
check 'isl/' '(poly|frontend)/'
check 'curl/' 'llm/'
check 'pcre2' 'base/'
check 'openssl/' 'base/'
check '(cuda|nvrtc)\.h' 'runtime/'
check 'seccomp' 'runtime/'
check 'jansson' '[a-z/]*_json\.c|base/json_util\.h'
sees() { # module, modules it may include with quotes or as <module/...>
    m=$1; shift; allowed="$m $*"
    grep -hoE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"](base|regraph|frontend|runtime|poly|llm|engine|cmd)/' -r --include='*.c' --include='*.h' "$m" 2>/dev/null |
        grep -oE '(base|regraph|frontend|runtime|poly|llm|engine|cmd)' | sort -u | while read -r x; do
        case " $allowed " in *" $x "*) ;; *) echo "$m includes $x" ;; esac
    done
}
for rule in "base" "regraph base" "frontend base" "runtime base" "poly base frontend" "llm base" "engine base regraph"; do
    # shellcheck disable=SC2086
    r=$(sees $rule); [ -z "$r" ] || fail "$r"
done
# Rooms of poly: each sees those before it. A header declares what its own room defines, so includes show the calls.
rooms='analysis kernel reorder cuda steps'
up() { # room, what it may not see: includes of later rooms, but for the pairs that are listed
    for h in $2; do
        grep -rnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*\"poly/($h)/" --include='*.c' --include='*.h' "poly/$1"
    done | grep -vE '^poly/(kernel/mapping|reorder/scheduler)\.c:[0-9]+:#include "poly/steps/mechanisms\.h"$'
}
later=$rooms
for room in $rooms; do
    later=${later#"$room"}; later=${later# }
    r=$(up "$room" "$later"); [ -z "$r" ] || fail "poly/$room sees a later room: $r"
    [ -n "$(ls "poly/$room"/*.c 2>/dev/null)" ] || fail "there is no poly/$room"
done
# Nothing outside cmd/ prints or exits.
r=$(grep -nE '(^|[^_a-zA-Z.>])(printf|puts|putchar|exit|perror)[[:space:]]*\(' -r --include='*.c' base regraph frontend poly llm engine | grep -vE '^[^:]*:[0-9]+:[[:space:]]*(\*|//|/\*)|"[^"]*(printf|exit|puts|perror)[[:space:]]*\(' )
[ -z "$r" ] || fail "prints or exits outside cmd/: $r"
exit $bad
