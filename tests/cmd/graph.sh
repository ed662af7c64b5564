#!/usr/bin/env bash
# regraph-graph as people use it: every verb, its exit codes, bad input, standard streams.
# test-deadline: 120
set -u
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
export G=$BUILD/regraph-graph
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
t near_class 'rc 2 $G show g.json --class stencl && grep -q "did you mean .stencil." rc.err && rc 2 $G show g.json --category localty && grep -q "did you mean .locality." rc.err'
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
# many of one kind are a line, with --all a line each; the count is the same
python3 - >many.json 2>err.txt <<'PY' || echo >many.json
import json
print(json.dumps({"format": "regraph/1", "name": "many", "steps": [{"id": "s%d" % i, "title": "S", "category": "memory", "hnit": "x"} for i in range(40)],
                  "edges": [{"from": "@start", "to": "s%d" % i, "prior": 0.5} for i in range(38)]}, indent=1))
PY
t many_doubts '! command -v python3 >/dev/null || { rc 0 $G check many.json && [ "$(wc -l <rc.err)" -le 16 ] && grep -q "many.json: 40 steps: no hint: a model gets its title only: s0, s1, s10, s11, s12, ...$" rc.err && grep -q "step s39: can.t be reached" rc.err && grep -q "30 more like these: --all tells them" rc.err && cp rc.out short && rc 0 $G check --all many.json && cmp rc.out short && [ "$(grep -c ": no hint" rc.err)" = 40 ] && [ "$(grep -c "unknown member" rc.err)" = 40 ]; }'
t unknown_member 'sed "s/\"hint\": \"/\"hnit\": \"/" g.json >typo.json; rc 0 $G check typo.json && grep -q "typo.json:[0-9]*:[0-9]*: unknown member .hnit. (did you mean .hint.?)" rc.err && rc 3 $G check --strict typo.json'
t unknown_edit 'sed "s/\"poly\": \"unroll\"/\"poly\": \"unrol\"/" g.json >typo.json; rc 0 $G check typo.json && grep -q "does not know: .*unrol (step unroll)" rc.out && rc 0 $G check g.json && ! grep -q "unrol (step" rc.out'
t remove_edge 'rc 0 $G remove g.json coalesce mine && rc 0 $G check g.json && grep -q "step mine: can.t be reached" rc.err'
t remove_step 'rc 0 $G remove g.json mine && rc 1 $G diff "$ROOT/graphs/cuda.json" g.json && [ "$(cat rc.out)" = "~ removed: 0 entries -> 1" ]; cp "$ROOT/graphs/cuda.json" g.json'
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
t nothing_to_set 'cp g.json before; rc 2 $G set g.json coalesce tile.shared && grep -q "what is to be set?" rc.err && cmp g.json before'
t too_few 'rc 2 $G set g.json coalesce'
t too_many 'rc 2 $G diff g.json g.json g.json'
t help 'rc 0 $G --help && head -1 rc.out | grep -q "^Example:" && [ ! -s rc.err ]'
t version 'rc 0 $G --version && grep -q "^regraph-graph (ReGraph)" rc.out'
# Every verb's --help starts with an example, and every option it prints stands in the manual, and the reverse.
for verb in show path check set add-step add-edge set-step rename remove undo log merge diff compact export import serve; do
    t "help_$verb" 'rc 0 $G $verb --help && head -1 rc.out | grep -q "^Example:" && for o in $(grep -oE -- "^ .*--[a-z-]+" rc.out | grep -oE -- "--[a-z-]+$"); do grep -qF -- "$o" "$ROOT/docs/graph.md" || { echo "$o is not in docs/graph.md"; return 1; }; done; grep -qF "| \`$verb\` |" "$ROOT/docs/graph.md" && grep -q "^  $verb " <($G --help)'
    for o in $(grep -F "| \`$verb\` |" "$ROOT/docs/graph.md" | grep -oE -- '--[a-z]+' | sort -u); do
        t "manual_$verb$o" '$G $verb --help | grep -q -- "$o"'
    done
done
# Barring, renaming, changing; the log of edits, and undoing them.
cp "$ROOT/graphs/cuda.json" e.json; rm -rf e.json.history; export REGRAPH_AUTHOR="Ada L"
t set_nothing 'rc 2 $G set e.json coalesce tile.shared && grep -q "what is to be set" rc.err'
t never 'rc 0 $G set e.json coalesce tile.shared --never yes --note "spills" && grep -q "\"note\": \"spills\", \"author\": \"Ada L\", \"date\": \"$(date -u +%Y-%m)-[0-9]*\", \"never\": true" e.json && rc 0 $G check --strict e.json'
t never_diff 'rc 1 $G diff "$ROOT/graphs/cuda.json" e.json && [ "$(cat rc.out)" = "~ edge coalesce -> tile.shared note never" ]'
t never_merge 'rc 0 $G merge e.json "$ROOT/graphs/cuda.json" && grep -q "kept \"never\"" rc.err && grep -q "\"never\": true" e.json'
t set_step 'echo "{\"hint\": \"H\", \"check\": null, \"hnit\": 1}" >p.json; rc 0 $G set-step e.json unroll p.json && grep -q "p.json:1:[0-9]*: unknown member .hnit. (did you mean .hint.?)" rc.err && rc 0 $G show e.json unroll && grep -q "^hint *H$" rc.out && ! grep -q "^check" rc.out'
t set_step_bad 'printf "{\n \"limiter\": [\"speed\"]}" >p.json; cp e.json before; rc 3 $G set-step e.json unroll p.json && grep -q "p.json:2:.*unknown .limiter. word" rc.err && cmp e.json before && rc 2 $G set-step e.json unroll && rc 3 $G set-step e.json nobody --never yes'
t add_step_place 'printf "{\"id\": \"q\",\n \"title\": 1}" >p.json; rc 3 $G add-step e.json p.json && grep -q "p.json:2:" rc.err'
t removed_stays 'rc 0 $G remove e.json vectorize && rc 0 $G remove e.json @start block.shape; cp e.json before; rc 0 $G merge e.json "$ROOT/graphs/cuda.json" && grep -q "step vectorize: was removed here" rc.err && ! grep -q "\"to\": \"vectorize\"" e.json && cmp e.json before && rc 0 $G check e.json'
t added_again 'rc 0 $G add-edge e.json @start block.shape && ! grep -q "\"from\": \"@start\", \"to\": \"block.shape\", \"author\"" e.json && rc 0 $G check e.json'
t rename 'rc 0 $G rename e.json unroll lab.unroll && rc 3 $G show e.json unroll && rc 0 $G show e.json lab.unroll && rc 0 $G merge e.json "$ROOT/graphs/cuda.json" && ! grep -q "\"id\": \"unroll\"" e.json && grep -q "\"step\": \"unroll\", \"now\": \"lab.unroll\"" e.json'
t log 'rc 0 $G log e.json && head -1 rc.out | grep -q "^[0-9]*  20.*Z  Ada L  rename unroll lab.unroll$" && grep -q "^    . step lab.unroll" rc.out && grep -q "set coalesce tile.shared --never yes --note spills$" rc.out'
t undo 'n=0; while $G undo e.json >>undo.out 2>undo.err; do n=$((n + 1)); done; [ $n -ge 5 ] && grep -q "no edit to undo" undo.err && cmp e.json "$ROOT/graphs/cuda.json"'
t undo_logged 'rc 0 $G log e.json --last 1 && grep -q "undo 1: set coalesce" rc.out'
t undo_other_change '$G set e.json coalesce tile.shared -p 0.2; sed -i "s/\"prior\": 0.2,/\"prior\": 0.3,/" e.json; rc 3 $G undo e.json && grep -q "changed since by other means" rc.err && grep -q "\"prior\": 0.3," e.json'
unset REGRAPH_AUTHOR
# What a run learns is dated, names its machine and version, and comes back from the journal to the byte; what is barred is not taken.
S="$BUILD/regraph-search $ROOT/examples/saxpy.c --graph l.json --evals 6 --set ahead=0 --device sim:h200"
cp "$ROOT/graphs/cuda.json" l.json
t learn_dated '$S --out o1 >o.log 2>&1; grep -q "\"run\": \"[0-9a-f]*\", \"date\": \"20[0-9-]*\", \"version\": \"[0-9.]*\", \"machine\": \"$(uname -n)\"" l.json && grep -q "\"step\":\"vectorize\"" o1/journal.jsonl'
t learn_replay 'rc 0 $BUILD/regraph-replay o1/journal.jsonl --graph o1/graph-before.json -o r.json && cmp r.json l.json'
cp "$ROOT/graphs/cuda.json" l.json; $G set-step l.json vectorize --never yes; $G set l.json parallelize block.shape --never yes
t bar_search '$S --out o2 >o.log 2>&1; [ -s o2/journal.jsonl ] && ! grep -q "\"step\":\"vectorize\"" o2/journal.jsonl && grep -q "\"step\":\"coalesce\"" o2/journal.jsonl && ! grep -q "\"from\":\"parallelize\",\"to\":\"block.shape\"" o2/journal.jsonl'
t learn_undo 'rc 0 $G undo l.json && rc 0 $G undo l.json && ! grep -q "\"never\": true" l.json && grep -q "\"evidence\"" l.json'
# Views: the terms of a score add up, lists, chains, tables, filters.
t show_terms 'rc 0 $G show r.json parallelize vectorize && awk "/^score/ { s = \$2 + 0 } /^  (prior|learnt|bonus|way) / { t += \$2 } END { d = s - t; exit !(s > 2 && d < 0.003 && d > -0.003) }" rc.out && grep -q "led 1.00 of 1.00 runs" rc.out && grep -q "^  20[0-9-]* sim:h200 .*led 1, with W=4, on $(uname -n) by 0.1" rc.out'
t show_by 'for b in device class coder program date; do $G show r.json parallelize vectorize --by $b >b.out || exit 1; grep -q "^$b  *rows" b.out || exit 1; done; grep -q "^20[0-9-]*  *1  *1  *1 .*x  *1$" b.out && rc 2 $G show r.json parallelize --by date'
t show_best 'rc 0 $G show r.json --best --most 3 && [ $(grep -c " = " rc.out) -eq 4 ] && sed -n 2p rc.out | grep -q "^@start *parallelize"'
t show_untried 'rc 0 $G show r.json --untried --csv && ! grep -q "^parallelize,vectorize," rc.out && grep -q "^coalesce,tile.shared," rc.out'
t show_never_helped 'rc 0 $G show r.json --never-helped --csv && grep -q "^parallelize,coalesce," rc.out && ! grep -q "^parallelize,vectorize," rc.out && ! grep -q "^coalesce,tile.shared," rc.out'
t show_csv 'rc 0 $G show r.json --csv && python3 -c "
import csv
rows = list(csv.DictReader(open(\"rc.out\", newline=\"\")))
assert len(rows) == 442, len(rows)
for r in rows: assert abs(float(r[\"score\"]) - sum(float(r[\"score_\" + k]) for k in (\"prior\", \"learnt\", \"bonus\", \"way\"))) < 1e-9, r
assert any(\",\" in r[\"note\"] for r in rows)"'
t show_csv_rows 'rc 0 $G show r.json parallelize vectorize --csv && python3 -c "
import csv
r, = csv.DictReader(open(\"rc.out\", newline=\"\"))
assert r[\"device\"] == \"sim:h200\" and r[\"led\"] == \"1\" and r[\"counts\"] == \"1\", r"'
t show_json 'rc 0 $G show r.json parallelize vectorize --json --device sm_90 && python3 -c "
import json
d = json.load(open(\"rc.out\"))
e, = d[\"edges\"]
assert d[\"schema\"] == \"regraph-show/1\" and e[\"evidence\"][0][\"counts\"] == 0.25 and e[\"evidence\"][0][\"tuned\"] == {\"W\": {\"4\": 1}}"'
t show_filters 'rc 0 $G show r.json --category precision --json && python3 -c "
import json
assert len(json.load(open(\"rc.out\"))[\"steps\"]) == 2" && rc 0 $G show r.json --near vectorize --hops 0 --csv && [ $(wc -l <rc.out) -le 3 ] && rc 2 $G show r.json --category nothing && rc 3 $G show r.json --near nobody && rc 2 $G show r.json --json --csv'
t path 'rc 0 $G path r.json @start vectorize -n 3 && [ $(wc -l <rc.out) -eq 3 ] && head -1 rc.out | grep -q "@start -> parallelize -> .*vectorize$" && rc 0 $G path r.json @start vectorize --json && python3 -c "import json; d = json.load(open(\"rc.out\")); assert len(d[\"paths\"]) == 5 and d[\"paths\"][0][\"chain\"][:2] == [\"@start\", \"parallelize\"]" && rc 0 $G path r.json @start vectorize --csv && head -2 rc.out | tail -1 | grep -q "^0\.[0-9]*,[0-9.]*,@start parallelize"'
t path_barred '$G set r.json @start parallelize --never yes; rc 0 $G path r.json @start vectorize -n 3; r=$?; ! grep -q "@start -> parallelize" rc.out || r=1; $G undo r.json; exit $r'
# The schema: known to check, in agreement with the loader, and with another validator where there is one.
t schema_all 'printf "{\"format\": \"regraph/1\", \"name\": \"x\", \"steps\": [{\"id\": \"a\", \"title\": \"A\", \"category\": \"memory\",\n \"when\": [\"speed\"],\n \"never\": 1}],\n \"edges\": [{\"from\": \"@start\", \"to\": \"a\",\n \"prior\": 2}], \"removed\": [{\"step\": \"b\",\n\"why\": 1}]}" >s.json; rc 3 $G check s.json && for l in 2 3 5 6; do grep -q "s.json:$l:" rc.err || { echo "line $l is not told"; exit 1; }; done'
cat >schema.py <<'END'
import json, sys, glob, os, subprocess
try:
    import jsonschema
except ImportError:
    print("SKIP: no jsonschema"); sys.exit(0)
root, graphs = sys.argv[1], sys.argv[2:]
v = jsonschema.Draft202012Validator(json.load(open(root + "/docs/graph.schema.json")))
v.check_schema(v.schema)
for g in graphs + [root + "/graphs/cuda.json", root + "/graphs/free.json"]:
    bad = [e.message for e in v.iter_errors(json.load(open(g)))]
    assert not bad, (g, bad[:3])
for d in sorted(glob.glob(root + "/tests/regraph/invalid/*/graph.json")):
    try: doc = json.loads(open(d, "rb").read().decode(), parse_constant=lambda c: 1/0)
    except Exception: continue
    told = subprocess.run([os.environ["G"], "check", d], capture_output=True, text=True).stderr.splitlines()
    bad = list(v.iter_errors(doc))
    assert told, d
    if not bad: assert len(told) == 1, (d, told)   # only the loader objects
END
t schema_agrees 'python3 schema.py "$ROOT" r.json e.json'
# Other tools: what goes out comes back byte for byte, and changes made there are taken over.
t graphml 'rc 0 $G export e.json -f graphml -o e.graphml && python3 -c "import xml.dom.minidom; xml.dom.minidom.parse(\"e.graphml\")" && rm -rf new.json && rc 0 $G import new.json e.graphml && cmp new.json e.json && rc 0 $G export r.json -f graphml -o r.graphml && rc 0 $G import new.json r.graphml && cmp new.json r.json && rc 0 $G undo new.json && cmp new.json e.json'
t graphml_changed 'sed "0,/<data key=\"e_prior\">[0-9.]*/s//<data key=\"e_prior\">0.125/; 0,/<data key=\"v_title\">[A-Z][^<]*/s//<data key=\"v_title\">Another title/" r.graphml >c.graphml; cp r.json c.json; rc 0 $G import c.json c.graphml && [ $($G diff r.json c.json | wc -l) -eq 2 ] && $G diff r.json c.json | grep -q "^~ edge .* -> 0.125" && grep -q "\"title\": \"Another title\"" c.json'
cat >f.graphml <<'END'
<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns"><key id="n" for="node" attr.name="name" attr.type="string"/>
<key id="c" for="node" attr.name="category" attr.type="string"/><graph edgedefault="directed"><node id="1"><data key="n">@start</data></node>
<node id="2"><data key="n">mine</data><data key="c">memory</data></node><edge source="1" target="2"/></graph></graphml>
END
t graphml_foreign 'rm -rf f.json; rc 0 $G import f.json f.graphml && grep -q "\"from\": \"@start\", \"to\": \"mine\", \"prior\": 0.5" f.json && sed "s/memory/speed/" f.graphml >g.graphml && cp f.json f2.json && rc 3 $G import f2.json g.graphml && grep -q "g.graphml:1:1: unknown category word" rc.err && cmp f.json f2.json && echo "<graphml" >g.graphml && rc 3 $G import f2.json g.graphml && rc 2 $G import f2.json f.json'
t csv_back 'rc 0 $G export r.json -f csv -o r.csv && cp r.json c.json && rc 0 $G import c.json r.csv && cmp c.json r.json && sed "s/^coalesce,tile.shared,[0-9.]*,/coalesce,tile.shared,0.25,/; s/^coalesce,unroll,\([^,]*\),\([^,]*\),no,/coalesce,unroll,\1,\2,yes,/" r.csv >c.csv && rc 0 $G import c.json c.csv && $G diff r.json c.json >d.out; [ "$(cat d.out)" = "$(printf "~ edge coalesce -> tile.shared prior 0.65 -> 0.25\n~ edge coalesce -> unroll never")" ]'
t csv_bad 'printf "from,to,prior\r\n@start,parallelize,0.5\r\ncoalesce,tile.shared,much\r\n" >b.csv; cp r.json c.json; rc 3 $G import c.json b.csv && grep -q "b.csv:3:1: prior and confidence are numbers" rc.err && cmp c.json r.json && printf "from,\"to\n" >b.csv && rc 3 $G import c.json b.csv && printf "a,b\n" >b.csv && rc 3 $G import c.json b.csv'
cat >svg.py <<'END'
import xml.dom.minidom as m
d = m.parse("p.svg"); t = [x.firstChild.data for x in d.getElementsByTagName("text") if x.firstChild]
assert "locality" in t and "tile.shared" in t and "barred (never)" in t
p = [x for x in d.getElementsByTagName("path") if x.getElementsByTagName("title")]
assert 56 < len(p) <= 2 * 57, len(p)
tried = [x for x in p if "@start to parallelize" in x.firstChild.firstChild.data][0]
assert not tried.hasAttribute("stroke-dasharray") and sum(x.hasAttribute("stroke-dasharray") for x in p) > 40
END
t pictures 'rc 0 $G export r.json -o p.svg && python3 svg.py && rc 0 $G export r.json --category memory --strongest 0 && ! grep -q "tile.two.level" rc.out && grep -q "category memory" rc.out && rc 0 $G export r.json -f dot --near vectorize && grep -q "^    subgraph cluster_" rc.out && { ! command -v dot >/dev/null || dot -Tsvg rc.out >/dev/null; }'
# The verbs that the design and the expert's guide name are there.
t verbs_in_design 'tr "\n" " " <"$ROOT/docs/design.md" | grep -qE "regraph-graph VERB. \([^)]*show"'
t verbs_named 'for v in $(tr "\n" " " <"$ROOT/docs/design.md" | grep -oE "regraph-graph VERB. \([^)]*\)" | sed "s/.*(//; s/[,)]//g") $(grep -oE "regraph-graph [a-z-]+" "$ROOT/docs/experts.md" | cut -d" " -f2); do $G --help | grep -q "^  $v " || { echo "no verb $v"; exit 1; }; done'
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
