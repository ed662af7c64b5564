/* What the model coder returns: source and plan as they are, with the numbers that it left open. */
#include "llm.h"
#include <stdlib.h>

struct llm_template {
    struct rg_template base;
    const struct rg_problem *p;
    char *cuda, *plan;
    struct rg_arena arena; /* of the tunables */
};

static enum rg_status instantiate(const struct rg_template *t, const struct rg_vector *v, struct rg_source *out,
                                  struct rg_error *err)
{
    const struct llm_template *l = (const struct llm_template *)t;
    if (v && !rg_tunables_allow(&t->tunables, v)) return rg_error_set(err, RG_INPUT, "no values of its tunables");
    struct rg_vector start;
    rg_tunables_default(&t->tunables, &start);
    out->cuda = rg__tuned_code(l->cuda, &t->tunables, v ? v : &start);
    out->plan = rg__plan_with_constants(l->p, out->cuda, l->plan);
    return RG_OK;
}

static void template_free(struct rg_template *t)
{
    struct llm_template *l = (struct llm_template *)t;
    for (int i = 0; i < t->n_chain; i++) {
        free(t->chain[i].step);
        free(t->chain[i].site);
    }
    free(t->chain);
    free(t->key);
    rg_arena_release(&l->arena);
    free(l->cuda);
    free(l->plan);
    free(l);
}

static const struct rg_template_ops template_ops = {.instantiate = instantiate, .free = template_free};

struct rg_template *rg__template_new(const struct rg_problem *p, const struct rg_template *parent, const char *step,
                                     const char *site, int sample, int n_attempts, struct rg__reply *r)
{
    struct llm_template *l = rg_xcalloc(1, sizeof *l);
    struct rg_template *t = &l->base;
    int n = parent ? parent->n_chain : 0;
    t->ops = &template_ops;
    t->refs = 1;
    t->coder = "llm";
    struct rg_buf key = RG_BUF_INIT;
    /* at the root the step asked stands all the same: the steps that may follow are found by it */
    const char *done = r->shows ? r->shows->id : r->rewrite && parent ? RG__REWRITE : step;
    rg_buf_printf(&key, "%s" RG__KEY_MARK "%s@%s", parent ? parent->key : "", done, site);
    if (done != step) rg_buf_printf(&key, "<%s", step); /* what was asked: another request, another text */
    rg_buf_printf(&key, "#%d", sample);
    if (n_attempts) rg_buf_printf(&key, "+%d", n_attempts);
    t->key = rg_buf_steal(&key);
    t->traits = rg_llm_source_traits(r->cuda);
    t->n_chain = n + 1;
    t->chain = rg_xcalloc((size_t)n + 1, sizeof *t->chain);
    for (int i = 0; i < n; i++)
        t->chain[i] = (struct rg_link){rg_xstrdup(parent->chain[i].step), rg_xstrdup(parent->chain[i].site)};
    t->chain[n] = (struct rg_link){rg_xstrdup(done), rg_xstrdup(site)};
    l->p = p;
    l->cuda = r->cuda;
    l->plan = r->plan;
    rg__tuned_find(&l->arena, l->cuda, &t->tunables);
    for (int i = 0; i < t->tunables.n; i++) { /* what the parent left open already is the parent's */
        int at = parent ? rg_tunables_find(&parent->tunables, t->tunables.items[i].name) : -1;
        t->tunables.items[i].link = at >= 0 ? parent->tunables.items[at].link : n;
    }
    r->cuda = r->plan = NULL;
    return t;
}
