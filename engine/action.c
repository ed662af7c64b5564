/* An action under way: the coder's answer, then the tuner's vectors through the evaluator. Until it is committed it
 * sees the search graph only as of its selection (`stamp`), so its course does not depend on what else finishes when.
 */
#include "engine/engine.h"
#include <math.h>
#include <rg/buf.h>
#include <rg/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rg__action *rg__action_new(struct rg__search *s)
{
    struct rg__action *a = rg_xcalloc(1, sizeof *a);
    a->search = s;
    a->id = s->next_action;
    a->edge = a->target = a->twin = a->node = a->model = RG__NONE;
    a->stamp = s->commits;
    a->lane = s->choosing;
    a->begun_at = s->completed;
    a->purpose = "search";
    a->step = a->coder = a->asked_step = -1;
    a->coder_id = a->again_id = -1;
    a->measure = a->tune = true;
    return a;
}

void rg__action_free(struct rg__action *a)
{
    if (!a) return;
    rg__tuner_release(&a->tuner); /* it borrows the template's tunables */
    rg_template_unref(a->tmpl);
    for (int i = 0; i < a->n_shots; i++) free(a->shots[i].e);
    free(a->shots);
    free(a->again);
    free(a->path);
    free(a);
}

void rg__action_path(struct rg__action *a, uint32_t edge)
{
    a->path = rg_xrealloc(a->path, (size_t)(a->n_path + 1) * sizeof *a->path);
    a->path[a->n_path++] = edge;
}

void rg__action_edge(struct rg__search *s, struct rg__action *a, uint32_t edge)
{
    const struct rg__edge *e = &s->edges[edge];
    a->edge = edge;
    a->parent = e->parent;
    a->wants_coder = true;
    a->step = e->step;
    a->site = e->site;
    a->coder = e->coder;
    a->sample = e->sample;
}

void rg__action_take(struct rg__search *s, struct rg__action *a, uint32_t edge)
{
    a->n_path = 0;
    for (uint32_t in = s->nodes[s->edges[edge].parent].first_in; in != RG__NONE;
         in = s->nodes[s->edges[in].parent].first_in)
        rg__action_path(a, in);
    for (int i = 0, j = a->n_path - 1; i < j; i++, j--) {
        uint32_t e = a->path[i];
        a->path[i] = a->path[j];
        a->path[j] = e;
    }
    rg__action_edge(s, a, edge);
}

void rg__action_further(struct rg__search *s, struct rg__action *a, uint32_t node, const char *purpose)
{
    a->purpose = purpose;
    a->further = true;
    a->parent = a->target = node;
    s->nodes[node].tuning = true;
}

bool rg__can_tune(const struct rg__search *s, uint32_t node)
{
    const struct rg__node *n = &s->nodes[node];
    /* Past a local optimum only the best candidate is worth more. */
    if (n->tmpl && n->n_trials == 0 && !n->tuning && s->policy->lean)
        return n->first_in != RG__NONE; /* a chain went past it unmeasured */
    if (!n->tmpl || n->tuning || n->stand_trial < 0 ||
        (node == s->best_node && s->best_us > 0 ? n->far_out : n->near_out))
        return false;
    for (int i = 0; i < n->tmpl->tunables.n; i++)
        if (n->tmpl->tunables.items[i].n_values > 1) return true;
    return false;
}

enum rg_status rg__instantiate(const struct rg_template *t, const struct rg_vector *v, struct rg_source *out,
                               bool *refused, struct rg_error *err)
{
    struct rg_error e = RG_ERROR_INIT;
    enum rg_status st = rg_template_instantiate(t, v, out, &e);
    *refused = false;
    if (st == RG_OK) return RG_OK;
    if (st == RG_NOMEM || st == RG_CANCELED) return rg_error_set(err, st, "%s", e.text);
    if (st != RG_INPUT) rg_log(RG_LOG_WARN, "coder %s cannot print a candidate: %s", t->coder, e.text);
    *refused = true;
    return RG_OK;
}

/* Everything that enters the search and the journal passes here once. */
void rg__evaluation_clean(struct rg_evaluation *e)
{
    e->message[sizeof e->message - 1] = 0;
    rg__utf8_clean(e->message);
    e->ptx_hash[sizeof e->ptx_hash - 1] = 0;
    rg__utf8_clean(e->ptx_hash);
    if (e->n_counters < 0) e->n_counters = 0;
    if (e->n_counters > RG_MAX_COUNTERS) e->n_counters = RG_MAX_COUNTERS;
    for (int i = 0; i < e->n_counters; i++) {
        e->counters[i].name[sizeof e->counters[i].name - 1] = 0;
        rg__utf8_clean(e->counters[i].name);
    }
    if (e->outcome == RG_OUTCOME_OK && !(isfinite(e->time_us) && e->time_us > 0)) {
        e->outcome = RG_OUTCOME_SUSPECT;
        strcpy(e->message, "it was timed at nothing");
    }
    if (e->outcome != RG_OUTCOME_OK) e->time_us = 0;
}

static void take_answer(struct rg__action *a, const struct rg_answer *ans)
{
    a->answer = *ans;
    a->answer.message[sizeof a->answer.message - 1] = 0;
    rg__utf8_clean(a->answer.message);
    if (ans->kind == RG_ANSWER_TEMPLATE && ans->tmpl)
        a->tmpl = ans->tmpl; /* its reference */
    else if (ans->kind == RG_ANSWER_TEMPLATE) {
        a->answer.kind = RG_ANSWER_FAILED;
        a->answer.outcome = RG_OUTCOME_COMPILE;
    } else
        rg_template_unref(ans->tmpl);
    if (a->answer.kind != RG_ANSWER_TEMPLATE) {
        a->answer.tmpl = NULL;
        if (a->answer.kind == RG_ANSWER_REFUSED)
            a->answer.outcome = RG_OUTCOME_REFUSED;
        else if (a->answer.outcome == RG_OUTCOME_OK)
            a->answer.outcome = RG_OUTCOME_COMPILE;
    }
    a->answered = true;
}

/* The best version's text, where it is simple enough to be read beside the C. */
static bool short_best(const struct rg__search *s, struct rg_source *out)
{
    bool refused;
    if (s->best_us <= 0) return false;
    const struct rg__node *n = &s->nodes[s->best_node];
    if (!n->tmpl || rg__instantiate(n->tmpl, &n->trials[s->best_trial].v, out, &refused, NULL) != RG_OK || refused)
        return false;
    if (strlen(out->cuda) + strlen(out->plan) <= s->p.short_text) return true;
    rg_source_release(out);
    *out = (struct rg_source){NULL, NULL};
    return false;
}

/* What was done to the version at hand, best first: a model that is told does not do it again. Of each step the best.
 */
static int tried_there(const struct rg__search *s, const struct rg__action *a, struct rg_tried **out)
{
    const struct rg__node *n = &s->nodes[a->parent];
    double from = rg__node_time(s, a->parent);
    int count = 0;
    *out = rg_xmalloc((size_t)(n->n_edges ? n->n_edges : 1) * sizeof **out);
    for (int i = 0; i < n->n_edges && a->parent != RG__ROOT; i++) {
        const struct rg__edge *e = &s->edges[n->edges[i]];
        if (e->state != RG__EDGE_LINKED || e->child == a->parent) continue;
        const struct rg__node *to = &s->nodes[e->child];
        double time = rg__node_time(s, e->child);
        struct rg_tried t = {rg_regraph_step(s->g, e->step)->id, to->outcome, time > 0 && from > 0 ? from / time : 0};
        int at = 0;
        while (at < count && strcmp((*out)[at].step, t.step)) at++;
        if (at < count && (*out)[at].gain >= t.gain) continue;
        if (at == count) count++;
        for (; at > 0 && (*out)[at - 1].gain < t.gain; at--) (*out)[at] = (*out)[at - 1];
        (*out)[at] = t;
    }
    return count;
}

static enum rg_status ask_coder(struct rg__search *s, struct rg__action *a, struct rg_error *err)
{
    struct rg_answer ans;
    memset(&ans, 0, sizeof ans);
    int id = s->next_id++; /* also when nobody is asked: a resumed run gives the same numbers */
    if (rg__journal_answer(s->journal, a->id, &ans)) { /* failed in an earlier session: not asked again */
        take_answer(a, &ans);
        return RG_OK;
    }
    struct rg_coder *c = s->coders[a->coder];
    const struct rg_step **others, **offered;
    struct rg_hint hint = {.vector = &a->parent_v, .sample = a->sample};
    if (a->parent_e && a->parent_e->outcome == RG_OUTCOME_OK) hint.evaluation = a->parent_e;
    hint.n_others = rg__others(s, a, &others);
    hint.others = others;
    hint.n_offered = rg__offered(s, a, others, hint.n_others, &offered);
    hint.offered = offered;
    if (!a->parent_e) hint.vector = NULL;
    if (a->edge != RG__NONE && c->stochastic) {
        const struct rg__edge *group = &s->edges[s->edges[a->edge].group];
        hint.n_attempts = group->n_attempts;
        hint.attempts = group->attempts;
    }
    struct rg_source best = {NULL, NULL};
    struct rg_tried *tried = NULL;
    if (c->stochastic) hint.n_tried = tried_there(s, a, &tried);
    hint.tried = tried;
    hint.naive_us = s->naive_us;
    hint.best_us = s->best_us;
    if (c->stochastic && a->parent == RG__ROOT && short_best(s, &best)) hint.best = &best;
    hint.best_own = hint.best && !strcmp(s->nodes[s->best_node].tmpl->coder, c->name);
    struct rg_error e = RG_ERROR_INIT;
    a->coder_id = id;
    enum rg_status st =
        c->submit(c->self, a->coder_id, s->nodes[a->parent].tmpl, rg_regraph_step(s->g, a->step), a->site, &hint, &e);
    free(others);
    free(offered);
    free(tried);
    rg_source_release(&best);
    if (st == RG_OK) return RG_OK;
    a->coder_id = -1;
    if (st == RG_NOMEM || st == RG_CANCELED || st == RG_IO) return rg_error_set(err, st, "%s", e.text);
    ans.kind = st == RG_INPUT ? RG_ANSWER_REFUSED : RG_ANSWER_FAILED;
    ans.outcome = RG_OUTCOME_COMPILE;
    ans.status = st;
    snprintf(ans.message, sizeof ans.message, "%.*s", (int)sizeof ans.message - 1, e.text);
    take_answer(a, &ans);
    return RG_OK;
}

/* The template is here: is it a node we knew when the action was selected? */
static enum rg_status place(struct rg__search *s, struct rg__action *a, struct rg_error *err)
{
    if (a->answer.kind != RG_ANSWER_TEMPLATE) {
        a->state = RG__ACT_FINISHED;
        return RG_OK;
    }
    a->target = rg__node_find(s, a->tmpl, a->stamp);
    const struct rg__node *n = a->target == RG__NONE ? NULL : &s->nodes[a->target];
    bool known = n && (a->tune ? n->tuned_stamp <= a->stamp : n->n_trials > 0 && !a->force);
    if (!a->measure || known) {
        a->state = RG__ACT_FINISHED;
        return RG_OK;
    }
    return rg__begin_tuning(s, a, err);
}

/* Along its way down, and at its own edge. */
static void under_way(struct rg__search *s, const struct rg__action *a, int by)
{
    for (int i = 0; i <= a->n_path; i++) {
        uint32_t edge = i < a->n_path ? a->path[i] : a->edge;
        if (edge == RG__NONE) continue;
        uint32_t *n = a->lane == RG__LANE_MODEL ? &s->edges[edge].asked : &s->edges[edge].in_flight;
        *n += (uint32_t)by;
    }
}

enum rg_status rg__action_start(struct rg__search *s, struct rg__action *a, struct rg_error *err)
{
    s->next_action++;
    a->reference_us = s->best_us;
    a->n_swept = s->n_swept;
    a->best_then = s->best_us > 0 ? s->best_node : RG__NONE;
    if (s->best_us > 0 && s->nodes[s->best_node].n_trials > 1) {
        a->model = s->best_node;
        a->model_v = s->nodes[s->best_node].trials[s->best_trial].v;
    }
    const struct rg__trial *b = rg__node_stand(s, a->parent);
    if (b) {
        a->parent_v = b->v;
        a->parent_e = rg__trial_evaluation(b);
    }
    if (a->wants_coder) {
        if (a->edge != RG__NONE) s->edges[a->edge].state = RG__EDGE_PENDING;
        a->state = RG__ACT_CODER;
        under_way(s, a, 1);
        return ask_coder(s, a, err);
    }
    a->tmpl = rg_template_ref(s->nodes[a->target].tmpl);
    under_way(s, a, 1);
    return rg__begin_tuning(s, a, err);
}

static enum rg_status fire(struct rg__search *s, struct rg__action *a, const struct rg_vector *v, struct rg_error *err)
{
    RG_GROW(a->shots, a->n_shots, a->cap_shots);
    int k = a->n_shots++;
    struct rg__shot *x = &a->shots[k];
    memset(x, 0, sizeof *x);
    x->v = *v;
    x->eval_id = -1;
    struct rg_source src = {NULL, NULL};
    enum rg_status st = rg__instantiate(a->tmpl, v, &src, &x->refused, err);
    if (st != RG_OK) return st;
    if (x->refused) {
        x->done = true;
        return RG_OK;
    }
    rg_template_draft(a->tmpl, v, 1, &x->draft_us);
    int id = s->next_id++; /* also when nobody is asked: a resumed run gives the same numbers */
    x->plan_hash = rg__plan_hash(src.plan);
    x->source_hash = rg__source_hash(&src);
    rg__source_name(&src, x->source);
    struct rg_evaluation *e = rg_xcalloc(1, sizeof *e);
    const struct rg_evaluation *known = rg__source_find(s, x->source_hash, a->stamp);
    if (known) { /* another chain printed the same source */
        *e = *known;
        x->e = e;
        x->done = x->reused = true;
    } else if (rg__journal_eval(s->journal, a->id, k, e)) {
        rg__evaluation_clean(e);
        x->e = e;
        x->done = true;
    } else {
        free(e);
        x->eval_id = id;
        if ((st = rg__source_keep(s, x->source, &src, err)) != RG_OK) {
            rg_source_release(&src);
            return st;
        }
        bool sure =
            s->policy == &rg__policy_baseline || s->policy == &rg__policy_given || s->policy == &rg__policy_apply;
        if (s->ev->expect && x->draft_us > 0) s->ev->expect(s->ev->self, x->eval_id, x->draft_us);
        st = s->ev->submit(s->ev->self, x->eval_id, &src, sure ? RG_EVAL_SURE : RG_EVAL_FULL, err);
    }
    rg_source_release(&src);
    return st;
}

/* A value of its own: one that the other's tunable of that name can't take. */
static bool offers_more(const struct rg_tunable *own, const struct rg_tunables *its)
{
    int at = own->n_values > 1 ? rg_tunables_find(its, own->name) : 0;
    if (own->n_values < 2) return false;
    for (int k = 0; k < own->n_values; k++)
        if (at < 0 || !rg_tunable_has(&its->items[at], own->values[k])) return true;
    return false;
}

void rg__look_for_twin(struct rg__search *s, struct rg__action *a, uint32_t stamp)
{
    const struct rg__shot *x = a->n_shots ? &a->shots[0] : NULL;
    if (!x || !x->e || x->e->outcome != RG_OUTCOME_OK || !a->wants_coder || a->force) return;
    uint32_t twin = rg__code_find(s, rg__code_hash(x->e, x->plan_hash), stamp);
    if (twin == RG__NONE || twin == a->target) return;
    const struct rg_tunables *own = &a->tmpl->tunables, *its = &s->nodes[twin].tmpl->tunables;
    for (int i = 0; i < own->n; i++)
        if (offers_more(&own->items[i], its)) return;
    a->twin = twin;
}

static void consume(struct rg__search *s, struct rg__action *a, bool *moved)
{
    while (a->n_consumed < a->n_shots && a->shots[a->n_consumed].done) {
        struct rg__shot *x = &a->shots[a->n_consumed];
        double us = x->e ? rg__expected(s, x->e) : 0; /* estimates lead the tuner as times do */
        rg__tuner_feed(&a->tuner, &x->v, us > 0, us, x->refused || x->reused);
        /* values that fail to compile or to fit may be the wrong ones; a result that is wrong at two vectors is the
         * edit's fault */
        if (x->e && x->e->outcome == RG_OUTCOME_WRONG && a->tuner.best_us == 0 && ++a->n_wrong > 1)
            a->tuner.given_up = true;
        /* what a model wrote works at the numbers that it wrote, or not at all: it repairs it */
        bool ran = x->e && (x->e->outcome == RG_OUTCOME_WRONG || x->e->outcome == RG_OUTCOME_RACE ||
                            x->e->outcome == RG_OUTCOME_BOUNDS || x->e->outcome == RG_OUTCOME_CRASH ||
                            x->e->outcome == RG_OUTCOME_TIMEOUT);
        if (ran && a->tuner.best_us == 0 && a->coder >= 0 && s->coders[a->coder]->stochastic) a->tuner.given_up = true;
        /* it works, and is slow, nobody knows how slow: no reason to look for a start that works */
        if (x->e && x->e->outcome == RG_OUTCOME_PRUNED && a->tuner.best_us == 0) a->tuner.given_up = true;
        if (!a->tune && x->reused) a->tuner.given_up = true; /* one vector was wanted, and here it is */
        *moved = true;
        if (a->n_consumed++ == 0) rg__look_for_twin(s, a, a->stamp);
    }
}

/* The oldest action asks for no more than the budget will count; what a younger one asks for may be in vain. */
static bool affordable(const struct rg__search *s, const struct rg__action *a)
{
    if (!s->o->evals || a != rg__lane_head(s, a->lane)) return true;
    int open = 0;
    for (int k = a->n_counted; k < a->n_shots; k++) open += !a->shots[k].refused && !a->shots[k].reused;
    return s->lane[a->lane].evaluations + open < s->o->evals;
}

/* While this batch is measured the compilers may begin with the next one. */
static enum rg_status foresee(struct rg__search *s, const struct rg__action *a, struct rg_error *err)
{
    struct rg_vector next[RG__TUNER_AHEAD];
    int left = s->o->evals ? s->o->evals - s->lane[a->lane].evaluations - (a->n_shots - a->n_counted) : RG__TUNER_AHEAD;
    if (!s->ev->foresee || left <= 0) return RG_OK;
    int n = rg__tuner_foresee(&a->tuner, next, left < RG__TUNER_AHEAD ? left : RG__TUNER_AHEAD);
    for (int i = 0; i < n; i++) {
        struct rg_source src = {NULL, NULL};
        bool refused;
        enum rg_status st = rg__instantiate(a->tmpl, &next[i], &src, &refused, err);
        if (st != RG_OK) return st;
        if (!refused && !rg__source_find(s, rg__source_hash(&src), a->stamp)) s->ev->foresee(s->ev->self, &src);
        rg_source_release(&src);
    }
    return RG_OK;
}

enum rg_status rg__action_advance(struct rg__search *s, struct rg__action *a, bool *moved, struct rg_error *err)
{
    enum rg_status st = RG_OK;
    if (a->state == RG__ACT_CODER && a->answered) {
        *moved = true;
        if ((st = place(s, a, err)) != RG_OK) return st;
    }
    while (a->state == RG__ACT_EVAL) {
        consume(s, a, moved);
        if (a->twin != RG__NONE && a->n_consumed == a->n_shots) a->state = RG__ACT_FINISHED;
        if (a->state != RG__ACT_EVAL) break;
        struct rg_vector v;
        bool any = false;
        while (affordable(s, a) && rg__tuner_next(&a->tuner, &v)) {
            any = true;
            if ((st = fire(s, a, &v, err)) != RG_OK) return st;
        }
        if (any) {
            *moved = true;
            if (!a->shots[a->n_shots - 1].done && (st = foresee(s, a, err)) != RG_OK) return st;
            continue; /* the journal or a refusal may have answered at once */
        }
        if (a->n_consumed == a->n_shots && rg__tuner_done(&a->tuner)) a->state = RG__ACT_FINISHED;
        break;
    }
    return RG_OK;
}

static bool route_evaluation(struct rg__search *s, const struct rg_eval_result *r)
{
    for (int i = 0; i < s->n_actions; i++) {
        struct rg__action *a = s->actions[i];
        struct rg_evaluation **to = NULL;
        if (a->again_id == r->id) to = &a->again;
        for (int k = 0; k < a->n_shots && !to; k++)
            if (a->shots[k].eval_id == r->id && !a->shots[k].done) {
                a->shots[k].done = true;
                to = &a->shots[k].e;
            }
        if (!to || *to) continue;
        *to = rg_xmalloc(sizeof **to);
        **to = r->e;
        rg__evaluation_clean(*to);
        return true;
    }
    return false;
}

static bool route_answer(struct rg__search *s, int coder, const struct rg_answer *ans)
{
    for (int i = 0; i < s->n_actions; i++) {
        struct rg__action *a = s->actions[i];
        if (a->state != RG__ACT_CODER || a->answered || a->coder != coder || a->coder_id != ans->id) continue;
        take_answer(a, ans);
        return true;
    }
    rg_template_unref(ans->tmpl);
    return false;
}

/* Waits where the oldest action waits; everything else is only looked at. */
enum rg_status rg__actions_poll(struct rg__search *s, double seconds, bool *got, struct rg_error *err)
{
    *got = false;
    bool waits[16] = {false}, evaluating = false;
    for (int i = 0; i < s->n_actions; i++) {
        const struct rg__action *a = s->actions[i];
        if (a->state == RG__ACT_CODER && !a->answered && a->coder_id >= 0) waits[a->coder & 15] = true;
        if (a->state == RG__ACT_EVAL || a->state == RG__ACT_AGAIN) evaluating = true;
    }
    const struct rg__action *heads[RG__N_LANES] = {rg__lane_head(s, RG__LANE_BUILT_IN),
                                                   rg__lane_head(s, RG__LANE_MODEL)};
    int both = evaluating;
    for (int c = 0; c < s->n_coders && c < 16; c++) both += waits[c];
    if (both > 1 && seconds > 0.02) seconds = 0.02; /* several to wait for: none may hide the others for long */
    for (int c = 0; c < s->n_coders && c < 16; c++) {
        if (!waits[c]) continue;
        bool here = false, more = true;
        for (int l = 0; l < RG__N_LANES; l++)
            here = here || (heads[l] && heads[l]->state == RG__ACT_CODER && heads[l]->coder == c);
        double patience = here && !(evaluating && s->n_lanes > 1) ? seconds : 0;
        while (more) {
            struct rg_answer ans;
            memset(&ans, 0, sizeof ans);
            enum rg_status st = s->coders[c]->poll(s->coders[c]->self, patience, &ans, &more, err);
            if (st != RG_OK) return st;
            if (more && route_answer(s, c, &ans)) *got = true;
            patience = 0;
        }
    }
    if (!evaluating) return RG_OK;
    bool here = false, more = true;
    for (int l = 0; l < RG__N_LANES; l++) here = here || (heads[l] && heads[l]->state != RG__ACT_CODER);
    double patience = here && !*got ? seconds : 0;
    while (more) {
        struct rg_eval_result r;
        memset(&r, 0, sizeof r);
        enum rg_status st = s->ev->poll(s->ev->self, patience, &r, &more, err);
        if (st != RG_OK) return st;
        if (more && route_evaluation(s, &r)) *got = true;
        patience = 0;
    }
    return RG_OK;
}

void rg__action_cancel(struct rg__search *s, struct rg__action *a)
{
    if (a->state == RG__ACT_CODER && !a->answered && a->coder_id >= 0 && s->coders[a->coder]->cancel)
        s->coders[a->coder]->cancel(s->coders[a->coder]->self, a->coder_id);
    for (int k = 0; k < a->n_shots; k++)
        if (!a->shots[k].done && a->shots[k].eval_id >= 0 && s->ev->cancel)
            s->ev->cancel(s->ev->self, a->shots[k].eval_id);
    if (a->again_id >= 0 && !a->again && s->ev->cancel) s->ev->cancel(s->ev->self, a->again_id);
}

void rg__action_undo(struct rg__search *s, struct rg__action *a)
{
    if (a->settled) return;
    under_way(s, a, -1);
    if (a->wants_coder && a->edge != RG__NONE) {
        struct rg__edge *e = &s->edges[a->edge];
        if (e->state == RG__EDGE_PENDING) e->state = RG__EDGE_OPEN;
    }
    if (!a->wants_coder && a->target != RG__NONE) s->nodes[a->target].tuning = false;
}
