#!/usr/bin/env python3
"""The headline figures: what a default search reaches on problems of all classes on one GPU, in at most six minutes.

  bench/headlines/headlines.py [--only REGEX] [--seeds 1,2] [--device cuda:0] [--args '...'] [--last FILE] [--out FILE] [--keep DIR]

Every problem is searched once a seed with default options and a time limit. The mean over two seeds is compared with the last figures of the
same kind of GPU (bench/headlines.json, latest kind first) and with what a peer takes: vendor libraries on this GPU where PyTorch is there
(peers.py), PPCG as it was on an H200. Exit 1 where a kernel is more than 3 % slower than it was, or none verified where one did.
Programs are taken from $BIN, else .bundle where it is there, else build. Columns, units and how peers were measured: bench/RESULTS.md.
"""
import argparse, datetime, hashlib, json, os, re, shlex, statistics, subprocess, sys, tempfile, time

TREE = "base ir engine regraph frontend poly runtime llm include graphs cmd".split()
FALL = 1.03  # a kernel that takes more than this times what it took is a regression
FLOAT = "--cflags -DDATA_TYPE=float --cache hot"  # PolyBench: as its peer was measured

# name, seconds, arguments, peer that peers.py does not measure (what, ms)
PROBLEMS = [
    ("sgemm-1024", 8, "examples/sgemm.c --size n=1024", None),
    ("sgemm-2048", 10, "examples/sgemm.c --size n=2048", None),
    ("sgemm-4096", 15, "examples/sgemm.c --size n=4096", None),
    ("softmax-8192x1024", 6, "examples/softmax.c --size rows=8192,cols=1024", None),
    ("softmax-262144x1024", 9, "examples/softmax.c --size rows=262144,cols=1024", None),
    ("transpose-8192", 6, "examples/transpose.c --size rows=8192,cols=8192", None),
    ("saxpy-2^24", 4, "examples/saxpy.c --size n=16777216", None),
    ("dot-2^27", 8, "examples/dot.c --size n=134217728", None),
    ("gemv", 5, "examples/gemv.c", None),
    ("spmv", 5, "examples/spmv.c", None),
    ("conv2d-2048", 5, "examples/conv2d.c --size height=2048,width=2048", None),
    ("nbody", 5, "examples/nbody.c", None),
    ("rmsnorm-8192x1024", 5, "examples/rmsnorm.c", None),
    ("scan-2^24", 5, "bench/headlines/scan.c --size n=16777216", None),
    ("jacobi-2d", 9, f"examples/polybench/jacobi-2d.c {FLOAT} --size tsteps=500,n=1300", ("PPCG on an H200", 5.83)),
    ("heat-3d", 10, f"examples/polybench/heat-3d.c {FLOAT} --size tsteps=500,n=120", ("PPCG on an H200", 5.907)),
    ("fdtd-2d", 9, f"examples/polybench/fdtd-2d.c {FLOAT} --size tmax=500,nx=1000,ny=1200", ("PPCG on an H200", 7.402)),
    ("lu", 12, f"examples/polybench/lu.c {FLOAT} --size n=2000", ("PPCG on an H200", 46.3)),
    ("correlation", 7, f"examples/polybench/correlation.c {FLOAT} --size m=1200,n=1400", ("PPCG on an H200", 0.4774)),
    ("whole-sobel", 5, "tests/whole/sobel_u8.c --function edge_detect --size width=4096,height=4096", None),
    ("whole-acoustic", 9, "tests/whole/acoustic.c --function propagate --size s.nx=1024,s.nz=1024,s.nt=200 --input vel=uniform(0.1,1)", None),
    ("whole-kmeans", 6, "tests/whole/kmeans.c --function kmeans --size n=200000,max_iter=5", None),
    ("model-bfs", 6, "examples/bfs.c --coder llm --llm-model scripted --policy refine --llm-tries 8 MODEL=tests/llm/bfs", None),
    ("sgemm-1024-taught", 6, "examples/sgemm.c --size n=1024 TAUGHT=sgemm-1024", None),
]


def tree_hash(binaries):
    bundled = os.path.join(binaries, "tree")  # a bundle says what it was built of, wherever it runs
    if os.path.exists(bundled):
        with open(bundled) as f: return f.read().strip()
    text = subprocess.run(["git", "ls-tree", "-r", "HEAD", "--", *TREE], check=True, capture_output=True).stdout
    return hashlib.sha256(text).hexdigest()[:16]


class Bench:
    def __init__(self, o, work):
        self.o, self.work = o, work
        self.bin = os.environ.get("BIN") or (".bundle" if os.path.isdir(".bundle") else "build")
        self.graph = os.path.join(work, "taught.json")

    def search(self, name, seconds, text, seed):
        words, model, taught = [], None, None
        for w in shlex.split(text):
            if w.startswith("MODEL="): model = w[6:]
            elif w.startswith("TAUGHT="): taught = w[7:]
            else: words.append(w)
        run = [f"{self.bin}/regraph-search", *words, "--device", self.o.device, "--time", f"{seconds}s", "--seed", str(seed),
               "--json", "--force", "--out", f"{self.work}/{name}-{seed}"] + shlex.split(self.o.args)
        graph = self.graph + f".{taught or name}.{seed}"
        if taught:
            run += ["--graph", graph, "--no-learn"]
        elif any(f"TAUGHT={name}" in p[2] for p in PROBLEMS):  # the graph of a later problem
            with open("graphs/cuda.json") as f, open(graph, "w") as g: g.write(f.read())
            run += ["--graph", graph]
        else:
            run += ["--graph", "graphs/cuda.json", "--no-learn"]
        if model:
            serve = f"{self.bin}/make_record" if os.path.exists(f"{self.bin}/make_record") else f"{self.bin}/tests/llm/make_record"
            run = [serve, model, f"{self.work}/{name}-{seed}.record", "scripted"] + run
        began = time.monotonic()
        p = subprocess.run(run, capture_output=True, text=True, timeout=3 * seconds + 60, stdin=subprocess.DEVNULL)
        took = time.monotonic() - began
        try:
            j = json.loads(p.stdout)
        except ValueError:
            j = None
        if not j or not j.get("best"):
            lines = [x for x in p.stderr.strip().split("\n") if x] or ["no message"]
            return {"seed": seed, "kernel_ms": None, "seconds": round(took, 2), "why": f"exit {p.returncode}: {lines[-1][-300:]}"}
        b = j["best"]
        return {"seed": seed, "kernel_ms": b["kernel_ms"], "total_ms": b["total_ms"], "naive_ms": j["naive_ms"], "evaluations": j["evaluations"],
                "seconds": round(took, 2), "not_ok": {k: v for k, v in j["outcomes"].items() if v and k != "ok"},
                "chain": ", ".join(f"{x['step']}@{x['site']}" for x in b["steps"]), "device": j["device"]}


def summary(name, seconds, peer, runs, last):
    good = [r for r in runs if r["kernel_ms"]]
    out = {"time_limit_s": seconds, "kernel_ms": None}
    if len(good) == len(runs):
        mid = lambda k: statistics.median(r[k] for r in good)
        out.update(kernel_ms=float(f"{mid('kernel_ms'):.5g}"), total_ms=mid("total_ms") if all(r["total_ms"] for r in good) else None,
                   naive_ms=mid("naive_ms") if all(r["naive_ms"] for r in good) else None,
                   evaluations=mid("evaluations"), seconds=round(mid("seconds"), 2), evaluations_per_s=round(mid("evaluations") / mid("seconds"), 2),
                   over_time=round(max(r["seconds"] for r in good) / seconds, 3), chain=min(good, key=lambda r: r["kernel_ms"])["chain"],
                   kernel_ms_by_seed=[r["kernel_ms"] for r in good])
        for k in ("total_ms", "naive_ms"):
            if out[k]: out[k] = float(f"{out[k]:.5g}")
        before = last.get("problems", {}).get(name, {}).get("kernel_ms")
        out["of_last"] = round(out["kernel_ms"] / before, 4) if before else None
        if peer: out["peer"], out["peer_ms"], out["of_peer"] = peer[0], peer[1], round(out["kernel_ms"] / peer[1], 3)
    else:
        out["why"] = [r["why"] for r in runs if not r["kernel_ms"]]
    return out


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    a.add_argument("--only", default="")
    a.add_argument("--seeds", default="1,2")
    a.add_argument("--device", default="cuda:0")
    a.add_argument("--args", default="", help="further options of every search")
    a.add_argument("--last", default="bench/headlines.json")
    a.add_argument("--out", default="bench/headlines.json")
    a.add_argument("--keep", help="a folder for what every search wrote")
    o = a.parse_args()
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
    known = json.load(open(o.last))["devices"] if os.path.exists(o.last) else {}
    began, bad, problems, device, last = time.monotonic(), [], {}, None, {}
    beside = json.loads(subprocess.run([sys.executable, "bench/headlines/peers.py"], check=True, capture_output=True, text=True).stdout)
    with tempfile.TemporaryDirectory() as tmp:
        os.environ["XDG_DATA_HOME"], os.environ["XDG_CACHE_HOME"] = tmp + "/data", tmp + "/cache"  # nothing of earlier runs
        bench = Bench(o, o.keep or tmp)
        os.makedirs(bench.work, exist_ok=True)
        for name, seconds, text, peer in PROBLEMS:
            if not re.search(o.only, name): continue
            runs = [bench.search(name, seconds, text, int(s)) for s in o.seeds.split(",")]
            if not device:
                device = next((r["device"].partition(" ")[2] for r in runs if r.get("device")), None)
                last = known.get(device, {})
            s = problems[name] = summary(name, seconds, beside.get(name, peer), runs, last)
            had = last.get("problems", {}).get(name, {}).get("kernel_ms")
            if (had and not s["kernel_ms"]) or (s.get("of_last") or 0) > FALL: bad.append(name)
            said = "; ".join(s["why"]) if not s["kernel_ms"] else (
                f"{s['kernel_ms']:9.4g} ms  of last {s['of_last'] or '-':<6}  of peer {s.get('of_peer', '-'):<6}  {s['evaluations']:5.0f} evaluations "
                f"{s['evaluations_per_s']:5.1f}/s  time {s['over_time']:.2f}  {s['kernel_ms_by_seed']}  {s['chain']}")
            print(f"{time.monotonic() - began:5.0f}s {name:20} {said}", flush=True)
        tree = tree_hash(bench.bin)
    this = {"tree": tree, "date": datetime.date.today().isoformat(), "seeds": o.seeds, "options": o.args, "seconds": round(time.monotonic() - began), "problems": problems}
    doc = {"schema": "headlines/2", "devices": {device: this, **{k: v for k, v in known.items() if k != device}}}
    with open(o.out, "w") as f:
        json.dump(doc, f, indent=1)
        f.write("\n")
    if bad: print("slower than before, or nothing verified any more: " + ", ".join(bad))
    return 1 if bad else 0


sys.exit(main())
