/* Inputs of structures whose members are compared with those of the next element: `layer[i].z0 != layer[i - 1].z1` at a
 * function's door says that each begins where the last one ends, `p[i].t < p[i - 1].t` that they are in order. Numbers
 * that are drawn one by one are never so. */
#include "frontend/infer/likely_neighbours.h"
#include "ir/range.h"
#include <stdlib.h>
#include <string.h>

struct neighbours {
    const struct rg_problem *p;
    struct rg_ctree *t;
    const struct rg__writes *writes;
    struct rg_arena *arena;
    struct rg_frontend_input *out;
    int n, most;
};

struct place { /* x[at].path */
    int param;
    const struct rg_cnode *at;
    const char *path;
    bool real;
};

static bool field(const struct neighbours *x, struct place *m)
{
    const struct rg_struct *s = &x->p->structs[x->p->params[m->param].struct_index];
    for (int i = 0; i < s->n_fields; i++) {
        const struct rg_field *f = &s->fields[i];
        if (strcmp(f->path, m->path) != 0) continue;
        m->path = f->path;
        m->real = rg_scalar_is_real(f->type);
        return f->count == 1 && !f->bits && f->type != RG_BOOL;
    }
    return false;
}

/* An element's member that is a number, of structures that nobody states. */
static bool place(const struct neighbours *x, const struct rg_cnode *e, struct place *m)
{
    e = rg__c_uncast(rg__defined_as(x->writes, rg__c_uncast(e, RG__C_CASTS)), RG__C_CASTS);
    m->path = NULL;
    for (; e->kind == RG_C_MEMBER && e->n == 1 && e->text; e = e->kid[0])
        m->path = m->path ? rg_arena_printf(x->arena, "%s.%s", e->text, m->path) : e->text;
    if (e->kind != RG_C_INDEX || e->pointer || e->n != 1 || !m->path) return false;
    m->at = e->kid[0];
    m->param = x->t->arrays[e->array].param;
    const struct rg_param *q = m->param >= 0 ? &x->p->params[m->param] : NULL;
    return q && q->kind == RG_PARAM_ARRAY && q->elem == RG_STRUCT && q->role == RG_ROLE_IN &&
           q->input.kind == RG_INPUT_DEFAULT && field(x, m);
}

/* The first statement about a member holds. */
static void state(struct neighbours *x, const struct place *m, const char *text)
{
    const struct rg_param *q = &x->p->params[m->param];
    for (int i = 0; i < x->n; i++)
        if (x->out[i].param == m->param && !strcmp(x->out[i].path, m->path)) return;
    for (int i = 0; i < q->n_members; i++) /* the user's, or where a place must be */
        if (!strcmp(q->members[i].path, m->path)) return;
    if (x->n < x->most) /* the problem is freed once another is loaded with them */
        x->out[x->n++] = (struct rg_frontend_input){m->param, text, rg_arena_strdup(x->arena, m->path)};
}

static bool note(void *arg, struct rg_cnode *n)
{
    struct neighbours *x = arg;
    struct place a, b;
    int64_t by;
    if (n->kind != RG_C_BINARY || !rg_c_relation(n->op) || !place(x, n->kid[0], &a) || !place(x, n->kid[1], &b) ||
        a.param != b.param)
        return true;
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, x->t, NULL);
    const struct rg__poly at = rg__poly_of(r, a.at), other = rg__poly_of(r, b.at), d = rg__poly_add(&at, &other, -1);
    const bool next = rg__poly_is_int(&d, &by) && (by == 1 || by == -1);
    free(r);
    if (!next) return true;
    const bool same = !strcmp(a.path, b.path), equal = n->op == RG_COP_EQ || n->op == RG_COP_NE;
    if (same) {
        if (!equal) state(x, &a, a.real ? "sorted(0, 1)" : "sorted(0, 120)");
        return true;
    }
    const struct place *begin = by > 0 ? &a : &b,
                       *end = by > 0 ? &b : &a; /* each where the one before ends, or behind */
    state(x, begin, "affine(0, 1)");
    state(x, end, equal || !end->real ? "affine(1, 1)" : "affine(0.75, 1)");
    return true;
}

/* Amounts of other members and numbers are seldom below 0 where such things are in order. */
static void others(struct neighbours *x)
{
    for (int i = 0; i < x->p->n_params; i++) {
        const struct rg_param *q = &x->p->params[i];
        const bool drawn = q->input.kind == RG_INPUT_DEFAULT, real = rg_scalar_is_real(q->elem);
        if (drawn && q->kind == RG_PARAM_SCALAR && real && x->n < x->most)
            x->out[x->n++] = (struct rg_frontend_input){i, "uniform(0.01, 1)", NULL};
        if (!drawn || q->kind != RG_PARAM_ARRAY || q->elem != RG_STRUCT || q->role == RG_ROLE_OUT) continue;
        const struct rg_struct *s = &x->p->structs[q->struct_index];
        for (int k = 0; k < s->n_fields; k++)
            if (rg_scalar_is_real(s->fields[k].type))
                state(x, &(struct place){.param = i, .path = s->fields[k].path}, "uniform(0.01, 1)");
    }
}

int rg__likely_neighbours(const struct rg_problem *p, struct rg_ctree *t, const struct rg__writes *writes,
                          struct rg_arena *arena, struct rg_frontend_input **out)
{
    struct neighbours x = {.p = p, .t = t, .writes = writes, .arena = arena, .most = p->n_params};
    for (int i = 0; i < p->n_params; i++)
        if (p->params[i].elem == RG_STRUCT) x.most += p->structs[p->params[i].struct_index].n_fields;
    x.out = rg_arena_alloc(arena, ((size_t)x.most + 1) * sizeof *x.out);
    rg__c_walk(t->root, note, &x);
    if (x.n) others(&x);
    *out = x.out;
    return x.n;
}
