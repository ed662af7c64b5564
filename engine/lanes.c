/* Lanes: with a model and the built-in coder both, each has actions of its own under way, oldest first, and budgets of
 * its own, so that neither waits for the other nor spends what is the other's. What a lane does is seen by the other as
 * soon as it is committed. In which order the two commit depends on who answers when; journal and record hold it, so
 * that a run goes on, or repeats, as it went. */
#include "engine/engine.h"
#include <stdlib.h>
#include <string.h>

bool rg__lane_of_coder(const struct rg__search *s, int coder)
{
    return s->n_lanes > 1 && s->coders[coder]->stochastic;
}

bool rg__lanes_mixed(const struct rg__search *s)
{
    int stochastic = 0;
    for (int c = 0; c < s->n_coders; c++) stochastic += s->coders[c]->stochastic;
    return stochastic > 0 && stochastic < s->n_coders;
}

struct rg__action *rg__lane_head(const struct rg__search *s, int lane)
{
    for (int i = 0; i < s->n_actions; i++)
        if (s->actions[i]->lane == lane) return s->actions[i];
    return NULL;
}

int rg__lane_actions(const struct rg__search *s, int lane)
{
    int n = 0;
    for (int i = 0; i < s->n_actions; i++) n += s->actions[i]->lane == lane;
    return n;
}

void rg__lane_front(struct rg__search *s, struct rg__action *a)
{
    int at = 0;
    while (at < s->n_actions && s->actions[at] != a) at++;
    if (at == 0 || at == s->n_actions) return;
    memmove(s->actions + 1, s->actions, (size_t)at * sizeof *s->actions);
    s->actions[0] = a;
}

/* Nothing more comes of it: all its answers are here, or the budget lets it ask for no more. */
static bool whole(const struct rg__action *a)
{
    return a->state == RG__ACT_FINISHED || (a->state == RG__ACT_EVAL && a->n_shots > 0 && a->n_consumed == a->n_shots);
}

/* On a device that measures no two runs are alike, and one that takes long need not hold up what came after it. A
 * model's record is answered in the order in which it was asked; a search without naive takes its first for that. */
static bool as_they_end(const struct rg__search *s)
{
    bool alike = s->ev->estimated || s->p.as_they_end == 0 || !s->policy->lanes || s->naive_us <= 0;
    for (int c = 0; c < s->n_coders; c++) alike = alike || s->coders[c]->stochastic;
    return !alike;
}

struct rg__action *rg__lane_next(const struct rg__search *s, int lane)
{
    struct rg__action *head = rg__lane_head(s, lane);
    if (!head || head->settled || !as_they_end(s)) return head;
    int64_t next = rg__journal_next_action(s->journal);
    bool known = false;
    for (int i = 0; i < s->n_actions; i++) known = known || s->actions[i]->id == next;
    for (int i = 0; i < s->n_actions; i++)
        if ((!known || s->actions[i]->id == next) && whole(s->actions[i])) return s->actions[i];
    return NULL;
}

bool rg__lane_spent(const struct rg__search *s, int lane)
{
    return s->o->evals && s->lane[lane].evaluations >= s->o->evals;
}

bool rg__lane_tired(const struct rg__search *s, int lane)
{
    return s->o->patience && !s->o->apply && s->lane[lane].evaluations - s->lane[lane].best_at >= s->o->patience;
}

/* May the oldest action still be brought to its end? Then the evaluation budget has not cut it. */
static bool head_complete(const struct rg__search *s, int lane)
{
    const struct rg__action *a = rg__lane_head(s, lane);
    return a && (a->settled || (a->state == RG__ACT_FINISHED && a->n_counted == a->n_consumed));
}

bool rg__lane_stands(const struct rg__search *s, int lane)
{
    return rg__lane_actions(s, lane) == 0 || (rg__lane_spent(s, lane) && !head_complete(s, lane));
}

bool rg__lanes_spent(const struct rg__search *s)
{
    for (int l = 0; l < s->n_lanes; l++)
        if (!rg__lane_spent(s, l) || head_complete(s, l)) return false;
    return true;
}

/* The order that a record remembers: a model's action is committed when as many others were, since it was begun, as in
 * the recorded run. */
static bool recorded_turn(const struct rg__search *s, const struct rg__action *a)
{
    const struct rg__action *model = rg__lane_head(s, RG__LANE_MODEL);
    if (!model || model->settled || !s->coders[model->coder]->instant || rg__lane_stands(s, RG__LANE_BUILT_IN))
        return true;
    if (rg__lane_stands(s, RG__LANE_MODEL)) return a != model; /* its budget cut it: nobody waits for it */
    if (!model->answered) return false;                        /* it comes at once, and says when */
    bool due = s->completed - model->begun_at + 1 >= model->answer.held;
    return (a == model) == due;
}

bool rg__turn(const struct rg__search *s, const struct rg__action *a)
{
    if (s->n_lanes < 2) return true;
    const struct rg__action *other = rg__lane_head(s, 1 - a->lane);
    if (!other || a->settled) return true;
    if (other->settled) return false; /* one is measured again at a time */
    int64_t next = rg__journal_next_action(s->journal);
    if (next >= 0 && (next == a->id || next == other->id)) return next == a->id;
    return recorded_turn(s, a);
}

void rg__lanes_best(struct rg__search *s)
{
    for (int l = 0; l < RG__N_LANES; l++) s->lane[l].best_at = s->lane[l].evaluations;
}

static void wake(struct rg__search *s, uint32_t node, int lane)
{
    int n;
    uint32_t *above = rg__graph_closure(s, node, true, &n);
    for (int i = 0; i < n; i++) s->nodes[above[i]].exhausted[lane] = false;
    free(above);
}

/* A lane that found nothing more to do below a node may now: by a new node, or by an action that fell to its coder. */
void rg__lanes_wake(struct rg__search *s, const struct rg__action *a)
{
    if (s->n_lanes < 2) return;
    for (int l = 0; l < RG__N_LANES; l++) {
        wake(s, a->parent, l);
        if (a->node != RG__NONE) wake(s, a->node, l);
    }
}
