"""A model of a stated strength, without a model: replies are kernels of a pool, right as often as the strength says.

A reply is a kernel that fits the request - the step that was asked for, faster than the version shown - or one that
was spoilt: it does not compile, does not fit its plan, computes something else, races, strays, is no code, or is what
was there. Nothing is known of the search. The n-th call of every search of a problem with the same seed has the same
luck (common random numbers), so that what differs between two searches is what they asked for.
"""
import collections, gzip, hashlib, http.server, json, math, os, random, re, threading

# right: share of replies that are; taste: the share of the pool, from its best end, that it draws from;
# refuses: how often it declines where it has nothing for the step
STRENGTHS = {"frontier": dict(right=0.80, taste=0.4, refuses=0.05),
             "32b": dict(right=0.45, taste=0.7, refuses=0.10),
             "7b": dict(right=0.20, taste=1.0, refuses=0.15)}
MISTAKES = [("compile", 35), ("wrong", 25), ("plan", 15), ("race", 6), ("bounds", 4), ("form", 10), ("unchanged", 5)]
ANY_WAY = ("write", "improve")  # steps that say what for, not how


def squeeze(code):
    code = re.sub(r"/\*.*?\*/|//[^\n]*", " ", code, flags=re.S)
    return re.sub(r"\s+", " ", code).strip()


def load_pool(folder, only_step=None):
    """Every verified source of a run: with the step that made it and the version it came from. A step that found
    nothing to change there is none: whoever answers with the version shown is not right."""
    sources, nodes, actions, pool = {}, {0: ("", "")}, {}, []
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
            a = actions.get(o["a"], {})
            done = [e for e in evals[o["a"]]
                    if e.get("evaluation", e)["outcome"] == "ok" and e["source"] in sources]
            parent = nodes.get(a.get("parent"))
            for e in done:
                s = sources[e["source"]]
                if parent == (squeeze(s["cuda"]), squeeze(s["plan"])):
                    continue
                pool.append(dict(cuda=s["cuda"], plan=s["plan"], step=only_step or a.get("step"),
                                 parent=parent, time=e.get("evaluation", e)["time_us"]))
            if done and o.get("node"):
                best = min(done, key=lambda e: e.get("evaluation", e)["time_us"])
                s = sources[best["source"]]
                nodes[o["node"]] = squeeze(s["cuda"]), squeeze(s["plan"])
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
        return blocks(cuda, re.sub(r", \w+\);", ");", plan, count=1) if rnd.random() < 0.5
                      else re.sub(r"<<<", "<<<blocks_needed, ", plan, count=1))
    if kind == "form":
        return rnd.choice(["Use shared memory and fewer barriers; that is usually faster.\n",
                           f"```cuda\n{cuda.rstrip()[:len(cuda) * 2 // 3]}\n",
                           f"```cpp\n{cuda}\nvoid launch() {{ cudaMalloc(&d, n); solve(d); }}\n```\n",
                           f"```cuda\n{cuda[:60]}\n// ... existing code ...\n```\n```plan\n{plan}```\n"])
    if kind == "unchanged" and current:
        return blocks(*current)
    m = re.search(r"__global__[^{]*\{", cuda)
    if not m:
        return "I cannot do that.\n"
    return blocks(cuda[:m.end()] + " undeclared_name = 1;" + cuda[m.end():], plan)


class Model:
    def __init__(self, pool, strength, seed):
        self.pool, self.seed, self.log, self.asked = pool, seed, {}, {}
        self.lock, self.calls = threading.Lock(), 0
        self.repeats = 0  # requests made before, word for word, to which the answer was of no use
        self.tokens = []
        self.__dict__.update(STRENGTHS[strength])

    def reply(self, messages, n=1):
        """n answers to one request, each with luck of its own."""
        with self.lock:
            self.calls += 1
            call = self.calls
        answers = [self.answer(messages, f"{self.seed} {call}" + (f" {k}" if k else "")) for k in range(n)]
        text = "\n".join(m["content"] for m in messages)
        with self.lock:
            self.repeats += self.asked.get(text, "right") != "right"
            self.asked[text] = min((kind for _, kind in answers), key=lambda kind: kind != "right")
        return [said for said, _ in answers], len(text) // 4

    def answer(self, messages, seed):
        text = "\n".join(m["content"] for m in messages)
        with self.lock:
            rnd = random.Random(seed)
            luck, rank, declines = rnd.random(), rnd.random(), rnd.random()
        user = next(m["content"] for m in messages if m["role"] == "user")
        step = re.search(r"# The step to apply: .*\((\S+)\)\n", user).group(1)
        shown = re.search(r"The current verified version.*?```cuda\n(.*?)```\n```plan\n(.*?)```", user, re.S)
        time = re.search(r"\nTime: ([0-9.e+-]+) us", user)
        faster = [k for k in self.pool if not time or k["time"] < 0.99 * float(time.group(1))]
        was = shown and tuple(squeeze(x) for x in shown.groups())
        here = [k for k in self.pool if k["step"] == step and shown and k["parent"] == was]
        # once nothing known is faster, something else
        others = [k for k in self.pool if not shown or squeeze(k["cuda"]) != was[0]]
        fit = here or [k for k in faster if k["step"] == step or step in ANY_WAY]
        instead = re.search(r"`INSTEAD: its name`: ([^\n]*)\.\n", user)
        said_first = ""
        if not fit and declines >= self.refuses:
            fit = faster or others
        elif not fit and instead:  # it would decline, were it not for steps that it has something for
            open_steps = instead.group(1).split(", ")
            fit = [k for k in faster if k["step"] in open_steps]
            taken = fit[0]["step"] if fit else next((s for s in open_steps if s in ANY_WAY), None)
            fit = [k for k in fit if k["step"] == taken] or (faster if taken else [])
            said_first = f"INSTEAD: {taken}\n" if fit else ""
        if not fit:
            said, kind = "REFUSED: there is nothing to gain by this step here.\n", "refused"
        else:
            good = fit[int(rank * max(1, math.ceil(len(fit) * self.taste)))]
            kind = "right"
            if luck >= self.right:
                kind = rnd.choices([k for k, _ in MISTAKES], [w for _, w in MISTAKES])[0]
            current = shown and shown.groups()
            said = said_first
            said += blocks(good["cuda"], good["plan"]) if kind == "right" else spoil(kind, good, current, rnd)
        with self.lock:
            self.log[hashlib.sha256(said.encode()).hexdigest()] = kind
            self.tokens.append(len(text) // 4)
        return said, kind


class Reader:
    """Gives texts one after the other, whatever it is asked: how kernels written by hand come into a pool."""

    def __init__(self, texts):
        self.texts, self.next, self.lock = texts, 0, threading.Lock()

    def reply(self, messages, n=1):
        with self.lock:
            self.next += 1
            return [self.texts[(self.next - 1) % len(self.texts)]], 1


def serve(model):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            said, tokens = model.reply(asked["messages"], asked.get("n", 1))
            choices = [{"message": {"role": "assistant", "content": s}, "finish_reason": "stop"} for s in said]
            usage = {"prompt_tokens": tokens, "completion_tokens": sum(map(len, said)) // 4}
            body = json.dumps({"choices": choices, "usage": usage}).encode()
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
