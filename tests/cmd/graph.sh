#!/usr/bin/env bash
# regraph-graph as people use it: every verb, its exit codes, bad input, standard streams.
# test-deadline: 60
set -u
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
G=$BUILD/regraph-graph
ROOT=$PWD
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
cd "$T" || exit 1
bad=0
t() { # name, condition as a command line
    if eval "$2" >out.log 2>&1; then echo "ok graph.$1"; else echo "not ok graph.$1: $2"; sed 's/^/    /' out.log | head -5; bad=1; fi
}
rc() { want=$1; shift; "$@" >rc.out 2>rc.err; got=$?; [ $got -eq "$want" ] || { echo "exit $got, not $want"; cat rc.err; return 1; }; }

cp "$ROOT/graphs/cuda.json" g.json
t check 'rc 0 $G check g.json --strict && [ ! -s rc.err ]'
t show 'rc 0 $G show g.json && grep -q "^cuda: [0-9]* steps" rc.out && grep -q "reduce.block" rc.out'
t show_step 'rc 0 $G show g.json tile.shared && grep -q "coarsen.register" rc.out && grep -q "^hint" rc.out'
t show_edge 'rc 0 $G show g.json @start parallelize --device sm_90 --class stencil && grep -q "score" rc.out'
t show_unknown 'rc 3 $G show g.json tile.sharde && grep -q "^regraph-graph: g.json: unknown step .tile.sharde.; did you mean .tile.shared.?$" rc.err'
t show_no_colour 'rc 0 env TERM=xterm $G show g.json tile.shared && ! grep -q "$(printf "\033")" rc.out'

t set 'rc 0 $G set g.json coalesce tile.shared --prior 0.875 --confidence=6 && grep -q "\"from\": \"coalesce\", \"to\": \"tile.shared\", \"prior\": 0.875, \"confidence\": 6" g.json'
t diff 'rc 1 $G diff "$ROOT/graphs/cuda.json" g.json && [ "$(cat rc.out)" = "~ edge coalesce -> tile.shared prior 0.65 -> 0.875 confidence 8 -> 6" ]'
t set_back 'rc 0 $G set g.json coalesce tile.shared -p0.65 -c 8 && cmp g.json "$ROOT/graphs/cuda.json" && rc 0 $G diff g.json "$ROOT/graphs/cuda.json"'
t set_output 'rc 0 $G set g.json coalesce tile.shared -p 0.1 -o h.json && cmp g.json "$ROOT/graphs/cuda.json" && ! cmp -s g.json h.json'
t set_stdout 'rc 0 $G set g.json coalesce tile.shared -p 0.1 -o - && cmp rc.out h.json'
cat >step.json <<'END'
{"title": "Mine", "id": "mine", "category": "tuning", "tunables": {"Q": [4, 2]}, "require": ["Q > 1"], "lab": "x"}
END
t add_step 'rc 0 $G add-step g.json step.json && grep -q "\"lab\": \"x\"" g.json && grep -q "\"Q\": \[4, 2\]" g.json'
t add_step_again 'cp g.json before; rc 3 $G add-step g.json - <step.json && grep -q "duplicate step id .mine." rc.err && cmp g.json before'
t add_edge 'rc 0 $G add-edge g.json coalesce mine --prior 0.25 --note "why not" && grep -q "\"to\": \"mine\", \"prior\": 0.25, \"confidence\": 1, \"note\": \"why not\"" g.json'
t add_edge_unknown 'cp g.json before; rc 3 $G add-edge g.json coalesce nobody && cmp g.json before'
t doubts 'rc 0 $G check g.json && grep -q "step mine: no hint" rc.err && rc 3 $G check --strict g.json'
t unknown_member 'sed "s/\"hint\": \"/\"hnit\": \"/" g.json >typo.json; rc 0 $G check typo.json && grep -q "typo.json:[0-9]*:[0-9]*: unknown member .hnit. (did you mean .hint.?)" rc.err && rc 3 $G check --strict typo.json'
t unknown_edit 'sed "s/\"poly\": \"unroll\"/\"poly\": \"unrol\"/" g.json >typo.json; rc 0 $G check typo.json && grep -q "does not know: .*unrol (step unroll)" rc.out && rc 0 $G check g.json && ! grep -q "unrol (step" rc.out'
t remove_edge 'rc 0 $G remove g.json coalesce mine && rc 0 $G check g.json && grep -q "step mine: can.t be reached" rc.err'
t remove_step 'rc 0 $G remove g.json mine && cmp g.json "$ROOT/graphs/cuda.json"'
t remove_unknown 'rc 3 $G remove g.json nobody'

$G add-step g.json step.json -o a.json; $G add-edge a.json @start mine
sed 's/"prior": 0.65, "confidence": 8, "note": "the tile/"prior": 0.95, "confidence": 8, "note": "the tile/' g.json >b.json
t merge 'rc 0 $G merge g.json a.json -o m.json && cmp m.json a.json'
t merge_twice 'rc 0 $G merge m.json a.json g.json && cmp m.json a.json'
t merge_opinion 'rc 0 $G merge m.json b.json && grep -q "b.json: edge coalesce -> tile.shared: kept prior 0.65" rc.err && cmp m.json a.json'
t compact 'rc 0 $G compact m.json && cmp m.json a.json'
t export_dot 'rc 0 $G export g.json --format dot && grep -q "^digraph" rc.out'
t export_json 'rc 0 $G export g.json -f json && cmp rc.out g.json'
t stdin 'rc 0 $G export -f json - <g.json && cmp rc.out g.json'

# Bad input: the message with its place, exit 3, nothing lost.
for d in nan duplicate-id edge-to-unknown not-json when-unknown; do
    t "bad_$d" 'rc 3 $G check "$ROOT/tests/regraph/invalid/$d/graph.json" && grep -qF "$ROOT/tests/regraph/invalid/$d/$(cat "$ROOT/tests/regraph/invalid/$d/error")" rc.err'
done
t bad_not_changed 'cp "$ROOT/tests/regraph/invalid/edge-to-unknown/graph.json" x.json; cp x.json y.json; rc 3 $G set x.json @start a -p 0.5 && cmp x.json y.json'
t missing 'rc 3 $G show none.json && grep -q "^regraph-graph: .*none.json.*No such file" rc.err && [ ! -e none.json.lock ]'
t directory 'rc 3 $G check .'
t full_disk '[ ! -w /dev/full ] || rc 3 $G export g.json >/dev/null; [ ! -w /dev/full ] || { $G export g.json >/dev/full 2>err; [ $? -eq 3 ] && grep -q "cannot write standard output" err; }'
t unwritable 'rc 3 $G set g.json coalesce tile.shared -p 0.2 -o /nonexistent/x.json && cmp g.json "$ROOT/graphs/cuda.json"'

# Usage.
t no_verb 'rc 2 $G && grep -q "which verb" rc.err && [ ! -s rc.out ]'
t unknown_verb 'rc 2 $G shew g.json && grep -q "unknown verb .shew." rc.err'
t unknown_option 'rc 2 $G show g.json --colour && grep -q "unknown option .--colour." rc.err'
t range 'rc 2 $G set g.json coalesce tile.shared --prior 1.5 && grep -q "out of range (0 to 1)" rc.err && cmp g.json "$ROOT/graphs/cuda.json"'
t number 'rc 2 $G set g.json coalesce tile.shared --prior nan'
t missing_value 'rc 2 $G set g.json coalesce tile.shared --prior'
t too_few 'rc 2 $G set g.json coalesce'
t too_many 'rc 2 $G diff g.json g.json g.json'
t help 'rc 0 $G --help && head -1 rc.out | grep -q "^Example:" && [ ! -s rc.err ]'
t version 'rc 0 $G --version && grep -q "^regraph-graph (ReGraph)" rc.out'
# Every verb's --help starts with an example, and every option it prints stands in the manual, and the reverse.
for verb in show check set add-step add-edge remove merge diff compact export; do
    t "help_$verb" 'rc 0 $G $verb --help && head -1 rc.out | grep -q "^Example:" && for o in $(grep -oE -- "^ .*--[a-z-]+" rc.out | grep -oE -- "--[a-z-]+$"); do grep -qF -- "$o" "$ROOT/docs/graph.md" || { echo "$o is not in docs/graph.md"; return 1; }; done; grep -qF "| \`$verb\` |" "$ROOT/docs/graph.md" && grep -q "^  $verb " <($G --help)'
    for o in $(grep -F "| \`$verb\` |" "$ROOT/docs/graph.md" | grep -oE -- '--[a-z]+' | sort -u); do
        t "manual_$verb$o" '$G $verb --help | grep -q -- "$o"'
    done
done
# Two edits at once: both arrive.
cp "$ROOT/graphs/cuda.json" p.json
for i in 1 2 3 4 5 6; do $G set p.json @start parallelize --note "n$i" & $G add-edge p.json block.shape "$(echo fuse coalesce hoist algebra recompute time.tile | cut -d' ' -f$i)" & done; wait
t parallel_edits '[ $(grep -c "\"from\": \"block.shape\"" p.json) -eq $(( $(grep -c "\"from\": \"block.shape\"" g.json) + 6 )) ]'
# The words of the manual are the words of the program.
words() { sed -n "/define RG_$1_MAP/,/^\$/p" "$ROOT/include/rg/words.h" | grep -oE '"[a-z0-9-]+",' | tr -d '",'; }
for kind in TRAIT LIMITER CLASS; do
    t "manual_words_$kind" 'for w in $(words $kind); do grep -qF "\`$w\`" "$ROOT/docs/graph.md" || { echo "$w"; exit 1; }; done'
done
exit $bad
