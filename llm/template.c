/* What the model coder returns: source and plan as they are; no tunables. */
#include "llm.h"
#include <stdlib.h>

struct llm_template {
    struct rg_template base;
    char *cuda, *plan;
};

static enum rg_status instantiate(const struct rg_template *t, const struct rg_vector *v, struct rg_source *out,
                                  struct rg_error *err)
{
    const struct llm_template *l = (const struct llm_template *)t;
    *out = (struct rg_source){rg_xstrdup(l->cuda), rg_xstrdup(l->plan)};
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
    free(l->cuda);
    free(l->plan);
    free(l);
}

static const struct rg_template_ops template_ops = {.instantiate = instantiate, .free = template_free};

struct rg_template *rg__template_new(const struct rg_template *parent, const char *step, const char *site, int sample,
                                     int n_attempts, struct rg__reply *r)
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
    l->cuda = r->cuda;
    l->plan = r->plan;
    r->cuda = r->plan = NULL;
    return t;
}
