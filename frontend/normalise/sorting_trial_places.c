/* The sort in place of the statements that were found to be one. */
#include "frontend/normalise/doubling.h"
#include "frontend/normalise/sorting_trials.h"
#include <stdlib.h>

/* The bits of a real number as an integer that is in order as they are, or as the numbers are: -0 in front of 0, and
 * what is no number at either end. */
static struct rg_cnode *key_of_bits(struct rg__trial *x, struct rg_cnode *m)
{
    struct rg_ctree *t = x->t;
    const bool whole = !(x->orders & (RG__ASCENDING | RG__DESCENDING)), wide = rg_scalar_bytes(m->type) == 8;
    struct rg_cnode *b = rg_cnode_new(t, RG_C_CALL, 1);
    b->text = wide ? "__double_as_longlong" : "__float_as_uint";
    b->type = wide ? RG_LLONG : RG_U32;
    b->kid[0] = m;
    if (whole) return rg__c_cast(t, b, wide ? RG_ULLONG : RG_U32);
    b = rg__c_cast(t, b, wide ? RG_LLONG : RG_I32);
    struct rg_cnode *sign = rg__c_binary(t, RG_COP_SHR, rg__c_copy(t, b), rg__c_int(t, wide ? 63 : 31)),
                    *most = rg__c_cast(t, rg__c_int(t, wide ? INT64_MAX : INT32_MAX), b->type);
    return rg__c_binary(t, RG_COP_XOR, b, rg__c_binary(t, RG_COP_BAND, sign, most));
}

/* What an element is compared by, which the mark stands for. */
static struct rg_cnode *key_of(struct rg__trial *x, const char *mark)
{
    const struct rg_carray *a = &x->t->arrays[x->keys >= 0 ? x->keys : x->array];
    struct rg_cnode *m = rg_cnode_new(x->t, RG_C_STRING, 0);
    m->text = mark;
    m->type = a->elem;
    m->struct_index = a->struct_index;
    if (x->run.member_read) {
        struct rg_cnode *f = rg_cnode_new(x->t, RG_C_MEMBER, 1);
        f->text = x->run.member_read;
        f->type = rg__trial_field(x, x->run.member_read)->type;
        f->kid[0] = m;
        return f;
    }
    if (x->by_bits) return key_of_bits(x, m);
    bool bits = !(x->orders & (RG__ASCENDING | RG__DESCENDING));
    static const enum rg_scalar of_bytes[] = {[1] = RG_U8, [2] = RG_U16, [4] = RG_U32, [8] = RG_ULONG};
    return bits ? rg__c_cast(x->t, m, of_bytes[rg_scalar_bytes(a->elem)]) : m;
}

static struct rg_cnode *element(struct rg_ctree *t, int array, struct rg_cnode *at)
{
    return rg__c_index(t, array, 1, &at);
}

/* for (k = 0; k < n; k++) array[k] = source[k], or source[order[k]], or k. */
static struct rg_cnode *filled(struct rg__trial *x, int array, int source, int order)
{
    struct rg_ctree *t = x->t;
    int k = rg__c_add_var(t, "k", RG_CVAR_LOCAL, RG_LONG);
    struct rg_cnode *from = rg__c_var(t, k);
    if (order >= 0) from = element(t, order, from);
    from = source >= 0 ? element(t, source, from) : rg__c_cast(t, from, t->arrays[array].elem);
    struct rg_cnode *e = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, element(t, array, rg__c_var(t, k)), from));
    struct rg_cnode *f = rg_cnode_new(t, RG_C_FOR, 4), *b = rg_cnode_new(t, RG_C_BLOCK, 1);
    b->kid[0] = e;
    f->kid[0] = rg__doubling_declaration(t, k, rg__c_int(t, 0), x->block->kid[x->from]);
    f->kid[1] = rg__c_binary(t, RG_COP_LT, rg__c_var(t, k), rg__c_cast(t, rg__c_var(t, x->length), RG_LONG));
    f->kid[2] = rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, k), rg__c_int(t, 1));
    f->kid[3] = b;
    e->line = f->line = b->line = x->block->kid[x->from]->line;
    return f;
}

/* A local array of as many elements as are sorted; its declaration goes to `out`. */
static int scratch(struct rg__trial *x, const char *name, const struct rg_carray *like, struct rg__kids *out)
{
    struct rg_ctree *t = x->t;
    enum rg_scalar elem = like ? like->elem : RG_LONG;
    int a = rg__c_add_array(t, name, elem);
    struct rg_carray *c = &t->arrays[a];
    c->c_elem = rg_scalar_cuda(elem);
    c->mallocd = true;
    c->n_dims = 1;
    c->dims = rg_arena_alloc(&t->arena, sizeof *c->dims);
    c->dims[0] = rg__c_to_expr(t, rg__c_var(t, x->length), &t->arena);
    struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 0);
    d->array = a;
    d->type = elem;
    d->line = x->block->kid[x->from]->line;
    rg__kids_add(out, d);
    return a;
}

/* Behind the sort of places: the array's elements, and those that move with it, go there. */
static struct rg_cnode *gathered(struct rg__trial *x, int order, struct rg__kids *scratches)
{
    struct rg__kids all = {0};
    for (int a = 0, n = x->t->n_arrays; a < n; a++) {
        if (a != x->array && (x->t->arrays[a].param < 0 || !rg__trial_with(x, a))) continue;
        struct rg_carray like = x->t->arrays[a];
        int moved = scratch(x, "moved", &like, scratches);
        rg__kids_add(&all, filled(x, moved, a, order));
        rg__kids_add(&all, filled(x, a, moved, -1));
    }
    return rg__kids_node(x->t, RG_C_BLOCK, &all);
}

static bool any_with(const struct rg__trial *x)
{
    for (int a = 0; a < x->t->n_arrays; a++)
        if (a != x->array && x->t->arrays[a].param >= 0 && !x->t->arrays[a].view && rg__trial_with(x, a)) return true;
    return false;
}

/* Its declaration, in front of what is put in place of the statements: assigned to in them. */
static struct rg_cnode *declared_before(struct rg__trial *x, struct rg_cnode *nest)
{
    for (int i = 0; i < nest->n; i++) {
        struct rg_cnode *s = nest->kid[i];
        if (s->kind != RG_C_DECL || s->array >= 0 || s->var != x->result) continue;
        struct rg_cnode *d = rg__c_copy(x->t, s);
        d->n = 0;
        nest->kid[i] = s->n ? rg__c_stmt(x->t, rg__c_assign(x->t, RG_COP_SET, rg__c_var(x->t, s->var), s->kid[0]))
                            : rg_cnode_new(x->t, RG_C_BLOCK, 0);
        nest->kid[i]->line = s->line;
        return d;
    }
    return NULL;
}

bool rg__trial_computes_lengths(const struct rg__trial *x, const struct rg_cnode *n, int depth)
{
    enum { DEEP = 8 };
    if (!n) return false;
    const struct rg__helper_tree *h = n->kind == RG_C_CALL ? rg__helper_tree(&x->l->b, n->text) : NULL;
    for (int a = 0; h && a < h->t->n_arrays; a++) {
        const struct rg_carray *c = &h->t->arrays[a];
        bool own = c->param < 0 && !c->view && !c->constant_table && c->n_dims == 1 && !c->flat;
        for (int i = 0; i < h->n_params && own; i++) own = h->params[i].array != a;
        if (own && c->dims && !(c->dims[0] && c->dims[0]->kind == RG_EXPR_INT))
            return true; /* the device has none such */
    }
    if (h && depth < DEEP && rg__trial_computes_lengths(x, h->body, depth + 1)) return true;
    for (int i = 0; i < n->n; i++)
        if (rg__trial_computes_lengths(x, n->kid[i], depth)) return true;
    return false;
}

static struct rg_cnode *when(struct rg__trial *x, struct rg_cnode *c, struct rg_cnode *then)
{
    struct rg_cnode *n = rg_cnode_new(x->t, RG_C_IF, 2), *b = rg_cnode_new(x->t, RG_C_BLOCK, 1);
    b->kid[0] = then;
    n->kid[0] = c;
    n->kid[1] = b;
    n->line = b->line = then->line;
    return n;
}

/* width = from; even = 1; for (; width < n; width *= 2) even = !even;  where the elements are parted, in front of all.
 */
static struct rg_cnode *split_of(struct rg__trial *x, unsigned left, int64_t from, struct rg__kids *before)
{
    struct rg_ctree *t = x->t;
    const struct rg_cnode *at = x->block->kid[x->from];
    struct rg_cnode *n = rg__c_cast(t, rg__c_var(t, x->length), RG_LONG), *two = rg__c_int(t, 2);
    if (left & RG__LEFT_HALVES) return rg__c_binary(t, RG_COP_DIV, n, two);
    if (left & RG__LEFT_HALVES_UP)
        return rg__c_binary(t, RG_COP_DIV, rg__c_binary(t, RG_COP_ADD, n, rg__c_int(t, 1)), two);
    int width = rg__c_add_var(t, "width", RG_CVAR_LOCAL, RG_LONG),
        even = rg__c_add_var(t, "even", RG_CVAR_LOCAL, RG_LONG);
    struct rg_cnode *f = rg_cnode_new(t, RG_C_FOR, 4), *b = rg_cnode_new(t, RG_C_BLOCK, 1);
    b->kid[0] = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, even),
                                           rg__c_binary(t, RG_COP_SUB, rg__c_int(t, 1), rg__c_var(t, even))));
    f->kid[1] = rg__c_binary(t, RG_COP_LT, rg__c_var(t, width), n);
    f->kid[2] = rg__c_assign(t, RG_COP_MUL_SET, rg__c_var(t, width), two);
    f->kid[3] = b;
    f->line = b->line = b->kid[0]->line = at->line;
    rg__kids_add(before, rg__doubling_declaration(t, width, rg__c_int(t, from), at));
    rg__kids_add(before, rg__doubling_declaration(t, even, rg__c_int(t, 1), at));
    rg__kids_add(before, f);
    return rg__c_binary(t, RG_COP_MUL, rg__c_var(t, even),
                        rg__c_binary(t, RG_COP_DIV, rg__c_var(t, width), rg__c_int(t, 2)));
}

/* The C's scratch, where that is the caller's, has what the C leaves in it. */
static void leave(struct rg__trial *x, struct rg__sorting *s, int scratch, unsigned left)
{
    struct rg_ctree *t = x->t;
    struct rg_cnode *copy = filled(x, scratch, x->array, -1);
    if (left & RG__LEFT_NONE)
        copy = when(x, rg__c_binary(t, RG_COP_GT, rg__c_var(t, x->length), rg__c_int(t, x->alone_to[scratch])), copy);
    if (left & RG__LEFT_SORTED) {
        struct rg__kids both = {0};
        if (s->behind) rg__kids_add(&both, s->behind);
        rg__kids_add(&both, copy);
        s->behind = rg__kids_node(t, RG_C_BLOCK, &both);
        s->behind->line = copy->line;
        return;
    }
    const int64_t from = x->alone_to[scratch];
    struct rg_cnode *at = split_of(x, from > 1 ? RG__LEFT_ROUNDS_FROM : left, from, &s->before);
    int split = rg__c_add_var(t, "split", RG_CVAR_LOCAL, RG_LONG);
    rg__kids_add(&s->before, rg__doubling_declaration(t, split, at, x->block->kid[x->from]));
    rg__kids_add(&s->front, copy);
    struct rg__kids parts = {0};
    rg__kids_add(&parts, rg__sorting_part(s, scratch, rg__poly_int(0), rg__poly_var(split)));
    rg__kids_add(&parts, rg__sorting_part(s, scratch, rg__poly_var(split), s->hi));
    for (int i = 0; i < parts.n; i++) {
        struct rg_cnode *many = rg__c_binary(t, RG_COP_GT, rg__c_var(t, x->length), rg__c_int(t, from));
        rg__kids_add(&s->front, from > 1 ? when(x, many, parts.items[i]) : parts.items[i]);
    }
    free(parts.items);
}

bool rg__trial_replace(struct rg__trial *x)
{
    struct rg_ctree *t = x->t;
    struct rg__sorting s = {.t = t, .block = x->block, .at = x->from, .shrinks = -1, .keys = x->keys};
    struct rg_cnode *nest = rg_cnode_new(t, RG_C_BLOCK, x->to - x->from), *zero = rg__c_int(t, 0);
    bool in_step = any_with(x);
    int order = -1;
    if (in_step && (!x->stable || t->arrays[x->array].elem == RG_STRUCT || x->source >= 0 || x->keys >= 0 || x->pick))
        return false;
    for (int a = 0; a < t->n_arrays && a < 64; a++) {
        if (a == x->array || t->arrays[a].param < 0 || t->arrays[a].view || !rg__trial_left(x, a)) continue;
        unsigned one = rg__trial_left(x, a) & (RG__LEFT_ONE | RG__LEFT_NONE);
        if (in_step || one == (RG__LEFT_ONE | RG__LEFT_NONE)) return false; /* nobody has seen which */
    }
    for (int i = 0; i < nest->n; i++) nest->kid[i] = x->block->kid[x->from + i];
    nest->line = nest->kid[0]->line;
    s.nest = nest;
    s.like = element(t, x->array, zero);
    s.base = s.lo = rg__poly_int(0);
    s.hi = rg__poly_var(x->length);
    if (x->first >= 0) s.lo = rg__poly_var(x->first);
    if (x->first >= 0 && x->last) s.hi = rg__sorting_plus(&s.hi, 1);
    s.key[0] = key_of(x, x->keys >= 0 ? "rg_keys[*rg_l]" : "(*rg_l)");
    s.key[1] = key_of(x, x->keys >= 0 ? "rg_keys[*rg_r]" : "(*rg_r)");
    s.descending = !(x->orders & (RG__ASCENDING | RG__ASCENDING_BITS));
    /* of plain numbers that are picked, one is like the other */
    s.stable = x->stable && !x->pick;
    s.equal_move = !s.stable;
    s.not_negative = x->not_negative;
    s.one_to_one = x->by_bits;
    bool nest_stays = s.not_negative || !rg__scalar_is_int(s.key[0]->type);
    if ((nest_stays && rg__trial_computes_lengths(x, nest, 0)) || !rg__sorting_may(&s, x->l->p)) return false;
    if (in_step) { /* places are sorted, and all arrays gathered by them */
        int sorted = x->array;
        order = scratch(x, "order", NULL, &s.before);
        rg__kids_add(&s.before, filled(x, order, -1, -1));
        s.behind = gathered(x, order, &s.before);
        s.keys = x->keys = sorted;
        s.like = element(t, order, rg__c_int(t, 0));
        s.key[0] = key_of(x, "rg_keys[*rg_l]");
        s.key[1] = key_of(x, "rg_keys[*rg_r]");
        x->keys = -1;
    }
    for (int a = 0, n = t->n_arrays; a < n && a < 64; a++)
        if (a != x->array && t->arrays[a].param >= 0 && !t->arrays[a].view && rg__trial_left(x, a))
            leave(x, &s, a, rg__trial_left(x, a));
    if (x->made) rg__kids_add(&s.before, filled(x, x->array, -1, -1));
    x->guarded = x->guarded || nest_stays;
    if (x->source >= 0) rg__kids_add(&s.before, filled(x, x->array, x->source, -1));
    if (x->result >= 0) {
        struct rg_cnode *d = declared_before(x, nest);
        if (d) rg__kids_add(&s.before, d);
        s.behind = rg__c_stmt(
            t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, x->result), element(t, x->array, rg__c_copy(t, x->pick))));
        s.behind->line = nest->line;
    }
    rg__sorting_replace(&s, x->to - x->from);
    return true;
}
