#!/usr/bin/env bash
# How long requests are, on programs of up to 60 lines: at most 3000 tokens (3.5 bytes each) beside the code of a version that is shown, which another coder's version
# is up to 4 kB - at the start with sizes of the user's own, with a version, with facts and what was tried after ten evaluations, with failed attempts, on repairs;
# and with a small context at most that.
# test-deadline: 300
set -u
command -v python3 >/dev/null || { echo "skip length (no python3)"; exit 0; }
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
unset OPENAI_API_KEY
bad=0
say() { if [ "$1" -eq 0 ]; then echo "ok $2"; else echo "not ok $2: $3"; bad=1; fi; }
mkdir "$W/rules"
cat >"$W/rules/broken.txt" <<'R'
```cuda
__global__ void broken(const float *in, float *out, int n)
{
    __shared__ float tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) tile[threadIdx.x] += tile[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) undeclared[blockIdx.x] = tile[0];
}
```
```plan
broken<<<ceil_div(nothing, 256), 256>>>(in, out, n);
```
R
{ echo 'Shared memory and fewer barriers are what I would look at first here, as follows.'; sed -n '/cuda/,/^}/p' "$W/rules/broken.txt"; echo '// ... the rest as before'; echo '```'; } >"$W/rules/elided.txt"
printf 'REFUSED: it makes no sense here.\n' >"$W/rules/decline.txt"
printf 'coalesce * elided.txt\nunroll * elided.txt\nwrite * broken.txt\nimprove * broken.txt\nparallelize * broken.txt\nreadonly * broken.txt\n* * decline.txt\n' >"$W/rules/rules"
cat >"$W/lengths.py" <<'P'
import collections, json, re, sys
TOKEN, MOST = 3.5, 3000
parts, rows, seen = {}, [], collections.Counter()
for line in open(sys.argv[1]):
    o = json.loads(line)
    if "part" in o:
        parts[o["part"]] = o["text"]
    if "key" not in o:
        continue
    by = collections.Counter()
    text = ""
    for m in o["messages"]:
        for p in m["parts"]:
            name, h = p.split(":")
            by[name] += len(parts[h])
            text += parts[h] if name in ("current", "root") else ""
    shown = re.search(r"(?:current verified version, which|A version that works).*?```cuda\n(.*?)```", text, re.S)
    version = len(shown.group(1)) if shown else 0
    rows.append((sum(by.values()), version, o["about"]["step"], dict(by)))
    seen["attempts"] += "attempts" in by
    seen["repairs"] += o["about"]["round"] > 0
    seen["versions"] += version > 0
    seen["tried"] += "Tried here" in text
    seen["starts"] += "A version that works" in text  # at the root, beside the C
limit = int(sys.argv[2])
for n, version, step, by in rows:
    if limit and n > limit:
        print(f"{step}: {n} bytes, of {limit}: {by}")
    if not limit and (n - version) / TOKEN > MOST:
        print(f"{step}: {(n - version) / TOKEN:.0f} tokens beside the version of {version} bytes: {by}")
    if not limit and version > 4096:
        print(f"{step}: a version of {version} bytes is shown")
rows.sort(key=lambda r: -r[0])
print(f"# {len(rows)} requests, {rows[len(rows) // 2][0] / TOKEN:.0f} tokens, at most {rows[0][0] / TOKEN:.0f}; "
      f"beside a version at most {max(r[0] - r[1] for r in rows) / TOKEN:.0f}", file=sys.stderr)
print(" ".join(f"{k}={seen[k]}" for k in ("attempts", "repairs", "versions", "tried", "starts")), file=open(sys.argv[1] + ".seen", "w"))
P
play() { # name, C file, limit in bytes (0: none), options
    n=$1; c=$2; limit=$3; shift 3
    timeout 90 "$BUILD/tests/llm/make_record" "$W/rules" "$W/$n.record" x "$BUILD/regraph-search" "$c" --llm-model x --device sim:h200 \
        --graph graphs/cuda.json --no-learn --no-report --evals 10 --max-calls 24 --time 60s --out "$W/$n.out" "$@" >/dev/null 2>"$W/$n.err" </dev/null
    if ! grep -q '"key"' "$W/$n.record"; then say 1 "$n" "$(tail -n 1 "$W/$n.err")"; return; fi
    long=$(python3 "$W/lengths.py" "$W/$n.record" "$limit" 2>"$W/$n.sum"); [ -z "$long" ]; say $? "$n" "$(echo "$long" | head -n 2 | tr '\n' ' ')"
    [ -z "${VERBOSE:-}" ] || echo "# $n $(cat "$W/$n.sum")"
}
for n in bfs softmax sgemm spmv conv2d nbody; do FILES="${FILES:-} examples/$n.c"; done
for n in bilateral cg fft_complex floyd_next hough_votes knapsack life_char; do FILES="$FILES tests/whole/$n.c"; done
for f in ${ONLY_FILES:-$FILES}; do play "$(basename "$f" .c)" "$f" 0; done
play bfs-sized examples/bfs.c 0 --size n=20000,m=160000,source=3 --size n=7,m=20,source=1 --size n=1009,m=4000,source=9
play bfs-alone examples/bfs.c 0 --coder llm
# 2048 of the 8192 are for the reply
play bfs-small examples/bfs.c $((6144 * 3)) --llm-context 8192
play sgemm-small examples/sgemm.c $((6144 * 3)) --llm-context 8192
for k in attempts repairs versions tried starts; do grep -qs "$k=[1-9]" "$W"/*.seen; say $? "saw-$k" "no request with $k"; done
exit $bad
