/* A run: the baseline, then the policy, until a budget is spent; the result; what the journal ends with. */
#include "engine/engine.h"
#include <math.h>
#include <rg/buf.h>
#include <rg/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double wait_s = 0.25;

double rg__elapsed(const struct rg__search *s)
{
    return rg_now() - s->started;
}

static void progress(struct rg__search *s, bool new_best)
{
    s->last_progress = rg_now();
    if (!s->o->progress || rg__journal_replaying(s->journal)) return;
    struct rg_search_progress p = {s->out->evaluations, rg__elapsed(s), s->best_us,
                                   s->naive_us,         s->action_text, new_best};
    s->o->progress(s->o->progress_arg, &p);
}

void rg__count(struct rg__search *s, const struct rg_evaluation *e, bool new_best)
{
    if (e) {
        s->out->evaluations++;
        s->out->outcomes[e->outcome]++;
        double low = rg_evaluation_counter(e, "prune_low_us");
        s->out->prune_measured += low > 0;
        s->out->prune_missed += low > 0 && e->time_us < low;
    }
    progress(s, new_best);
}

static void describe(struct rg__search *s)
{
    const struct rg__action *a = s->n_actions ? s->actions[0] : NULL;
    s->action_text[0] = 0;
    if (!a) return;
    if (a->step < 0)
        snprintf(s->action_text, sizeof s->action_text, "measuring");
    else
        snprintf(s->action_text, sizeof s->action_text, "%s @ %s", rg_regraph_step(s->g, a->step)->id, a->site);
}

double rg__time_is_up(const struct rg__search *s)
{
    /* a run that says how long it takes is believed: what it ends with counts */
    return s->o->seconds > 0 ? s->started + s->p.time_promise * s->o->seconds - s->o->closing_s : INFINITY;
}

/* Of a time limit, what the end needs is kept back: another look at the best, duels among the fastest. Before there is
 * any kernel, nothing is. */
static bool out_of_time(const struct rg__search *s)
{
    double limit = s->o->seconds;
    if (limit <= 0 || rg__journal_replaying(s->journal)) return false;
    double end = s->again_s + s->p.duels_kept * rg__duel_s(s) + s->o->closing_s;
    if (s->best_unlooked) end += s->again_s + s->p.look_kept;
    if (s->best_us > 0) limit -= end < s->p.time_kept * limit ? end : s->p.time_kept * limit;
    return rg__elapsed(s) >= limit;
}

static void check_budgets(struct rg__search *s)
{
    const struct rg_search_options *o = s->o;
    if (s->end_reason) return;
    if (o->stop && *o->stop) {
        s->end_reason = "stopped";
        s->urgent = s->out->stopped = true;
    } else if (out_of_time(s)) {
        s->end_reason = "time";
        s->urgent = true;
    } else if (rg__lanes_spent(s))
        s->end_reason = "evals";
}

/* Between actions only, so that they end a run at the same place every time. */
static void check_goals(struct rg__search *s)
{
    const struct rg_search_options *o = s->o;
    if (s->end_reason) return;
    /* Even a next action that would cost nothing: it may or may not have been answered by now. */
    int spent = 0, tired = 0;
    for (int l = 0; l < s->n_lanes; l++) {
        spent += rg__lane_spent(s, l);
        tired += !rg__lane_spent(s, l) && s->policy != &rg__policy_linger && s->policy != &rg__policy_minimal &&
                 rg__lane_tired(s, l);
    }
    if (spent + tired == s->n_lanes) s->end_reason = tired ? "patience" : "evals";
    if (o->apply) return;
    if (s->best_us <= 0 || s->policy == &rg__policy_baseline) return;
    if (o->target_us > 0 && s->best_us <= o->target_us) s->end_reason = "target";
    if (o->target_speedup > 0 && s->naive_us / s->best_us >= o->target_speedup) s->end_reason = "target";
}

static void pop(struct rg__search *s)
{
    rg__action_free(s->actions[0]);
    memmove(s->actions, s->actions + 1, (size_t)--s->n_actions * sizeof *s->actions);
    describe(s);
}

/* The best is tuned further when it has stood for a while, and before a run ends for want of actions: a node's own
 * allowance is small because most nodes do not deserve more. */
static bool polish(struct rg__search *s, struct rg__action *a, bool at_end)
{
    if (s->best_us <= 0 || s->o->apply || s->policy == &rg__policy_baseline || s->policy == &rg__policy_given ||
        s->policy == &rg__policy_linger || s->policy == &rg__policy_minimal || s->policy == &rg__policy_lone)
        return false;
    struct rg__node *n = &s->nodes[s->best_node];
    if (!at_end && s->policy->lean) return false; /* it tunes as it sees fit */
    if (n->polished || (!at_end && s->out->evaluations - s->best_at < s->p.polish_after)) return false;
    if (!rg__can_tune(s, s->best_node)) return false;
    n->polished = true;
    rg__action_further(s, a, s->best_node, "polish");
    return true;
}

static enum rg_status choose(struct rg__search *s, struct rg__action *a, enum rg__next *what, struct rg_error *err)
{
    *what = RG__NEXT_ACTION;
    bool mine = s->choosing == RG__LANE_BUILT_IN;
    if (mine && polish(s, a, false)) return RG_OK;
    a->purpose = "search";
    a->target = RG__NONE;
    a->parent = RG__ROOT;
    enum rg_status st = s->policy->next(s, a, what, err);
    if (st == RG_OK && *what == RG__NEXT_END && mine && rg__lane_actions(s, s->choosing) == 0 && polish(s, a, true))
        *what = RG__NEXT_ACTION;
    return st;
}

static enum rg_status launch_lane(struct rg__search *s, struct rg_error *err)
{
    int lane = s->choosing;
    while (!s->end_reason && rg__lane_actions(s, lane) < s->lane[lane].in_flight) {
        if (s->n_lanes > 1 && (rg__lane_spent(s, lane) || rg__lane_tired(s, lane))) break; /* the other one goes on */
        struct rg__action *a = rg__action_new(s);
        enum rg__next what = RG__NEXT_END;
        enum rg_status st = choose(s, a, &what, err);
        if (st == RG_OK) check_budgets(s); /* a coder may have listed less than there is since its time was up */
        if (st != RG_OK || what != RG__NEXT_ACTION || s->end_reason) {
            if (!a->wants_coder && a->target != RG__NONE) s->nodes[a->target].tuning = false;
            rg__action_free(a);
            return st;
        }
        RG_GROW(s->actions, s->n_actions, s->cap_actions);
        s->actions[s->n_actions++] = a;
        describe(s);
        if ((st = rg__action_start(s, a, err)) != RG_OK) return st;
    }
    return RG_OK;
}

static enum rg_status launch(struct rg__search *s, struct rg_error *err)
{
    /* Selection happens right after a commit is complete and at no other time: not while an action is measured
     * again, and not twice where the policy had nothing to offer. How often we come here depends on who answers when.
     */
    for (int i = 0; i < s->n_actions; i++)
        if (s->actions[i]->settled) return RG_OK;
    if (s->asked_at == s->completed) return RG_OK;
    s->asked_at = s->completed;
    enum rg_status st = RG_OK;
    for (int l = 0; l < s->n_lanes && st == RG_OK; l++) {
        s->choosing = l;
        st = launch_lane(s, err);
    }
    s->choosing = RG__LANE_BUILT_IN;
    return st;
}

/* Brings the first action as far as its results allow. */
static enum rg_status advance_head(struct rg__search *s, bool *moved, struct rg_error *err)
{
    struct rg__action *a = s->actions[0];
    if (a->answered && a->answer.kind == RG_ANSWER_FAILED && a->answer.status == RG_DEFERRED) {
        /* Nobody answers today: the run ends as if it had been stopped before this action, and goes on there. */
        s->end_reason = "deferred";
        s->urgent = true;
        s->out->coder_status = RG_DEFERRED;
        snprintf(s->out->last_failure, sizeof s->out->last_failure, "%s", a->answer.message);
        return RG_OK;
    }
    enum rg_status st = rg__commit_flush(s, a, moved, err);
    if (st != RG_OK) return st;
    if (!a->settled) {
        if (a->state != RG__ACT_FINISHED || a->n_counted < a->n_consumed) return RG_OK;
        *moved = true;
        if ((st = rg__commit_settle(s, a, err)) != RG_OK) return st;
    }
    bool done;
    if ((st = rg__commit_confirm(s, a, &done, err)) != RG_OK || !done) return st;
    *moved = true;
    if (!a->further && s->policy->done && (st = s->policy->done(s, a, err)) != RG_OK) return st;
    pop(s);
    s->completed++;
    check_goals(s);
    return RG_OK;
}

static enum rg_status step(struct rg__search *s, struct rg_error *err)
{
    bool moved = false, got = false;
    enum rg_status st = RG_OK;
    for (int i = 0; i < s->n_actions && st == RG_OK; i++)
        if (!s->actions[i]->settled) st = rg__action_advance(s, s->actions[i], &moved, err);
    uint32_t completed = s->completed; /* an action through: the next is chosen first */
    for (int l = 0; l < s->n_lanes && st == RG_OK && (l == 0 || !s->end_reason) && s->completed == completed; l++) {
        struct rg__action *head = rg__lane_next(s, l);
        /* of the model's lane all lines are written at once: when it is through the other may be in the middle of an
         * action */
        bool whole = l == RG__LANE_BUILT_IN || head == NULL || head->settled || head->state == RG__ACT_FINISHED;
        whole = whole || (head->state == RG__ACT_EVAL && head->n_shots > 0 &&
                          head->n_consumed == head->n_shots); /* it could not afford another */
        if (!head || !whole || !rg__turn(s, head)) continue;
        rg__lane_front(s, head);
        st = advance_head(s, &moved, err);
    }
    if (st == RG_OK && s->n_actions) st = rg__actions_poll(s, moved ? 0 : wait_s, &got, err);
    if (rg_now() - s->last_progress > wait_s) progress(s, false);
    return st;
}

static enum rg_status run_policy(struct rg__search *s, const struct rg__policy *p, struct rg_error *err)
{
    s->policy = p;
    s->n_lanes = p->lanes && rg__lanes_mixed(s) ? RG__N_LANES : 1;
    s->completed++; /* a new policy may be asked at once */
    if (p->start) p->start(s);
    enum rg_status st = RG_OK;
    while (st == RG_OK) {
        check_budgets(s);
        if (s->end_reason) break;
        if ((st = launch(s, err)) != RG_OK) break;
        bool stands = true;
        for (int l = 0; l < s->n_lanes; l++) stands = stands && rg__lane_stands(s, l);
        if (stands) break;
        st = step(s, err);
    }
    if (st == RG_OK && !s->end_reason &&
        s->n_lanes > 1) /* the model had nothing more to do: how the other lane ended is how the run does */
        s->end_reason = rg__lane_spent(s, RG__LANE_BUILT_IN)   ? "evals"
                        : rg__lane_tired(s, RG__LANE_BUILT_IN) ? "patience"
                                                               : NULL;
    if (p->stop) p->stop(s);
    return st;
}

/* How long an ending run still waits for what it ends with to be verified again. */
static double patience_at_end(const struct rg__search *s)
{
    double left = rg__time_is_up(s) - rg_now();
    if (s->urgent && strcmp(s->end_reason, "time")) return 0;
    return left < 0 ? 0 : left < 1e9 ? left : 1e9;
}

/* An action that the end cut off: what was paid for still counts. */
static enum rg_status close_action(struct rg__search *s, struct rg__action *a, double until, struct rg_error *err)
{
    enum rg_status st = RG_OK;
    if (!a->settled) {
        if (a->n_counted == 0 || !a->tmpl) return RG_OK;
        if ((st = rg__commit_settle(s, a, err)) != RG_OK) return st;
    }
    bool done = false;
    while (!done && st == RG_OK && rg_now() < until && !(s->o->stop && *s->o->stop)) {
        bool got;
        st = rg__commit_confirm(s, a, &done, err);
        if (st == RG_OK && !done) st = rg__actions_poll(s, wait_s, &got, err);
    }
    const struct rg__trial *t = a->node == RG__NONE ? NULL : rg__node_best(s, a->node);
    if (st != RG_OK || done || !t || t->again || s->policy == &rg__policy_apply) return st;
    double us = rg__cost(s, rg__trial_evaluation(t));
    if (us > 0 &&
        (s->best_us == 0 ||
         s->best_us >
             us * (s->ev->estimated
                       ? 1
                       : s->p.better_margin /* as in a duel that cannot be held */))) { /* verified once is better than
                                                                                           what is slower, or nothing */
        s->best_node = a->node;
        s->best_trial = s->nodes[a->node].best_trial;
        s->best_us = us;
    }
    return st;
}

static void cancel_rest(struct rg__search *s)
{
    for (int i = 0; i < s->n_actions; i++)
        if (!s->actions[i]->settled || patience_at_end(s) <= 0)
            rg__action_cancel(s, s->actions[i]); /* what is being verified again is waited for */
}

static void drop_rest(struct rg__search *s)
{
    uint32_t free_from = 0; /* numbers below are in the journal */
    for (int i = 0; i < s->n_actions; i++)
        if (s->actions[i]->wrote_action && s->actions[i]->id >= free_from) free_from = s->actions[i]->id + 1;
    while (s->n_actions) {
        const struct rg__action *a = s->actions[0];
        if (!a->wrote_action && a->id < s->next_action && a->id >= free_from) s->next_action = a->id;
        rg__action_undo(s, s->actions[0]);
        pop(s);
    }
}

/* The oldest action in any case; where time or the user ended the run, those behind it too, as far as they have
 * results: which ones those are is no part of the run's course, and the closing section is void when it goes on. */
static enum rg_status close_rest(struct rg__search *s, struct rg_error *err)
{
    double until = rg_now() + patience_at_end(s);
    bool all = s->urgent && s->out->coder_status != RG_DEFERRED, moved;
    enum rg_status st = RG_OK;
    for (int i = 0; i < s->n_actions && st == RG_OK; i++) {
        struct rg__action *a = s->actions[i];
        if (!all && a != rg__lane_head(s, a->lane)) continue;
        if (i > 0 && (a->n_consumed == 0 || !a->tmpl)) continue;
        s->actions[i] = s->actions[0];
        s->actions[0] = a; /* whose answers are waited for */
        if (i > 0) st = rg__commit_flush(s, a, &moved, err);
        if (st == RG_OK) st = close_action(s, a, until, err);
        if (a->again_id >= 0) rg__action_cancel(s, a);
    }
    return st;
}

static enum rg_status make_rows(struct rg__search *s, struct rg_error *err)
{
    struct rg__figure *f = rg_xcalloc((size_t)s->n_nodes, sizeof *f);
    for (int i = 0; i < s->n_nodes; i++) {
        const struct rg__node *n = &s->nodes[i];
        f[i].time_us = i ? rg__node_kernel(s, (uint32_t)i) : 0;
        f[i].outcome = n->outcome;
        f[i].measured = n->n_trials > 0;
        if (n->best_trial < 0) continue;
        const struct rg_vector *v = &n->trials[n->best_trial].v;
        for (int k = 0; k < v->n; k++)
            f[i].values[f[i].n_values++] = (struct rg__value){n->tmpl->tunables.items[k].name, v->values[k]};
    }
    const struct rg_circumstances at = rg__circumstances(s, NULL);
    rg__evidence_rows(s->credits, s->n_credits, f, s->n_nodes, s->best_us > 0 ? s->best_node : RG__NONE,
                      s->naive_kernel_us, &at, s->run_id, &s->origin, &s->out->rows, &s->out->n_rows);
    free(f);
    enum rg_status st = RG_OK;
    for (int i = 0; i < s->out->n_rows; i++) {
        if (i == 0 || s->out->rows[i].edge != s->out->rows[i - 1].edge) s->out->edges_updated++;
        if (st == RG_OK) st = rg__line_evidence(s, &s->out->rows[i], err);
    }
    return st;
}

static enum rg_status give_best(struct rg__search *s, struct rg_error *err)
{
    s->out->naive_us = s->naive_kernel_us;
    if (s->best_us <= 0) return RG_OK;
    const struct rg__node *n = &s->nodes[s->best_node];
    const struct rg__trial *t = &n->trials[s->best_trial];
    bool refused;
    enum rg_status st = rg__instantiate(n->tmpl, &t->v, &s->out->source, &refused, err);
    if (st != RG_OK) return st;
    if (refused) return rg_error_set(err, RG_BUG, "the best vector can no longer be instantiated");
    s->out->best = rg_template_ref(n->tmpl);
    s->out->n_first = rg__first_chain(s, n->tmpl, &s->out->chain, &s->out->n_chain);
    for (int i = 0; i < s->out->n_chain; i++)
        s->out->chain[i] = (struct rg_link){rg_xstrdup(s->out->chain[i].step), rg_xstrdup(s->out->chain[i].site)};
    s->out->vector = t->v;
    s->out->evaluation = *rg__trial_evaluation(t);
    if (s->best_node == s->naive_node && s->best_trial == s->naive_trial)
        s->out->naive_us = s->out->evaluation.time_us; /* measured again, it has two times */
    if (s->paired_best_us <= 0) return RG_OK;
    struct rg_evaluation *e = &s->out->evaluation;
    if (e->total_us > 0) e->total_us += s->paired_best_us - e->time_us;
    e->time_us = s->paired_best_us;
    s->out->naive_us = s->paired_naive_us;
    return RG_OK;
}

/* The policy's own searches end where it ends; the controls among the policies are compared by that. */
static enum rg_status linger(struct rg__search *s, struct rg_error *err)
{
    const char *reason = s->end_reason;
    if (!reason || strcmp(reason, "patience") || out_of_time(s) || !s->policy->lean || s->best_us <= 0 ||
        rg__journal_replaying(s->journal))
        return RG_OK;
    s->end_reason = NULL;
    enum rg_status st = run_policy(s, &rg__policy_linger, err);
    if (st == RG_OK && s->n_actions) {
        cancel_rest(s);
        st = close_rest(s, err);
    }
    s->end_reason = reason;
    return st;
}

/* Steps that add nothing leave the best. The user who leaves does not wait for it; a chain that was asked for stays as
 * it is. */
static enum rg_status minimal(struct rg__search *s, struct rg_error *err)
{
    const char *reason = s->end_reason;
    bool chosen = s->policy->lanes || s->policy->lean;
    if (!chosen || s->o->apply || s->out->stopped || s->best_us <= 0 || rg__journal_replaying(s->journal) ||
        s->out->coder_status == RG_DEFERRED)
        return RG_OK;
    bool more =
        reason && strcmp(reason, "time") && strcmp(reason, "evals") && !out_of_time(s) && s->nodes[s->best_node].tmpl;
    s->end_reason = NULL;
    enum rg_status st = rg__minimal(s, more ? run_policy : NULL, err);
    if (st == RG_OK && s->n_actions) {
        cancel_rest(s);
        st = close_rest(s, err);
    }
    s->end_reason = reason;
    return st;
}

/* Errors do not lose what was found: the best so far is given in any case. */
static enum rg_status finish(struct rg__search *s, enum rg_status st, struct rg_error *err)
{
    cancel_rest(s);
    if (st == RG_OK) st = rg__line_end(s, err);
    if (st == RG_OK) st = close_rest(s, err);
    drop_rest(s);
    if (st == RG_OK) st = linger(s, err);
    drop_rest(s);
    if (st == RG_OK) st = minimal(s, err);
    drop_rest(s);
    if (st == RG_OK) st = rg__final(s, err);
    if (st != RG_OK) rg__journal_stop(s->journal); /* what it learnt so far has no end line before it */
    enum rg_status rows = make_rows(s, st == RG_OK ? err : NULL);
    if (st == RG_OK) st = rows;
    if (st == RG_OK) st = rg__line_final(s, err);
    rg__pairs(s);
    enum rg_status best = give_best(s, st == RG_OK ? err : NULL);
    return st == RG_OK ? best : st;
}

static enum rg_status check_options(struct rg__search *s, struct rg_error *err)
{
    const struct rg_search_options *o = s->o;
    if (s->n_coders < 1 || s->n_coders > 16) return rg_error_set(err, RG_BUG, "%d coders", s->n_coders);
    if (!rg__policy_find(o->policy)) {
        struct rg_buf b = RG_BUF_INIT;
        char near[160];
        rg__policy_names(&b);
        rg_error_set(err, RG_USAGE, "no policy '%s'; there are %s%s", o->policy, b.data,
                     rg__policy_near(o->policy, near));
        rg_buf_release(&b);
        return RG_USAGE;
    }
    for (int i = 0; i < o->n_constants; i++) {
        enum rg_status st = rg__params_set(&s->p, o->constants[i], err);
        if (st != RG_OK) return st;
    }
    for (int i = 0; i < o->n_forbid; i++) {
        int step = rg_regraph_find(s->g, o->forbid[i]);
        char near[160];
        if (step < 0)
            return rg_error_set(err, RG_USAGE, "--forbid: the graph has no step '%s'%s", o->forbid[i],
                                rg_regraph_did_you_mean(s->g, o->forbid[i], near));
        s->forbidden[step] = true;
    }
    return o->apply ? rg__apply_check(s, err) : RG_OK;
}

static void set_up(struct rg__search *s)
{
    const struct rg_search_options *o = s->o;
    bool uct = o->policy && !strcmp(o->policy, "uct");
    s->in_flight = o->in_flight > 0 ? o->in_flight : 1;
    int models = o->model_in_flight > 0 ? o->model_in_flight : s->in_flight;
    s->lane[RG__LANE_BUILT_IN].in_flight = s->in_flight;
    s->lane[RG__LANE_MODEL].in_flight = models;
    s->n_lanes = 1;
    s->repair = RG__NONE;
    bool alone = true;
    for (int c = 0; c < s->n_coders; c++) alone = alone && s->coders[c]->stochastic;
    if (alone) s->in_flight = s->lane[RG__LANE_BUILT_IN].in_flight = models;
    s->max_depth = o->max_depth;
    s->p = rg__params_default;
    if (o->exploration > 0) s->p.exploration = o->exploration;
    if (uct || o->max_mix >= 0) s->p.max_mix = uct ? 0 : o->max_mix;
    s->run_id = o->run_id && *o->run_id ? o->run_id : "unnamed";
    s->origin = o->origin;
    s->forbidden = rg_xcalloc((size_t)rg_regraph_steps(s->g) + 1, sizeof *s->forbidden);
    for (int i = 0; i < rg_regraph_steps(s->g); i++) s->forbidden[i] = rg_regraph_step(s->g, i)->never;
    s->unfit = rg_xcalloc((size_t)rg_regraph_steps(s->g) + 1, sizeof *s->unfit);
    s->coder_down = rg_xcalloc((size_t)s->n_coders + 1, sizeof *s->coder_down);
    rg_rng_seed(&s->rng, o->seed);
    rg_rng_seed(&s->model_rng, o->seed ^ 0x6d6f64656cu);
    s->last_progress = rg_now();
    s->started = o->began > 0 ? o->began : s->last_progress;
    s->policy = &rg__policy_baseline;
}

static void tear_down(struct rg__search *s)
{
    while (s->n_actions) pop(s);
    free(s->actions);
    free(s->credits);
    free(s->forbidden);
    free(s->unfit);
    free(s->coder_down);
    free(s->weights.w);
    free(s->tallies);
    free(s->pooled);
    free(s->own);
    free(s->swept);
    free(s->moves);
    free(s->observed);
    rg__drafted_release(s);
    free(s->move_names);
    rg__journal_close(s->journal);
    rg_pack_close(s->kept);
    rg__graph_release(s);
}

enum rg_status rg_search_run(const struct rg_search_options *o, const struct rg_regraph *g, struct rg_coder **coders,
                             int n_coders, struct rg_evaluator *ev, struct rg_search_result *out, struct rg_error *err)
{
    memset(out, 0, sizeof *out);
    struct rg__search s = {.o = o, .g = g, .coders = coders, .n_coders = n_coders, .ev = ev, .out = out};
    set_up(&s);
    enum rg_status st = check_options(&s, err);
    if (st == RG_OK) {
        if (ev->contend) ev->contend(ev->self, s.p.contend_within, s.p.far_behind);
        rg__weights_init(&s);
        rg__first_init(&s);
        rg__node_add(&s, NULL, 0);
        st = rg__journal_open(&s, err);
        s.started -= rg__journal_clock(s.journal);
        if (st == RG_OK) {
            st = run_policy(&s, &rg__policy_baseline, err);
            if (st == RG_OK && !s.end_reason && o->given) st = run_policy(&s, &rg__policy_given, err);
            if (st == RG_OK && !s.end_reason && !o->apply && rg__policy_find(o->policy)->lean)
                st = run_policy(&s, &rg__policy_lone, err);
            if (st == RG_OK && !s.end_reason)
                st = run_policy(&s, o->apply ? &rg__policy_apply : rg__policy_find(o->policy), err);
            if (st == RG_OK && !s.end_reason) s.end_reason = o->apply ? "applied" : "exhausted";
            if (st == RG_OK && o->apply && !s.applied && !strcmp(s.end_reason, "evals"))
                st =
                    rg_error_set(err, RG_USAGE, "--apply: --evals %d ends before the whole chain is applied", o->evals);
            st = finish(&s, st, err);
        }
    }
    tear_down(&s);
    return st;
}

void rg_search_result_release(struct rg_search_result *r)
{
    rg_template_unref(r->best);
    for (int i = 0; i < r->n_chain; i++) {
        free(r->chain[i].step);
        free(r->chain[i].site);
    }
    free(r->chain);
    for (int i = 0; i < r->n_pairs; i++) {
        rg_template_unref(r->pairs[i].before);
        rg_template_unref(r->pairs[i].after);
    }
    free(r->pairs);
    rg_source_release(&r->source);
    rg_search_rows_free(r->rows, r->n_rows);
    memset(r, 0, sizeof *r);
}
