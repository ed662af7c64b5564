#!/usr/bin/env python3
"""Figures over the recorded worlds, as markdown: what searches need on families that no constant was chosen on.

  bench/search_tables/world_figures.py [--seeds 20] [--draws 10] [--set held] [--only REGEX] [--worlds FOLDER] [--runs FILE [--seconds N]] [--svg FILE]

Worlds are search spaces recorded on a simulated device, or on a GPU (--worlds bench/search_tables/worlds_gpu; docs/journal.md): evaluations are counted, nothing is compiled or timed. Every policy and
ablation plays each world of --set once a seed, 200 evaluations; teachers are the worlds of the other set, so of other families. --runs keeps the runs,
and takes them from there where the file exists; what is played of them so far stands in FILE.parts, so that a call that was ended (by --seconds, too,
exit 75) is taken up by the next. Programs from $BIN, else .bundle where it is there, else build; JOBS (2) side by side.
"""
import argparse, collections, concurrent.futures, glob, json, math, os, re, shutil, statistics, subprocess, sys, tempfile, time

POLICIES = "mcgs random greedy beam best-of-n uct learnt shuffled".split()
WHOLE = ["mcgs", "learnt"]  # played to the end of the budget; the others until they reached 95 %
ABLATIONS = [
    ("no priors", ["doubt=1"]),
    ("no evidence of this run", ["pool_relevance=0"]),
    ("no draft model", ["draft=0"]),
    ("no tuner memory", ["move_memory=0", "draft_shared=0"]),
    ("no estimate of what bounds a candidate", ["limiter_boost=0"]),
    ("tuning in vain is not held against it", ["tune_hope=1000000"]),
]
SETTINGS = [  # other than the default, played to the end of the budget
    ("nothing made ahead of measuring", ["ahead=0"]),
]
COLOURS = {"mcgs": "#0b5cad", "learnt": "#1b9e5a", "random": "#999999", "greedy": "#d95f02", "beam": "#7570b3", "best-of-n": "#e7298a", "uct": "#a6761d",
           "nothing made ahead of measuring": "#e6ab02"}


def play(binary, tables, options, runs, until):
    command = [binary, "--graph", "graphs/cuda.json", *options, "--runs", runs, *tables]
    if os.path.exists(runs):
        return
    if time.time() > until:
        raise TimeoutError
    command[command.index("--runs") + 1] = runs + ".part"
    if os.path.exists(runs + ".part"):
        os.remove(runs + ".part")
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise RuntimeError("%s: exit %d: %s" % (" ".join(command[:8]), done.returncode, done.stderr.strip()))
    os.rename(runs + ".part", runs)


def play_all(binary, o, tables, teachers, runs):
    seeds, folder = str(o.seeds), runs + ".parts"
    until = time.time() + o.seconds if o.seconds else math.inf
    os.makedirs(folder, exist_ok=True)
    jobs, ended = [], ["--whole", "0"]
    for table in tables:
        part = lambda kind: "%s/%s-%s-%s" % (folder, os.path.basename(table).split(".")[0], kind, seeds)
        jobs.append(([table], ["--seeds", seeds, "--policies", ",".join(WHOLE)], part("whole")))
        jobs.append(([table], ["--seeds", seeds, "--policies", ",".join(p for p in POLICIES if p not in WHOLE), *ended], part("policies")))
        for name, constants in ABLATIONS + SETTINGS:
            whole = [] if (name, constants) in SETTINGS else ended
            sets = [x for c in constants for x in ("--set", c)]
            jobs.append(([table], ["--seeds", seeds, "--policies", "mcgs", "--label", name, *whole, *sets], part("-".join(constants))))
    if o.draws:
        jobs.insert(0, (tables + ["--teachers"] + teachers, ["--seeds", str(min(o.seeds, 5)), "--draws", str(o.draws), "--policies", "none"], "%s/draws-%d-%d" % (folder, o.draws, len(tables))))
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        try:
            list(pool.map(lambda job: play(binary, job[0], job[1], job[2], until), jobs))
        except TimeoutError:
            print("not all is played yet: the same call goes on", file=sys.stderr)
            sys.exit(75)
        except RuntimeError as wrong:
            sys.exit(str(wrong))
    with open(runs, "w") as out:
        for job in jobs:
            out.write(open(job[2]).read())
            os.remove(job[2])
    shutil.rmtree(folder)


def at(run, n):
    """The best after n evaluations."""
    us = run["naive_us"]
    for k, best in run["curve"]:
        if k > n:
            break
        us = best
    return us


def need(run):
    return run["reached"] or run["budget"]


def mean(x):
    x = list(x)
    return sum(x) / len(x)


def by_seed(runs):
    """Geometric mean over worlds, and its 95 % interval over seeds."""
    seeds = collections.defaultdict(list)
    for run in runs:
        seeds[run["seed"]].append(math.log(need(run)))
    logs = [mean(x) for x in seeds.values()]
    half = 1.96 * statistics.stdev(logs) / math.sqrt(len(logs)) if len(logs) > 1 else 0
    return math.exp(mean(logs)), math.exp(mean(logs) - half), math.exp(mean(logs) + half)


def share_of_gain(run, n):
    full = math.log(run["naive_us"] / run["best_us"])
    return min(1, math.log(run["naive_us"] / at(run, n)) / full) if full > 0 else 1


def picture(rows, path):
    ticks = [1, 2, 4, 8, 16, 32, 64, 128, 200]
    x = lambda n: 50 + 470 * math.log2(n) / math.log2(200)
    y = lambda v: 270 - 250 * v
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="640" height="320" font-family="sans-serif" font-size="12">', '<rect width="640" height="320" fill="white"/>']
    for n in ticks:
        out.append('<text x="%.0f" y="288" text-anchor="middle">%d</text><line x1="%.1f" x2="%.1f" y1="20" y2="270" stroke="#eee"/>' % (x(n), n, x(n), x(n)))
    for v in (0, 0.25, 0.5, 0.75, 1):
        out.append('<text x="44" y="%.0f" text-anchor="end">%d %%</text><line x1="50" x2="520" y1="%.1f" y2="%.1f" stroke="#eee"/>' % (y(v) + 4, 100 * v, y(v), y(v)))
    out.append('<text x="285" y="308" text-anchor="middle">evaluations (recorded)</text><text x="50" y="14">share of the ln gain of the best, mean over worlds and seeds</text>')
    ends = []
    for name, colour in COLOURS.items():
        if name not in rows:
            continue
        values = [mean(share_of_gain(run, n) for run in rows[name]) for n in range(1, 201)]
        points = " ".join("%.1f,%.1f" % (x(n), y(values[n - 1])) for n in range(1, 201))
        out.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>' % (points, colour))
        ends.append([mean(values[3:32]), name, colour])
    for i, (_, name, colour) in enumerate(sorted(ends, reverse=True)):
        out.append('<text x="530" y="%d" fill="%s">%s</text>' % (40 + 18 * i, colour, name))
    open(path, "w").write("\n".join(out + ["</svg>"]) + "\n")


def report(o, rows):
    worlds = len({run["table"] for run in rows["mcgs"]})
    seeds = len({run["seed"] for run in rows["mcgs"]})
    base, random = by_seed(rows["mcgs"])[0], by_seed(rows["random"])[0]
    others = {k: by_seed(rows[k])[0] for k in ("greedy", "beam", "best-of-n", "uct")}
    best = min(others, key=others.get)
    print("%d worlds of `%s/%s`, %d seeds, %d evaluations. Evaluations to 95 %% of the best ln gain: geometric mean over\n"
          "worlds, 95 %% interval over seeds.\n" % (worlds, o.worlds, o.set, seeds, rows["mcgs"][0]["budget"]))
    print("| | evaluations | interval | against random | reached | within 5 % at 64 | first's share of the gain, median |\n|---|---|---|---|---|---|---|")
    for name in POLICIES + [n for n, _ in ABLATIONS + SETTINGS]:
        if name not in rows:
            continue
        runs = rows[name]
        value, low, high = by_seed(runs)
        if name not in WHOLE + [n for n, _ in SETTINGS]:
            print("| %s | %.1f | %.1f to %.1f | %.2f | %.0f %% | | |" % (name, value, low, high, value / random, 100 * mean(run["reached"] > 0 for run in runs)))
            continue
        firsts = collections.defaultdict(list)
        for run in runs:
            final = math.log(run["naive_us"] / at(run, run["budget"]))
            if final > 0.005:
                firsts[run["table"]].append(math.log(run["naive_us"] / at(run, 2)) / final)
        print("| %s | %.1f | %.1f to %.1f | %.2f | %.0f %% | %.0f %% | %.0f %% |" % (
            name, value, low, high, value / random, 100 * mean(run["reached"] > 0 for run in runs),
            100 * mean(at(run, 64) <= 1.05 * run["best_us"] for run in runs),
            100 * statistics.median(mean(x) for x in firsts.values())))
    print("\n| | | asked |\n|---|---|---|")
    print("| mcgs against random | %.2f | 0.2 |" % (base / random))
    print("| against the best of the others (%s) | %.2f | 0.5 |" % (best, base / others[best]))
    print("| evaluations that are further values of a node, mcgs, until 95 %% | %.0f %%, at right nodes %.0f %% | <= 40 %% |" % (
        100 * mean(run["values"] / run["spent"] for run in rows["mcgs"]), 100 * mean(run["right_values"] / run["spent"] for run in rows["mcgs"])))
    print("| taught by the same program, against untaught | %.2f | 0.15 |" % (by_seed(rows["learnt"])[0] / base))
    print("| shuffled evidence, against untaught | %.2f | >= 0.97 |" % (by_seed(rows["shuffled"])[0] / base))
    draws = sorted(k for k in rows if k.startswith("taught "))
    if draws:
        taught = {run["seed"] for run in rows[draws[0]]}
        same = by_seed([run for run in rows["mcgs"] if run["seed"] in taught])[0]
        ratios = [by_seed(rows[k])[0] / same for k in draws]
        print("| taught by other families, %d draws, %d seeds | %.2f to %.2f, median %.2f | <= 1.03 each, <= 0.7 median |" % (
            len(draws), len(taught), min(ratios), max(ratios), statistics.median(ratios)))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--seeds", type=int, default=20)
    arguments.add_argument("--draws", type=int, default=10)
    arguments.add_argument("--set", default="held", choices=("tune", "held"))
    arguments.add_argument("--worlds", default="bench/search_tables/worlds", help="the folder of the sets")
    arguments.add_argument("--only", default=".", help="worlds whose name matches")
    arguments.add_argument("--runs")
    arguments.add_argument("--seconds", type=float)
    arguments.add_argument("--svg")
    o = arguments.parse_args()
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
    binary = os.path.join(os.environ.get("BIN") or (".bundle" if os.path.isdir(".bundle") else "build"), "search-tables")
    worlds = lambda which: sorted(glob.glob("%s/%s/*.json.xz" % (o.worlds, which)))
    tables = [t for t in worlds(o.set) if re.search(o.only, os.path.basename(t))]
    if not tables:
        sys.exit("no world matches '%s'" % o.only)
    kept = o.runs or tempfile.mktemp()
    if not os.path.exists(kept):
        play_all(binary, o, tables, worlds("tune" if o.set == "held" else "held"), kept)
    rows = collections.defaultdict(list)
    for line in open(kept):
        run = json.loads(line)
        rows[run["row"]].append(run)
    if not o.runs:
        os.remove(kept)
    report(o, rows)
    if o.svg:
        picture(rows, o.svg)


if __name__ == "__main__":
    main()
