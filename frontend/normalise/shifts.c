/* Shifts in place, by a copy. A loop whose iterations read, beside their own element, the one k further on in the
 * direction it goes, which none before them has stored to:
 *     for (i = 0; i < n - 1; i++) a[i] = a[i + 1];            for (i = n; i > 0; i--) start[i] = start[i - 1];
 * finds that as it was before the loop. Where they read a copy, iterations may come in any order:
 *     for (q = k; q < n - 1 + k; q++) ahead[q] = a[q];  for (i = 0; i < n - 1; i++) a[i] = ahead[i + 1];
 * A loop that counts up may name its elements from the end on, a[n - i], or the first of each block, a[64 * i]: of
 * these alone there is a copy then. Loops that have nothing around them are looked at. */
#include "frontend/normalise/canon.h"
#include <stdlib.h>

struct shift {
    struct rg_ctree *t;
    struct rg_cnode *loop, *body;
    int array;
    struct rg__range *r;
    int64_t sign;         /* 1: the places stored to go up with the counter; -1: down */
    int64_t stride;       /* ... in such steps */
    struct rg__poly from; /* ... from here: place = sign * stride * counter + from, of parameters */
    int64_t by;           /* how far ahead is read; 0: it is not known yet */
    bool stores;
};

/* Nobody else has the memory, and its elements are as the array says. */
static bool plain_array(const struct rg_ctree *t, int array)
{
    const struct rg_carray *a = &t->arrays[array];
    if (a->view || a->n_dims != 1 || a->constant_table) return false;
    for (int o = 0; o < t->n_arrays; o++)
        if (o != array && a->param >= 0 && t->arrays[o].param == a->param) return false;
    return true;
}

/* The places that the array is stored to, in one statement: sign * stride * counter + from. */
static bool places(struct shift *s, const struct rg_cnode *n)
{
    static const int64_t most = 1 << 20;
    const struct rg_cnode *to = n->kind == RG_C_ASSIGN ? n->kid[0] : NULL;
    while (to && to->kind == RG_C_MEMBER) to = to->kid[0];
    if (to && to->kind == RG_C_INDEX && to->array == s->array && to->n == 1) {
        struct rg__poly place = rg__poly_of(s->r, to->kid[0]), by;
        int64_t step;
        if (place.bad || !rg__poly_split(&place, s->loop->var, &by, &s->from) || !rg__poly_is_int(&by, &step) ||
            !step || step > most || step < -most)
            return false;
        s->sign = step < 0 ? -1 : 1;
        s->stride = s->sign * step;
        return rg__c_of_params(s->t, rg__poly_node(s->r, &s->from));
    }
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && places(s, n->kid[i])) return true;
    return false;
}

/* How far a subscript lies from the place that is stored to, up. */
static bool offset(struct shift *s, const struct rg_cnode *e, int64_t *at)
{
    struct rg__poly place = rg__poly_of(s->r, e), by, rest, d;
    int64_t step;
    if (place.bad || !rg__poly_split(&place, s->loop->var, &by, &rest) || !rg__poly_is_int(&by, &step) ||
        step != s->sign * s->stride)
        return false;
    d = rg__poly_add(&rest, &s->from, -1);
    return !d.bad && rg__poly_is_int(&d, at);
}

/* All uses of the array are elements: stores at the counter, reads there or `by` ahead. */
static bool uses_fit(struct shift *s, const struct rg_cnode *n, bool stored)
{
    int64_t at;
    if (!n) return true;
    if (n->array == s->array) {
        if (n->kind != RG_C_INDEX || n->n != 1 || n->pointer || !offset(s, n->kid[0], &at)) return false;
        at *= s->sign * s->loop->step;
        if (at % s->stride) return false;
        if (stored ? at != 0 : at != 0 && (at < 1 || (s->by && s->by != at))) return false;
        if (stored) s->stores = true;
        if (!stored && at) s->by = at;
        return true;
    }
    const bool writes = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC;
    for (int i = 0; i < n->n; i++) {
        const struct rg_cnode *to = n->kid[i];
        while (writes && i == 0 && to->kind == RG_C_MEMBER) to = to->kid[0];
        const bool target = writes && i == 0 && to->array == s->array;
        if (!(target ? uses_fit(s, to, true) : uses_fit(s, n->kid[i], false))) return false;
    }
    return true;
}

/* Is the element ahead read whatever conditions say? Then the copy asks for none that the loop does not. */
static bool always_read(struct shift *s, const struct rg_cnode *n)
{
    int64_t at;
    if (!n) return false;
    if (n->kind == RG_C_INDEX && n->array == s->array) {
        return offset(s, n->kid[0], &at) && at != 0;
    }
    const bool some = n->kind == RG_C_COND || n->kind == RG_C_IF || rg_c_lazy(n->op);
    for (int i = 0; i < n->n && (i == 0 || !some); i++)
        if (always_read(s, n->kid[i])) return true;
    return false;
}

/* Nothing but values, elements and sums: what else an iteration left would tie them together anyway. */
static bool free_of_ties(const struct shift *s, const struct rg_cnode *n)
{
    if (!n) return true;
    switch (n->kind) {
    case RG_C_VERBATIM:
    case RG_C_OPAQUE:
    case RG_C_BREAK:
    case RG_C_CONTINUE:
    case RG_C_RETURN:
    case RG_C_GOTO:
        return false;
    case RG_C_CALL:
        if (!rg__c_pure(s->t, n)) return false;
        break;
    case RG_C_ASSIGN:
        if (n->op == RG_COP_SET && n->kid[0]->kind == RG_C_VAR &&
            (n->kid[0]->array >= 0 || !rg__c_declares(s->body, n->kid[0]->var)))
            return false;
        break;
    default:
        break;
    }
    if (n->op == RG_COP_DEREF || n->op == RG_COP_ADDRESS || (n->kind == RG_C_INDEX && n->pointer)) return false;
    for (int i = 0; i < n->n; i++)
        if (!free_of_ties(s, n->kid[i])) return false;
    return true;
}

static bool fits(struct shift *s)
{
    const struct rg_cnode *l = s->loop;
    if (l->kind != RG_C_LOOP || l->n != 3 || (l->step != 1 && l->step != -1) || l->kid[2]->kind != RG_C_BLOCK ||
        rg__c_has_loop(l->kid[2]) || !rg__c_of_params(s->t, l->kid[0]) || !rg__c_of_params(s->t, l->kid[1]) ||
        !free_of_ties(s, l->kid[2]))
        return false;
    for (s->array = 0; s->array < s->t->n_arrays; s->array++) {
        s->by = 0;
        s->stores = false;
        if (rg__writes_array(s->body, s->array) && plain_array(s->t, s->array) && places(s, s->body) &&
            uses_fit(s, s->body, false) && s->stores && s->by && always_read(s, s->body))
            return true;
    }
    return false;
}

static void read_copy(struct shift *s, struct rg_cnode *n, int copy)
{
    int64_t at;
    if (!n) return;
    if (n->kind == RG_C_INDEX && n->array == s->array && offset(s, n->kid[0], &at) && at) n->array = copy;
    for (int i = 0; i < n->n; i++) read_copy(s, n->kid[i], copy);
}

/* The place that the counter's value names, and k more. */
static struct rg_cnode *place_at(struct shift *s, const struct rg_cnode *value, int64_t k)
{
    struct rg__poly v = rg__poly_of(s->r, value), one = rg__poly_int(k),
                    p = rg__poly_add(&s->from, &v, s->sign * s->stride);
    p = rg__poly_add(&p, &one, 1);
    return p.bad ? NULL : rg__poly_node(s->r, &p);
}

static bool rewrite(struct shift *s, struct rg_cnode *block, int where)
{
    struct rg_ctree *t = s->t;
    const bool up = s->sign * s->loop->step > 0;
    const struct rg_cnode *first = s->loop->kid[0], *end = s->loop->kid[1];
    /* up: from first + k to below end + k; down: from end + 1 - k to first - k */
    struct rg_cnode *low = up ? place_at(s, first, s->by) : place_at(s, end, s->stride - s->by);
    struct rg_cnode *high = up ? place_at(s, end, s->by) : place_at(s, first, s->stride - s->by);
    if (!low || !high) return false;
    const struct rg_expr *n = rg__c_to_expr(t, rg__c_strip_int_casts(rg__c_copy(t, high)), &t->arena);
    if (!n) return false;
    const int copy =
        rg__c_add_array(t, rg_arena_printf(&t->arena, "%s_ahead", t->arrays[s->array].name), t->arrays[s->array].elem);
    struct rg_carray *c = &t->arrays[copy];
    c->struct_index = t->arrays[s->array].struct_index;
    c->c_elem = t->arrays[s->array].c_elem;
    c->n_dims = 1;
    c->dims = rg_arena_alloc(&t->arena, sizeof *c->dims);
    c->dims[0] = n;
    c->mallocd = true;
    const int q = rg__c_add_var(t, "q", RG_CVAR_ITER, s->stride > 1 ? RG_LLONG : t->vars[s->loop->var].type);
    struct rg_cnode *made = rg__c_stands(rg_cnode_new(t, RG_C_DECL, 0), s->loop),
                    *f = rg__c_stands(rg_cnode_new(t, RG_C_LOOP, 3), s->loop), *i = rg__c_var(t, q),
                    *j = rg__c_var(t, q);
    struct rg__kids body = {0}, with = {0};
    made->array = copy;
    made->type = c->elem;
    made->struct_index = c->struct_index;
    rg__kids_add(&body, rg__c_stands(rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_index(t, copy, 1, &i),
                                                                rg__c_index(t, s->array, 1, &j))),
                                     s->loop));
    f->var = q;
    f->step = s->stride;
    f->kid[0] = rg__c_cast(t, low, t->vars[q].type);
    f->kid[1] = rg__c_cast(t, high, t->vars[q].type);
    f->kid[2] = rg__kids_node(t, RG_C_BLOCK, &body);
    read_copy(s, s->body, copy);
    rg__kids_add(&with, made);
    rg__kids_add(&with, f);
    rg__block_splice(t, block, where, 0, &with);
    return true;
}

void rg__shift_copies(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || (n->kind != RG_C_BLOCK && n->kind != RG_C_IF)) return;
    for (int k = 0; k < n->n; k++) {
        struct shift s = {.t = t, .loop = n->kid[k]};
        rg__shift_copies(t, n->kid[k]);
        if (n->kind != RG_C_BLOCK || n->kid[k]->kind != RG_C_LOOP || n->kid[k]->n != 3) continue;
        s.body = s.loop->kid[2];
        s.r = rg_xmalloc(sizeof *s.r);
        rg__range_init(s.r, t, NULL);
        if (fits(&s) && rewrite(&s, n, k)) k += 2;
        free(s.r);
    }
}

void rg__canon_shifts_ahead(struct rg_ctree *t, const struct rg_problem *p)
{
    if (!p->may_alias) rg__shift_copies(t, t->root);
}
