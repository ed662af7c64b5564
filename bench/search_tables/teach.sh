#!/usr/bin/env bash
# A graph with evidence of the recorded worlds and of journals, for those who want to try one: graphs/cuda.json stays as it is.
#   teach.sh [NEW.json [JOURNAL...]]     NEW: build/taught.json
# A shard a world: what one search on it teaches the graph. Shards lie in NEW.shards and are not made again while they are newer than graph and
# world. They are merged, with what the journals hold, and folded into a row an edge and kind. Programs from $BIN, else build.
set -eu
cd "$(dirname "$0")/../.."
bin=${BIN:-build} graph=${GRAPH:-graphs/cuda.json} new=${1:-build/taught.json}
[ $# -gt 0 ] && shift
mkdir -p "$new.shards"
for world in ${TEACHERS:-bench/search_tables/worlds/*/*.json.xz}; do
    shard=$new.shards/$(basename "$world" .json.xz).json
    [ "$shard" -nt "$world" ] && [ "$shard" -nt "$graph" ] && continue
    "$bin/search-tables" --graph "$graph" --teach "$shard.part" "$world"
    mv "$shard.part" "$shard"
done
others=("$new.shards"/*.json)
if [ $# -gt 0 ]; then
    "$bin/regraph-replay" "$@" --graph "$graph" -o "$new.journals"
    others+=("$new.journals")
fi
"$bin/regraph-graph" merge "$graph" "${others[@]}" -o "$new.merged" >/dev/null
"$bin/regraph-graph" compact "$new.merged" -o "$new" >/dev/null
rm -f "$new.merged" "$new.journals"
echo "$new: $(stat -c %s "$new") bytes, evidence of $(find "$new.shards" -name '*.json' | wc -l) worlds and $# journals"
