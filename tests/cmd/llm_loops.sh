#!/usr/bin/env bash
# Every command of docs/loops.md runs as written, against a scripted model; the bench of them makes its table; a version that is right but
# slower is told to the model when the action is sampled again.
# test-deadline: 300
set -u
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
unset OPENAI_API_KEY
bad=0
say() { if [ "$1" -eq 0 ]; then echo "ok $2"; else echo "not ok $2: $3"; bad=1; fi; }
SERVE=$BUILD/tests/llm/make_record; F=tests/llm/solved/spmv/spmv.c; R=tests/llm/solved/spmv
i=0
# the commands stand in backquotes, on lines of their own; `...` goes on from the one before
while IFS= read -r line; do
    case $line in ...*) line="${base} ${line#...}" ;; esac
    base=$line; i=$((i + 1))
    args=$(echo "$line" | sed -E "s|^regraph-search F.c||; s| M( \|$)| --llm-model scripted\1|; s|max-calls N|max-calls 48|; s|tries N|tries 5|; s|JUDGE|small|")
    # shellcheck disable=SC2086
    timeout 60 "$SERVE" "$R" "$W/$i.record" x "$BUILD/regraph-search" "$F" $args --device sim:h200 --evals 6 --out "$W/$i" >"$W/$i.out" 2>&1 </dev/null; rc=$?
    [ $rc -le 1 ]; say $? "loop-$i" "exit $rc of '$args': $(tail -n 2 "$W/$i.out" | tr '\n' ' ')"
done < <(grep '^  - command: ' docs/loops.md | grep -oE '`(regraph-search F.c|\.\.\.)[^`]*`' | tr -d '`')
[ $i -ge 12 ]; say $? "loops-are-found" "$i commands"
CALLS=24 DEVICE=sim:h200 EXAMPLES=$F BIN=$BUILD timeout 100 "$SERVE" "$R" "$W/bench.record" x bench/llm.sh --llm-model scripted >"$W/bench" 2>&1 </dev/null
n=$(grep -cE '^\| (one-shot|best-of-n|refine|random|mcgs) \| 1 \| 1.00 \|' "$W/bench"); [ "$n" -eq 5 ]; say $? "bench" "$(tr '\n' ' ' <"$W/bench")"
mkdir "$W/slower"; cp $R/*.txt "$W/slower"
cat >"$W/slower/rules" <<'RULES'
parallelize - row.txt
row.warp - row.txt
row.warp spmv_row warp.txt slower:
row.warp spmv_row slow.txt
* * broken.txt
RULES
printf '```cuda\n__global__ void broken(int rows) { undeclared = rows; }\n```\n```plan\nbroken<<<1, 1>>>(rows);\n```\n' >"$W/slower/broken.txt"
timeout 100 "$SERVE" "$W/slower" "$W/slower.record" x "$BUILD/regraph-search" $F --coder llm --llm-model scripted --device sim:h200 --graph graphs/cuda.json --no-learn \
    --evals 200 --patience 200 --llm-tries 2 --max-calls 1000 --json --out "$W/slow" >"$W/slow.json" 2>&1 </dev/null
grep -q 'slower: it takes' "$W/slower.record" && grep -q 'spmv_warp' "$W/slow/best.cu"; say $? "slower-is-told" "$(grep -c slower: "$W/slower.record")"
# a first run keeps the best before and after of its steps beside the graph; a second one shows them where the graph has no example of its own
examples() { timeout 60 "$SERVE" $R "$W/$1.record" x "$BUILD/regraph-search" $F --coder llm --llm-model scripted --device sim:h200 --graph "$W/graph.json" --policy refine \
    --forbid write --forbid improve --evals 4 --out "$W/$1" "${@:2}" >"$W/$1.out" 2>&1 </dev/null; }
shown() { grep -c 'An example from other code' "$W/$1.record"; }
cp graphs/cuda.json "$W/graph.json"
examples learns; cp "$W/graph.examples.jsonl" "$W/examples"; cp "$W/graph.json" "$W/graph2.json"; examples shows
of_row_warp() { grep -c '"text":".*(row.warp).*An example from other code.*spmv_warp' "$W/$1.record"; }
grep -q '"step":"row.warp".*spmv_warp' "$W/examples" && [ "$(of_row_warp learns)" -eq 0 ] && [ "$(of_row_warp shows)" -gt 0 ]
say $? "examples-of-earlier-runs" "$(of_row_warp learns) then $(of_row_warp shows)"
! grep -q '/[*/]' "$W/examples"; say $? "examples-hold-no-comments" "$(grep -o '.\{30\}/[*/].\{30\}' "$W/examples" | head -n 1)"
cp graphs/cuda.json "$W/graph.json" # the course of the first run, now with examples beside
examples none --llm-examples none --no-learn; [ "$(shown none)" -eq "$(shown learns)" ]; say $? "examples-none" "$(shown none) not $(shown learns)"
# what a model's steps gained is kept under its family: of any size and packaging
cp graphs/cuda.json "$W/graph.json"
timeout 60 "$SERVE" $R "$W/family.record" x "$BUILD/regraph-search" $F --coder llm --llm-model Qwen/Qwen2.5-Coder-7B-Instruct-AWQ --device sim:h200 --graph "$W/graph.json" \
    --policy refine --evals 4 --out "$W/family" >"$W/family.out" 2>&1 </dev/null
grep -q '"coder": *"llm:qwen2.5-coder"' "$W/graph.json" && ! grep -q '"coder": *"llm"' "$W/graph.json"
say $? evidence-by-family "$(grep -o '"coder": *"[^"]*"' "$W/graph.json" | sort | uniq -c | tr '\n' ' ')"
cp "$W/graph2.json" "$W/graph.json"
# a replay shows what the recorded run showed, whatever the file holds by now
sed 's/spmv_warp/changed/g' "$W/examples" >"$W/graph2.examples.jsonl"
timeout 60 "$BUILD/regraph-search" $F --coder llm --llm-model scripted --device sim:h200 --graph "$W/graph2.json" --policy refine --forbid write --forbid improve --evals 4 --no-learn \
    --llm-replay "$W/shows.record" --out "$W/again" >"$W/again.out" 2>&1 </dev/null && cmp -s "$W/again/best.cu" "$W/shows/best.cu"
say $? "examples-replay" "$(tail -n 2 "$W/again.out")"
exit $bad
