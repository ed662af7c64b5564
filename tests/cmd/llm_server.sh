#!/usr/bin/env bash
# Whole searches against a service that fails in every way, over real sockets: they end with the right result or exit 5, keep what they
# had, and the key is found nowhere afterwards. Then: stopped by ^C while waiting, deferred and resumed, resumed without asking again.
# test-deadline: 400
set -u
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data OPENAI_API_KEY=sk-server-2468101214
bad=0
say() { if [ "$1" -eq 0 ]; then echo "ok $2"; else echo "not ok $2: $3"; bad=1; fi; }
SERVE=$BUILD/tests/llm/make_record; S=$BUILD/regraph-search; F=tests/llm/solved/spmv/spmv.c
rules() { d=$1; mkdir -p "$W/$d.rules"; cp tests/llm/solved/spmv/*.txt "$W/$d.rules"; cat >"$W/$d.rules/rules"; }
search() { # name, further options; the folder of rules is NAME.rules
    d=$1; shift
    timeout 60 "$SERVE" "$W/$d.rules" "$W/$d.record" scripted "$S" $F --coder llm --llm-model scripted --device sim:h200 --graph graphs/cuda.json \
        --no-learn --policy refine --evals 4 --llm-timeout 2s --json --out "$W/$d" "$@" >"$W/$d.json" 2>"$W/$d.err" </dev/null
}
# nothing verified before the failure: exit 5, and the message names it
for how in 500 429 reset hangup slow drip huge half html empty; do
    rules $how <<<"* * !$how"
    search $how; rc=$?
    [ $rc -eq 5 ]; say $? "$how-is-exit-5" "exit $rc: $(tail -n 1 "$W/$how.err")"
done
# verified before: it is kept, exit 0 (or 1: at such a size the C is faster)
for how in 500 reset html; do
    rules late$how <<<"parallelize - row.txt
* * !$how"
    search late$how; rc=$?
    [ $rc -le 1 ] && [ -s "$W/late$how/best.cu" ]; say $? "$how-keeps-the-best" "exit $rc: $(tail -n 1 "$W/late$how.err")"
done
rules cut <<<"parallelize - row.txt
* * !cut"
search cut; rc=$?; [ $rc -le 1 ]; say $? "cut-replies-are-failed-steps" "exit $rc"
# poly goes on alone
rules both <<<"* * !500"
search both --coder both; rc=$?; [ $rc -le 1 ]; say $? "poly-goes-on" "exit $rc: $(tail -n 1 "$W/both.err")"
# ^C while the server says nothing
rules stop <<<"parallelize - row.txt
* * !slow"
timeout 60 "$SERVE" "$W/stop.rules" "$W/stop.record" scripted timeout --foreground -s INT 6 "$S" $F --coder llm --llm-model scripted --device sim:h200 --graph graphs/cuda.json \
    --no-learn --policy refine --llm-timeout 50s --out "$W/stop" >"$W/stop.out" 2>"$W/stop.err" </dev/null
[ -s "$W/stop/best.cu" ] && grep -q 'Stopped by signal 2' "$W/stop.out"; say $? "interrupt-while-waiting" "$(tail -n 2 "$W/stop.out" "$W/stop.err" | tr '\n' ' ')"
# resumed: what was answered is not asked again
rules again <<<"parallelize - row.txt
row.warp spmv_row warp.txt
* * decline.txt"
search again --evals 1; n1=$(grep -c '"key"' "$W/again.record")
search again --evals 4 --resume; rc=$?
grep -q '"replayed": [1-9]' "$W/again.json" && [ $rc -le 1 ]; say $? "resume-asks-nothing-twice" "exit $rc, $n1 requests before: $(grep replayed "$W/again.json")"
# deferred: requests as files, exit 7; with answers beside them the run goes on, and ends as if it had been asked at once
answers() { # answers what lies in the folder, by the same rules
    for q in "$W"/defer.in/*.json; do
        a=${q%.json}.answer.json; case $q in *.answer.json) continue ;; esac; [ -e "$a" ] && continue
        r=decline.txt
        grep -q '(parallelize)' "$q" && grep -q 'There is no CUDA code yet' "$q" && r=row.txt
        grep -q '(row.warp)' "$q" && grep -q 'spmv_row(' "$q" && r=warp.txt
        awk -v q='"' 'BEGIN { printf "{\"choices\":[{\"message\":{\"content\":\"" } { gsub(/\\/, "\\\\"); gsub(/"/, "\\\""); printf "%s\\n", $0 } END { print "\"},\"finish_reason\":\"stop\"}]}" }' "tests/llm/solved/spmv/$r" >"$a"
    done
}
defer() { timeout 60 "$S" $F --coder llm --llm-model scripted --device sim:h200 --graph graphs/cuda.json --no-learn --policy refine --evals 2 --json --out "$W/defer" \
    --llm-defer "$W/defer.in" "$@" >"$W/defer.json" 2>"$W/defer.err" </dev/null; }
defer; rc=$?
[ $rc -eq 7 ] && [ -s "$W/defer.in/batch.jsonl" ] && grep -q 'resume' "$W/defer.err"; say $? "deferred-is-exit-7" "exit $rc: $(tail -n 1 "$W/defer.err")"
rounds=0; while [ $rc -eq 7 ] && [ $rounds -lt 60 ]; do answers; defer --resume; rc=$?; rounds=$((rounds + 1)); done
[ $rc -le 1 ] && [ $rounds -ge 2 ]; say $? "deferred-and-resumed" "exit $rc after $rounds rounds: $(tail -n 1 "$W/defer.err")"
rules once <<<"parallelize - row.txt
row.warp spmv_row warp.txt
* * decline.txt"
search once --evals 2; cmp -s "$W/once/best.cu" "$W/defer/best.cu"; say $? "deferred-ends-the-same" "another result than when asked at once"
# the doctor: a model that answers and sends no code is none to search with
doctor() { # folder of rules
    # shellcheck disable=SC2016
    D=$BUILD/regraph-doctor timeout 60 "$SERVE" "$W/$1.rules" "$W/$1.record" x bash -c '"$D" --llm --llm-model m --llm-url "$2"' x >"$W/$1.out" 2>&1 </dev/null
}
rules prose <<<"* * decline.txt"; doctor prose; rc=$?
[ $rc -eq 5 ] && grep -q 'could not be used: refused' "$W/prose.out"; say $? "doctor-without-code" "exit $rc: $(tr '\n' ' ' <"$W/prose.out")"
rules code <<<"* * row.txt"; doctor code; rc=$?
[ $rc -le 1 ] && grep -q 'as asked for' "$W/code.out"; say $? "doctor-with-code" "exit $rc: $(tr '\n' ' ' <"$W/code.out")"
! grep -rqs 'sk-server' "$W"; say $? "key-is-nowhere" "in $(grep -rls sk-server "$W" | tr '\n' ' ')"
exit $bad
