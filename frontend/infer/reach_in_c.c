/* Sizes that are as large as data lead, and rows as long as their own elements say, as C that finds them in the data of
 * a call. */
#include "frontend/infer/infer.h"
#include "frontend/infer/reach.h"
#include <string.h>

struct in_c {
    struct rg__load *l;
    const char *(*text)(struct rg__load *l, int param);
    bool failed;
};

static const char *param_in_c(struct in_c *c, int param);

static const char *named_in_c(void *arg, const char *name)
{
    struct in_c *c = arg;
    int i = rg_problem_param(c->l->p, name);
    return i >= 0 ? param_in_c(c, i) : name;
}

static const char *expr_in_c(struct in_c *c, const struct rg_expr *e)
{
    struct rg_buf b = RG_BUF_INIT;
    rg_expr_print(&b, e, named_in_c, c);
    const char *text = rg_arena_printf(&c->l->p->arena, "(%s)", b.data ? b.data : "");
    rg_buf_release(&b);
    return text;
}

static const char *param_in_c(struct in_c *c, int param)
{
    const struct rg_param *q = &c->l->p->params[param];
    if (q->derived) return expr_in_c(c, q->derived);
    const char *text = c->text(c->l, param);
    c->failed |= !text;
    return text ? text : "0";
}

const char *rg__size_in_c(struct rg__load *l, const struct rg_expr *e,
                          const char *(*text)(struct rg__load *l, int param))
{
    struct in_c c = {l, text, false};
    const char *all = expr_in_c(&c, e);
    return c.failed ? NULL : all;
}

/* Nothing leads on where there is no array (`x == NULL` of n = 0, state that was not set up yet), or none of the
 * structures whose members it is of, zones[rg_k]. A variable of its own: that an array is there needs no warning. */
static const char *only_there(struct in_c *c, int param)
{
    const char *place = param_in_c(c, param), *at = place + strlen(place);
    if (c->l->b.origins[param].layout == RG__COLUMN && !(at = strstr(place, "[rg_k]"))) return "";
    return rg_arena_printf(&c->l->p->arena, " rg_of = (const void *)(%.*s); if (!rg_of) rg_n = 0;", (int)(at - place),
                           place);
}

/* Element rg_k of an array in C, as a long, so often and so much more; or how long a string is with its zero. */
static const char *element_in_c(struct in_c *c, const struct rg__reach_from *f, bool text)
{
    const struct rg_param *q = &c->l->p->params[f->of];
    const char *is = param_in_c(c, f->of);
    if (text) {
        if (c->l->b.origins[f->of].layout != RG__COLUMN) is = rg_arena_printf(&c->l->p->arena, "(%s)[rg_k]", is);
        return rg_arena_printf(&c->l->p->arena, "(%1$s ? (long)__builtin_strlen((const char *)%1$s) + 1 : 0)", is);
    }
    if (c->l->b.origins[f->of].layout != RG__COLUMN)
        is = rg_arena_printf(&c->l->p->arena, "((const %s *)(%s))[rg_k]", rg_scalar_c(q->elem), is);
    return rg_arena_printf(&c->l->p->arena, "(long)%s * %lld + %lld", is, (long long)f->times, (long long)f->more);
}

const char *rg__reach_row_in_c(struct rg__load *l, const struct rg__reach *r,
                               const char *(*text)(struct rg__load *l, int param))
{
    struct in_c c = {l, text, false};
    const char *is = element_in_c(&c, &r->from[0], r->text);
    return c.failed ? NULL : is;
}

const char *rg__reach_in_c(struct rg__load *l, int param, const char *(*text)(struct rg__load *l, int param))
{
    const struct rg__reach *r = l->b.origins[param].reach;
    struct in_c c = {l, text, false};
    struct rg_buf b = RG_BUF_INIT;
    if (r->loose) return NULL;
    rg_buf_str(&b, "__extension__({ long rg_top = 1, rg_k, rg_n; const void *rg_of;");
    for (int i = 0; i < r->n; i++) {
        const struct rg_param *q = &l->p->params[r->from[i].of];
        rg_buf_str(&b, " rg_n = 1");
        for (int d = 0; d < (r->text ? 1 : q->n_dims); d++) rg_buf_printf(&b, " * (long)%s", expr_in_c(&c, q->dims[d]));
        rg_buf_printf(
            &b, ";%s for (rg_k = 0; rg_k < rg_n; rg_k++) { long rg_at = %s; if (rg_at > rg_top) rg_top = rg_at; }",
            only_there(&c, r->from[i].of), element_in_c(&c, &r->from[i], r->text));
    }
    rg_buf_str(&b, " rg_top; })");
    const char *all = c.failed ? NULL : rg_arena_strdup(&l->p->arena, b.data);
    rg_buf_release(&b);
    return all;
}
