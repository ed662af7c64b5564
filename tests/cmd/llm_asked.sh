#!/usr/bin/env bash
# What a model that codes alone is asked: steps that the C has loops for, and none that it has not - of rows, of recurrences, of stencils in time - neither to
# start with nor below its own version; by what analysis finds, where it can read the C.
# test-deadline: 200
set -u
command -v python3 >/dev/null || { echo "skip asked (no python3)"; exit 0; }
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
unset OPENAI_API_KEY
bad=0
say() { if [ "$1" -eq 0 ]; then echo "ok $2"; else echo "not ok $2: $3"; bad=1; fi; }
# name, C file, reply to `write` (- none): the steps asked for, each in a line of $W/NAME
play() {
    n=$1; c=$2; mkdir "$W/$n.rules"; printf 'REFUSED: it makes no sense here.\n' >"$W/$n.rules/decline.txt"
    if [ "$3" != - ]; then cp "$3" "$W/$n.rules/good.txt"; echo 'write - good.txt' >"$W/$n.rules/rules"; fi
    echo '* * decline.txt' >>"$W/$n.rules/rules"
    timeout 50 "$BUILD/tests/llm/make_record" "$W/$n.rules" "$W/$n.record" x "$BUILD/regraph-search" "$c" --coder llm --llm-model x \
        --device sim:h200 --graph graphs/cuda.json --no-learn --no-report --evals 60 --max-calls 60 --patience 0 \
        --llm-in-flight 1 --out "$W/$n.out" >/dev/null 2>"$W/$n.err" </dev/null
    python3 - "$W/$n.record" >"$W/$n" <<'P'
import json, sys
for line in open(sys.argv[1]):
    o = json.loads(line)
    if "key" in o:
        print(o["about"]["step"])
P
}
asked() { n=$1; shift; for s; do grep -qx "$s" "$W/$n"; say $? "$n-$s" "not asked: $(tr '\n' ' ' <"$W/$n")"; done; }
not_asked() { n=$1; shift; for s; do ! grep -qx "$s" "$W/$n"; say $? "$n-no-$s" "asked: $(tr '\n' ' ' <"$W/$n")"; done; }

cat >"$W/sums.c" <<'C'
void sums(int n, const float x[n], float y[n])
{
    float s = 0;
    for (int i = 0; i < n; i++) {
        s += x[i];
        y[i] = s;
    }
}
C
cat >"$W/normal.c" <<'C'
void normal(int m, int n, const float a[m][n], float b[m][n])
{
    for (int i = 0; i < m; i++) {
        float s = 0;
        for (int j = 0; j < n; j++) s += a[i][j] * a[i][j];
        for (int j = 0; j < n; j++) b[i][j] = a[i][j] / (1 + s);
    }
}
C
rows="row.registers row.warp reduce.block"
# shellcheck disable=SC2086
{
    # a search of a graph by levels, on its own, then with a version of the model's
    play bfs examples/bfs.c -;  asked bfs write parallelize; not_asked bfs row.registers row.warp time.tile scan.block wavefront histogram.private
    play bfs-coded examples/bfs.c tests/llm/bfs/flags.txt
    asked bfs-coded improve readonly; not_asked bfs-coded row.registers row.warp time.tile reduce.split tile.two.level
    play bins tests/llm/solved/histogram/histogram.c -; asked bins histogram.private; not_asked bins $rows time.tile
    play sums "$W/sums.c" -; asked sums scan.block; not_asked sums $rows time.tile
    play normal "$W/normal.c" -; asked normal $rows; not_asked normal scan.block time.tile
    play jacobi examples/jacobi2d.c -; asked jacobi time.tile; not_asked jacobi $rows scan.block
    # analysis can't read the loop of a row here: it says nothing against the step
    play spmv tests/llm/solved/spmv/spmv.c -; asked spmv row.warp row.registers; not_asked spmv time.tile
}
exit $bad
