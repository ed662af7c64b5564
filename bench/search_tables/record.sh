#!/bin/sh
# Records the tables that split.txt names, one after the other: an exhaustive search on the simulated device, breadth
# first, each at most TIME (150s) and EVALS (900) long. record.sh OUT [NAME...]; BIN: where regraph-search is (build).
set -eu
out=$1; shift
bin=${BIN:-build}
mkdir -p "$out"
grep -v '^#' "$(dirname "$0")/split.txt" | while read -r _ name file size forbid; do
    case " ${*:-$name} " in *" $name "*) ;; *) continue ;; esac
    set_forbid=
    for s in $(echo "$forbid" | tr , ' '); do set_forbid="$set_forbid --forbid $s"; done
    # shellcheck disable=SC2086
    "$bin/regraph-search" "$file" --size "$size" -d sim:h200 --graph graphs/cuda.json --no-learn --policy exhaustive --patience 0 \
        --evals "${EVALS:-900}" --time "${TIME:-150s}" $set_forbid -q --out "$out/$name" --force </dev/null || echo "$name: exit $?"
done
