#include <rg/buf.h>
#include <rg/candidate.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void rg_site_list_release(struct rg_site_list *l)
{
    rg_arena_release(&l->arena);
    free(l->items);
    free(l->refused);
    memset(l, 0, sizeof *l);
}

void rg_site_list_add(struct rg_site_list *l, const char *name, uint32_t traits, bool exact)
{
    RG_GROW(l->items, l->n, l->cap);
    l->items[l->n++] = (struct rg_site){rg_arena_strdup(&l->arena, name), traits, exact};
}

void rg_site_list_refuse(struct rg_site_list *l, const char *site, const char *fmt, ...)
{
    struct rg_buf text = RG_BUF_INIT;
    va_list ap;
    va_start(ap, fmt);
    rg_buf_vprintf(&text, fmt, ap);
    va_end(ap);
    RG_GROW(l->refused, l->n_refused, l->cap_refused);
    l->refused[l->n_refused++] = (struct rg_refusal){.site = rg_arena_strdup(&l->arena, site),
                                                     .reason = rg_arena_strdup(&l->arena, text.data),
                                                     .kind = RG_REFUSE_SHAPE};
    rg_buf_release(&text);
}

void rg_site_list_refuse_as(struct rg_site_list *l, const char *site, const struct rg_reason *why)
{
    rg_site_list_refuse(l, site, "%s", why->text);
    l->refused[l->n_refused - 1].kind = why->kind;
    l->refused[l->n_refused - 1].line = why->line;
}

void rg_site_list_withhold(struct rg_site_list *l, const char *site, const char *reason)
{
    rg_site_list_refuse(l, site, "%s", reason);
    l->refused[l->n_refused - 1].legal = true;
    l->refused[l->n_refused - 1].kind = RG_REFUSE_COST;
}

void rg_site_list_withhold_beside(struct rg_site_list *l, const char *site, uint32_t traits, bool exact,
                                  const char *edit, const char *reason)
{
    rg_site_list_withhold(l, site, reason);
    struct rg_refusal *r = &l->refused[l->n_refused - 1];
    r->beside = rg_arena_strdup(&l->arena, edit);
    r->offer = (struct rg_site){r->site, traits, exact};
}

void rg_site_list_copy(const struct rg_site_list *from, struct rg_site_list *to)
{
    memset(to, 0, sizeof *to);
    for (int i = 0; i < from->n; i++)
        rg_site_list_add(to, from->items[i].name, from->items[i].traits, from->items[i].exact);
    for (int i = 0; i < from->n_refused; i++) {
        const struct rg_refusal *r = &from->refused[i];
        rg_site_list_refuse(to, r->site, "%s", r->reason);
        struct rg_refusal *c = &to->refused[i], own = *c;
        *c = *r;
        c->site = own.site;
        c->reason = own.reason;
        if (r->beside) c->beside = rg_arena_strdup(&to->arena, r->beside);
        if (r->offer.name) c->offer.name = rg_arena_strdup(&to->arena, r->offer.name);
    }
}

struct rg_template *rg_template_ref(struct rg_template *t)
{
    if (t) t->refs++;
    return t;
}

void rg_template_unref(struct rg_template *t)
{
    if (t && --t->refs <= 0) t->ops->free(t);
}

enum rg_status rg_template_instantiate(const struct rg_template *t, const struct rg_vector *v, struct rg_source *out,
                                       struct rg_error *err)
{
    *out = (struct rg_source){NULL, NULL};
    struct rg_vector start;
    if (!v) {
        rg_tunables_default(&t->tunables, &start);
        v = &start;
    }
    if (!rg_tunables_allow(&t->tunables, v)) {
        struct rg_buf text = RG_BUF_INIT;
        rg_vector_print(&text, &t->tunables, v);
        rg_error_set(err, RG_INPUT, "the tunables {%s} are outside their domains or break a constraint", text.data);
        rg_buf_release(&text);
        return RG_INPUT;
    }
    enum rg_status s = t->ops->instantiate(t, v, out, err);
    if (s != RG_OK) rg_source_release(out);
    return s;
}

void rg_template_draft(const struct rg_template *t, const struct rg_vector *v, int n, double *us)
{
    for (int i = 0; i < n; i++) us[i] = 0;
    if (t->ops->draft) t->ops->draft(t, v, n, us);
    for (int i = 0; i < n; i++)
        if (!(isfinite(us[i]) && us[i] > 0)) us[i] = 0;
}

void rg_source_release(struct rg_source *s)
{
    free(s->cuda);
    free(s->plan);
    *s = (struct rg_source){NULL, NULL};
}
