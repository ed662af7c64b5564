"""What became of each call of a search, from its journal and the record of its requests."""
import collections, hashlib, json, math, os

WASTED = ("declined", "not applied", "form", "repeated")  # the search's affair: calls from which no candidate came


def read(path):
    return [json.loads(line) for line in open(path)] if os.path.exists(path) else []


def outcomes(journal):
    """Of each action its outcome; of each request that an action ended with, the action."""
    outcome, request, group, maker, owner = {}, {}, {}, {}, {}
    for o in journal:
        if o["line"] == "action":
            group[o["a"]] = (o.get("parent"), o.get("step"), o.get("site"))
            owner[o["a"]] = maker.get(o.get("target"), o["a"])  # best of n measures what an action before it made
        elif o["line"] == "result" and o.get("node") and not o.get("measured"):
            maker[o["node"]] = o["a"]
        elif o["line"] == "answer" and o.get("request"):
            request[o["request"]] = o["a"]
            if o["kind"] == "refused":
                outcome[o["a"]] = "declined" if o["message"].startswith("the model declined") else "not applied"
            elif o["kind"] == "failed":
                outcome[o["a"]] = "form"
        elif o["line"] in ("eval", "reused"):
            said, a = o.get("evaluation", o)["outcome"], owner[o["a"]]
            if "ok" in (outcome.get(a), said):
                said = "known" if o["line"] == "reused" else "ok"
            outcome[a] = said
    return outcome, request, group


NEVER_RAN = ("compile", "plan")  # outcomes of text of which no candidate could be made: nothing was evaluated


def course(journal, evals):
    """The best after so many calls, and after so many evaluations of both coders together: candidates that ran."""
    best, naive, calls, done, at, within = math.inf, None, 0, 0, {}, math.inf
    for o in journal:
        if o["line"] == "answer" and o.get("request"):
            calls += 1
        elif o["line"] == "eval":
            done += o["evaluation"]["outcome"] not in NEVER_RAN
            if o["evaluation"]["outcome"] == "ok":
                best = min(best, o["evaluation"]["time_us"])
            if done <= evals:
                within = best
        elif o["line"] == "naive":
            naive = o["time_us"]
        for n in (10, 20, 40):
            if calls <= n:
                at[n] = best
    return dict(best=best, naive=naive, within=within, evaluations=done, at10=at.get(10, best), at20=at.get(20, best),
                at40=at.get(40, best))


def repaired(record):
    """Replies, by place, that were answered with what is wrong with them: a second request follows."""
    waiting, done = {}, set()
    for i, o in enumerate(record):
        about = o["about"]
        key = about["step"], about["site"], about["chain"]
        if about["round"] > 0 and waiting.get(key):
            done.add(waiting[key].pop())
        waiting.setdefault(key, []).append(i)
    return done


def measure(out, log, evals):
    """A row. `log`: of each reply, by hash, what the model meant it to be."""
    journal = read(os.path.join(out, "journal.jsonl"))
    record = [o for o in read(os.path.join(out, "llm.jsonl")) if "reply" in o and "key" in o]
    outcome, request, group = outcomes(journal)
    row, attempts, first, again = collections.Counter(), collections.Counter(), [0, 0], repaired(record)
    for i, o in enumerate(record):
        texts = [o["reply"]["text"]] + [m["text"] for m in o["reply"].get("more", [])]
        meant = [log.get(hashlib.sha256(t.encode()).hexdigest(), "?") for t in texts]
        meant = "right" if "right" in meant else meant[0]
        row["calls"] += 1
        row["own errors"] += meant not in ("right", "refused", "?")
        action = request.get(o["key"])
        if action is not None:
            what = outcome.get(action, "unused")
        elif i in again:
            what = "form" if meant == "form" else "not applied"
        else:
            what = "unused"  # the run was over before it was looked at
        row["became " + what] += 1
        if what in WASTED:
            row["wasted " + ("own " if meant in ("form", "unchanged") else "") + what] += 1
        row["lost"] += meant == "right" and what not in ("ok", "known", "pruned", "unused")
        if action is not None:
            attempts[group.get(action)] += 1
            if attempts[group.get(action)] == 1:
                first = [first[0] + (what in ("ok", "known")), first[1] + 1]
    return dict(row, first=first, **course(journal, evals))
