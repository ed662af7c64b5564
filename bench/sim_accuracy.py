#!/usr/bin/env python3
"""How well estimates order kernels whose times are known, per problem and over all: bench/sim_accuracy.py ESTIMATES.json TIMES.json...

ESTIMATES.json is what `regraph-worker --kernels` prints on a simulated device, TIMES.json what it prints on a real one (or shared/kernels/h200.json).
--held A,B,...   these problems are summed up apart from the rest        --quiet   no line a variant
"""
import json, math, sys

def ranks(v):
    return [sum(b < a for b in v) + (sum(b == a for b in v) + 1) / 2 for a in v]

def spearman(a, b):
    a, b = ranks(a), ranks(b)
    n, ma, mb = len(a), sum(a) / len(a), sum(b) / len(b)
    s = math.sqrt(sum((x - ma) ** 2 for x in a) * sum((y - mb) ** 2 for y in b))
    return sum((x - ma) * (y - mb) for x, y in zip(a, b)) / s if s > 0 and n > 1 else 1.0

def score(rows):
    """rows: (name, estimate, measured, low, high)"""
    e, m = [r[1] for r in rows], [r[2] for r in rows]
    pairs = [(i, j) for i in range(len(m)) for j in range(i) if max(m[i], m[j]) / min(m[i], m[j]) > 1.2]
    best, first = m.index(min(m)), e.index(min(e))
    q = [a / b for a, b in zip(e, m)]
    return {"n": len(m), "spearman": spearman(e, m), "pairs": sum((m[i] < m[j]) == (e[i] < e[j]) for i, j in pairs), "pairs_all": len(pairs),
            "top3": sum(x < e[best] for x in e) < 3, "regret": m[first] / m[best], "in15": sum(1 / 1.5 < x < 1.5 for x in q), "in2": sum(0.5 < x < 2 for x in q),
            "covered": sum(r[3] <= r[2] <= r[4] for r in rows), "bias": math.exp(sum(map(math.log, q)) / len(q))}

def total(name, scores):
    if not scores: return
    s, n, k = list(scores.values()), sum(x["n"] for x in scores.values()), len(scores)
    sp = sorted(x["spearman"] for x in s)
    med = sp[k // 2] if k % 2 else (sp[k // 2] + sp[k // 2 - 1]) / 2
    pa, p = sum(x["pairs_all"] for x in s), sum(x["pairs"] for x in s)
    print("%-8s %d problems, %d variants: spearman median %.3f worst %.3f; pairs %.1f %% of %d; best in top 3 %d of %d; regret <= 1.15 on %d, worst %.2f; "
          "within 1.5x %.0f %%, 2x %.0f %%; intervals cover %.0f %%" % (name, k, n, med, sp[0], 100 * p / max(pa, 1), pa, sum(x["top3"] for x in s), k,
          sum(x["regret"] <= 1.15 for x in s), max(x["regret"] for x in s), 100 * sum(x["in15"] for x in s) / n, 100 * sum(x["in2"] for x in s) / n, 100 * sum(x["covered"] for x in s) / n))

def main(argv):
    held, quiet, files = set(), False, []
    it = iter(argv)
    for a in it:
        if a == "--held": held = set(next(it).split(","))
        elif a == "--quiet": quiet = True
        elif a.startswith("-"): sys.exit(__doc__)
        else: files.append(a)
    if len(files) < 2: sys.exit(__doc__)
    est = json.load(open(files[0]))["problems"]
    times = {}
    for f in files[1:]: times.update(json.load(open(f))["problems"])
    scores = {}
    for p in est:
        rows = []
        for v, x in est[p]["variants"].items():
            t = times.get(p, {}).get("variants", {}).get(v, {}).get("hot_us")
            if not t: continue
            if "estimate_us" not in x:
                print("%-12s %s no estimate: %s %s" % (p, v, x.get("outcome"), x.get("message", "")))
                continue
            lo, hi = x.get("interval_us", [x["estimate_us"]] * 2)
            rows.append((v, x["estimate_us"], t, lo, hi))
            if not quiet:
                print("%-12s %-4s %10.2f us estimated [%.1f, %.1f] %10.2f measured %6.2fx %-9s %s%s" % (p, v, x["estimate_us"], lo, hi, t, x["estimate_us"] / t,
                      x.get("limiter", ""), x.get("desc", "")[:90], "" if x.get("verified") else "  NOT VERIFIED"))
        if len(rows) < 2: continue
        s = scores[p] = score(rows)
        print("%-12s == spearman %.3f  pairs %d/%d  best in top 3 %s  regret %.2f  within 1.5x %d/%d  bias %.2f  covered %d%s" % (p, s["spearman"], s["pairs"], s["pairs_all"],
              "yes" if s["top3"] else "NO", s["regret"], s["in15"], s["n"], s["bias"], s["covered"], "\n" if not quiet else ""))
    if held:
        total("fit", {p: s for p, s in scores.items() if p not in held})
        total("held", {p: s for p, s in scores.items() if p in held})
    total("all", scores)

if __name__ == "__main__": main(sys.argv[1:])
