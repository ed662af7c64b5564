#!/usr/bin/env bash
# Records the worlds that worlds.txt names as tables: a search of every action, breadth first, on the simulated device (DEVICE: another),
# each at most EVALS (600) evaluations and TIME (150s). Resumable: what OUT holds is not recorded again. A shard takes each N-th world.
#   worlds.sh OUT [SHARD/N]      OUT/SET/NAME.json.xz; OUT/failed.txt names what came to nothing and why
# search-tables reads them unpacked: xz -dk OUT/*/*.json.xz
set -u
cd "$(dirname "$0")/../.."
out=$1 shard=${2:-1/1} bin=${BIN:-build}
of=${shard#*/} number=${shard%/*} i=0 failed=0
mkdir -p "$out/tune" "$out/held"
while read -r set _ name file size; do
    i=$((i + 1))
    [ $(((i - 1) % of)) -eq $((number - 1)) ] || continue
    if [ -n "${ONLY:-}" ] && [ "$ONLY" != "$name" ]; then continue; fi
    table=$out/$set/$name.json
    [ -s "$table.xz" ] && continue
    run=$out/runs/$name
    mkdir -p "$out/runs"
    timeout 900 "$bin/regraph-search" "$file" --size "$size" -d "${DEVICE:-sim:h200}" --graph graphs/cuda.json --no-learn --policy exhaustive --patience 0 \
        --evals "${EVALS:-600}" --time "${TIME:-150s}" --prune off --forbid sequential -q --out "$run" --force </dev/null >/dev/null 2>"$run.err"
    rc=$?
    if [ $rc -le 1 ] && "$bin/search-tables" --from-journal "$run/journal.jsonl" "$name" -o "$table" && xz -9f "$table"; then
        rm -rf "$run" "$run.err"
        echo "$name: $(stat -c %s "$table.xz") bytes"
    else
        failed=1
        echo "$name: exit $rc: $(tail -n 1 "$run.err" 2>/dev/null)" | tee -a "$out/failed.txt"
    fi
done < <(grep -v '^#' bench/search_tables/worlds.txt)
exit $failed
