#!/usr/bin/env bash
# regraph-graph serve: who is answered and who is not, then the editor's page in headless Chromium.
# test-deadline: 180
set -u
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
export G=$BUILD/regraph-graph REGRAPH_AUTHOR=Ada
ROOT=$PWD
T=$(mktemp -d)
pids=
trap 'for p in $pids; do kill "$p" 2>/dev/null; done; rm -rf "$T"' EXIT
cd "$T" || exit 1
bad=0
t() { if eval "$2" >out.log 2>&1; then echo "ok editor.$1"; else echo "not ok editor.$1: $2"; sed 's/^/    /' out.log | head -5; bad=1; fi; }

cp "$ROOT/graphs/cuda.json" g.json
python3 - <<'END' # evidence as a run leaves it; and a large graph
import json, random
g = json.load(open("g.json"))
e = next(e for e in g["edges"] if e["from"] == "parallelize" and e["to"] == "vectorize")
e["evidence"] = [{"device": "sim:h200", "class": "elementwise", "coder": "poly", "run": "7e010e0836cf767e", "date": "2026-11-23", "machine": "node7",
                  "n": 1, "ok": 1, "sum": 205318, "sumsq": 42155, "max": 205318, "lead": 1, "tuned": {"W": {"4": 1}}}]
json.dump(g, open("g.json", "w"))
random.seed(1)
cats = "parallelism locality memory compute control communication launch algorithm precision tuning".split()
steps = [{"id": "s%04d" % i, "title": "Step %d" % i, "category": cats[i % 10], "once": "site"} for i in range(1000)]
ends = set()
while len(ends) < 9990: ends.add((random.randrange(1000), random.randrange(1000)))
edges = [{"from": "s%04d" % a, "to": "s%04d" % b, "prior": round(random.random(), 2)} for a, b in ends]
edges += [{"from": "@start", "to": "s%04d" % i, "prior": 0.5} for i in range(10)]
json.dump({"format": "regraph/1", "name": "large", "steps": steps, "edges": edges}, open("large.json", "w"))
END
$G set g.json coalesce tile.shared --prior 0.65 --confidence 8 >/dev/null # canonical form
serve() { # GRAPH URLFILE
    "$G" serve "$1" >"$2" 2>"$2.log" &
    pids="$pids $!"; last=$!
    for _ in $(seq 100); do [ -s "$2" ] && return; kill -0 $! 2>/dev/null || return; sleep 0.1; done
}
serve g.json url; first=$last
if [ ! -s url ]; then
    if grep -q "built without" url.log; then echo "skip editor ($(sed 's/.*: this program was //' url.log))"; exit 0; fi
    echo "not ok editor.serve: $(cat url.log)"; exit 1
fi
U=$(cat url); B=${U%%/\?*}; K=${U##*token=}; P=${B##*:}
if command -v curl >/dev/null; then
    ask() { curl -s -o reply -w '%{http_code}' --max-time 20 "$@"; }
    A="Authorization: Bearer $K"; J="Content-Type: application/json"
    R() { sha256sum g.json | cut -c 1-64; }
    t page '[ $(ask "$U") = 200 ] && grep -q "<main>" reply && curl -s -D - -o /dev/null "$U" | grep -qi "content-security-policy: default-src .none.; script-src .nonce-[0-9a-f]*."'
    t no_token '[ $(ask "$B/") = 403 ] && [ $(ask "$B/api/graph") = 403 ] && [ $(ask "$B/api/graph?token=$K") = 403 ] && [ $(ask -H "Authorization: Bearer ${K%?}" "$B/api/graph") = 403 ] && ! grep -q steps reply && [ $(ask -H "$A" "$B/api/graph") = 200 ] && grep -q "\"steps\"" reply'
    t other_host '[ $(ask -H "$A" -H "Host: evil.example:$P" "$B/api/graph") = 403 ] && [ $(ask -H "Host: evil.example" "$U") = 403 ] && [ $(ask -H "$A" -H "Host: localhost:$P" "$B/api/graph") = 200 ]'
    t other_origin '[ $(ask -H "$A" -H "Origin: http://evil.example" "$B/api/graph") = 403 ] && [ $(ask -H "$A" -H "Origin: null" -H "$J" -d "{}" "$B/api/edit") = 403 ] && [ $(ask -H "$A" -H "Sec-Fetch-Site: cross-site" "$B/api/graph") = 403 ] && [ $(ask -H "$A" -H "Origin: $B" "$B/api/graph") = 200 ]'
    t only_json 'before=$(R); [ $(ask -H "$A" -H "Content-Type: text/plain" -d "{\"revision\":\"$(R)\",\"edits\":[{\"op\":\"remove-step\",\"id\":\"unroll\"}]}" "$B/api/edit") = 415 ] && [ $(ask -H "$A" "$B/api/edit") = 405 ] && [ $(ask -X DELETE -H "$A" "$B/api/graph") = 405 ] && [ $(ask -H "$A" "$B/../etc/passwd") = 404 ] && [ $before = $(R) ]'
    t all_or_nothing 'before=$(R); [ $(ask -H "$A" -H "$J" -d "{\"revision\":\"$(R)\",\"edits\":[{\"op\":\"remove-step\",\"id\":\"unroll\"},{\"op\":\"set-edge\",\"from\":\"a\",\"to\":\"b\"}]}" "$B/api/edit") = 400 ] && grep -q "unknown step .a." reply && [ $before = $(R) ]'
    t conflict 'before=$(R); [ $(ask -H "$A" -H "$J" -d "{\"revision\":\"00\",\"edits\":[]}" "$B/api/edit") = 409 ] && [ $before = $(R) ]'
    t too_long 'head -c 17000000 /dev/zero >zeros; [ $(ask -H "$A" -H "$J" --data-binary @zeros "$B/api/edit") = 413 ]'
    t edit_and_undo 'before=$(R); [ $(ask -H "$A" -H "$J" -d "{\"revision\":\"$(R)\",\"edits\":[{\"op\":\"rename\",\"id\":\"unroll\",\"now\":\"lab.unroll\"},{\"op\":\"set-edge\",\"from\":\"coalesce\",\"to\":\"lab.unroll\",\"never\":true}]}" "$B/api/edit") = 200 ] && grep -q "$(R)" reply && $G log g.json | head -1 | grep -q "Ada  rename unroll lab.unroll; set-edge coalesce lab.unroll" && [ $(ask -H "$A" -H "$J" -d "{\"revision\":\"$(R)\"}" "$B/api/undo") = 200 ] && [ $before = $(R) ]'
    t loopback_alone 'a=$(hostname -I 2>/dev/null | cut -d" " -f1); [ -z "$a" ] || [ "$(ask --connect-timeout 2 "http://$a:$P/?token=$K")" = 000 ]'
else
    echo "skip editor.http (no curl)"
fi
cp g.json f.json; rm -rf g.json.history
chromium=; for c in chromium chromium-browser google-chrome; do command -v $c >/dev/null && chromium=$(command -v $c) && break; done
if [ -z "$chromium" ] || ! command -v node >/dev/null || [ ! -d "$ROOT/web/node_modules/playwright-core" ]; then
    echo "skip editor.browser (no Chromium, node or playwright-core)"
else
    serve large.json big
    timeout 150 node "$ROOT/tests/cmd/pages/editor.mjs" "$chromium" "$U" "$T/g.json" "${PICTURES:-$T}" "$(cat big)" || bad=1
fi
t ends_with_its_signal 'kill -INT $first; wait $first'
exit $bad
