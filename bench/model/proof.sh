#!/usr/bin/env bash
# A scripted model of three strengths over twelve problems, four policies, with and without the built-in coder:
# some 300 searches on the simulated device, one after the other, in the background at the lowest priority, so many
# seconds at a time. What is done stays done: called again, it goes on.
#   bench/model/proof.sh OUT [OPTIONS of scripted_model.py run]
# OUT/log says how far it is; OUT/table is written at the end, and by: bench/model/scripted_model.py table OUT
# $BIN: folder of the programs (build); $SLOT: a command that waits for its turn on this machine; $SHARD: seconds (150)
set -u
cd "$(dirname "$0")/../.."
[ $# -ge 1 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2; }
OUT=$(realpath -m "$1"); shift
BIN=$(realpath "${BIN:-build}"); mkdir -p "$OUT"
COMMIT=$(git rev-parse --short=8 HEAD 2>/dev/null || echo unknown)
work() {
    while :; do
        # shellcheck disable=SC2086
        ${SLOT:-} nice -n 19 python3 bench/model/scripted_model.py run "$BIN/regraph-search" "$OUT" --commit "$COMMIT" \
            --seconds "${SHARD:-150}" "$@"
        rc=$?; [ $rc -eq 3 ] || break
    done
    [ $rc -eq 0 ] && python3 bench/model/scripted_model.py table "$OUT" >"$OUT/table"
    echo "ended: $rc"
}
export -f work; export OUT BIN COMMIT
setsid nohup bash -c 'work "$@"' work "$@" >>"$OUT/log" 2>&1 </dev/null &
echo "process $!, $OUT/log"
