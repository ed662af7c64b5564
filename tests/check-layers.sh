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
# Nothing outside cmd/ prints or exits.
r=$(grep -nE '(^|[^_a-zA-Z.>])(printf|puts|putchar|exit|perror)[[:space:]]*\(' -r --include='*.c' base regraph frontend poly llm engine | grep -vE '^[^:]*:[0-9]+:[[:space:]]*(\*|//|/\*)|"[^"]*(printf|exit|puts|perror)[[:space:]]*\(' )
[ -z "$r" ] || fail "prints or exits outside cmd/: $r"
exit $bad
