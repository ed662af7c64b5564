/* An action's results reach the journal, the graph and the best. Only here does the search change: in selection order,
 * which makes it independent of who finishes first, or in the order that the journal keeps (rg__lane_next). */
#include "engine/engine.h"
#include <math.h>
#include <rg/buf.h>
#include <rg/file.h>
#include <rg/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum rg_status rg__commit_flush(struct rg__search *s, struct rg__action *a, bool *moved, struct rg_error *err)
{
    enum rg_status st;
    if (!a->wrote_action) {
        a->wrote_action = *moved = true;
        if ((st = rg__line_action(s, a, err)) != RG_OK) return st;
    }
    if (a->wants_coder && a->answered && !a->wrote_answer) {
        a->wrote_answer = *moved = true;
        s->out->coder_s += a->answer.seconds;
        if ((st = rg__line_answer(s, a, err)) != RG_OK) return st;
    }
    while (a->n_counted < a->n_consumed && rg__turn(s, a)) {
        if (rg__lane_spent(s, a->lane)) {
            if (!s->end_reason && s->n_lanes < 2) s->end_reason = "evals";
            return RG_OK;
        }
        int k = a->n_counted++;
        *moved = true;
        if (a->shots[k].refused) continue;
        if ((st = rg__line_eval(s, a, k, err)) != RG_OK) return st;
        if (a->shots[k].reused) continue;
        s->lane[a->lane].evaluations++;
        rg__count(s, a->shots[k].e, false);
    }
    return RG_OK;
}

static void remember_failure(struct rg__search *s, struct rg__action *a, enum rg_outcome outcome, const char *message)
{
    struct rg_search_result *r = s->out;
    const char *step = a->step >= 0 ? rg_regraph_step(s->g, a->step)->id : "the candidate";
    snprintf(r->last_failure, sizeof r->last_failure, "%s%s%s: %s%s%s", step, a->site ? " @ " : "",
             a->site ? a->site : "", rg_outcome_word(outcome), message && *message ? ": " : "", message ? message : "");
}

static void remember_attempt(struct rg__search *s, struct rg__action *a, enum rg_outcome outcome, const char *message)
{
    if (a->edge == RG__NONE || !s->coders[a->coder]->stochastic) return;
    struct rg__edge *group = &s->edges[s->edges[a->edge].group];
    if (outcome != RG_OUTCOME_OK) group->n_failed++;
    struct rg_source src = {NULL, NULL};
    bool refused = true;
    if (a->tmpl && rg__instantiate(a->tmpl, a->n_shots ? &a->shots[0].v : NULL, &src, &refused, NULL) != RG_OK) return;
    group->attempts = rg_xrealloc(group->attempts, (size_t)(group->n_attempts + 1) * sizeof *group->attempts);
    group->attempts[group->n_attempts++] =
        (struct rg_attempt){rg_xstrdup(src.cuda), rg_xstrdup(src.plan), outcome, rg_xstrdup(message)};
    rg_source_release(&src);
}

/* A right but slower version tells a stochastic coder what not to do again, should the action be sampled once more. */
static void remember_slower(struct rg__search *s, struct rg__action *a)
{
    double was = rg__node_time(s, a->parent), is = rg__node_time(s, a->node);
    char text[128];
    if (!(was > 0 && is > was * s->p.slower_margin)) return;
    snprintf(text, sizeof text, "it takes %.4g us, the version it started from %.4g us", is, was);
    remember_attempt(s, a, RG_OUTCOME_OK, text);
}

static void add_credit(struct rg__search *s, struct rg__action *a, uint32_t child, bool noop, enum rg_outcome o)
{
    RG_GROW(s->credits, s->n_credits, s->cap_credits);
    s->credits[s->n_credits++] = (struct rg__credit){.regraph_edge = s->edges[a->edge].regraph_edge,
                                                     .coder = rg__family(s->coders[a->coder]),
                                                     .parent = a->parent,
                                                     .child = child,
                                                     .noop = noop,
                                                     .left_out = rg__leaves_out(a->site),
                                                     .outcome = o};
}

/* This run's experience of the step. */
static void tally(struct rg__search *s, const struct rg__action *a, uint32_t child, bool noop, enum rg_outcome o)
{
    if (rg__leaves_out(a->site)) return; /* it says nothing of the step at other places */
    s->n_tallied++;
    struct rg__tally *t = &s->tallies[a->step * s->n_coders + a->coder];
    double parent = rg__node_time(s, a->parent), time = noop ? parent : child == RG__NONE ? 0 : rg__node_time(s, child);
    if (o == RG_OUTCOME_REFUSED || o == RG_OUTCOME_PRUNED || (o == RG_OUTCOME_OK && !(parent > 0 && time > 0)))
        return; /* no gain was measured */
    t->n++;
    if (o != RG_OUTCOME_OK) return;
    t->ok++;
    t->sum += log(parent / time);
}

/* Of the action's own measurements; where another chain came to this candidate before, of that one's. */
static const char *last_message(const struct rg__action *a, const struct rg__node *n)
{
    for (int k = a->n_counted; k-- > 0;)
        if (a->shots[k].e && a->shots[k].e->outcome != RG_OUTCOME_OK) return a->shots[k].e->message;
    for (int k = n->n_trials; k-- > 0;)
        if (n->trials[k].e && n->trials[k].e->outcome == n->outcome) return n->trials[k].e->message;
    return "";
}

/* Tunables that were moved, in this action, from where it started. */
static void note_swept(struct rg__search *s, const struct rg__action *a, const struct rg__node *n)
{
    for (int i = 0; a->n_shots > 1 && i < n->tmpl->tunables.n; i++) {
        const char *name = n->tmpl->tunables.items[i].name;
        bool moved = false, known = false;
        for (int k = 1; k < a->n_counted; k++)
            moved = moved || (a->shots[k].v.n > i && a->shots[k].v.values[i] != a->shots[0].v.values[i]);
        for (int k = 0; k < s->n_swept; k++) known = known || !strcmp(s->swept[k].name, name);
        if (!moved || known) continue;
        RG_GROW(s->swept, s->n_swept, s->cap_swept);
        s->swept[s->n_swept++].name = rg_arena_strdup(&s->arena, name);
    }
}

/* Where the template belongs, with what was measured of it. */
static uint32_t store(struct rg__search *s, struct rg__action *a, bool *fresh)
{
    uint32_t node = a->target;
    /* it may have been under way elsewhere when this one was selected */
    if (a->twin == RG__NONE && node == RG__NONE) rg__look_for_twin(s, a, s->commits);
    if (a->twin != RG__NONE) return a->twin;
    if (node == RG__NONE) node = rg__node_find(s, a->tmpl, UINT32_MAX); /* another action may have made it since */
    if (node == RG__NONE) {
        node = rg__node_add(s, a->tmpl, s->nodes[a->parent].depth + 1);
        *fresh = true;
        s->out->nodes++;
    }
    int had = s->nodes[node].n_trials;
    double had_us = rg__node_expected(s, node);
    for (int k = 0; k < a->n_counted; k++) {
        if (!a->shots[k].e) continue;
        rg__source_add(s, a->shots[k].source_hash, rg__node_trial(s, node, &a->shots[k].v, a->shots[k].e));
        /* a source that was given is nobody's twin: its node has no schedule to go on from */
        if (a->shots[k].e->outcome == RG_OUTCOME_OK && (a->wants_coder || s->policy != &rg__policy_given))
            rg__code_add(s, rg__code_hash(a->shots[k].e, a->shots[k].plan_hash), node);
    }
    struct rg__node *n = &s->nodes[node];
    note_swept(s, a, n);
    rg__search_moves_note(s, node, had);
    rg__drafted_note(s, a, node);
    if (a->measure && n->tuned_stamp == RG__NONE) n->inherited = a->inherited;
    if (!a->wants_coder) n->tuning = false;
    if (a->further) {
        n->tunes += !strcmp(a->purpose, "tune");
        if (a->tuner.given_up) {
            n->near_out = true;
            n->far_out = n->far_out || a->tuner.wide;
        }
    }
    if (a->measure && a->tune && s->nodes[node].tuned_stamp == RG__NONE) s->nodes[node].tuned_stamp = s->commits;
    rg__node_rescore(s, node);
    double us = rg__node_expected(s, node);
    if (us > 0 && !(us >= had_us * (1 - s->p.move_gain)))
        s->nodes[node].fruitless = 0;
    else if (a->further)
        s->nodes[node].fruitless++;
    return node;
}

/* No vector could even be printed: the coder's template is no candidate. */
static bool nothing_measured(const struct rg__action *a)
{
    if (!a->measure || a->n_shots == 0) return false;
    for (int k = 0; k < a->n_shots; k++)
        if (!a->shots[k].refused) return false;
    return true;
}

static void visited(const struct rg__action *a, struct rg__edge *e)
{
    if (a->lane == RG__LANE_MODEL) return; /* counted when it was begun */
    e->in_flight--;
    if (a->ahead) return;
    e->visits++;
    if (!a->failed) e->wins++;
}

static void count_visit(struct rg__search *s, struct rg__action *a)
{
    for (int i = 0; i < a->n_path; i++) visited(a, &s->edges[a->path[i]]);
    if (a->edge != RG__NONE) visited(a, &s->edges[a->edge]);
}

static enum rg_status learn_naive(struct rg__search *s, struct rg__action *a, struct rg_error *err)
{
    if (s->naive_us > 0 || s->policy == &rg__policy_baseline || a->node == RG__NONE) return RG_OK;
    for (int k = 0; k < a->n_counted; k++) {
        const struct rg_evaluation *e = a->shots[k].e;
        if (!e || e->outcome != RG_OUTCOME_OK) continue;
        rg__naive_is(s, a->node, e);
        return rg__line_naive(s, err);
    }
    return RG_OK;
}

static void coder_failed(struct rg__search *s, const struct rg__action *a)
{
    enum rg_status st = a->answer.status;
    if (st != RG_SERVICE && st != RG_LIMIT && st != RG_DEFERRED && st != RG_UNAVAILABLE) return;
    s->coder_down[a->coder] = true;
    if (st != RG_LIMIT) s->out->coder_status = st;
    rg_log(RG_LOG_WARN, "coder %s is out: %s", s->coders[a->coder]->name, a->answer.message);
}

/* By who might have done it: the built-in coder's refusals are rules, and no experience. */
static bool declined(const struct rg__search *s, const struct rg__action *a)
{
    return a->answer.kind == RG_ANSWER_REFUSED && s->coders[a->coder]->stochastic;
}

/* A model's code that nearly is one is repaired at once, while what is wrong with it says how: what could not be made
 * twice, what races or strays once. */
static bool to_repair(struct rg__search *s, const struct rg__action *a, enum rg_outcome o)
{
    const int most[] = {(int)s->p.repairs_unmade, (int)s->p.repairs_unsafe};
    int kind = o == RG_OUTCOME_COMPILE || o == RG_OUTCOME_PLAN  ? 0
               : o == RG_OUTCOME_RACE || o == RG_OUTCOME_BOUNDS ? 1
                                                                : -1;
    if (kind < 0 || !a->tmpl || !s->coders[a->coder]->stochastic) return false;
    int *n = &s->edges[s->edges[a->edge].group].n_repairs[kind];
    return (*n)++ < most[kind];
}

enum rg_status rg__commit_settle(struct rg__search *s, struct rg__action *a, struct rg_error *err)
{
    a->settled = true;
    s->commits++; /* before anything is stamped: actions under way must not see this commit */
    bool fresh = false, noop = false, credit = false;
    enum rg_outcome outcome = RG_OUTCOME_OK;
    const char *message = NULL;
    enum rg_status st = rg__took_other(s, a, err);
    if (st != RG_OK) return st;
    if (a->answer.kind != RG_ANSWER_TEMPLATE || nothing_measured(a)) {
        bool template = a->answer.kind == RG_ANSWER_TEMPLATE;
        a->failed = true;
        outcome = template ? RG_OUTCOME_UNSUPPORTED : a->answer.outcome;
        message = template ? "no vector of its tunables could be instantiated" : a->answer.message;
        if (a->edge != RG__NONE) s->edges[a->edge].state = RG__EDGE_CLOSED;
        credit = a->answer.status == RG_OK && (a->answer.kind == RG_ANSWER_FAILED || declined(s, a));
        coder_failed(s, a);
    } else {
        a->node = store(s, a, &fresh);
        noop = a->edge != RG__NONE && (a->node == a->parent || rg__graph_reaches(s, a->node, a->parent));
        outcome = s->nodes[a->node].outcome;
        a->pruned = outcome == RG_OUTCOME_PRUNED;
        a->failed = noop || (outcome != RG_OUTCOME_OK && !a->pruned);
        message = outcome == RG_OUTCOME_OK ? NULL : last_message(a, &s->nodes[a->node]);
        credit = !a->answer.ambiguous;
        if (a->edge != RG__NONE && noop)
            s->edges[a->edge].state = RG__EDGE_CLOSED;
        else if (a->edge != RG__NONE) {
            if (a->wants_coder) rg__graph_link(s, a->edge, a->node);
            if (!fresh) rg__decline_below(s, a->node);
            a->linked = true;
        }
    }
    credit = credit && a->edge != RG__NONE && s->edges[a->edge].regraph_edge >= 0;
    if (a->linked && !fresh && a->sample > 0) s->edges[s->edges[a->edge].group].repeats = true;
    if (credit) tally(s, a, noop ? RG__NONE : a->node, noop, outcome);
    credit = credit && a->wants_coder; /* a step that was made before has its own */
    if (credit) add_credit(s, a, noop ? RG__NONE : a->node, noop, outcome);
    if (a->failed && !noop) remember_failure(s, a, outcome, message);
    count_visit(s, a);
    rg__graph_refresh(s, a->node != RG__NONE ? a->node : a->parent);
    rg__graph_refresh(s, a->parent);
    st = rg__line_result(s, a, fresh, noop, credit, outcome, err);
    if (st == RG_OK) st = learn_naive(s, a, err);
    if (st == RG_OK && !a->failed && a->edge != RG__NONE && a->node != RG__NONE) remember_slower(s, a);
    if (st == RG_OK && a->failed && a->edge != RG__NONE) {
        if (declined(s, a))
            rg__decline(s, a->edge);
        else if (a->answer.kind != RG_ANSWER_REFUSED) {
            if (!noop) remember_attempt(s, a, outcome, message);
            uint32_t next = (uint32_t)s->n_edges;
            rg__expand_sample(s, a->edge);
            if ((uint32_t)s->n_edges > next && to_repair(s, a, outcome)) s->repair = next;
        }
        st = rg__expand_fallback(s, a->edge, err);
    }
    rg__lanes_wake(s, a);
    if (s->n_lanes > 1 && a->coder_id >= 0 && a->answered && s->coders[a->coder]->taken)
        s->coders[a->coder]->taken(s->coders[a->coder]->self, a->coder_id, s->completed - a->begun_at + 1);
    return st;
}

static enum rg_status source_of(struct rg__search *s, uint32_t node, int trial, struct rg_source *out,
                                struct rg_error *err)
{
    bool refused;
    enum rg_status st = rg__instantiate(s->nodes[node].tmpl, &s->nodes[node].trials[trial].v, out, &refused, err);
    if (st == RG_OK && refused) return rg_error_set(err, RG_BUG, "a measured vector can no longer be instantiated");
    return st;
}

enum rg_status rg__commit_again(struct rg__search *s, struct rg__action *a, struct rg_error *err)
{
    a->state = RG__ACT_AGAIN;
    a->again_since = rg_now();
    int id = s->next_id++;
    struct rg_evaluation *e = rg_xcalloc(1, sizeof *e);
    if (rg__journal_again(s->journal, a->id, a->n_again, e)) {
        rg__evaluation_clean(e);
        a->again = e;
        return RG_OK;
    }
    free(e);
    struct rg_source src;
    enum rg_status st = source_of(s, a->node, a->again_trial, &src, err);
    if (st != RG_OK) return st;
    a->again_id = id;
    st = s->ev->submit(s->ev->self, a->again_id, &src, a->last ? RG_EVAL_LAST : RG_EVAL_AGAIN, err);
    rg_source_release(&src);
    return st;
}

/* A duel is of kernels. What the two need beside them, to and from the device, stands on both sides of the ratio that
 * counts. */
static double with_transfers(const struct rg__search *s, const struct rg_evaluation *mine, double ratio)
{
    const struct rg_evaluation *old = rg__trial_evaluation(&s->nodes[s->best_node].trials[s->best_trial]);
    double extra_mine = rg__cost(s, mine) - mine->time_us, extra_old = rg__cost(s, old) - old->time_us;
    return (ratio * mine->time_us + extra_old) / (mine->time_us + extra_mine);
}

/* So much faster, each by a second measurement of its own, that no drift of the clock between the two explains it. */
static bool clearly_faster(const struct rg__search *s, const struct rg_evaluation *mine)
{
    const struct rg__trial *old = &s->nodes[s->best_node].trials[s->best_trial];
    if (s->o->total || !old->again) return false;
    double noise = mine->noise_us + old->again->noise_us;
    return old->again->time_us > s->p.clear_margin * mine->time_us &&
           old->again->time_us - mine->time_us > s->p.clear_noise * noise;
}

double rg__duel_s(const struct rg__search *s)
{
    return s->duel_s > 0 ? s->duel_s : s->p.duel_of_again * s->again_s;
}

/* Paired runs against the best so far; a duel that cannot be held leaves the two medians to decide. What is taken for
 * better during the search must be so by a margin, as it resets patience and draws the search after it; at the end
 * whatever is certain counts. */
enum rg_status rg__commit_duel(struct rg__search *s, struct rg__action *a, bool final, bool *won, struct rg_error *err)
{
    double margin = s->p.better_margin;
    const struct rg_evaluation *e_mine = rg__trial_evaluation(&s->nodes[a->node].trials[a->again_trial]);
    double mine = rg__cost(s, e_mine);
    struct rg_duel d = {.ratio = 1};
    *won = s->best_us > mine * (s->ev->estimated ? 1 : margin);
    if (!s->ev->duel) return RG_OK;
    if (!final && clearly_faster(s, e_mine)) {
        s->duel_s = 0; /* a slower kernel's says nothing of the next one */
        return RG_OK;
    }
    if (!rg__journal_duel(s->journal, a->id, a->n_again, &d)) {
        struct rg_source old, new;
        enum rg_status st = source_of(s, s->best_node, s->best_trial, &old, err);
        if (st != RG_OK) return st;
        if ((st = source_of(s, a->node, a->again_trial, &new, err)) != RG_OK) {
            rg_source_release(&old);
            return st;
        }
        struct rg_error e = RG_ERROR_INIT;
        double since = rg_now();
        st = s->ev->duel(s->ev->self, &old, &new, &d, &e);
        s->duel_s = rg_now() - since;
        rg_source_release(&old);
        rg_source_release(&new);
        if (st == RG_NOMEM || st == RG_CANCELED) return rg_error_set(err, st, "%s", e.text);
        if (st != RG_OK) {
            rg_log(RG_LOG_WARN, "the new best could not meet the old one: %s", e.text);
            d = (struct rg_duel){.ratio = s->best_us / mine, .significant = *won};
        }
    }
    double gain = with_transfers(s, e_mine, d.ratio);
    bool clear = d.significant && (final || fabs(d.ratio - 1) > margin - 1);
    *won = gain > 1 && (clear || (s->o->total && gain > margin)); /* what transfers gain no duel of kernels sees */
    a->duel = d;
    return rg__line_duel(s, a, a->n_again, &d, err);
}

void rg__commit_promote(struct rg__search *s, struct rg__action *a, int trial)
{
    s->best_node = a->node;
    s->best_trial = trial;
    s->best_us = rg__cost(s, rg__trial_evaluation(&s->nodes[a->node].trials[trial]));
    s->best_at = s->out->evaluations;
    s->best_unlooked = rg__final_unlooked(s, a->node, trial);
    rg__lanes_best(s);
    a->best = true;
    rg__count(s, NULL, true);
}

enum rg_status rg__commit_judged(struct rg__search *s, struct rg__action *a, struct rg_error *err)
{
    enum rg_status st = rg__line_again(s, a, a->n_again, err);
    if (st != RG_OK) return st;
    s->again_s = rg_now() - a->again_since;
    struct rg__trial *t = &s->nodes[a->node].trials[a->again_trial];
    t->again = rg_arena_alloc(&s->arena, sizeof *t->again);
    *t->again = *a->again;
    free(a->again);
    a->again = NULL;
    a->again_id = -1;
    rg__node_rescore(s, a->node);
    if (t->again->outcome != RG_OUTCOME_OK) remember_failure(s, a, t->again->outcome, t->again->message);
    return RG_OK;
}

/* The tool runs alone on the device, for seconds in which no candidate is measured: its share of a search is bounded.
 */
static bool profile_fits(const struct rg__search *s)
{
    double next = s->profile_s > 0 ? s->profile_s : s->p.profile_first;
    return s->profiled_s + next <= s->p.profile_share * rg__elapsed(s);
}

/* The device's own counters of the trial that has just become the best, or is it at the end; they join its evaluation.
 * What the journal holds is taken from there, so that a model that saw them is asked the same again. */
enum rg_status rg__commit_profile(struct rg__search *s, struct rg__action *a, bool final, struct rg_error *err)
{
    struct rg__trial *t = &s->nodes[a->node].trials[a->again_trial];
    struct rg_evaluation *e = t->again ? t->again : t->e;
    struct rg_counter c[RG_MAX_COUNTERS];
    int n = 0;
    for (int i = 0; i < e->n_counters; i++)
        if (rg_counter_of_hardware(e->counters[i].name)) return RG_OK;
    bool known = rg__journal_counters(s->journal, a->id, a->n_again, c, &n);
    if (!known && (!s->ev->profile || rg__journal_replaying(s->journal))) return RG_OK;
    if (!known && !final && !profile_fits(s)) return RG_OK;
    struct rg_source src;
    enum rg_status st = source_of(s, a->node, a->again_trial, &src, err);
    if (st != RG_OK) return st;
    double since = rg_now();
    if (!known) st = s->ev->profile(s->ev->self, &src, c, &n, err);
    if (!known) s->profile_s = rg_now() - since;
    s->profiled_s += known ? 0 : s->profile_s;
    if (st == RG_OK && (known || n > 0)) st = rg__line_counters(s, a, a->n_again, &src, c, n, err);
    rg_source_release(&src);
    for (int i = 0; i < n && st == RG_OK && e->n_counters < RG_MAX_COUNTERS; i++) e->counters[e->n_counters++] = c[i];
    return st;
}

/* Only a model reads them while the search goes on. */
static bool counters_are_read(const struct rg__search *s)
{
    for (int i = 0; i < s->n_coders; i++)
        if (s->coders[i]->stochastic) return true;
    return false;
}

static enum rg_status judge(struct rg__search *s, struct rg__action *a, struct rg_error *err)
{
    enum rg_status st = rg__commit_judged(s, a, err);
    if (st != RG_OK) return st;
    const struct rg_evaluation *e = s->nodes[a->node].trials[a->again_trial].again;
    bool won = e->outcome == RG_OUTCOME_OK && (s->best_us == 0 || rg__cost(s, e) < s->best_us);
    if (won && s->best_us > 0) st = rg__commit_duel(s, a, false, &won, err);
    if (st == RG_OK && won) rg__commit_promote(s, a, a->again_trial);
    if (st == RG_OK && won && counters_are_read(s)) st = rg__commit_profile(s, a, false, err);
    a->n_again++;
    return st;
}

static bool worth_confirming(const struct rg__search *s, const struct rg__action *a)
{
    if (a->node == RG__NONE || a->twin != RG__NONE || !a->measure || s->policy == &rg__policy_apply) return false;
    const struct rg__trial *b = rg__node_best(s, a->node);
    if (!b || b->again) return false; /* a confirmed best trial that is not the best has lost its duel */
    return s->best_us == 0 || rg__cost(s, b->e) < s->best_us;
}

enum rg_status rg__commit_confirm(struct rg__search *s, struct rg__action *a, bool *done, struct rg_error *err)
{
    enum rg_status st = RG_OK;
    *done = false;
    for (;;) {
        if (a->again && (st = judge(s, a, err)) != RG_OK) return st;
        if (a->again_id >= 0) return RG_OK; /* under way */
        if (!worth_confirming(s, a)) break;
        a->again_trial = s->nodes[a->node].best_trial;
        if ((st = rg__commit_again(s, a, err)) != RG_OK) return st;
    }
    *done = true;
    a->state = RG__ACT_FINISHED;
    if (a->n_again == 0) return RG_OK;
    a->failed =
        a->failed || (s->nodes[a->node].outcome != RG_OUTCOME_OK && s->nodes[a->node].outcome != RG_OUTCOME_PRUNED);
    rg__graph_refresh(s, a->node);
    return rg__line_settled(s, a, err);
}
