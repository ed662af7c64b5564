/* Lists of pairs: edges of a graph, springs between particles, corners of faces. Each element leads into the same array
 * of another length more than once (`edges[e].from`, `edges[e].to`; `u[e]`, `v[e]`; `pair[2 * e]`, `pair[2 * e + 1]`).
 * With as many of them as there is to lead into, most of that is in reach of nothing: a search ends in its first
 * round. */
#include "frontend/infer/infer.h"
#include "frontend/infer/values.h"
#include "ir/access_walk.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_ENDS = 64 };

struct lists {
    const struct rg_problem *p;
    struct rg_ctree *t;
    const bool *free; /* by size parameter: nobody gave it, and it decides how much there is to do */
    struct rg__writes writes;
    bool *fewer;
    int n;
    struct end { /* an element, or a member of one, that leads into something of a size */
        const struct rg_cnode *element;
        const char *member;
        int list, into; /* size parameters */
    } ends[MOST_ENDS];
};

struct sizes_in {
    const struct lists *x;
    int n, size;
};

static void note_size(void *arg, const char *name)
{
    struct sizes_in *s = arg;
    const struct rg_problem *p = s->x->p;
    for (int k = 0; k < p->n_size_params; k++)
        if (s->x->free[k] && k != s->size && !strcmp(p->params[p->size_params[k]].name, name)) s->n++, s->size = k;
}

/* The one size that nobody gave in it; -1. */
static int size_in(const struct lists *x, const struct rg_expr *e)
{
    struct sizes_in s = {x, 0, -1};
    if (e) rg_expr_names(e, note_size, &s);
    return s.n == 1 ? s.size : -1;
}

/* The size of a parameter of one dimension; -1. */
static int length_of(const struct lists *x, int array)
{
    const int param = x->t->arrays[array].param;
    const struct rg_param *q = param >= 0 ? &x->p->params[param] : NULL;
    return q && q->kind == RG_PARAM_ARRAY && q->role != RG_ROLE_OUT && q->n_dims == 1 ? size_in(x, q->dims[0]) : -1;
}

/* `pair[2 * e]` and `pair[2 * e + 1]` */
static bool beside(const struct lists *x, const struct rg_cnode *a, const struct rg_cnode *b)
{
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, x->t, NULL);
    struct rg__poly at = rg__poly_of(r, a->kid[0]), other = rg__poly_of(r, b->kid[0]),
                    d = rg__poly_add(&at, &other, -1);
    int64_t step;
    const bool is = rg__poly_is_int(&d, &step) && step != 0;
    free(r);
    return is;
}

static void note_end(struct lists *x, const struct rg_cnode *e, int into)
{
    e = rg__c_uncast(rg__defined_as(&x->writes, rg__c_uncast(e, RG__C_INT_CASTS)), RG__C_INT_CASTS);
    const char *member = e->kind == RG_C_MEMBER ? e->text : NULL;
    if (member) e = e->kid[0];
    if (e->kind != RG_C_INDEX || e->pointer || e->n != 1 || x->n == MOST_ENDS) return;
    const int list = length_of(x, e->array);
    if (list < 0 || list == into) return;
    for (int i = 0; i < x->n; i++) {
        const struct end *was = &x->ends[i];
        if (was->list != list || was->into != into) continue;
        const bool same =
            was->element->array == e->array && !was->member == !member && (!member || !strcmp(was->member, member));
        if (!same || (!member && beside(x, was->element, e))) x->fewer[into] = true;
    }
    x->ends[x->n++] = (struct end){e, member, list, into};
}

static bool look(void *arg, struct rg_cnode *n)
{
    struct lists *x = arg;
    if (n->kind != RG_C_INDEX || n->pointer || n->n != 1) return true;
    const struct rg_carray *a = &x->t->arrays[n->array];
    const int into = a->param >= 0 ? length_of(x, n->array) : a->n_dims == 1 && a->dims ? size_in(x, a->dims[0]) : -1;
    if (into >= 0) note_end(x, n->kid[0], into);
    return true;
}

bool *rg__led_into(const struct rg__load *l, const bool *but)
{
    const struct rg_problem *p = l->p;
    struct lists *x = rg_xcalloc(1, sizeof *x);
    bool *open = rg_xcalloc((size_t)p->n_size_params + 1, sizeof *open), *fewer;
    for (int k = 0; k < p->n_size_params; k++)
        open[k] = l->unset[k] && !but[k] && !rg_size_follows(&p->params[p->size_params[k]]);
    x->p = p;
    x->t = l->t;
    x->free = open;
    x->fewer = fewer = rg_xcalloc((size_t)p->n_size_params + 1, sizeof *fewer);
    if (!l->b.verbatim) {
        rg__writes_gather(&x->writes, l->t);
        rg__c_walk(l->t->root, look, x);
        rg__writes_release(&x->writes);
    }
    free(open);
    free(x);
    return fewer;
}
