#!/usr/bin/env python3
"""A model of a stated strength, without a model: what a search makes of replies that are right so often, and wrong in such ways.

  scripted_model.py pool REGRAPH-SEARCH OUT PROBLEM.c ...   what the built-in coder finds for each: the kernels that replies are made of
  scripted_model.py run  REGRAPH-SEARCH OUT PROBLEM.c ...   searches over them, a row each into OUT/rows.jsonl
  scripted_model.py table OUT                               the tables of those rows

A reply is a kernel of the pool that fits the request - the step that was asked for, faster than the version shown - or, as often as the strength says, one
that was spoilt: it does not compile, does not fit its plan, computes something else, races, strays, is no code, or is what was there. Nothing is known of the
search. What is random comes of the request's text and the seed: a run repeats.
"""
import argparse, collections, gzip, hashlib, http.server, json, math, os, random, re, subprocess, sys, threading

# right: share of replies that are; taste: the share of the pool, from its best end, that it draws from; refuses: declines where it has nothing for the step
STRENGTHS = {"frontier": dict(right=0.80, taste=0.4, refuses=0.05), "32b": dict(right=0.45, taste=0.7, refuses=0.10), "7b": dict(right=0.20, taste=1.0, refuses=0.15)}
MISTAKES = [("compile", 35), ("wrong", 25), ("plan", 15), ("race", 6), ("bounds", 4), ("form", 10), ("unchanged", 5)]
ONE_SHOT, BEST_OF_N = ["--graph", "graphs/free.json", "--apply", "write"], ["--graph", "graphs/free.json", "--forbid", "improve", "--policy", "best-of-n"]
CONFIGS = [("llm", "mcgs"), ("both", "mcgs"), ("llm", "refine"), ("llm", "best-of-n"), ("llm", "one-shot")]


def squeeze(code):
    code = re.sub(r"/\*.*?\*/|//[^\n]*", " ", code, flags=re.S)
    return re.sub(r"\s+", " ", code).strip()


def load_pool(folder):
    """Every verified source of a run of the built-in coder: with the step that made it and the version it came from."""
    sources, nodes, actions, pool = {}, {0: ""}, {}, []
    for line in gzip.open(os.path.join(folder, "sources.jsonl.gz"), "rt"):
        o = json.loads(line)
        sources[o["source"]] = o
    evals = collections.defaultdict(list)
    for line in open(os.path.join(folder, "journal.jsonl")):
        o = json.loads(line)
        if o["line"] == "action":
            actions[o["a"]] = o
        elif o["line"] in ("eval", "reused"):
            evals[o["a"]].append(o)
        elif o["line"] == "result":
            a, done = actions.get(o["a"], {}), [e for e in evals[o["a"]] if e.get("evaluation", e)["outcome"] == "ok" and e["source"] in sources]
            for e in done:
                s = sources[e["source"]]
                pool.append(dict(cuda=s["cuda"], plan=s["plan"], step=a.get("step"), parent=nodes.get(a.get("parent")), time=e.get("evaluation", e)["time_us"]))
            if done and o.get("node"):
                nodes[o["node"]] = squeeze(sources[min(done, key=lambda e: e.get("evaluation", e)["time_us"])["source"]]["cuda"])
    return sorted(pool, key=lambda k: k["time"])


def blocks(cuda, plan):
    return f"```cuda\n{cuda.rstrip()}\n```\n```plan\n{plan.rstrip()}\n```\n"


def spoil(kind, good, current, rnd):
    cuda, plan = good["cuda"], good["plan"]
    if kind == "wrong":
        places = [m for m in re.finditer(r"(?<=[\w\])]) ([+*]) (?=[\w(])", cuda) if cuda.find("__global__") < m.start()]
        if places:
            m = rnd.choice(places)
            return blocks(cuda[:m.start(1)] + "-" + cuda[m.end(1):], plan)
    if kind == "race" and "__syncthreads();" in cuda:
        return blocks(cuda.replace("__syncthreads();", ";"), plan)
    if kind == "race" and "atomicAdd(&" in cuda:
        return blocks(re.sub(r"atomicAdd\(&([^,]+), ([^;]+)\);", r"\1 += \2;", cuda), plan)
    if kind == "bounds":
        m = re.search(r"if \(\w+ < ", cuda)
        if m:
            return blocks(cuda[:m.end() - 2] + "<= " + cuda[m.end():], plan)
    if kind == "plan":
        return blocks(cuda, re.sub(r", \w+\);", ");", plan, count=1) if rnd.random() < 0.5 else re.sub(r"<<<", "<<<blocks_needed, ", plan, count=1))
    if kind == "form":
        return rnd.choice(["Use shared memory and fewer barriers; that is usually faster.\n", f"```cuda\n{cuda.rstrip()[:len(cuda) * 2 // 3]}\n",
                           f"```cpp\n{cuda}\nvoid launch() {{ cudaMalloc(&d, n); solve(d); }}\n```\n", f"```cuda\n{cuda[:60]}\n// ... existing code ...\n```\n```plan\n{plan}```\n"])
    if kind == "unchanged" and current:
        return blocks(*current)
    m = re.search(r"__global__[^{]*\{", cuda)
    return blocks(cuda[:m.end()] + " undeclared_name = 1;" + cuda[m.end():], plan) if m else "I cannot do that.\n"


class Model:
    def __init__(self, pool, strength, seed):
        self.pool, self.seed, self.log, self.asked, self.lock = pool, seed, {}, collections.Counter(), threading.Lock()
        self.repeats = 0  # requests that were made before, word for word
        self.__dict__.update(STRENGTHS[strength])

    def reply(self, messages):
        text = "\n".join(m["content"] for m in messages)
        with self.lock:
            self.asked[text] += 1
            rnd = random.Random(hashlib.sha256(f"{self.seed} {self.asked[text]} {text}".encode()).digest())
        user = next(m["content"] for m in messages if m["role"] == "user")
        step = re.search(r"# The step to apply: .*\((\S+)\)\n", user).group(1)
        shown = re.search(r"The current verified version.*?```cuda\n(.*?)```\n```plan\n(.*?)```", user, re.S)
        time = re.search(r"\nTime: ([0-9.e+-]+) us", user)
        faster = [k for k in self.pool if not time or k["time"] < 0.99 * float(time.group(1))]
        here = [k for k in self.pool if k["step"] == step and shown and k["parent"] == squeeze(shown.group(1))]
        others = [k for k in self.pool if not shown or squeeze(k["cuda"]) != squeeze(shown.group(1))]  # once nothing known is faster, something else
        fit = here or [k for k in faster if k["step"] == step] or ([] if rnd.random() < self.refuses else faster or others)
        if not fit:
            said, kind = "REFUSED: there is nothing to gain by this step here.\n", "refused"
        else:
            good = fit[int(rnd.random() * max(1, math.ceil(len(fit) * self.taste)))]
            kind = "right" if rnd.random() < self.right else rnd.choices([k for k, _ in MISTAKES], [w for _, w in MISTAKES])[0]
            said = blocks(good["cuda"], good["plan"]) if kind == "right" else spoil(kind, good, shown and shown.groups(), rnd)
        with self.lock:
            self.repeats += self.asked[text] > 1
            self.log[hashlib.sha256(said.encode()).hexdigest()] = kind
        return said, len(text) // 4


def serve(model):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            said, tokens = model.reply(json.loads(self.rfile.read(int(self.headers["Content-Length"])))["messages"])
            body = json.dumps({"choices": [{"message": {"role": "assistant", "content": said}, "finish_reason": "stop"}],
                               "usage": {"prompt_tokens": tokens, "completion_tokens": len(said) // 4}}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def search(program, file, out, extra, env, limit=600):
    subprocess.run(["rm", "-rf", out], check=True)
    r = subprocess.run([program, file, "--device", "sim:h200", "--no-learn", "--out", out] + extra + ([] if "--graph" in extra else ["--graph", "graphs/cuda.json"]), env=env, timeout=limit,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if r.returncode not in (0, 1, 6):
        sys.exit(f"{file}: exit {r.returncode}: {r.stderr[-400:]}")


def measure(out, log):
    """What became of each call. A call's reply is right or not as the model meant it; what became of it is the search's affair."""
    replies, answers, row, calls = {}, {}, collections.Counter(), 0
    best, at, naive, first = math.inf, {}, None, [0, 0]
    if os.path.exists(os.path.join(out, "llm.jsonl")):
        for line in open(os.path.join(out, "llm.jsonl")):
            o = json.loads(line)
            if "reply" in o and "key" in o:
                replies[o["key"]] = (log.get(hashlib.sha256(o["reply"]["text"].encode()).hexdigest(), "?"), o)
    outcome, requests, attempts, group = {}, {}, collections.Counter(), {}
    for line in open(os.path.join(out, "journal.jsonl")):
        o = json.loads(line)
        if o["line"] == "action":
            group[o["a"]] = (o.get("parent"), o.get("step"), o.get("site"))
        elif o["line"] == "answer" and o.get("request"):
            calls += 1
            requests[o["a"]] = o["request"]
            if o["kind"] != "template":
                outcome[o["a"]] = "declined" if o["kind"] == "refused" else "form"
        elif o["line"] in ("eval", "reused"):
            e = o.get("evaluation", o)
            outcome[o["a"]] = "ok" if "ok" in (outcome.get(o["a"]), e["outcome"]) else e["outcome"]
            if o["line"] == "reused" and outcome[o["a"]] == "ok":
                outcome[o["a"]] = "known"
            if e["outcome"] == "ok":
                best = min(best, e["time_us"])
        elif o["line"] == "naive":
            naive = o["time_us"]
        for n in (10, 20, 40):
            if calls <= n:
                at[n] = best
    for a, key in requests.items():
        kind, what = replies.get(key, ("?", None))[0], outcome.get(a, "none")
        g = group.get(a)
        attempts[g] += 1
        if attempts[g] == 1:
            first = [first[0] + (what in ("ok", "known")), first[1] + 1]
        row["calls"] += 1
        row["own errors"] += kind not in ("right", "refused", "?")
        row["declined"] += kind == "refused"
        row["known"] += kind == "right" and what == "known"
        row["lost"] += kind == "right" and what not in ("ok", "known", "pruned")
    row["calls"] = max(row["calls"], len(replies))
    return dict(row, best=best, naive=naive, at10=at.get(10, best), at20=at.get(20, best), at40=at.get(40, best), first=first)


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    p.add_argument("verb", choices=["pool", "run", "table"])
    p.add_argument("args", nargs="+")
    p.add_argument("--evals", type=int, default=40)
    p.add_argument("--calls", type=int, default=40)
    p.add_argument("--seeds", type=int, default=1)
    p.add_argument("--strengths", default=",".join(STRENGTHS))
    p.add_argument("--configs", default=",".join(f"{c}:{y}" for c, y in CONFIGS))
    o = p.parse_intermixed_args()
    if o.verb == "table":
        return table(o.args[0])
    program, out, files = o.args[0], o.args[1], o.args[2:]
    os.makedirs(out, exist_ok=True)
    env = {k: v for k, v in os.environ.items() if k not in ("OPENAI_API_KEY", "http_proxy", "https_proxy")}
    env["XDG_DATA_HOME"] = os.path.join(out, "data")
    for f in files:
        name = os.path.splitext(os.path.basename(f))[0]
        pool_dir = os.path.join(out, "pool", name)
        if o.verb == "pool":
            search(program, f, pool_dir, ["--coder", "poly", "--evals", str(2 * o.evals)], env)
            print(name, len(load_pool(pool_dir)), flush=True)
            continue
        pool = load_pool(pool_dir)
        with open(os.path.join(out, "rows.jsonl"), "a") as rows:
            def note(row):
                rows.write(json.dumps(row) + "\n")
                rows.flush()
                print(row, flush=True)
            d = os.path.join(out, "poly", name)
            search(program, f, d, ["--coder", "poly", "--evals", str(o.evals)], env)
            note(dict(problem=name, strength="-", coder="poly", policy="mcgs", seed=1, **measure(d, {})))
            for strength in o.strengths.split(","):
                for config in o.configs.split(","):
                    for seed in range(1, o.seeds + 1):
                        coder, policy = config.split(":")
                        model = Model(pool, strength, f"{strength} {seed}")
                        server, one = serve(model), policy == "one-shot"
                        d = os.path.join(out, f"{strength}-{coder}-{policy}-{seed}", name)
                        how = ONE_SHOT if one else BEST_OF_N + ["--llm-tries", str(o.calls)] if policy == "best-of-n" else ["--policy", policy]
                        search(program, f, d, ["--coder", coder, "--seed", str(seed), "--llm-model", strength, "--llm-url",
                                               f"http://127.0.0.1:{server.server_address[1]}/v1", "--max-calls", "1" if one else str(o.calls),
                                               "--evals", str(o.evals)] + how, env)
                        server.shutdown()
                        note(dict(problem=name, strength=strength, coder=coder, policy=policy, seed=seed, repeated=model.repeats, **measure(d, model.log)))
    return 0


def mean(xs):
    xs = [x for x in xs if x > 0 and math.isfinite(x)]
    return math.exp(sum(map(math.log, xs)) / len(xs)) if xs else 0


def table(out):
    rows = [json.loads(l) for l in open(os.path.join(out, "rows.jsonl"))]
    base = {r["problem"]: r["naive"] for r in rows if r["coder"] == "poly"}
    alone = {r["problem"]: r["best"] for r in rows if r["coder"] == "poly"}
    groups = collections.defaultdict(list)
    for r in rows:
        if r["coder"] != "poly":
            groups[r["strength"], r["coder"], r["policy"]].append(r)
    print("| model | coder | policy | problems solved | right at first | speed-up after 10 | 20 | 40 calls | own errors | declined | lost or asked again | known already |\n|---|---|---|---|---|---|---|---|---|---|---|---|")
    worst = 0
    for (s, c, y), g in groups.items():
        calls, ok, n = sum(r["calls"] for r in g), sum(r["first"][0] for r in g), sum(r["first"][1] for r in g)
        up = [mean([base[r["problem"]] / r[k] for r in g]) for k in ("at10", "at20", "at40")]
        declined = sum(r.get("declined", 0) for r in g)
        beyond = sum(r.get("lost", 0) + (0 if y in ("best-of-n", "one-shot") else r.get("repeated", 0)) for r in g)  # those ask the same on purpose
        print(f"| {s} | {c} | {y} | {sum(math.isfinite(r['best']) for r in g)} of {len(g)} | {100 * ok / max(n, 1):.0f} % | {up[0]:.2f} | {up[1]:.2f} | {up[2]:.2f} | "
              f"{100 * sum(r.get('own errors', 0) for r in g) / max(calls, 1):.0f} % | {100 * declined / max(calls, 1):.0f} % | {100 * beyond / max(calls, 1):.0f} % | {100 * sum(r.get('known', 0) for r in g) / max(calls, 1):.0f} % |")
    llm = {(r["problem"], r["strength"], r["seed"]): r["best"] for r in rows if r["coder"] == "llm" and r["policy"] == "mcgs"}
    behind = []
    for r in rows:
        if r["coder"] == "both":
            better = min(alone[r["problem"]], llm.get((r["problem"], r["strength"], r["seed"]), math.inf))
            behind.append((r["best"] / better - 1, r["problem"], r["strength"]))
            worst = max(worst, behind[-1][0])
    for x, problem, s in sorted(behind, reverse=True)[:5]:
        print(f"both against the better of the two alone: {100 * x:+.1f} % ({problem}, {s})")
    return 0 if worst <= 0.05 else 1


if __name__ == "__main__":
    sys.exit(main())
