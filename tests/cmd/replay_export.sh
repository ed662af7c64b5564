#!/usr/bin/env bash
# regraph-replay --export: a scripted model's run as training data. Each line is a conversation with its outcome and origin, replies that failed are in no
# sft line, chosen beats rejected, a journal given twice gives nothing twice, a problem is in one split alone.
# test-deadline: 200
set -u
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
unset OPENAI_API_KEY
bad=0
say() { if [ "$1" -eq 0 ]; then echo "ok $2"; else echo "not ok $2: $3"; bad=1; fi; }
H=tests/llm/solved/histogram; R=$BUILD/regraph-replay
timeout 150 "$BUILD/tests/llm/make_record" $H "$W/run.record" scripted "$BUILD/regraph-search" $H/histogram.c --coder llm --llm-model scripted --device sim:h200 \
    --graph graphs/cuda.json --no-learn --policy refine --evals 10 --llm-tries 8 --out "$W/run" >"$W/out" 2>"$W/err" </dev/null; say $? run "$(tail -n 1 "$W/err")"
n=$(zcat "$W/run/sources.jsonl.gz" | grep -c '"source":"[0-9a-f]\{16\}","cuda":'); e=$(grep -c '"line":"eval"' "$W/run/journal.jsonl")
[ "$n" -eq "$e" ] && [ "$n" -gt 3 ]; say $? sources "$n sources of $e evaluations"
for k in sft preference steps; do
    "$R" --export $k "$W/run/journal.jsonl" --llm-record "$W/run.record" -o "$W/$k.jsonl" 2>>"$W/err"; say $? $k "$(tail -n 1 "$W/err")"
    "$R" --export $k "$W/run/journal.jsonl" "$W/run/journal.jsonl" --llm-record "$W/run.record" 2>/dev/null | cmp -s - "$W/$k.jsonl"; say $? $k-once "a journal given twice"
    cat <("$R" --export $k "$W/run/journal.jsonl" --llm-record "$W/run.record" --split train 2>/dev/null) <("$R" --export $k "$W/run/journal.jsonl" --llm-record "$W/run.record" --split test 2>/dev/null) |
        cmp -s - "$W/$k.jsonl"; say $? $k-split "one problem in two splits"
    n=$(wc -l <"$W/$k.jsonl"); m=$(grep -c '"messages":\[{"role":.*"split":"t[a-z]*","provenance":{"run":"[0-9a-f]*".*"licence":' "$W/$k.jsonl"); [ "$n" -ge 2 ] && [ "$n" -eq "$m" ]; say $? $k-lines "$m of $n"
done
! grep -v '"outcome":"ok"' "$W/sft.jsonl" >/dev/null; say $? sft-right "a reply that failed"
grep -q '"role":"assistant","content":"[^"]*__global__' "$W/sft.jsonl"; say $? sft-reply "no code in the reply"
! grep -v '"chosen":{"role":"assistant".*"rejected":{"role":"assistant".*"margin":[0-9]' "$W/preference.jsonl" >/dev/null; say $? preference-pairs "no pair"
grep -q '"rejected_outcome":"race"' "$W/preference.jsonl"; say $? preference-race "the histogram's first attempt races"
grep -q '"content":"histogram.private @ program"' "$W/steps.jsonl"; say $? steps-named "no step"
grep -q '"advantage":-\?[0-9.]*[1-9]' "$W/steps.jsonl"; say $? advantages "none"
"$R" --export nothing "$W/run/journal.jsonl" >/dev/null 2>&1; [ $? -eq 2 ]; say $? usage "another exit"
exit $bad
