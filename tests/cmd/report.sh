#!/usr/bin/env bash
# report.html: written while a search runs and at its end, by regraph-report from any journals, compared, over a suite; in headless Chromium from
# disk, without network or error. What a user's C or a candidate's message says never becomes markup.
# test-deadline: 240
set -u
B=$(realpath "$BUILD"); R=$PWD
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data; cd "$W" || exit 1
rc=0
ok() { echo "ok report.$1"; }
no() { echo "not ok report.$1: ${2:-}"; rc=1; }
is() { if eval "$2"; then ok "$1"; else no "$1" "$2; $(head -c 400 out.txt err.txt)"; fi; }
search() { "$B/regraph-search" "$@" --device sim:h200 --no-learn >out.txt 2>err.txt </dev/null; }
cat >scale.c <<'C'
/* </script><script>alert(1)</script> <img src=x onerror=alert(2)> <!-- */
#pragma regraph size(n=4000000)
void scale(int n, const float *x, float *y)
{
    for (int i = 0; i < n; i++) /* </script><script>alert(3)</script> */
        y[i] = 2.0f * x[i] + 1.0f;
}
C
search scale.c --evals 8 --out run; code=$?
is search '[ $code -le 1 ] && grep -q "^  report      run/report.html" out.txt'
is chain 'grep -qE "^  chain       (not timed|~?[0-9.]+ [mu]s) +parallelize@C" out.txt || ! grep -q "^  steps .*, " out.txt'
# x and y to the device, y back: 48 MB at 55 GB/s
is transfers 'grep -qE "^  transfers   872\.7 us; a call with them [0-9.]+ us \(estimated" out.txt'
# one number of calls on both, where there is one
calls=$(sed -nE 's/.*; after (at most )?([0-9]+) calls .*/\2/p' out.txt)
is break_even '[ -z "$calls" ] || grep -q "$calls calls" run/report.html'
is page 'grep -q "data-state=\"finished\"" run/report.html && grep -q "Times of kernels are estimated" run/report.html'
# what a program does with it, unless the C is faster
is use '[ $code = 1 ] || grep -qx "  use         call scale_auto() for scale(); link run/best.cu" out.txt'
is command 'grep -q "regraph-search scale.c --evals 8 --out run --device sim:h200 --no-learn</pre>" run/report.html'
is escaped '! grep -q "<script>alert" run/report.html && ! grep -q "<img src=x" run/report.html && grep -q "&lt;script&gt;alert(3)" run/report.html'
is source 'grep -q "<td class=\"n line\">5</td><td><pre>    for (int i = 0; i &lt; n; i++)" run/report.html'
# the comment above the pragma keeps its own place
is comment_line 'grep -q "<td class=\"n line\">1</td><td><pre>/\* &lt;/script" run/report.html && grep -q "<td class=\"n line\">3</td><td><pre>void scale" run/report.html && ! grep -q "<td class=\"n line\">2</td>" run/report.html'
is refused 'grep -q "refused</summary>" run/report.html'
is no_rest '[ -z "$(ls run/*.tmp* 2>/dev/null)" ]'
search scale.c --evals 3 --out quiet --no-report
is no_report '[ ! -e quiet/report.html ] && [ ! -e quiet/run.json ] && ! grep -q "^  report" out.txt'
search scale.c --evals 3 --out doc --json
is json 'python3 -c "
import json; b = json.load(open(\"out.txt\"))[\"best\"]
assert b[\"transfer_how\"] == \"estimated\" and abs(b[\"transfer_ms\"] - 48e6 / 55e9 * 1e3) < 1e-6 and abs(b[\"call_ms\"] - b[\"kernel_ms\"] - b[\"transfer_ms\"]) < 1e-9
assert \"break_even_calls\" in b" 2>err.txt || ! command -v python3 >/dev/null'
search scale.c --function scal --json
is json_error 'grep -q "\"schema\": \"regraph-error/1\"" out.txt && grep -q "\"code\": \"input\"" out.txt && grep -q "did you mean .scale." out.txt && grep -q "did you mean .scale." err.txt'
search scale.c --size m=4 --explain
is name_known 'grep -q "it has n, x, y" err.txt'
"$B/regraph-report" run quiet -o both.html >out.txt 2>err.txt
is compared '[ "$(cat out.txt)" = both.html ] && grep -q "Runs compared" both.html && [ "$(grep -c "<details id=\"run-" both.html)" = 2 ]'
head -n 40 run/journal.jsonl >cut.jsonl; printf '{"line":"ac' >>cut.jsonl
"$B/regraph-report" cut.jsonl -o cut.html >out.txt 2>err.txt
is unfinished 'grep -q "Not finished: " cut.html'
"$B/regraph-report" nowhere >out.txt 2>err.txt; is missing "[ $? = 3 ] && grep -q 'cannot open .nowhere' err.txt"
"$B/regraph-report" scale.c >out.txt 2>err.txt; is no_journal "[ $? = 3 ] && grep -q 'is no journal' err.txt"
# a suite: one problem with a page, one that failed, one that has not run; a name that would lead out of the folder is left out
mkdir -p suite/results suite/runs/good
cp run/report.html suite/runs/good/
echo '{"schema": "regraph-suite/1", "problems": [{"name": "good"}, {"name": "bad"}, {"name": "later"}, {"name": "../run"}]}' >suite/suite.json
echo '{"state": "ok", "device": "sim:h200", "estimated": true, "best_ms": 0.01, "speedup_vs_naive": 2, "speedup_vs_sequential": null, "evaluations": 8, "seconds": 3, "steps": "parallelize"}' >suite/results/good.json
echo '{"state": "failed", "reason": "<b>no</b>", "evaluations": 0, "seconds": 1}' >suite/results/bad.json
"$B/regraph-report" suite >out.txt 2>err.txt
is suite 'grep -q "href=\"runs/good/report.html\"" suite/report.html && grep -q "&lt;b&gt;no" suite/report.html && grep -q "1 faster than the C, 0 not faster, 1 failed, 0 stopped, 1 not run" suite/report.html && ! grep -q "\.\./run" suite/report.html'
# the terminal: its columns are kept to; none of its codes where it knows none
if command -v script >/dev/null; then
    TERM=xterm script -qec "stty cols 46; $B/regraph-search scale.c --evals 4 --device sim:h200 --no-learn --out t1" t1.txt >/dev/null 2>&1 </dev/null
    longest=$(tr '\r' '\n' <t1.txt | grep -a ' of 4 ' | sed 's/\x1b\[K//g' | awk '{ if (length($0) > n) n = length($0) } END { print n + 0 }')
    is columns '[ "$longest" -gt 10 ] && [ "$longest" -le 45 ]'
    TERM=dumb script -qec "$B/regraph-search scale.c --evals 4 --device sim:h200 --no-learn --out t2" t2.txt >/dev/null 2>&1 </dev/null
    is dumb '! grep -qa $'"'"'\x1b'"'"' t2.txt && grep -qa "1 of 4 evaluations" t2.txt'
else
    echo "skip report.columns (there is no script)"
fi
chromium=
for c in chromium chromium-browser google-chrome; do # Ubuntu's is a stub that wants a snap
    command -v $c >/dev/null && timeout 30 $c --version >/dev/null 2>&1 && chromium=$(command -v $c) && break
done
why=
[ -n "$chromium" ] || why="there is no Chromium"
command -v node >/dev/null && [ -d "$R/web/node_modules/playwright-core" ] || why="node or playwright-core is missing: make web"
if [ -n "$why" ]; then
    echo "skip report.browser ($why)"
    exit $rc
fi
browse() { timeout 120 node "$R/tests/cmd/pages/browse.mjs" "$chromium" "$@" >out.txt 2>err.txt; }
browse run/report.html --count 'h2' --count 'figure canvas' --count 'figure svg' --script 'document.title' --shot shot.png
is browser "[ $? = 0 ] && [ -s shot.png ] && grep -q '^scale - ReGraph$' out.txt"
if grep -q 'id="data"' run/report.html && [ -f "$B/web/report.js" ]; then
    is drawn '[ "$(sed -n 2p out.txt)" -ge 3 ] && [ "$(sed -n 3p out.txt)" = 0 ]'
else
    is drawn '[ "$(sed -n 3p out.txt)" -ge 2 ]'
fi
browse run/report.html --no-script --dark --narrow --count 'figure svg' --count 'table'
is no_script "[ $? = 0 ] && [ \"\$(sed -n 1p out.txt)\" -ge 2 ] && [ \"\$(sed -n 2p out.txt)\" -ge 5 ]"
browse both.html --script '(document.querySelectorAll("details").forEach((d) => { d.open = true; }), 1)' --count 'h2'
is compared_browser "[ $? = 0 ]"
# nothing is wider than the window, nor has a scroll bar of its own, with what may differ between runs
sed 's/"seed":"1"/"seed":"7"/; s/"policy":"mcgs"/"policy":"random"/; s/"coders":\["poly"\]/"coders":["poly","llm"]/' run/journal.jsonl >other.jsonl
"$B/regraph-report" run other.jsonl -o differ.html >out.txt 2>err.txt
for width in 1280 800; do
    for page in differ run/report; do
        browse $page.html --width $width --script '[document.documentElement, ...document.querySelectorAll(".compare, .wide:has(.compare)")].every((e) => e.scrollWidth <= e.clientWidth + 1 || e.tagName == "TABLE")'
        is fits_${page%/*}_$width "[ $? = 0 ] && [ \"\$(cat out.txt)\" = true ]"
    done
done
browse suite/report.html --script 'document.querySelector("th.n").click()' --text 'tbody tr:last-child td'
is suite_browser "[ $? = 0 ]"
# live: the page that is open shows more by itself, and in the end that the search has ended
"$B/regraph-search" "$R/examples/sgemm.c" --evals 0 --patience 0 --time 200 --device sim:h200 --no-learn --out live >live.txt 2>&1 </dev/null &
pid=$!
for ((i = 0; i < 300; i++)); do grep -qs 'data-state="running"' live/report.html && break; sleep 0.2; done
browse live/report.html --wait '[data-state=running]' --changes .state --touch changed --wait '[data-state=finished]' &
watcher=$!
while [ ! -e changed ] && kill -0 $watcher 2>/dev/null; do sleep 0.2; done
kill -INT $pid
is live '[ -e changed ]'
wait $watcher; code=$?
wait $pid
is live_end "[ $code = 0 ]"
exit $rc
