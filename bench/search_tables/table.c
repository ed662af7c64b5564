#include "table.h"
#include <rg/buf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct table_node *table_node(struct table *t, int index)
{
    while (t->n <= index) {
        RG_GROW(t->nodes, t->n, t->cap);
        memset(&t->nodes[t->n++], 0, sizeof *t->nodes);
    }
    return &t->nodes[index];
}

void table_action(struct table *t, int node, const char *step, const char *site, int child, enum rg_outcome outcome)
{
    struct table_node *n = table_node(t, node);
    for (int i = 0; i < n->n_actions; i++)
        if (!strcmp(n->actions[i].step, step) && !strcmp(n->actions[i].site, site)) return;
    RG_GROW(n->actions, n->n_actions, n->cap_actions);
    n->actions[n->n_actions++] = (struct table_action){rg_xstrdup(step), rg_xstrdup(site), child, outcome};
}

void table_best(struct table *t)
{
    t->best_us = 0;
    for (int i = 1; i < t->n; i++) {
        const struct table_node *n = &t->nodes[i];
        if (n->measured && n->outcome == RG_OUTCOME_OK && n->time_us > 0 &&
            (t->best_us == 0 || n->time_us < t->best_us))
            t->best_us = n->time_us;
    }
}

void table_free(struct table *t)
{
    for (int i = 0; t && i < t->n; i++) {
        for (int k = 0; k < t->nodes[i].n_actions; k++) {
            free(t->nodes[i].actions[k].step);
            free(t->nodes[i].actions[k].site);
        }
        free(t->nodes[i].actions);
    }
    if (!t) return;
    free(t->nodes);
    free(t->name);
    free(t->klass);
    free(t->device);
    free(t);
}

/* --- a coder over it --- */

struct entry {
    struct rg_template t;
    int node;
    struct rg_arena arena;
};

static void entry_free(struct rg_template *t)
{
    struct entry *e = (struct entry *)t;
    rg_arena_release(&e->arena);
    free(e);
}

static enum rg_status entry_instantiate(const struct rg_template *t, const struct rg_vector *v, struct rg_source *out,
                                        struct rg_error *err)
{
    out->cuda = rg_xasprintf("%d", ((const struct entry *)t)->node);
    out->plan = rg_xstrdup("");
    return RG_OK;
}

static const struct rg_template_ops ops = {entry_instantiate, entry_free};

static struct rg_template *entry_new(int node, const struct rg_template *parent, const char *step, const char *site)
{
    struct entry *e = rg_xcalloc(1, sizeof *e);
    e->node = node;
    struct rg_template *t = &e->t;
    t->ops = &ops;
    t->refs = 1;
    t->coder = "table";
    t->key = rg_arena_printf(&e->arena, "%d", node);
    t->n_chain = (parent ? parent->n_chain : 0) + 1;
    t->chain = rg_arena_alloc(&e->arena, (size_t)t->n_chain * sizeof *t->chain);
    for (int i = 0; parent && i < parent->n_chain; i++)
        t->chain[i] = (struct rg_link){rg_arena_strdup(&e->arena, parent->chain[i].step),
                                       rg_arena_strdup(&e->arena, parent->chain[i].site)};
    t->chain[t->n_chain - 1] = (struct rg_link){rg_arena_strdup(&e->arena, step), rg_arena_strdup(&e->arena, site)};
    return t;
}

struct table_self {
    struct table *t;
    int n, spent;
    struct rg_answer answer;
    struct rg_eval_result result[16];
};

static const struct table_node *node_of(const struct table *t, const struct rg_template *parent)
{
    return &t->nodes[parent ? ((const struct entry *)parent)->node : 0];
}

static enum rg_status sites(void *self, const struct rg_template *parent, const struct rg_step *step,
                            struct rg_site_list *out, struct rg_error *err)
{
    const struct table_node *n = node_of(((struct table_self *)self)->t, parent);
    for (int i = 0; i < n->n_actions; i++) /* masks were applied when it was recorded */
        if (!strcmp(n->actions[i].step, step->id)) rg_site_list_add(out, n->actions[i].site, ~0u, true);
    return RG_OK;
}

static enum rg_status submit(void *self, int id, struct rg_template *parent, const struct rg_step *step,
                             const char *site, const struct rg_hint *hint, struct rg_error *err)
{
    struct table_self *s = self;
    const struct table_node *n = node_of(s->t, parent);
    struct rg_answer *a = &s->answer;
    memset(a, 0, sizeof *a);
    a->id = id;
    a->kind = RG_ANSWER_REFUSED;
    for (int i = 0; i < n->n_actions; i++) {
        const struct table_action *x = &n->actions[i];
        if (strcmp(x->step, step->id) || strcmp(x->site, site)) continue;
        if (x->node > 0) {
            a->kind = RG_ANSWER_TEMPLATE;
            a->tmpl = entry_new(x->node, parent, step->id, site);
        } else if (x->outcome != RG_OUTCOME_OK) {
            a->kind = RG_ANSWER_FAILED;
            a->outcome = x->outcome;
        }
    }
    s->n = 1;
    return RG_OK;
}

static enum rg_status poll(void *self, double seconds, struct rg_answer *out, bool *got, struct rg_error *err)
{
    struct table_self *s = self;
    *got = s->n > 0;
    if (*got) *out = s->answer;
    s->n = 0;
    return RG_OK;
}

static enum rg_status eval_submit(void *self, int id, const struct rg_source *src, enum rg_eval_purpose purpose,
                                  struct rg_error *err)
{
    struct table_self *s = self;
    const struct table_node *n = &s->t->nodes[atoi(src->cuda)];
    struct rg_eval_result *r = &s->result[s->n++];
    memset(r, 0, sizeof *r);
    r->id = id;
    r->e.outcome = n->measured ? n->outcome : RG_OUTCOME_UNSUPPORTED;
    r->e.time_us = n->time_us;
    r->e.limiter = n->limiter;
    r->e.estimated = true;
    if (purpose == RG_EVAL_FULL) s->spent += n->cost > 0 ? n->cost : 1;
    return RG_OK;
}

static enum rg_status eval_poll(void *self, double seconds, struct rg_eval_result *out, bool *got, struct rg_error *err)
{
    struct table_self *s = self;
    *got = s->n > 0;
    if (!*got) return RG_OK;
    *out = s->result[0];
    memmove(s->result, s->result + 1, (size_t)--s->n * sizeof *s->result);
    return RG_OK;
}

struct rg_coder table_coder(struct table *t)
{
    struct table_self *s = rg_xcalloc(1, sizeof *s);
    s->t = t;
    return (struct rg_coder){"table", s, false, sites, submit, poll, NULL, NULL};
}

struct rg_evaluator table_evaluator(struct table *t)
{
    struct table_self *s = rg_xcalloc(1, sizeof *s);
    s->t = t;
    return (struct rg_evaluator){s, t->device, t->device, true, eval_submit, eval_poll, NULL, NULL, NULL};
}

int table_spent(const struct rg_evaluator *e)
{
    return ((const struct table_self *)e->self)->spent;
}

void table_coder_free(struct rg_coder *c)
{
    free(c->self);
}

void table_evaluator_free(struct rg_evaluator *e)
{
    free(e->self);
}
