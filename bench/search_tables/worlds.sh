#!/usr/bin/env bash
# Records the worlds that worlds.txt names as tables: a search of every action, node after node, on the simulated device (DEVICE: another),
# each at most EVALS (400) evaluations.
#   worlds.sh [OUT [NAME...]]      OUT/SET/NAME.json.xz (OUT: bench/search_tables/worlds); OUT/failed.txt names what came to nothing and why
# LIST (bench/search_tables/worlds.txt): another list; PRUNE (off): auto leaves out of the timing what is estimated far slower than the best.
# Resumable: what OUT holds is not recorded again. JOBS (CPUs * 5/8) side by side, each on two or three CPUs, as a search keeps about one and a half
# busy. SECONDS_ALL (none): all are over by then; each may take its share of what is left. Programs from $BIN, else .bundle where it is there,
# else build. search-tables reads the tables packed or not.
set -u
cd "$(dirname "$0")/../.."
export BIN=${BIN:-$( [ -d .bundle ] && echo .bundle || echo build )}
export LIST=${LIST:-bench/search_tables/worlds.txt}
list=$LIST cpus=$(nproc)

record() { # SET NAME FILE SIZE
    local out=$OUT set=$1 name=$2 file=$3 size=$4
    local table=$out/$set/$name.json run=$out/runs/$name rc limit=${TIME:-600} bind=
    if [ -n "${UNTIL:-}" ]; then # the share of what is left: as many rounds of jobs as there are worlds, the first ones may take longer
        local left=$((UNTIL - $(date +%s))) waiting rounds
        waiting=$(find "$out/waiting" -type f | wc -l)
        rounds=$(((waiting + JOBS - 1) / JOBS))
        left=$(((left - 8) / (rounds > 0 ? rounds : 1)))
        [ "$left" -lt "$limit" ] && limit=$left
        [ "$limit" -lt 15 ] && return 0
    fi
    rm -f "$out/waiting/$name"
    if [ "$cpus" -gt 2 ] && [ "$JOBS" -gt 1 ] && command -v taskset >/dev/null; then
        local from=$((SLOT * cpus / JOBS))
        bind="taskset -c $from-$((from + 2 < cpus ? from + 2 : cpus - 1))"
    fi
    # shellcheck disable=SC2086
    RG_SIM_THREADS=2 $bind timeout $((limit + 60)) "$BIN/regraph-search" "$file" --size "$size" -d "${DEVICE:-sim:h200}" --graph graphs/cuda.json \
        --no-learn --policy exhaustive --patience 0 --set tuner_cap=12 --evals "${EVALS:-400}" --time "${limit}s" --prune "${PRUNE:-off}" --forbid sequential -q --no-report \
        --out "$run" --force </dev/null >/dev/null 2>"$run.err"
    rc=$?
    if [ $rc -le 1 ] && "$BIN/search-tables" --from-journal "$run/journal.jsonl" "$name" -o "$table" && xz -9f "$table"; then
        rm -rf "$run" "$run.err"
        return 0
    fi
    echo "$name: exit $rc: $(tail -n 1 "$run.err" 2>/dev/null)" | tee -a "$out/failed.txt"
    rm -f "$table"
    return 1
}

if [ "${1:-}" = --record ]; then # of xargs below
    shift
    record "$@"
    exit $?
fi
export OUT=${1:-bench/search_tables/worlds} JOBS=${JOBS:-$(((cpus * 5 + 7) / 8))} UNTIL=
[ $# -gt 0 ] && shift
[ -n "${SECONDS_ALL:-}" ] && UNTIL=$(($(date +%s) + SECONDS_ALL))
mkdir -p "$OUT/tune" "$OUT/held" "$OUT/runs"
rm -rf "$OUT/waiting" && mkdir "$OUT/waiting"
work=$(grep -v '^#' $list | while read -r set _ name file size; do
    [ -s "$OUT/$set/$name.json.xz" ] && continue
    case " ${*:-$name} " in *" $name "*) ;; *) continue ;; esac
    : >"$OUT/waiting/$name"
    echo "$set $name $file $size"
done)
[ -z "$work" ] || echo "$work" | xargs -P "$JOBS" --process-slot-var=SLOT -L 1 bench/search_tables/worlds.sh --record
rc=$?
rm -rf "$OUT/waiting"
rmdir "$OUT/runs" 2>/dev/null
find "$OUT" -name '*.json.xz' | wc -l | xargs echo tables:
[ $rc -eq 0 ]
