#!/usr/bin/env bash
# What operations on graphs take: `show` on the shipped graph, and all of them on one of 10^4 steps and 10^5 edges with 4 x 10^4 rows of evidence.
# Seconds of wall clock and of CPU, the best of three runs (shipped) or of one (large). BIN=build bench/graph.sh
set -eu
cd "$(dirname "$0")/.."
G=$(realpath "${BIN:-build}/regraph-graph"); shipped=$PWD/graphs/cuda.json
T=$(mktemp -d); trap 'rm -rf "$T"' EXIT
cd "$T"
python3 - <<'END'
import json, random
random.seed(1)
N, M = 10000, 100000
cats = "parallelism locality memory compute control communication launch algorithm precision tuning".split()
steps = [{"id": "s%05d" % i, "title": "Step %d" % i, "category": cats[i % 10], "once": "site", "hint": "h", "source": "x"} for i in range(N)]
ends = set()
while len(ends) < M - N: ends.add((random.randrange(N), random.randrange(N)))
edges = [{"from": "s%05d" % a, "to": "s%05d" % b, "prior": round(random.random(), 3), "confidence": random.randrange(9)} for a, b in sorted(ends)]
edges += [{"from": "@start", "to": "s%05d" % i, "prior": 0.5} for i in range(N)]
for e in edges[:20000]:
    e["evidence"] = [{"device": "sm_90", "class": "stencil", "coder": "poly", "run": "r%d" % k, "n": 2, "ok": 1, "sum": 100, "sumsq": 1, "max": 100} for k in range(2)]
json.dump({"format": "regraph/1", "name": "large", "steps": steps, "edges": edges}, open("large.json", "w"))
for e in edges[:M // 2]: # half of it otherwise
    e["prior"] = round(random.random(), 3)
    e["evidence"] = [{"device": "sm_80", "class": "stencil", "coder": "poly", "run": "q", "n": 2, "ok": 1, "sum": 100, "sumsq": 1, "max": 100}]
json.dump({"format": "regraph/1", "name": "half", "steps": steps, "edges": edges}, open("half.json", "w"))
END
cp large.json other.json
# times RUNS WORDS...: wall and CPU seconds of `regraph-graph WORDS`
times() {
    runs=$1; shift
    python3 - "$runs" "$G" "$@" <<'END'
import resource, subprocess, sys, time
runs, command = int(sys.argv[1]), sys.argv[2:]
best = (1e9, 1e9)
for _ in range(runs):
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    best = min(best, (time.perf_counter() - begun, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
print("| %s | %.3f | %.3f |" % (" ".join(w.split("/")[-1] for w in command[1:]), *best))
END
}
echo '| regraph-graph | s | CPU s |'; echo '|---|---|---|'
times 3 show "$shipped"; times 3 show "$shipped" tile.shared; times 3 show "$shipped" --json; times 3 path "$shipped" @start unroll; times 3 export "$shipped" -o c.svg
times 1 check large.json; times 1 merge large.json other.json -o merged.json; times 1 merge other.json half.json; times 1 set large.json @start s00001 -p 0.7; times 1 export large.json -f json -o l.json
times 1 export large.json -f graphml -o l.graphml; times 1 import back.json l.graphml; times 1 import other.json l.graphml; times 1 export large.json -f csv -o l.csv; times 1 import large.json l.csv
times 1 export large.json -f svg -o l.svg; times 1 path large.json @start s00777; times 1 compact large.json -o k.json
