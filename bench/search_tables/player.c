/* A coder and an evaluator that answer from a table. */
#include "table.h"
#include <rg/buf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    struct rg_template t;
    const struct table *table;
    int node;
    struct rg_arena arena;
};

static void entry_free(struct rg_template *t)
{
    struct entry *e = (struct entry *)t;
    rg_arena_release(&e->arena);
    free(e);
}

/* The source is the node's number and the vector's values: the evaluator reads them back. */
static enum rg_status entry_instantiate(const struct rg_template *t, const struct rg_vector *v, struct rg_source *out,
                                        struct rg_error *err)
{
    struct rg_buf b = RG_BUF_INIT;
    struct rg_vector start;
    rg_tunables_default(&t->tunables, &start);
    if (!v) v = &start;
    rg_buf_printf(&b, "%d", ((const struct entry *)t)->node);
    for (int i = 0; i < v->n; i++) rg_buf_printf(&b, ",%lld", (long long)v->values[i]);
    out->cuda = b.data;
    out->plan = rg_xstrdup("");
    return RG_OK;
}

static void entry_draft(const struct rg_template *t, const struct rg_vector *v, int n, double *us)
{
    const struct entry *e = (const struct entry *)t;
    for (int i = 0; i < n; i++) us[i] = table_draft(e->table, e->node, &v[i]);
}

static const struct rg_template_ops ops = {.instantiate = entry_instantiate, .free = entry_free, .draft = entry_draft};

static struct rg_template *entry_new(const struct table *table, int node, const struct rg_template *parent,
                                     const char *step, const char *site)
{
    struct entry *e = rg_xcalloc(1, sizeof *e);
    e->table = table;
    e->node = node;
    struct rg_template *t = &e->t;
    t->ops = &ops;
    t->refs = 1;
    t->coder = "table";
    t->key = rg_arena_printf(&e->arena, "%d", node);
    t->tunables = table->nodes[node].tunables;
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
    struct table_spent *spent;
    int n;
    struct rg_answer answer;
    struct rg_eval_result result[64];
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
            a->tmpl = entry_new(s->t, x->node, parent, step->id, site);
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

static void note_spent(const struct table *t, struct table_spent *s, int node, const struct rg_vector *v)
{
    bool first = true;
    for (int i = 0; i < s->n; i++) {
        if (s->asked[i].node != node) continue;
        if (rg_vector_equal(&s->asked[i].v, v)) return; /* a second look */
        first = false;
    }
    RG_GROW(s->asked, s->n, s->cap);
    s->asked[s->n++] = (struct table_asked){node, *v};
    if (first) return;
    s->values++;
    s->right_values += t->nodes[node].best_us > 0 && t->nodes[node].best_us <= s->right_us;
}

static enum rg_status eval_submit(void *self, int id, const struct rg_source *src, enum rg_eval_purpose purpose,
                                  struct rg_error *err)
{
    struct table_self *s = self;
    struct rg_vector v = {0};
    char *p;
    long node = strtol(src->cuda, &p, 10);
    while (*p == ',' && v.n < RG_MAX_TUNABLES) v.values[v.n++] = strtoll(p + 1, &p, 10);
    struct table_trial x = table_lookup(s->t, (int)node, &v);
    if (s->spent) note_spent(s->t, s->spent, (int)node, &v);
    struct rg_eval_result *r = &s->result[s->n++];
    memset(r, 0, sizeof *r);
    r->id = id;
    r->e.outcome = x.outcome;
    r->e.time_us = x.time_us;
    r->e.limiter = x.limiter;
    r->e.estimated = true;
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
    return (struct rg_coder){.name = "table", .self = s, .sites = sites, .submit = submit, .poll = poll};
}

struct rg_evaluator table_evaluator(struct table *t, struct table_spent *spent)
{
    struct table_self *s = rg_xcalloc(1, sizeof *s);
    s->t = t;
    s->spent = spent;
    return (struct rg_evaluator){
        .self = s, .device = t->device, .arch = t->device, .estimated = true, .submit = eval_submit, .poll = eval_poll};
}

void table_coder_free(struct rg_coder *c)
{
    free(c->self);
}

void table_evaluator_free(struct rg_evaluator *e)
{
    free(e->self);
}
