#!/usr/bin/env bash
# regraph-suite on one machine: suites in TOML and JSON, folders, the table, what fails, --resume after ^C and after kill -9, wrong use.
# test-deadline: 300
set -u
B=$(realpath "$BUILD"); S=$B/regraph-suite; R=$PWD
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data; cd "$W" || exit 1
fails=0
ok() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: '$2', wanted '$3'; $(head -c 900 out.txt err.txt)"; fails=1; fi; }
said() { if grep -qE -- "$2" out.txt err.txt; then echo "ok $1"; else echo "not ok $1: said $(head -c 900 out.txt err.txt)"; fails=1; fi; }
run() { "$S" "$@" >out.txt 2>err.txt </dev/null; }
sum() { sha256sum <"$1" | cut -c1-16; }
cp "$R/graphs/cuda.json" g.json; before=$(sum g.json)
mkdir c
cat >c/add.c <<'C'
void add(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] += 2 * x[i]; }
C
cat >c/dot.c <<'C'
void dot(int n, const float *x, const float *y, float *s) { float t = 0; for (int i = 0; i < n; i++) t += x[i] * y[i]; s[0] = t; }
C
cat >c/bad.c <<'C'
void bad(int n, float *x) { for (int i = 0; i < n; i++) nowhere[i] = 1; }
C
toml() { # further lines of the last problem
    cat <<T
[defaults]
evals = 5
patience = 0
size = "n=4096"
device = "sim:h200"
[[problem]]
file = "c/add.c"
[[problem]]
file = "c/add.c"
name = "add-a100"
device = "sim:a100"
size = ["n=2048", "n=100"]
[[problem]]
file = "c/bad.c"
[[problem]]
file = "c/dot.c"
${1:-}
T
}
if "$S" <(toml) 2>&1 | grep -q 'reads no TOML'; then echo "skip toml (built without tomlplusplus)"; exit 0; fi
toml >s.toml

run s.toml --graph g.json -o one; ok some-failed $? 1
said table-row '^add +(ok|slower) +~[0-9.]+ +[0-9.]+ +- +5'; said table-of-a-name '^add-a100 +(ok|slower)'; said table-of-a-failure "^bad +failed .*exit 3: c/bad.c:1.*nowhere"
said table-totals '^4 problems: [0-9] ok, [0-9] not faster than the C, 1 failed, 0 stopped, 0 not run'
grep -q '^| bad | failed |' one/table.md; ok markdown $? 0
ok two-sizes "$(grep -c -- '--size=n=' one/suite.json)" 5
[ "$(sum g.json)" != "$before" ]; ok learnt $? 0; ok learnt-the-same "$(sum g.json)" "$(sum one/graph.json)"
"$B/regraph-replay" one/runs/*/journal.jsonl --graph one/graph-before.json -o replayed.json 2>err.txt; ok as-the-journals-tell "$(sum replayed.json)" "$(sum one/graph.json)"

run s.toml -o one; ok not-over-another $? 3; said not-over-another-said 'holds a suite: --resume goes on with it, --force begins anew'
run -o one --resume --jsonl; ok resume-alone $? 1
ok resume-runs-only-what-failed "$(grep -c '"event":"start"' out.txt)" 1
ok jsonl-rows "$(grep -c '"event":"row"' out.txt)" 4
ok jsonl-is-json "$(python3 -c 'import json,sys; print(len([json.loads(l) for l in open("out.txt")]))' 2>&1)" 6
cp c/dot.c kept.c; sed 's/nowhere\[i\] = 1/x[i] *= 3/' c/bad.c >b; mv b c/bad.c
run s.toml --resume -o one; ok mended $? 0; said mended-said '4 problems: [0-9] ok, [0-9] not faster than the C, 0 failed'
[ "$(grep -c '"graph": *"/' one/suite.json)" = 1 ]; ok knows-its-graph $? 0
run -o one --resume; ok learnt-when-mended "$(sum g.json)" "$(sum one/graph.json)"
run s.toml --resume -o one --quiet; ok nothing-left $? 0; ok quiet "$(wc -c <err.txt)" 0
printf '[[problem]]\nfile = "c/dot.c"\nevals = 4\ndevice = "sim:h200"\nsize = "n=100"\n' >t.toml
run t.toml --resume -o one; ok other-sizes-there $? 1; said other-sizes-there-said 'dot +failed.*cannot be resumed: its problem was another'
printf '[[problem]]\nfile = "c/dot.c"\nevals = 8\npatience = 0\ndevice = "sim:h200"\nsize = "n=4096"\n' >t.toml
run t.toml --resume -o one; ok larger-budget-there $? 0; said larger-budget-there-goes-on '^dot +(ok|slower).* 8 +'; ok its-journal-went-on "$(grep -c '"line":"resume"' one/runs/dot/journal.jsonl)" 1

# the same undisturbed, stopped by ^C, and killed: one union
cp "$R/graphs/cuda.json" g.json
for i in 1 2 3; do printf '[[problem]]\nfile = "c/add.c"\nname = "a%d"\nseed = %d\n[[problem]]\nfile = "c/dot.c"\nname = "d%d"\nseed = %d\n' $i $i $i $i; done >p
{ printf '[defaults]\nevals = 9\npatience = 0\nsize = "n=4096"\ndevice = "sim:h200"\n'; cat p; } >six.toml
run six.toml --graph g.json --no-learn -o whole; ok whole $? 0; ok no-learn "$(sum g.json)" "$before"
cp "$R/graphs/cuda.json" g.json
children() { pgrep -f -- "--out $W/$1/runs" | wc -l; }
"$S" six.toml --graph g.json --no-learn -o cut -j 2 >out.txt 2>err.txt </dev/null & pid=$!
# looked at while both run: on a busy machine one may have ended a moment later
cpus() { pgrep -f -- "--out $W/cut/runs" | while read -r p; do grep -s Cpus_allowed_list "/proc/$p/status" | cut -f2; done | sort -u | wc -l; }
two=0 shares=0
for _ in $(seq 200); do
    n=$(children cut); s=$(cpus)
    [ "$n" -gt "$two" ] && two=$n
    [ "$s" -gt "$shares" ] && shares=$s
    [ "$two" -ge 2 ] && { [ "$shares" -ge 2 ] || [ "$(nproc)" -lt 2 ]; } && [ -s cut/runs/a1/journal.jsonl ] && break
    kill -0 $pid 2>/dev/null || break
    sleep 0.05
done
ok two-at-once "$two" 2
if [ "$(nproc)" -ge 2 ]; then
    ok cpus-are-shared-out "$shares" 2
else echo "skip cpus-are-shared-out (one CPU)"; fi
run six.toml --resume -o cut; ok one-suite-a-folder $? 3; said one-suite-a-folder-said 'another regraph-suite works in'
kill -INT $pid; wait $pid; ok interrupted $? 130; ok children-are-gone "$(children cut)" 0
[ -f cut/table.md ] && [ -f cut/graph.json ]; ok what-is-there-is-kept $? 0
"$S" -o cut --resume -j 2 >out.txt 2>err.txt </dev/null & pid=$!
for _ in $(seq 400); do [ -s cut/runs/a2/journal.jsonl ] && break; sleep 0.05; done
kill -9 $pid; wait $pid 2>/dev/null
for _ in $(seq 60); do [ "$(children cut)" = 0 ] && break; sleep 0.05; done; ok children-die-with-it "$(children cut)" 0
run -o cut --resume -j 2; ok after-the-kill $? 0; ok the-same-union "$(sum cut/graph.json)" "$(sum whole/graph.json)"

# a folder, files, JSON, options for all
run c -o folder -- -s n=1000 --evals 3 --device sim:h200; ok folder $? 0; said folder-said '^3 problems: [0-9] ok, [0-9] not faster than the C, 0 failed'
printf '{"defaults": {"evals": 3, "size": "n=1000"}, "problem": [{"file": "c/add.c", "no-screen": true, "allow": ["tf32", "fast-math"], "specialize": false}]}' >s.json
run s.json -o json -d sim:h200; ok json $? 0
run json/runs/add/problem.json c/dot.c -o saved -d sim:h200 -- --evals 3; ok saved-problem $? 0; said saved-problem-said '^problem +(ok|slower)'

bad() { # name, exit, what is said, arguments
    run "${@:4}"; ok "$1" $? "$2"; said "$1-said" "$3"
}
bad no-problem 2 'which problems' --quiet
bad unknown-option 2 "unknown option '--evls'" c --evls 3
bad wrong-option-for-all 2 "'--evls'.*|c/add.c: its options are wrong" c -o x -- --evls 3
bad not-theirs 2 "are the suite's own" c -o x -- --out y
bad no-such-file 3 "cannot open 'nowhere.c'" nowhere.c
mkdir empty; bad empty-folder 3 'no .c file' empty
bad contradiction 2 'contradict' c --resume --force
bad slurm-option-alone 2 'need --slurm' c --gres gpu:1
bad task-without-suite 3 'no suite was begun' --task 0 -o empty
bad task-needs-out 2 'need --out' --task 0
bad resume-nothing 3 'no suite was begun' c --resume -o empty
toml 'evls = 4' >x.toml; bad key 2 "problem 4, c/dot.c: its options are wrong" x.toml -o x
toml 'out = "here"' >x.toml; bad own-key 3 "problem 4, c/dot.c: 'out' is the suite's own" x.toml -o x
toml 'size = {n = 4}' >x.toml; bad odd-value 3 "'size' must be" x.toml -o x
toml 'size = ' >x.toml; bad syntax 3 'x.toml:1[0-9]:' x.toml -o x
toml 'name = "../up"' >x.toml; bad odd-name 3 "name '../up' must consist" x.toml -o x
toml 'name = "add"' >x.toml; bad name-twice 3 "the name 'add' is taken" x.toml -o x
printf '[[problem]]\nfile = "c/none.c"\n' >x.toml; bad missing-c 3 "cannot read '.*c/none.c'" x.toml -o x
printf 'evals = 3\n' >x.toml; bad stray-key 3 "'evals' is neither" x.toml -o x
[ ! -e x/suite.json ]; ok nothing-is-begun $? 0
run --help; ok help $? 0; said help-said '^Exit: 0 every problem'
exit $fails
