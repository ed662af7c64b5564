/* The end of a measured run: the fastest candidates meet once more, in paired runs. Their times were taken minutes
 * apart, each in company of its own; which of two that differ by little is faster is known only of runs that took
 * turns. */
#include "engine/engine.h"
#include <rg/file.h>
#include <stdlib.h>
#include <string.h>

enum { FINALISTS = 4 /* the best among them */, LOOKED_AT = 16 };

enum occasion { A_FINALIST, NAIVE, A_SHORTER, THE_BEST, ITS_RACES, ITS_COUNTERS };

struct finalist {
    uint32_t node;
    int trial;
    double us;
    uint64_t code;
};

static int faster(const struct finalist *a, const struct finalist *b)
{
    if (a->us != b->us) return a->us < b->us;
    return a->node != b->node ? a->node < b->node : a->trial < b->trial;
}

/* The fastest trials in order, the best left out. */
static int collect(const struct rg__search *s, struct finalist *out, int max)
{
    int n = 0;
    for (int i = 1; i < s->n_nodes; i++)
        for (int k = 0; k < s->nodes[i].n_trials; k++) {
            const struct rg_evaluation *e = rg__trial_evaluation(&s->nodes[i].trials[k]);
            struct finalist f = {(uint32_t)i, k, e->outcome == RG_OUTCOME_OK ? rg__cost(s, e) : 0, 0};
            if (f.us <= 0 || f.us > s->p.final_within * s->best_us ||
                ((uint32_t)i == s->best_node && k == s->best_trial))
                continue;
            int at = n < max ? n++ : max;
            for (; at > 0 && faster(&f, &out[at - 1]); at--)
                if (at < max) out[at] = out[at - 1];
            if (at < max) out[at] = f;
        }
    return n;
}

static bool fastest(const struct rg__search *s, struct finalist *out)
{
    *out = (struct finalist){0};
    for (int i = 1; i < s->n_nodes; i++)
        for (int k = 0; k < s->nodes[i].n_trials; k++) {
            const struct rg_evaluation *e = rg__trial_evaluation(&s->nodes[i].trials[k]);
            struct finalist f = {(uint32_t)i, k, e->outcome == RG_OUTCOME_OK ? rg__cost(s, e) : 0, 0};
            if (f.us > 0 && (out->us <= 0 || faster(&f, out))) *out = f;
        }
    return out->us > 0;
}

/* What runs: PTX and plan. 0: unknown. */
static enum rg_status code_of(const struct rg__search *s, uint32_t node, int trial, uint64_t *code,
                              struct rg_error *err)
{
    const struct rg__trial *t = &s->nodes[node].trials[trial];
    struct rg_source src = {NULL, NULL};
    bool refused;
    enum rg_status st = rg__instantiate(s->nodes[node].tmpl, &t->v, &src, &refused, err);
    *code = st == RG_OK && !refused ? rg__code_hash(rg__trial_evaluation(t), rg__plan_hash(src.plan)) : 0;
    rg_source_release(&src);
    return st;
}

/* Those that are not the same kernel twice, nor the best's. */
static enum rg_status invite(const struct rg__search *s, struct finalist *out, int *n_out, struct rg_error *err)
{
    struct finalist all[LOOKED_AT];
    uint64_t best;
    int n = collect(s, all, LOOKED_AT);
    enum rg_status st = code_of(s, s->best_node, s->best_trial, &best, err);
    *n_out = 0;
    for (int i = 0; i < n && *n_out < FINALISTS - 1 && st == RG_OK; i++) {
        st = code_of(s, all[i].node, all[i].trial, &all[i].code, err);
        bool known = all[i].code == best;
        for (int k = 0; k < *n_out; k++) known = known || out[k].code == all[i].code;
        if (st == RG_OK && !known) out[(*n_out)++] = all[i];
    }
    return st;
}

/* The user wants to leave, or the time is over. */
static bool leaving(const struct rg__search *s)
{
    return (s->o->stop && *s->o->stop) || rg_now() >= rg__time_is_up(s);
}

/* Is there time for a duel, as the longest so far took? */
static bool hurried(const struct rg__search *s)
{
    return leaving(s) || rg_now() + rg__duel_s(s) >= rg__time_is_up(s);
}

static bool asked(const struct rg__search *s, bool (*question)(void *, const struct rg_source *), uint32_t node,
                  int trial)
{
    struct rg_source src = {NULL, NULL};
    bool refused;
    if (!question ||
        rg__instantiate(s->nodes[node].tmpl, &s->nodes[node].trials[trial].v, &src, &refused, NULL) != RG_OK || refused)
        return false;
    bool answer = question(s->ev->self, &src);
    rg_source_release(&src);
    return answer;
}

/* It was ok, but not in all that candidates are compared with by now. */
static bool doubted(const struct rg__search *s, uint32_t node, int trial)
{
    return asked(s, s->ev->doubts, node, trial);
}

bool rg__final_unlooked(const struct rg__search *s, uint32_t node, int trial)
{
    return asked(s, s->ev->unlooked, node, trial);
}

/* Verified and timed once more, waited for. */
static enum rg_status again(struct rg__search *s, struct rg__action *a, struct rg_error *err)
{
    enum rg_status st = rg__commit_again(s, a, err);
    while (st == RG_OK && a->again_id >= 0 && !a->again && !leaving(s)) {
        bool got;
        st = rg__actions_poll(s, 0.25, &got, err);
    }
    return st == RG_OK && a->again ? rg__commit_judged(s, a, err) : st;
}

static enum rg_status begin(struct rg__search *s, struct rg__action *a, const struct finalist *f, struct rg_error *err)
{
    a->id = s->next_action++;
    if (strcmp(a->purpose, "minimal")) a->purpose = "final";
    a->parent = a->target = a->node = f->node;
    a->again_trial = f->trial;
    return rg__line_action(s, a, err);
}

/* Against the best so far; one that was verified once only is verified again before. naive keeps its place unless the
 * best is faster, as it has fewer steps; so does any other of fewer steps unless the best is certainly faster. */
static enum rg_status meet(struct rg__search *s, struct rg__action *a, const struct finalist *f, enum occasion what,
                           struct rg_error *err)
{
    if (what == A_SHORTER) a->purpose = "minimal";
    enum rg_status st = begin(s, a, f, err);
    const struct rg__trial *t = &s->nodes[f->node].trials[f->trial];
    if (st == RG_OK && (!t->again || doubted(s, f->node, f->trial))) st = again(s, a, err);
    bool won = false;
    if (st == RG_OK && t->again && t->again->outcome == RG_OUTCOME_OK && !leaving(s))
        st = rg__commit_duel(s, a, true, &won, err);
    if (st != RG_OK) return st;
    if (what == A_SHORTER && a->duel.a_us > 0 && a->duel.b_us > 0)
        won = won || (!s->o->total && (a->duel.ratio >= 1 || !a->duel.significant));
    if (what == NAIVE && a->duel.a_us > 0 && a->duel.b_us > 0) {
        won = won || (!s->o->total && a->duel.ratio >= 1);
        s->paired_naive_us = a->duel.b_us;
        s->paired_best_us = won ? a->duel.b_us : a->duel.a_us;
    }
    if (won) rg__commit_promote(s, a, f->trial);
    rg__graph_refresh(s, f->node);
    return rg__line_settled(s, a, err);
}

/* The best as if for the first time; where it fails, the next fastest takes its place. *ok: it did not, or there is
 * none. */
static enum rg_status examine(struct rg__search *s, struct rg__action *a, const struct finalist *best, bool *ok,
                              struct rg_error *err)
{
    struct finalist next = {0};
    const struct rg__trial *t = &s->nodes[best->node].trials[best->trial];
    const struct rg_evaluation *before = t->again;
    enum rg_status st = begin(s, a, best, err);
    if (st == RG_OK) st = again(s, a, err);
    if (st != RG_OK || t->again == before) return st; /* the time was over */
    *ok = t->again->outcome == RG_OUTCOME_OK;
    if (!*ok) {
        bool any = fastest(s, &next);
        s->best_us = any ? next.us : 0;
        if (any) {
            s->best_node = next.node;
            s->best_trial = next.trial;
        }
        *ok = !any;
    }
    rg__graph_refresh(s, best->node);
    return rg__line_settled(s, a, err);
}

/* Its counters, where the device tells them, for the report. */
static enum rg_status look_inside(struct rg__search *s, struct rg__action *a, const struct finalist *best,
                                  struct rg_error *err)
{
    enum rg_status st = begin(s, a, best, err);
    if (st == RG_OK) st = rg__commit_profile(s, a, true, err);
    return st == RG_OK ? rg__line_settled(s, a, err) : st;
}

static enum rg_status hold(struct rg__search *s, const struct finalist *f, enum occasion what, bool *ok,
                           struct rg_error *err)
{
    struct rg__action *a = rg__action_new(s);
    a->last = what == ITS_RACES;
    RG_GROW(s->actions, s->n_actions, s->cap_actions);
    s->actions[s->n_actions++] = a; /* where results look for who asked */
    enum rg_status st = what == THE_BEST || what == ITS_RACES ? examine(s, a, f, ok, err)
                        : what == ITS_COUNTERS                ? look_inside(s, a, f, err)
                                                              : meet(s, a, f, what, err);
    if (a->again_id >= 0) rg__action_cancel(s, a);
    rg__action_free(a);
    s->n_actions--;
    return st;
}

enum rg_status rg__final_shorter(struct rg__search *s, uint32_t node, int trial, struct rg_error *err)
{
    struct finalist f = {node, trial, rg__node_time(s, node), 0};
    if (!s->ev->estimated && s->ev->duel) return hurried(s) ? RG_OK : hold(s, &f, A_SHORTER, NULL, err);
    s->best_node = node;
    s->best_trial = trial;
    s->best_us = f.us;
    return RG_OK;
}

/* The last to meet the best: what the report says of the two then comes from the same runs. */
static bool naive_in_doubt(const struct rg__search *s, struct finalist *f)
{
    if (s->naive_us <= 0 || s->naive_trial < 0 || (s->naive_node == s->best_node && s->naive_trial == s->best_trial))
        return false;
    *f = (struct finalist){s->naive_node, s->naive_trial, s->naive_us, 0};
    return s->naive_us <= s->p.final_doubt * s->best_us;
}

enum rg_status rg__final(struct rg__search *s, struct rg_error *err)
{
    struct finalist f[FINALISTS];
    int n = 0;
    /* What a replay ended before its journal does is no end to write down. */
    if (s->best_us <= 0 || s->out->stopped || s->out->coder_status == RG_DEFERRED || rg__journal_replaying(s->journal))
        return RG_OK;
    enum rg_status st = RG_OK;
    if (s->ev->settle && !leaving(s)) /* another look at the best still fits */
        s->ev->settle(s->ev->self, rg__time_is_up(s) - s->again_s);
    /* what a journal says of a simulated device was so when it was written */
    bool believed = (s->ev->estimated && s->o->resume) || !doubted(s, s->best_node, s->best_trial);
    while (st == RG_OK && !believed && !leaving(s)) {
        struct finalist best = {s->best_node, s->best_trial, s->best_us, 0};
        st = hold(s, &best, THE_BEST, &believed, err);
    }
    /* A model's estimates are the same in any company, and a chain that was asked for meets no other. */
    if (st == RG_OK && (s->ev->estimated || !s->ev->duel || s->o->apply)) return RG_OK;
    if (st == RG_OK && s->best_us <= 0) return RG_OK;
    if (st == RG_OK) st = invite(s, f, &n, err);
    for (int i = 0; i < n && st == RG_OK && !hurried(s); i++) st = hold(s, &f[i], A_FINALIST, NULL, err);
    struct finalist naive;
    if (st == RG_OK && !hurried(s) && naive_in_doubt(s, &naive)) st = hold(s, &naive, NAIVE, NULL, err);
    /* What the tools for it take seconds for is done of the winner alone; where it fails, of the next. */
    for (bool fine = false; st == RG_OK && !fine && !leaving(s);) {
        struct finalist best = {s->best_node, s->best_trial, s->best_us, 0};
        fine = s->best_us <= 0 || !rg__final_unlooked(s, s->best_node, s->best_trial);
        if (!fine) st = hold(s, &best, ITS_RACES, &fine, err);
    }
    if (st == RG_OK && s->best_us <= 0) return RG_OK;
    struct finalist best = {s->best_node, s->best_trial, s->best_us, 0};
    if (st == RG_OK && !leaving(s) && s->ev->profile) st = hold(s, &best, ITS_COUNTERS, NULL, err);
    return st;
}
