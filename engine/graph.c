/* The search graph: nodes by key, edges with visits, values recomputed from children (KataGo, docs/GraphSearch.md). */
#include "engine/engine.h"
#include <math.h>
#include <rg/buf.h>
#include <rg/hash.h>
#include <stdlib.h>
#include <string.h>

/* Keys carry the coder's name: equal keys are only promised within one coder. */
static char *full_key(const struct rg_template *t)
{
    return rg_xasprintf("%s:%s", t->coder ? t->coder : "", t->key ? t->key : "");
}

static uint32_t *key_slot(const struct rg__search *s, uint64_t hash, const char *key)
{
    for (uint64_t i = hash;; i++) {
        uint32_t *slot = &s->key_table[i & (uint64_t)(s->key_slots - 1)];
        if (*slot == 0) return slot;
        const struct rg__node *n = &s->nodes[*slot - 1];
        if (n->key_hash == hash && n->key && !strcmp(n->key, key)) return slot;
    }
}

static void grow_table(struct rg__search *s)
{
    free(s->key_table);
    s->key_slots = s->key_slots ? s->key_slots * 2 : 256;
    s->key_table = rg_xcalloc((size_t)s->key_slots, sizeof *s->key_table);
    for (int i = 1; i < s->n_nodes; i++) *key_slot(s, s->nodes[i].key_hash, s->nodes[i].key) = (uint32_t)i + 1;
}

uint32_t rg__node_add(struct rg__search *s, struct rg_template *t, int depth)
{
    if (2 * (s->n_nodes + 1) > s->key_slots) grow_table(s);
    RG_GROW(s->nodes, s->n_nodes, s->cap_nodes);
    uint32_t id = (uint32_t)s->n_nodes++;
    struct rg__node *n = &s->nodes[id];
    memset(n, 0, sizeof *n);
    n->best_trial = n->stand_trial = -1;
    n->first_in = RG__NONE;
    n->tuned_stamp = RG__NONE;
    n->stamp = s->commits;
    n->visits = 1;
    n->hope = 1;
    n->depth = depth;
    n->outcome = RG_OUTCOME_OK;
    if (t) {
        n->tmpl = rg_template_ref(t);
        char *key = full_key(t);
        n->key = rg_arena_strdup(&s->arena, key);
        n->key_hash = rg_hash64(key, strlen(key), 1);
        free(key);
        *key_slot(s, n->key_hash, n->key) = id + 1;
    }
    return id;
}

uint32_t rg__node_find(const struct rg__search *s, const struct rg_template *t, uint32_t stamp)
{
    char *key = full_key(t);
    uint32_t slot = *key_slot(s, rg_hash64(key, strlen(key), 1), key);
    free(key);
    return slot && s->nodes[slot - 1].stamp <= stamp ? slot - 1 : RG__NONE;
}

const struct rg_evaluation *rg__node_trial(struct rg__search *s, uint32_t node, const struct rg_vector *v,
                                           const struct rg_evaluation *e)
{
    struct rg__node *n = &s->nodes[node];
    for (int i = 0; i < n->n_trials; i++)
        if (rg_vector_equal(&n->trials[i].v, v)) return n->trials[i].e; /* measured twice at once: the first stands */
    RG_GROW(n->trials, n->n_trials, n->cap_trials);
    struct rg__trial *t = &n->trials[n->n_trials++];
    memset(t, 0, sizeof *t);
    t->v = *v;
    t->e = rg_arena_alloc(&s->arena, sizeof *e);
    *t->e = *e;
    t->stamp = s->commits;
    return t->e;
}

const struct rg_evaluation *rg__trial_evaluation(const struct rg__trial *t)
{
    return t->again ? t->again : t->e;
}

const struct rg__trial *rg__node_best(const struct rg__search *s, uint32_t node)
{
    const struct rg__node *n = &s->nodes[node];
    return n->best_trial < 0 ? NULL : &n->trials[n->best_trial];
}

double rg__cost(const struct rg__search *s, const struct rg_evaluation *e)
{
    return s->o->total && e->total_us > 0 ? e->total_us : e->time_us;
}

double rg__node_time(const struct rg__search *s, uint32_t node)
{
    if (node == RG__ROOT) return s->naive_us;
    const struct rg__trial *t = rg__node_best(s, node);
    return t ? rg__cost(s, rg__trial_evaluation(t)) : 0;
}

double rg__node_kernel(const struct rg__search *s, uint32_t node)
{
    if (node == RG__ROOT) return s->naive_kernel_us;
    const struct rg__trial *t = rg__node_best(s, node);
    return t ? rg__trial_evaluation(t)->time_us : 0;
}

double rg__expected(const struct rg__search *s, const struct rg_evaluation *e)
{
    if (e->outcome == RG_OUTCOME_OK) return rg__cost(s, e);
    double us = e->outcome == RG_OUTCOME_PRUNED ? rg_evaluation_counter(e, "estimated_us") : 0;
    return us > 0 ? us : 0;
}

const struct rg__trial *rg__node_stand(const struct rg__search *s, uint32_t node)
{
    const struct rg__node *n = &s->nodes[node];
    return n->stand_trial < 0 ? NULL : &n->trials[n->stand_trial];
}

double rg__node_expected(const struct rg__search *s, uint32_t node)
{
    if (node == RG__ROOT) return s->naive_us;
    const struct rg__trial *t = rg__node_stand(s, node);
    return t ? rg__expected(s, rg__trial_evaluation(t)) : 0;
}

void rg__naive_is(struct rg__search *s, uint32_t node, const struct rg_evaluation *e)
{
    s->naive_us = rg__cost(s, e);
    s->naive_kernel_us = e->time_us;
    s->naive_node = node;
    s->naive_trial = -1;
    for (int k = 0; k < s->nodes[node].n_trials && s->naive_trial < 0; k++)
        if (rg__trial_evaluation(&s->nodes[node].trials[k])->time_us == e->time_us) s->naive_trial = k;
    rg__graph_rescale(s);
}

static double gain_of(const struct rg__search *s, uint32_t node)
{
    if (s->nodes[node].outcome == RG_OUTCOME_TIMEOUT) return s->p.timeout_gain; /* nobody knows how slow */
    double t = node == RG__ROOT ? 0 : rg__node_expected(s, node);
    if (t <= 0 || s->naive_us <= 0) return 0;
    return log(s->naive_us / t);
}

void rg__node_rescore(struct rg__search *s, uint32_t node)
{
    struct rg__node *n = &s->nodes[node];
    double best = 0, shortest = 0;
    int pruned = -1;
    n->best_trial = -1;
    for (int i = 0; i < n->n_trials; i++) {
        const struct rg_evaluation *e = rg__trial_evaluation(&n->trials[i]);
        double us = rg__expected(s, e);
        if (e->outcome == RG_OUTCOME_PRUNED && (pruned < 0 || (us > 0 && (shortest <= 0 || us < shortest)))) {
            pruned = i;
            shortest = us;
        }
        if (e->outcome != RG_OUTCOME_OK || (n->best_trial >= 0 && us >= best)) continue;
        n->best_trial = i;
        best = us;
    }
    n->stand_trial = n->best_trial >= 0 ? n->best_trial : pruned;
    if (n->best_trial >= 0)
        n->outcome = RG_OUTCOME_OK;
    else if (pruned >= 0)
        n->outcome = RG_OUTCOME_PRUNED;
    else if (n->n_trials > 0)
        n->outcome = rg__trial_evaluation(&n->trials[n->n_trials - 1])->outcome;
    n->g = gain_of(s, node);
}

double rg__search_scale(const struct rg__search *s)
{
    double best = s->best_us > 0 && s->naive_us > 0 ? log(s->naive_us / s->best_us) : 0;
    return best > M_LN2 ? best : M_LN2;
}

/* C text without blanks and comments; literals as they are. */
static void squeeze(struct rg_buf *b, const char *p)
{
    while (p && *p) {
        if (*p == '/' && p[1] == '/')
            p += strcspn(p, "\n");
        else if (*p == '/' && p[1] == '*') {
            const char *end = strstr(p + 2, "*/");
            p = end ? end + 2 : p + strlen(p);
        } else if (*p == '"' || *p == '\'') {
            const char *end = p + 1;
            while (*end && *end != *p) end += end[0] == '\\' && end[1] ? 2 : 1;
            if (*end) end++;
            rg_buf_add(b, p, (size_t)(end - p));
            p = end;
        } else if (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r') {
            /* one blank: "unsigned int" is not "unsignedint" */
            if (b->len && b->data[b->len - 1] != ' ') rg_buf_char(b, ' ');
            p++;
        } else
            rg_buf_char(b, *p++);
    }
}

uint64_t rg__source_hash(const struct rg_source *src)
{
    struct rg_buf b = RG_BUF_INIT;
    squeeze(&b, src->cuda);
    rg_buf_char(&b, '\0');
    squeeze(&b, src->plan);
    uint64_t h = rg_hash64(b.data, b.len, 11);
    rg_buf_release(&b);
    return h;
}

const struct rg_evaluation *rg__source_find(const struct rg__search *s, uint64_t hash, uint32_t stamp)
{
    for (int i = 0; i < s->n_sources && s->sources[i].stamp <= stamp; i++)
        if (s->sources[i].hash == hash) return s->sources[i].e;
    return NULL;
}

void rg__source_add(struct rg__search *s, uint64_t hash, const struct rg_evaluation *e)
{
    if (rg__source_find(s, hash, s->commits)) return;
    RG_GROW(s->sources, s->n_sources, s->cap_sources);
    s->sources[s->n_sources++] = (struct rg__known_source){hash, s->commits, e};
}

uint64_t rg__plan_hash(const char *plan)
{
    struct rg_buf b = RG_BUF_INIT;
    squeeze(&b, plan);
    size_t n = 0;
    for (size_t i = 0; i < b.len; i++)
        if (b.data[i] != ' ') b.data[n++] = b.data[i];
    uint64_t h = rg_hash64(b.data, n, 7);
    rg_buf_release(&b);
    return h;
}

/* The launch is half of a kernel: equal PTX under another plan is another candidate. */
uint64_t rg__code_hash(const struct rg_evaluation *e, uint64_t plan_hash)
{
    if (!e->ptx_hash[0]) return 0;
    uint64_t h = rg_hash64(e->ptx_hash, strlen(e->ptx_hash), plan_hash);
    return h ? h : 1;
}

uint32_t rg__code_find(const struct rg__search *s, uint64_t hash, uint32_t stamp)
{
    if (!hash) return RG__NONE;
    for (int i = 0; i < s->n_codes && s->codes[i].stamp <= stamp; i++)
        if (s->codes[i].hash == hash) return s->codes[i].node;
    return RG__NONE;
}

void rg__code_add(struct rg__search *s, uint64_t hash, uint32_t node)
{
    if (!hash || rg__code_find(s, hash, s->commits) != RG__NONE) return;
    RG_GROW(s->codes, s->n_codes, s->cap_codes);
    s->codes[s->n_codes++] = (struct rg__code){hash, node, s->commits};
}

bool rg__edge_failed(const struct rg__search *s, const struct rg__edge *e)
{
    if (e->state == RG__EDGE_CLOSED) return true;
    if (e->state != RG__EDGE_LINKED) return false;
    enum rg_outcome o = s->nodes[e->child].outcome;
    /* A model's code that did not end in time is a fault of that code: it is asked again. A deterministic coder's may
     * be repaired by a step. */
    return o != RG_OUTCOME_OK && o != RG_OUTCOME_PRUNED && (o != RG_OUTCOME_TIMEOUT || s->coders[e->coder]->stochastic);
}

bool rg__graph_reaches(struct rg__search *s, uint32_t from, uint32_t to)
{
    uint32_t mark = ++s->mark;
    int n = 0, cap = 0;
    uint32_t *stack = NULL;
    bool found = false;
    RG_GROW(stack, n, cap);
    stack[n++] = from;
    s->nodes[from].mark = mark;
    while (n > 0 && !found) {
        uint32_t x = stack[--n];
        if (x == to) found = true;
        for (int i = 0; i < s->nodes[x].n_edges; i++) {
            const struct rg__edge *e = &s->edges[s->nodes[x].edges[i]];
            if (e->state != RG__EDGE_LINKED || s->nodes[e->child].mark == mark) continue;
            s->nodes[e->child].mark = mark;
            RG_GROW(stack, n, cap);
            stack[n++] = e->child;
        }
    }
    free(stack);
    return found;
}

uint32_t *rg__graph_closure(struct rg__search *s, uint32_t node, bool up, int *count)
{
    uint32_t mark = ++s->mark, *found = NULL;
    int n = 0, cap = 0;
    RG_GROW(found, n, cap);
    found[n++] = node;
    s->nodes[node].mark = mark;
    for (int at = 0; at < n; at++) {
        const struct rg__node *x = &s->nodes[found[at]];
        uint32_t in = x->first_in;
        for (int i = 0; up ? in != RG__NONE : i < x->n_edges; i++) {
            const struct rg__edge *e = &s->edges[up ? in : x->edges[i]];
            if (up) in = e->next_in;
            uint32_t to = up ? e->parent : e->child;
            if (e->state != RG__EDGE_LINKED || s->nodes[to].mark == mark) continue;
            s->nodes[to].mark = mark;
            RG_GROW(found, n, cap);
            found[n++] = to;
        }
    }
    *count = n;
    return found;
}

void rg__graph_link(struct rg__search *s, uint32_t edge, uint32_t child)
{
    struct rg__edge *e = &s->edges[edge];
    e->state = RG__EDGE_LINKED;
    e->child = child;
    e->next_in = s->nodes[child].first_in;
    s->nodes[child].first_in = edge;
}

double rg__node_hope(const struct rg__search *s, uint32_t node)
{
    const struct rg__node *n = &s->nodes[node];
    return s->p.tune_hope / (s->p.tune_hope + n->fruitless);
}

/* Of what is left for the built-in coder to do at a node, at best: 1 where there is an untried step; less where there
 * is tuning alone, and that was in vain. */
static double hope_of(const struct rg__search *s, uint32_t node)
{
    const struct rg__node *n = &s->nodes[node];
    if (!n->expanded[RG__LANE_BUILT_IN]) return 1;
    double hope = rg__can_tune(s, node) ? rg__node_hope(s, node) : 0;
    for (int i = 0; i < n->n_edges && hope < 1; i++) {
        const struct rg__edge *e = &s->edges[n->edges[i]];
        bool untried = e->state == RG__EDGE_OPEN || e->state == RG__EDGE_PENDING;
        if (rg__edge_failed(s, e) || (untried && rg__lane_of_coder(s, e->coder) != RG__LANE_BUILT_IN)) continue;
        if (e->state == RG__EDGE_OPEN && (s->coder_down[e->coder] || !rg__needs_met(s, e))) continue;
        double x = untried ? 1 : e->state == RG__EDGE_LINKED ? s->nodes[e->child].hope : 0;
        if (x > hope) hope = x;
    }
    return hope;
}

static void recompute(struct rg__search *s, uint32_t node)
{
    struct rg__node *n = &s->nodes[node];
    double weight = node == RG__ROOT || n->n_trials > 0, sum = weight * n->g,
           best = n->g; /* what was not measured has no opinion */
    uint32_t visits = 1 + n->tunes;
    for (int i = 0; i < n->n_edges; i++) {
        const struct rg__edge *e = &s->edges[n->edges[i]];
        visits += e->visits;
        if (e->state != RG__EDGE_LINKED || rg__edge_failed(s, e)) continue;
        const struct rg__node *c = &s->nodes[e->child];
        sum += e->wins * c->q;
        weight += e->wins;
        if (c->best > best) best = c->best;
    }
    n->q = weight > 0 ? sum / weight : 0;
    n->best = best;
    n->visits = visits;
    n->hope = hope_of(s, node);
}

/* Ancestors in an order with children first: a depth-first walk upwards over in-edges, emitted in reverse
 * postorder, is a topological order of the reversed DAG. */
void rg__graph_refresh(struct rg__search *s, uint32_t node)
{
    uint32_t mark = ++s->mark;
    struct frame {
        uint32_t node, edge;
    } *stack = NULL;
    int n = 0, cap = 0, n_order = 0, cap_order = 0;
    uint32_t *order = NULL;
    RG_GROW(stack, n, cap);
    stack[n++] = (struct frame){node, s->nodes[node].first_in};
    s->nodes[node].mark = mark;
    while (n > 0) {
        struct frame *f = &stack[n - 1];
        if (f->edge == RG__NONE) {
            RG_GROW(order, n_order, cap_order);
            order[n_order++] = f->node;
            n--;
            continue;
        }
        uint32_t parent = s->edges[f->edge].parent;
        f->edge = s->edges[f->edge].next_in;
        if (s->nodes[parent].mark == mark) continue;
        s->nodes[parent].mark = mark;
        RG_GROW(stack, n, cap);
        stack[n++] = (struct frame){parent, s->nodes[parent].first_in};
    }
    for (int i = n_order; i-- > 0;) recompute(s, order[i]);
    free(stack);
    free(order);
}

void rg__graph_rescale(struct rg__search *s)
{
    for (int i = 0; i < s->n_nodes; i++) s->nodes[i].g = gain_of(s, (uint32_t)i);
    /* Every leaf's ancestors; naive is found once a run, so the repeated work does not matter. */
    for (int i = s->n_nodes; i-- > 0;) rg__graph_refresh(s, (uint32_t)i);
}

void rg__graph_release(struct rg__search *s)
{
    for (int i = 0; i < s->n_nodes; i++) {
        struct rg__node *n = &s->nodes[i];
        rg_template_unref(n->tmpl);
        free(n->trials);
        free(n->edges);
    }
    for (int i = 0; i < s->n_edges; i++) {
        struct rg__edge *e = &s->edges[i];
        for (int k = 0; k < e->n_attempts; k++) {
            free((char *)e->attempts[k].cuda);
            free((char *)e->attempts[k].plan);
            free((char *)e->attempts[k].message);
        }
        free(e->attempts);
    }
    free(s->nodes);
    free(s->edges);
    free(s->key_table);
    free(s->codes);
    free(s->sources);
    rg_arena_release(&s->arena);
}
