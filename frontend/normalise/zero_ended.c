/* `while (*s) ... s++`, `for (i = 0; s[i] != 0; i++)`: a string that a loop goes along to its zero has a size of its
 * own, `s.len`, as one whose strlen is taken, and the loop goes on while the place is less than that.
 *
 * So it is where each test asks for the next place, the first for place 0, and what is stored in the string is stored
 * at the place just tested: what is still to be tested is as the caller gave it. Other strings are left as they are.
 *
 * Rows of characters (`char **s`, a member of structures in an array) that nothing is stored in, and of which nothing
 * behind the zero is read, are noted: each is as long as its string. */
#include "frontend/normalise/zero_ended.h"

#include <stdlib.h>
#include <string.h>

struct sets { /* what a variable is set to, where that stands, and how often it is set */
    int n;
    const struct rg_cnode *value, *at;
};

struct walked {
    struct rg__load *l;
    struct rg_ctree *t;
    int array;
    struct rg_cnode *loop; /* the loop that is looked at */
    int var;
    int stores, stores_here;    /* in the string, and of them at the place */
    bool whole;                 /* it is given away */
    int sets, starts, steps;    /* of the place: all that changes it; those to 0; those by 1 */
    bool nested;                /* a loop is around it */
    bool rows;                  /* the place is one in a row of several */
    bool beyond;                /* a place is read that may be behind the zero */
    const struct sets *sets_of; /* by variable */
};

static bool is_zero(const struct sets *sets, const struct rg_cnode *e)
{
    int64_t zero;
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    if (e->kind == RG_C_VAR && e->array < 0 && e->var >= 0 && sets[e->var].n == 1 && sets[e->var].value)
        e = sets[e->var].value;
    return rg__c_number(e, &zero) && !zero;
}

/* Without casts that keep its value, and the 0 that a row begins at. */
static const struct rg_cnode *bare(const struct sets *sets, const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    for (int i = 0; i < 2 && e->kind == RG_C_BINARY && e->op == RG_COP_ADD; i++)
        if (is_zero(sets, e->kid[i])) return bare(sets, e->kid[1 - i]);
    return e;
}

static bool is_place(const struct rg_cnode *e, int var)
{
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    return e->kind == RG_C_VAR && e->array < 0 && e->var == var;
}

/* `s[i]` or `s[i] != 0`, alone or in front of what else is asked of the string: where it stands, the variable of its
 * subscript. Behind a bound (`i < n && s[i]`) there need be no zero. */
static struct rg_cnode **test_of(const struct sets *sets, struct rg_cnode **at, int *array, int *var)
{
    struct rg_cnode *c = *at;
    int64_t zero;
    if (c->kind == RG_C_BINARY && c->op == RG_COP_AND) {
        struct rg_cnode **first = test_of(sets, &c->kid[0], array, var);
        return first && rg__c_mentions_array(c->kid[1], *array) ? first : NULL;
    }
    const struct rg_cnode *e = c;
    if (e->kind == RG_C_BINARY && e->op == RG_COP_NE && rg__c_number(e->kid[1], &zero) && !zero) e = e->kid[0];
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->kind != RG_C_INDEX || e->pointer || e->n < 1 || e->n > 2) return NULL;
    const struct rg_cnode *i = e->n == 2 ? bare(sets, e->kid[1]) : rg__c_uncast(e->kid[0], RG__C_WIDE_CASTS);
    if (i->kind != RG_C_VAR || i->array >= 0 || i->pointer) return NULL;
    *array = e->array;
    *var = i->var;
    return at;
}

static bool to_zero(const struct rg_cnode *n)
{
    int64_t k;
    if (n->kind == RG_C_DECL) return n->n && rg__c_number(n->kid[0], &k) && !k;
    return n->kind == RG_C_ASSIGN && n->op == RG_COP_SET && rg__c_number(n->kid[1], &k) && !k;
}

static bool by_one(const struct rg_cnode *n)
{
    int64_t k;
    if (n->kind == RG_C_STMT && n->n) n = n->kid[0];
    if (n->kind == RG_C_INCDEC) return rg_c_increments(n->op);
    return n->kind == RG_C_ASSIGN && n->op == RG_COP_ADD_SET && rg__c_number(n->kid[1], &k) && k == 1;
}

static bool note_place(void *arg, struct rg_cnode *n)
{
    struct walked *w = arg;
    const bool declared = n->kind == RG_C_DECL && n->array < 0 && n->var == w->var;
    const bool changes = (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) && n->n &&
                         is_place(n->kid[0], w->var);
    if (!declared && !changes) return true;
    if (declared && !n->n) return true;
    w->sets++;
    w->starts += to_zero(n);
    w->steps += by_one(n);
    return true;
}

static void note_string(void *arg, const struct rg_caccess *a)
{
    struct walked *w = arg;
    if (a->array != w->array) return;
    if (w->rows && a->node->kind == RG_C_INDEX && a->node->pointer && !a->write) return; /* note_pointers asks */
    w->whole |= a->whole || a->node->kind != RG_C_INDEX;
    if (!a->write) return;
    w->stores++;
    w->stores_here += a->node->kind == RG_C_INDEX && a->node->n == 1 && is_place(a->node->kid[0], w->var);
}

static bool is_loop(const struct rg_cnode *n)
{
    return n->kind == RG_C_FOR || n->kind == RG_C_WHILE || n->kind == RG_C_DO || n->kind == RG_C_LOOP;
}

static bool around(const struct rg_cnode *n, const struct rg_cnode *loop)
{
    if (!n || n == loop) return false;
    if (is_loop(n) && rg__c_contains(n, loop)) return true;
    for (int i = 0; i < n->n; i++)
        if (around(n->kid[i], loop)) return true;
    return false;
}

static bool leaves_out(const struct rg_cnode *n)
{
    if (!n) return false;
    bool is = n->kind == RG_C_CONTINUE;
    for (int i = 0; i < n->n && !is; i++) is = leaves_out(n->kid[i]);
    return is;
}

/* Does each iteration end by a step of the place, all else that the body does being in front of it? */
static bool steps_once(const struct walked *w)
{
    const struct rg_cnode *l = w->loop, *body = l->kid[l->kind == RG_C_FOR ? 3 : 1];
    struct walked inside = *w;
    inside.sets = inside.starts = inside.steps = 0;
    if (l->kind == RG_C_FOR) {
        inside.sets = inside.steps = 0;
        rg__c_walk((struct rg_cnode *)body, note_place, &inside);
        if (inside.sets) return false;
        return l->kid[2] &&
               is_place(l->kid[2]->kind == RG_C_STMT ? l->kid[2]->kid[0]->kid[0] : l->kid[2]->kid[0], w->var) &&
               by_one(l->kid[2]);
    }
    const struct rg_cnode *last = body->kind == RG_C_BLOCK && body->n ? body->kid[body->n - 1] : NULL;
    if (!last || last->kind != RG_C_STMT || !by_one(last) || !is_place(last->kid[0]->kid[0], w->var)) return false;
    rg__c_walk((struct rg_cnode *)body, note_place, &inside);
    return inside.sets == 1 && !leaves_out(body);
}

/* Is the place 0 wherever the loop is come to, or where the string was left before? */
static bool starts_at_zero(const struct walked *w)
{
    const struct rg_cnode *init = w->loop->kind == RG_C_FOR ? w->loop->kid[0] : NULL;
    if (init && init->kind == RG_C_STMT && init->n) init = init->kid[0];
    if (init && init->kind == RG_C_BLOCK && init->n == 1) init = init->kid[0];
    const bool here =
        init && to_zero(init) && (init->kind == RG_C_DECL ? init->var == w->var : is_place(init->kid[0], w->var));
    return here || (w->starts >= 1 && w->starts + w->steps == w->sets && w->steps == 1);
}

/* Does what the row's own subscript is made of change in there? */
static bool row_changes(const struct rg_cnode *in, const struct rg_cnode *e)
{
    struct walked inside = {.var = e->kind == RG_C_VAR && e->array < 0 ? e->var : -1};
    if (e->kind == RG_C_INDEX || e->kind == RG_C_CALL) return true;
    if (inside.var >= 0) rg__c_walk((struct rg_cnode *)in, note_place, &inside);
    bool changes = inside.sets > 0;
    for (int i = 0; i < e->n && !changes; i++) changes = row_changes(in, e->kid[i]);
    return changes;
}

/* The block that the loop is a statement of; NULL. */
static const struct rg_cnode *block_of(const struct rg_cnode *n, const struct rg_cnode *loop)
{
    const struct rg_cnode *found = NULL;
    for (int i = 0; i < n->n && !found; i++)
        if (n->kid[i] == loop)
            found = n->kind == RG_C_BLOCK ? n : NULL;
        else if (n->kid[i])
            found = block_of(n->kid[i], loop);
    return found;
}

/* Is the variable declared in front of the loop, in the same block, with `e`, which nothing changes from there to the
 * loop's end? */
static bool begins_with(const struct walked *w, const struct sets *x, const struct rg_cnode *e)
{
    const struct rg_cnode *block = block_of(w->t->root, w->loop);
    bool in = false;
    for (int i = 0; block && i < block->n; i++) {
        if (in && row_changes(block->kid[i], e)) return false;
        if (block->kid[i] == w->loop) return in;
        in |= block->kid[i] == x->at;
    }
    return false;
}

static bool note_set(void *arg, struct rg_cnode *n)
{
    struct sets *sets = arg;
    const bool changes = (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) && n->n &&
                         n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0 && n->kid[0]->var >= 0;
    const bool declared = n->kind == RG_C_DECL && n->array < 0 && n->var >= 0 && n->n;
    if (!changes && !declared) return true;
    struct sets *x = &sets[declared ? n->var : n->kid[0]->var];
    x->n++;
    x->at = n;
    x->value = declared ? n->kid[0] : n->kind == RG_C_ASSIGN && n->op == RG_COP_SET ? n->kid[1] : NULL;
    return true;
}

/* Is it the row that the loop goes along, or what that was when the loop began? */
static bool same_row(const struct walked *w, const struct rg_cnode *e, const struct rg_cnode *row)
{
    const struct rg_cnode *v = rg__c_uncast(row, RG__C_WIDE_CASTS);
    if (rg__c_same(e, row, RG__C_UNCAST)) return true;
    const struct sets *x = v->kind == RG_C_VAR && v->array < 0 ? &w->sets_of[v->var] : NULL;
    return x && x->n == 1 && x->value && rg__c_same(e, x->value, RG__C_UNCAST) && begins_with(w, x, e);
}

/* k of `p - s` where p is s + k, the place in a row; NULL: it is none. */
static const struct rg_cnode *apart(const struct walked *w, const struct rg_cnode *n)
{
    const struct rg_cnode *sum = n->kind == RG_C_BINARY && n->op == RG_COP_SUB ? n->kid[0] : NULL;
    if (!sum || sum->kind != RG_C_BINARY || sum->op != RG_COP_ADD) return NULL;
    const struct rg_cnode *at[] = {sum->kid[0], n->kid[1]};
    for (int i = 0; i < 2; i++)
        if (at[i]->kind != RG_C_INDEX || !at[i]->pointer || at[i]->array != w->array || at[i]->n != 1) return NULL;
    return same_row(w, at[1]->kid[0], at[0]->kid[0]) ? sum->kid[1] : NULL;
}

static bool note_pointers(void *arg, struct rg_cnode *n)
{
    struct walked *w = arg;
    if (w->rows && apart(w, n)) return false;
    if (n->array == w->array && ((n->kind == RG_C_INDEX && n->pointer) || n->kind == RG_C_VAR)) w->whole = true;
    return true;
}

/* Is it taken away from a place for one in front of it: a number, an unsigned one, or the length that an array has? */
static bool goes_back(const struct rg_cnode *e)
{
    int64_t k;
    if (rg__c_number(e, &k)) return k >= 0;
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    return (e->kind == RG_C_INDEX && !e->pointer) || (rg__scalar_is_int(e->type) && !rg_scalar_is_signed(e->type));
}

/* In the loop: the place, one behind it in the body, where it was tested, or one in front of it. */
static bool before_zero(const struct walked *w, const struct rg_cnode *e, const struct rg_cnode *body, int depth)
{
    enum { DEEPEST = 8 };
    int64_t k;
    e = bare(w->sets_of, e);
    if (depth > DEEPEST) return false;
    if (is_place(e, w->var)) return true;
    const struct sets *x = e->kind == RG_C_VAR && e->array < 0 ? &w->sets_of[e->var] : NULL;
    if (x && x->n == 1 && x->value && x->at->kind == RG_C_DECL && rg__c_contains(w->loop, x->at))
        return before_zero(w, x->value, NULL, depth + 1);
    if (apart(w, e)) return before_zero(w, apart(w, e), NULL, depth + 1);
    if (e->kind == RG_C_BINARY && e->op == RG_COP_SUB)
        return goes_back(e->kid[1]) && before_zero(w, e->kid[0], NULL, depth + 1);
    return e->kind == RG_C_BINARY && e->op == RG_COP_ADD && body && is_place(e->kid[0], w->var) &&
           rg__c_number(e->kid[1], &k) && k == 1;
}

/* row: the subscript of the row that the loop goes along. The first place is there in each. */
static void look_beyond(struct walked *w, const struct rg_cnode *n, const struct rg_cnode *row, bool in,
                        const struct rg_cnode *body)
{
    const struct rg_cnode *of = w->loop->kid[w->loop->kind == RG_C_FOR ? 3 : 1];
    int64_t k;
    if (!n || apart(w, n)) return;
    in |= n == w->loop;
    if (n == of) body = of;
    if (n->kind == RG_C_INDEX && n->array == w->array)
        w->beyond |= n->n != 2 || (!(rg__c_number(n->kid[1], &k) && !k) &&
                                   !(in && same_row(w, n->kid[0], row) && before_zero(w, n->kid[1], body, 0)));
    for (int i = 0; i < n->n; i++) look_beyond(w, n->kid[i], row, in, body);
}

/* Rows of bytes of the caller's, which nobody has said anything about. */
static bool are_rows(const struct walked *w)
{
    const struct rg_carray *x = &w->t->arrays[w->array];
    const struct rg_param *q = x->param >= 0 && !x->constant_table ? &w->l->p->params[x->param] : NULL;
    const struct rg__origin *o = q ? &w->l->b.origins[x->param] : NULL;
    return q && q->kind == RG_PARAM_ARRAY && q->n_dims == 2 && !q->dims[1] && x->n_dims == 2 &&
           (q->elem == RG_CHAR || q->elem == RG_I8 || q->elem == RG_U8) && q->input.kind == RG_INPUT_DEFAULT &&
           (q->rows || (o->layout == RG__COLUMN && o->pointer)) && !rg__is_directed(&w->l->b, q->name);
}

/* Is it the caller's, of bytes, and has nobody said how long it is or what it holds? */
static bool is_string(const struct walked *w)
{
    const struct rg_carray *x = &w->t->arrays[w->array];
    const struct rg_param *q = x->param >= 0 && !x->constant_table ? &w->l->p->params[x->param] : NULL;
    return q && q->kind == RG_PARAM_ARRAY && q->n_dims == 1 && !q->dims[0] && x->n_dims == 1 &&
           (q->elem == RG_CHAR || q->elem == RG_I8 || q->elem == RG_U8) && q->input.kind == RG_INPUT_DEFAULT &&
           q->origin == RG_ORIGIN_ARG && !rg__is_directed(&w->l->b, q->name);
}

/* The row's subscript in the test. */
static const struct rg_cnode *row_of(const struct rg_cnode *n, int array)
{
    if (n->kind == RG_C_INDEX && n->array == array) return n->kid[0];
    const struct rg_cnode *found = NULL;
    for (int i = 0; i < n->n && !found; i++) found = row_of(n->kid[i], array);
    return found;
}

static void go_along(struct rg__load *l, const struct sets *sets, struct rg_cnode *loop)
{
    struct walked w = {.l = l, .t = l->t, .loop = loop, .array = -1, .sets_of = sets};
    struct rg_cnode **condition = &loop->kid[loop->kind == RG_C_FOR ? 1 : 0];
    struct rg_cnode **test = *condition ? test_of(sets, condition, &w.array, &w.var) : NULL;
    w.rows = test && are_rows(&w);
    if (!test || (!w.rows && !is_string(&w))) return;
    const struct rg_cvar *v = &l->t->vars[w.var];
    if (v->kind != RG_CVAR_LOCAL || !rg__scalar_is_int(v->type) || rg_scalar_bytes(v->type) < 4) return;
    rg__c_walk(l->t->root, note_place, &w);
    rg__c_walk(l->t->root, note_pointers, &w);
    rg_c_accesses(l->t, l->t->root, note_string, &w);
    if (w.whole || !steps_once(&w) || !starts_at_zero(&w)) return;
    if (w.rows) {
        const struct rg_cnode *row = row_of(*test, w.array);
        look_beyond(&w, l->t->root, row, false, NULL);
        if (!w.stores && !w.beyond && w.steps == 1 && w.starts + w.steps == w.sets && !row_changes(w.loop, row))
            l->b.origins[l->t->arrays[w.array].param].text = true;
        return;
    }
    if (w.stores) { /* only where it was just tested, once */
        struct walked inside = {.t = l->t, .array = w.array, .var = w.var};
        rg_c_accesses(l->t, loop, note_string, &inside);
        if (around(l->t->root, loop) || inside.stores != w.stores || inside.stores_here != w.stores) return;
    }
    struct rg_cnode *length = rg__build_length_param(&l->b, rg__c_array_name(l->t, w.array), true);
    if (!length) return;
    struct rg_cnode *place = rg__c_var(l->t, w.var);
    if (rg_scalar_is_signed(v->type)) length = rg__c_cast(l->t, length, v->type);
    *test = rg__c_stands(rg__c_binary(l->t, RG_COP_LT, place, length), *test);
}

struct strings {
    struct rg__load *l;
    const struct sets *sets;
};

static bool each_loop(void *arg, struct rg_cnode *n)
{
    const struct strings *s = arg;
    if (n->kind == RG_C_FOR || n->kind == RG_C_WHILE) go_along(s->l, s->sets, n);
    return true;
}

void rg__zero_ended(struct rg__load *l)
{
    if (l->p->may_alias || rg__mentions_kind(l->t->root, RG_C_VERBATIM)) return;
    /* a length that is made has a variable more */
    struct sets *sets = rg_xcalloc((size_t)(l->t->n_vars + l->p->n_params) + 1, sizeof *sets);
    struct strings s = {l, sets};
    rg__c_walk(l->t->root, note_set, sets);
    rg__c_walk(l->t->root, each_loop, &s);
    free(sets);
}
