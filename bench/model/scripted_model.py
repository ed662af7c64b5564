#!/usr/bin/env python3
"""What a search makes of models of three strengths that are none (model.py): wasted calls, solved, speed-up by calls.

  scripted_model.py run REGRAPH-SEARCH OUT [PROBLEM.c ...]   searches, a file each in OUT/rows; what is there is kept
  scripted_model.py table OUT                                the tables of those rows
  scripted_model.py shares OUT                               what became of the calls

Without problems the twelve of PROBLEMS. With --seconds S no search is begun after S seconds, and the exit code is 3
while there is more to do: bench/model/proof.sh runs it so, in the background.
"""
import argparse, glob, json, os, shutil, subprocess, sys, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from measure import measure
from model import STRENGTHS, Model, Reader, load_pool, serve
from tables import shares, table

# class, file, options, folder of replies written by hand that are part of the pool
PROBLEMS = [
    ("contraction", "examples/sgemm.c", [], None),
    ("relaxation", "examples/bfs.c", [], "tests/llm/bfs"),
    ("rowwise", "examples/softmax.c", [], None),
    ("sparse", "tests/llm/solved/spmv/spmv.c", [], "tests/llm/solved/spmv"),
    ("dynamic-programming", "tests/llm/solved/align/align.c", [], "tests/llm/solved/align"),
    ("scatter", "tests/llm/solved/histogram/histogram.c", [], "tests/llm/solved/histogram"),
    ("stencil", "examples/jacobi2d.c", [], None),
    ("allpairs", "examples/nbody.c", [], None),
    ("transpose", "examples/transpose.c", [], None),
    ("reduction", "examples/gemv.c", [], None),
    ("scan", "bench/headlines/scan.c", ["--size", "n=1048576", "--size", "n=1009"], None),
    ("elementwise", "examples/blackscholes.c", [], None),
]
FREE = ["--graph", "graphs/free.json"]
HOW = {"one-shot": FREE + ["--apply", "write"],
       "best-of-n": FREE + ["--forbid", "improve", "--policy", "best-of-n"],
       "mcgs-2": ["--policy", "mcgs", "--llm-samples", "2"]}  # two answers a request
CONFIGS = ["llm:mcgs", "both:mcgs", "both:mcgs-2", "llm:refine", "both:refine", "llm:best-of-n", "both:best-of-n",
           "llm:one-shot", "both:one-shot"]


def environment(out):
    env = {k: v for k, v in os.environ.items() if k not in ("OPENAI_API_KEY", "http_proxy", "https_proxy")}
    env["XDG_DATA_HOME"] = os.path.join(out, "data")
    return env


def search(o, problem, out, extra, limit=900):
    _, file, options, _ = problem
    shutil.rmtree(out, ignore_errors=True)
    graph = [] if "--graph" in extra else ["--graph", "graphs/cuda.json"]
    r = subprocess.run([o.program, file, "--device", "sim:h200", "--no-learn", "--no-report", "--out", out] + options
                       + extra + graph, env=o.env, timeout=limit, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.PIPE, text=True)
    if r.returncode not in (0, 1, 6):
        sys.exit(f"{file}: exit {r.returncode}: {r.stderr[-400:]}")


def asking(o, problem, out, model, name, calls, extra):
    server = serve(model)
    try:
        search(o, problem, out, ["--llm-model", name, "--llm-url", f"http://127.0.0.1:{server.server_address[1]}/v1",
                                 "--llm-in-flight", str(o.in_flight), "--max-calls", str(calls)] + extra)
    finally:
        server.shutdown()


def name_of(problem):
    return os.path.splitext(os.path.basename(problem[1]))[0]


def pool_of(o, problem):
    """The built-in coder's kernels, and those that were written by hand; made once."""
    folder, by_hand = os.path.join(o.out, "pool", name_of(problem)), problem[3]
    if not os.path.exists(os.path.join(folder, "done")):
        search(o, problem, folder + "/poly", ["--coder", "poly", "--evals", str(2 * o.evals)])
        texts = [open(f).read() for f in sorted(glob.glob(os.path.join(by_hand, "*.txt")))] if by_hand else []
        texts = [t for t in texts if "```plan" in t]
        if texts:
            n = str(len(texts))
            asking(o, problem, folder + "/hand", Reader(texts), "by-hand", n, HOW["best-of-n"]
                   + ["--coder", "llm", "--llm-tries", n, "--evals", n, "--patience", "0", "--set", f"samples={n}"])
        open(os.path.join(folder, "done"), "w").close()
    pool = load_pool(folder + "/poly")
    if os.path.exists(folder + "/hand/journal.jsonl"):
        pool = sorted(pool + load_pool(folder + "/hand", "write"), key=lambda k: k["time"])
    return pool


def cells(o, problems):
    """Every search that there is to make, what matters most first."""
    seeds = range(1, o.seeds + 1)
    wanted = o.configs.split(",")
    for some in (wanted[:3], wanted[3:]):
        for p in problems:
            if some is not wanted[3:]:
                yield p, "-", "poly:mcgs", 1
            for config in some:
                for strength in o.strengths.split(","):
                    for seed in seeds:
                        yield p, strength, config, seed


def one(o, problem, strength, config, seed):
    coder, policy = config.split(":")
    name = name_of(problem)
    out = os.path.join(o.out, "runs", f"{name}-{strength}-{coder}-{policy}-{seed}")
    common = ["--coder", coder, "--seed", str(seed), "--evals", str(o.evals)]
    began, model = time.time(), None
    if coder == "poly":
        search(o, problem, out, common)
    else:
        model = Model(pool_of(o, problem), strength, f"{strength} {name} {seed}")
        how = HOW.get(policy, ["--policy", policy]) + (["--llm-tries", str(o.calls)] if policy == "best-of-n" else [])
        asking(o, problem, out, model, strength, 1 if policy == "one-shot" else o.calls, common + how)
    row = dict(problem=name, klass=problem[0], strength=strength, coder=coder, policy=policy, seed=seed,
               seconds=round(time.time() - began, 1), commit=o.commit, repeated=model.repeats if model else 0,
               tokens=max(model.tokens, default=0) if model else 0,
               **measure(out, model.log if model else {}, o.evals))
    if not o.keep:
        shutil.rmtree(out)
    return row


def run(o, problems):
    os.makedirs(os.path.join(o.out, "rows"), exist_ok=True)
    began, todo = time.time(), 0
    for problem, strength, config, seed in cells(o, problems):
        path = os.path.join(o.out, "rows", f"{name_of(problem)}-{strength}-{config.replace(':', '-')}-{seed}.json")
        if os.path.exists(path):
            continue
        if o.seconds and time.time() - began > o.seconds:
            todo += 1
            continue
        row = one(o, problem, strength, config, seed)
        with open(path + ".new", "w") as f:
            json.dump(row, f)
        os.rename(path + ".new", path)
        print(json.dumps(row), flush=True)
    if todo:
        print(f"{todo} searches are left", flush=True)
    return 3 if todo else 0


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    p.add_argument("verb", choices=["run", "table", "shares"])
    p.add_argument("args", nargs="+")
    p.add_argument("--evals", type=int, default=30)
    p.add_argument("--calls", type=int, default=40)
    p.add_argument("--seeds", type=int, default=1)
    p.add_argument("--seconds", type=float, default=0)
    p.add_argument("--in-flight", type=int, default=4, help="requests at once; 1: their order is the search's alone")
    p.add_argument("--strengths", default=",".join(STRENGTHS))
    p.add_argument("--configs", default=",".join(CONFIGS))
    p.add_argument("--commit", default="")
    p.add_argument("--keep", action="store_true", help="the searches' folders")
    o = p.parse_intermixed_args()
    if o.verb != "run":
        return {"table": table, "shares": shares}[o.verb](o.args[0])
    o.program, o.out, files = o.args[0], os.path.abspath(o.args[1]), o.args[2:]
    o.env = environment(o.out)
    known = {p[1]: p for p in PROBLEMS}
    return run(o, [known.get(f, ("", f, [], None)) for f in files] or PROBLEMS)


if __name__ == "__main__":
    sys.exit(main())
