#!/usr/bin/env bash
# PolyBench/C 4.2.1 LARGE (fp32; the L2 as the run before left it) through a search each on a GPU: what the built-in coder reaches, as one table.
#   bench/polybench_gpu.sh [NAME...]     programs from $BIN (.bundle where it is there, else build); SECONDS_EACH (12), EVALS (60), DEVICE (cuda:0)
# Table and the files of every search under $OUT (default build/bench-polybench). With PEERS=FILE (a peers/1 file) a column compares.
set -u
cd "$(dirname "$0")/.."
BIN=${BIN:-$( [ -d .bundle ] && echo .bundle || echo build )}
OUT=${OUT:-build/bench-polybench}
runs=$(mktemp -d); trap 'tar -C "$runs" -czf "$OUT/runs.tgz" . ; rm -rf "$runs"' EXIT
mkdir -p "$OUT"
declare -A size=(
    [2mm]="ni=800 nj=900 nk=1100 nl=1200" [3mm]="ni=800 nj=900 nk=1000 nl=1100 nm=1200" [adi]="tsteps=500 n=1000" [atax]="m=1900 n=2100"
    [bicg]="m=1900 n=2100" [cholesky]="n=2000" [correlation]="m=1200 n=1400" [covariance]="m=1200 n=1400" [deriche]="w=4096 h=2160"
    [doitgen]="nq=140 nr=150 np=160" [durbin]="n=2000" [fdtd-2d]="tmax=500 nx=1000 ny=1200" [floyd-warshall]="n=2800" [gemm]="ni=1000 nj=1100 nk=1200"
    [gemver]="n=2000" [gesummv]="n=1300" [gramschmidt]="m=1000 n=1200" [heat-3d]="tsteps=500 n=120" [jacobi-1d]="tsteps=500 n=2000"
    [jacobi-2d]="tsteps=500 n=1300" [lu]="n=2000" [ludcmp]="n=2000" [mvt]="n=2000" [nussinov]="n=2500" [seidel-2d]="tsteps=500 n=2000"
    [symm]="m=1000 n=1200" [syr2k]="m=1000 n=1200" [syrk]="m=1000 n=1200" [trisolv]="n=2000" [trmm]="m=1000 n=1200")
names=${*:-$(printf '%s\n' "${!size[@]}" | sort)}
nvidia-smi --query-gpu=name,driver_version,clocks.sm --format=csv,noheader 2>/dev/null | tee "$OUT/machine.txt"
row() { # name, json, exit code, error file
    python3 - "$@" <<'P'
import json, os, sys
n, f, rc, err = sys.argv[1:]
peer = {}
if os.environ.get("PEERS"): peer = json.load(open(os.environ["PEERS"]))["kernels"].get(n, {})
try: j = json.load(open(f))
except Exception: print("| %s | exit %s: %s |" % (n, rc, open(err).read().strip()[-150:].replace("\n", " "))); raise SystemExit
b, s, p = j["best"], j["seconds"], peer.get("ppcg_best_ms")
bad = {k: v for k, v in j["outcomes"].items() if v and k not in ("ok", "suspect")}
if not b: print("| %s | nothing verified: %s |" % (n, j["outcomes"])); raise SystemExit
print("| %s | %.4f | %s | %s | %s | %d | %.1f | %s | %s |" % (n, b["kernel_ms"], "%.4f" % j["naive_ms"] if j["naive_ms"] else "-", "%.4f" % p if p else "-", "%.2f" % (p / b["kernel_ms"]) if p else "-",
      j["evaluations"], s["total"], bad or "", ", ".join(x["step"] + "@" + x["site"] for x in b["steps"])))
P
}
printf '| kernel | best ms | naive ms | ppcg best ms | times faster | evals | s | outcomes not ok | steps |\n|---|---|---|---|---|---|---|---|---|\n' | tee "$OUT/polybench.md"
for n in $names; do
    timeout $((${SECONDS_EACH:-12} * 3 + 30)) "$BIN/regraph-search" "examples/polybench/$n.c" --cflags "-DDATA_TYPE=float" --size "${size[$n]// /,}" --cache hot --device "${DEVICE:-cuda:0}" --no-learn --force --evals "${EVALS:-60}" \
        --time "${SECONDS_EACH:-12}s" --out "$runs/$n" --json >"$runs/$n.json" 2>"$runs/$n.err" </dev/null
    row "$n" "$runs/$n.json" $? "$runs/$n.err" | tee -a "$OUT/polybench.md"
done
