#!/usr/bin/env bash
# The include rule of docs/design.md section 3: who sees whom, and who owns which foreign header.
set -u
cd "$(dirname "$0")/.."
bad=0
fail() { echo "check-layers: $*" >&2; bad=1; }
owner() { # header-regex, allowed path regex
    grep -nE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]$1" -r --include='*.c' --include='*.h' base regraph ir frontend runtime poly llm engine cmd include 2>/dev/null |
        grep -vE "^($2)" | while read -r l; do echo "$l"; done
}
check() { r=$(owner "$1" "$2"); [ -z "$r" ] || fail "only $2 may include $1: $r"; }
check 'igraph' 'regraph/'
check 'clang-c/' 'frontend/'
check 'isl/' '(poly|frontend)/'
check 'curl/' 'llm/'
check 'pcre2' 'base/'
check 'openssl/' 'base/'
check 'zlib\.h' 'base/'
check '(cuda|nvrtc)\.h' 'runtime/'
check 'seccomp' 'runtime/'
check 'microhttpd' 'cmd/graph_serve\.c'
check 'jansson' '[a-z/]*_json\.c|base/json_util\.h'
sees() { # module, modules it may include with quotes or as <module/...>
    m=$1; shift; allowed="$m $*"
    grep -hoE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"](base|regraph|ir|frontend|runtime|poly|llm|engine|cmd)/' -r --include='*.c' --include='*.h' "$m" 2>/dev/null |
        grep -oE '(base|regraph|ir|frontend|runtime|poly|llm|engine|cmd)' | sort -u | while read -r x; do
        case " $allowed " in *" $x "*) ;; *) echo "$m includes $x" ;; esac
    done
}
for rule in "base" "regraph base" "ir base" "frontend base ir" "runtime base" "poly base ir frontend" "llm base" "engine base regraph"; do
    # shellcheck disable=SC2086
    r=$(sees $rule); [ -z "$r" ] || fail "$r"
done
# Rooms of a module: which others of it a room's files may include. Headers that stand in the module's own folder (load.h, device.h, sim.h) are
# shared by all its rooms; sources there put the rooms together and see them all.
room() { # module, its room, rooms that this may include
    r=$(
        m=$1; shift
        grep -oE "^[[:space:]]*#[[:space:]]*include[[:space:]]*\"$m/[^\"]*/" -r --include='*.[ch]' --include='*.inc' "$m/$1" | sed 's/:.*"/ /; s#/$##' | sort -u |
            while read -r f x; do
                ok=; case "$x/" in "$m/$1"/*) ok=1 ;; esac
                for a in "$@"; do [ "$x" = "$m/$a" ] && ok=1; done
                [ -n "$ok" ] || echo "$f includes $x/"
            done
    )
    [ -z "$r" ] || fail "$r"
}
rooms() { # module: its rooms, each behind those it may see; a line "ROOM: ROOMS..."
    m=$1; seen=
    while read -r name sees; do
        name=${name%:}; seen="$seen $name"
        # shellcheck disable=SC2086
        room "$m" "$name" $sees
    done
    for d in "$m"/*/; do
        d=$(basename "$d")
        case "$seen " in *" $d "*) ;; *) ls "$m/$d"/*.[ch] >/dev/null 2>&1 && fail "$m/$d has no rule here" ;; esac
    done
}
rooms frontend <<'END'
read:
infer: read
normalise: infer
emit: read infer
END
# The supervisor asks the gates of the reference which inputs vary, and the simulated device for the names of its devices.
rooms runtime <<'END'
os:
data: os
protocol: os
plan:
compile: protocol
remote: os protocol
reference: data os protocol
sim:
driver: os
measure: data protocol
worker: compile data measure os protocol reference sim/model
farm: compile data os protocol sim worker
export: plan
kernels: compile data
END
# The interpreter tells the checks and the model what happens (rg__sim_check_*, rg__sim_note_*), where it happens; both look at the state
# it runs on, and the model starts blocks. So these three see one another.
rooms runtime/sim <<'END'
ptx:
arith: ptx
lower: ptx arith
exec: ptx arith lower check model
check: ptx arith lower exec
model: ptx arith lower exec
END
# Rooms of poly: each sees those before it. A header declares what its own room defines, so includes show the calls.
poly_rooms='analysis kir kernel reorder draft cuda steps'
up() { # room, what it may not see: includes of later rooms
    for h in $2; do
        grep -rnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*\"poly/($h)/" --include='*.c' --include='*.h' "poly/$1"
    done
}
later=$poly_rooms
for room in $poly_rooms; do
    later=${later#"$room"}; later=${later# }
    r=$(up "$room" "$later"); [ -z "$r" ] || fail "poly/$room sees a later room: $r"
    [ -n "$(ls "poly/$room"/*.c 2>/dev/null)" ] || fail "there is no poly/$room"
done
# Nothing outside cmd/ prints or exits.
r=$(grep -nE '(^|[^_a-zA-Z.>])(printf|puts|putchar|exit|perror)[[:space:]]*\(' -r --include='*.c' base regraph ir frontend poly llm engine | grep -vE '^[^:]*:[0-9]+:[[:space:]]*(\*|//|/\*)|"[^"]*(printf|exit|puts|perror)[[:space:]]*\(' )
[ -z "$r" ] || fail "prints or exits outside cmd/: $r"
exit $bad
