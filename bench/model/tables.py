"""The tables of the rows that were measured."""
import collections, json, math, os

from measure import WASTED

ASKS_THE_SAME = ("best-of-n", "one-shot")  # on purpose


def mean(xs):
    xs = [x for x in xs if x > 0 and math.isfinite(x)]
    return math.exp(sum(map(math.log, xs)) / len(xs)) if xs else 0


def rows_of(out):
    folder = os.path.join(out, "rows")
    return [json.load(open(os.path.join(folder, f))) for f in sorted(os.listdir(folder))]


def wasted(g, policy):
    """Calls of these rows that no candidate came of, by reason."""
    by = collections.Counter()
    for r in g:
        for w in WASTED:
            by[w] += r.get("wasted " + w, 0) + r.get("wasted own " + w, 0)
            by["own"] += r.get("wasted own " + w, 0)  # unusable text, or the version shown: it meant to
        by["repeated"] += 0 if policy in ASKS_THE_SAME else r.get("repeated", 0)
        by["lost"] += r["lost"]
    by["all"] = sum(by[w] for w in WASTED)
    return by


COLUMNS = ["model", "coder", "policy", "solved", "right at first", "speed-up after 10", "20", "40 calls", "calls",
           "own errors", "wasted", "declined", "not applied", "form", "asked again", "of them its own fault", "lost"]


def table(out):
    rows = rows_of(out)
    base = {r["problem"]: r["naive"] for r in rows if r["coder"] == "poly"}
    alone = {r["problem"]: r["best"] for r in rows if r["coder"] == "poly"}
    groups = collections.defaultdict(list)
    for r in rows:
        if r["coder"] != "poly" and r["problem"] in base:
            groups[r["strength"], r["coder"], r["policy"]].append(r)
    print(f"poly alone: {len(base)} problems, {mean([base[p] / alone[p] for p in base]):.2f} times naive\n")
    print("| " + " | ".join(COLUMNS) + " |\n|" + "---|" * len(COLUMNS))
    for (s, c, y), g in sorted(groups.items()):
        calls = max(sum(r["calls"] for r in g), 1)
        ok, n = sum(r["first"][0] for r in g), max(sum(r["first"][1] for r in g), 1)
        cells = [s, c, y, f"{sum(math.isfinite(r['best']) for r in g)} of {len(g)}", f"{100 * ok / n:.0f} %"]
        cells += [f"{mean([base[r['problem']] / r[k] for r in g]):.2f}" for k in ("at10", "at20", "at40")]
        by = wasted(g, y)
        cells += [str(calls), f"{100 * sum(r['own errors'] for r in g) / calls:.0f} %"]
        cells += [f"{100 * by[w] / calls:.1f} %" for w in ("all",) + WASTED + ("own", "lost")]
        print("| " + " | ".join(cells) + " |")
    return both(rows, alone)


def both(rows, alone):
    """`both` beside the better of the two alone, each coder with as many evaluations as it has alone; 1: far behind."""
    llm = {(r["problem"], r["policy"], r["strength"], r["seed"]): r["best"] for r in rows if r["coder"] == "llm"}
    behind, strict, n = [], [], 0
    for r in rows:
        key = (r["problem"], r["policy"], r["strength"], r["seed"])
        if r["coder"] != "both" or r["policy"] != "mcgs" or key not in llm:
            continue
        better = min(alone[r["problem"]], llm[key])
        behind.append((r["best"] / better - 1, r["problem"], r["strength"]))
        strict.append((r["within"] / better - 1, r["problem"], r["strength"]))
    for what, xs in (("each coder with the evaluations it has alone", behind), ("half of them each", strict)):
        xs.sort(reverse=True)
        worst = ", ".join(f"{100 * x:+.1f} % ({p}, {s})" for x, p, s in xs[:3])
        print(f"\nboth against the better of the two alone, {what}: {len(xs)} pairs, "
              f"{sum(x > 0.05 for x, *_ in xs)} more than 5 % behind; the worst {worst}")
    return 1 if behind and behind[0][0] > 0.05 else 0


def shares(out):
    """Of all calls of searches (no repeats on purpose): what became of them."""
    by, calls = collections.Counter(), 0
    for r in rows_of(out):
        if r["coder"] == "poly" or r["policy"] in ASKS_THE_SAME:
            continue
        calls += r["calls"]
        for k, v in r.items():
            if k.startswith("became ") or k in ("repeated", "lost"):
                by[k] += v
    print(f"{calls} calls: " + ", ".join(f"{k.removeprefix('became ')} {v}" for k, v in by.most_common()))
    return 0
