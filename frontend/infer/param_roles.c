/* Roles from writes and read-before-write. */
#include "frontend/infer/infer.h"
#include "ir/access_walk.h"
#include <stdlib.h>
#include <string.h>

struct seen {
    struct rg_cnode *node;
    bool read, plain_write, write, certain, pointer;
    int n_loops;
    const struct rg_cnode *loops[RG__MAX_NEST];
    const struct rg_cnode *stmt;
    const struct rg_cnode *member; /* written alone; NULL the whole element */
};

struct roles {
    struct rg_ctree *t;
    int array;
    bool written, exposed;
    int n, cap;
    struct seen *items; /* plain, certain writes so far */
};

static const struct rg_cnode *loop_of(const struct seen *w, const struct rg_cnode *sub)
{
    for (int i = 0; i < w->n_loops; i++)
        if (sub->kind == RG_C_VAR && sub->array < 0 && w->loops[i]->var == sub->var) return w->loops[i];
    return NULL;
}

static bool params_only(const struct rg_ctree *t, const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR && (e->array >= 0 || t->vars[e->var].kind != RG_CVAR_PARAM)) return false;
    if (e->kind == RG_C_INDEX || e->kind == RG_C_CALL) return false;
    for (int i = 0; i < e->n; i++)
        if (!params_only(t, e->kid[i])) return false;
    return true;
}

static bool shared_loop(const struct rg__visit *r, const struct rg_cnode *loop)
{
    for (int i = 0; i < r->range->n_loops; i++)
        if (r->range->loops[i] == loop) return true;
    return false;
}

/* Did w run over every element before r's nest began? */
static bool whole_array(struct roles *s, const struct seen *w, const struct rg__visit *r)
{
    const struct rg_carray *x = &s->t->arrays[s->array];
    for (int d = 0; d < w->node->n; d++) {
        const struct rg_cnode *loop = loop_of(w, w->node->kid[d]);
        if (!loop || shared_loop(r, loop) || loop->step != 1 || !x->dims || !x->dims[d]) return false;
        for (int k = 0; k < d; k++)
            if (rg__c_mentions_var(w->node->kid[k], loop->var)) return false;
        struct rg_cnode *dim = rg__c_from_expr(s->t, x->dims[d]);
        if (!dim || !params_only(s->t, loop->kid[0]) || !params_only(s->t, loop->kid[1])) return false;
        struct rg__poly n = rg__poly_of(r->range, dim), up = rg__poly_of(r->range, loop->kid[1]),
                        lo = rg__poly_of(r->range, loop->kid[0]);
        int64_t zero;
        if (!rg__poly_equal(&n, &up) || !rg__poly_is_int(&lo, &zero) || zero != 0) return false;
    }
    return w->node->n == x->n_dims;
}

/* Does a loop of `w` that is over, or belongs to another nest, run at least once? Those that a subscript runs over are
 * seen to there. */
static bool runs(struct roles *s, const struct seen *w, const struct rg__visit *r)
{
    struct rg__poly one = rg__poly_int(1);
    for (int i = 0; i < w->n_loops; i++) {
        const struct rg_cnode *loop = w->loops[i];
        bool subscript = false;
        for (int d = 0; d < w->node->n; d++) subscript = subscript || loop_of(w, w->node->kid[d]) == loop;
        if (subscript || shared_loop(r, loop)) continue;
        struct rg__poly from = rg__poly_of(r->range, loop->kid[0]), to = rg__poly_of(r->range, loop->kid[1]);
        struct rg__poly trips = loop->step > 0 ? rg__poly_add(&to, &from, -1) : rg__poly_add(&from, &to, -1);
        trips = rg__poly_add(&trips, &one, -1);
        if (!params_only(s->t, loop->kid[0]) || !params_only(s->t, loop->kid[1]) || !rg__prove(r->range, &trips))
            return false;
    }
    return true;
}

/* Is the part of an element that `r` reads in what `w` writes? */
static bool same_member(const struct rg_cnode *w, const struct rg_cnode *r)
{
    if (!w) return true;
    for (; w && w->kind == RG_C_MEMBER; w = w->kid[0], r = r->kid[0])
        if (!r || r->kind != RG_C_MEMBER || strcmp(w->text, r->text)) return false;
    return r->kind != RG_C_MEMBER;
}

/* Was every element that `r` reads written before by `w`? */
static bool covers(struct roles *s, const struct seen *w, const struct rg__visit *r)
{
    if (w->node->n != r->node->n || !same_member(w->member, r->member) || !runs(s, w, r)) return false;
    if (whole_array(s, w, r)) return true;
    for (int d = 0; d < r->node->n; d++) {
        const struct rg_cnode *ws = w->node->kid[d], *rs = r->node->kid[d];
        const struct rg_cnode *loop = loop_of(w, ws);
        if (loop && !shared_loop(r, loop)) { /* the writing nest is over: everything in its range is written */
            if (loop->step != 1 || !params_only(s->t, loop->kid[0]) || !params_only(s->t, loop->kid[1])) return false;
            struct rg__poly sub = rg__poly_of(r->range, rs), lo = rg__poly_of(r->range, loop->kid[0]);
            struct rg__poly up = rg__poly_of(r->range, loop->kid[1]), one = rg__poly_int(1);
            struct rg__poly below = rg__poly_add(&sub, &lo, -1), above = rg__poly_add(&up, &sub, -1);
            above = rg__poly_add(&above, &one, -1);
            if (!rg__prove(r->range, &below) || !rg__prove(r->range, &above)) return false;
        } else {
            /* the same element of the same iteration */
            struct rg__poly a = rg__poly_of(r->range, ws), b = rg__poly_of(r->range, rs);
            if (a.bad || b.bad || !rg__poly_equal(&a, &b)) return false;
            for (int i = 0; i < w->n_loops; i++)
                if (rg__c_mentions_var(ws, w->loops[i]->var) && !shared_loop(r, w->loops[i])) return false;
            if (rg__mentions_kind_index(ws)) return false;
        }
    }
    return true;
}

static void visit(void *arg, const struct rg__visit *v)
{
    struct roles *s = arg;
    if (v->node->array != s->array) return;
    if (v->pointer) {
        s->exposed = true;
        s->written |= v->write;
        return;
    }
    if (v->read) {
        bool covered = false;
        for (int i = 0; i < s->n && !covered; i++) covered = covers(s, &s->items[i], v);
        s->exposed |= !covered;
    }
    if (v->write) {
        s->written = true;
        if (v->plain_write && v->certain && v->range->n_loops <= RG__MAX_NEST) {
            RG_GROW(s->items, s->n, s->cap);
            struct seen *x = &s->items[s->n++];
            *x = (struct seen){.node = v->node, .n_loops = v->range->n_loops, .stmt = v->stmt, .member = v->member};
            memcpy(x->loops, v->range->loops, sizeof x->loops);
        }
    }
}

bool rg__mentions_kind_index(const struct rg_cnode *n)
{
    if (n->kind == RG_C_INDEX || n->kind == RG_C_CALL || n->kind == RG_C_VERBATIM) return true;
    for (int i = 0; i < n->n; i++)
        if (rg__mentions_kind_index(n->kid[i])) return true;
    return false;
}

/* A member of the structure is a parameter of its own: that it is there from the start is what the structure has. */
static bool has_member(const struct rg_problem *p, const struct rg_param *q)
{
    const struct rg_param *base;
    int64_t offset;
    for (int i = 0; q->elem == RG_STRUCT && i < p->n_params; i++)
        if (rg_problem_member(p, &p->params[i], &base, &offset) && base == q) return true;
    return false;
}

void rg__roles(struct rg_problem *p, struct rg_ctree *t)
{
    struct rg__given *given = t ? rg__given_of(t, p) : NULL;
    for (int i = 0; i < p->n_params; i++) {
        struct rg_param *q = &p->params[i];
        if (q->kind != RG_PARAM_ARRAY || q->origin == RG_ORIGIN_RESULT) continue;
        if (!t) { /* nothing is known of the body */
            q->role = q->c_const ? RG_ROLE_IN : RG_ROLE_INOUT;
            continue;
        }
        struct roles s = {.t = t, .array = -1};
        for (int a = 0; a < t->n_arrays; a++)
            if (t->arrays[a].param == i && !t->arrays[a].constant_table) s.array = a;
        if (s.array >= 0) rg__each_access(t, t->root, given, visit, &s);
        q->role = !s.written                      ? (q->origin == RG_ORIGIN_RETURNED ? RG_ROLE_OUT : RG_ROLE_IN)
                  : s.exposed || has_member(p, q) ? RG_ROLE_INOUT
                                                  : RG_ROLE_OUT;
        free(s.items);
    }
    rg__given_free(given);
}
