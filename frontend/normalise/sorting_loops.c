/* Sorts that are written out as loops (sorting_forms.c) become sorts (ir/ctree_sort.h): for the same values the same
 * order, whoever moves them.
 * What of two equal elements comes first is the C's where the form keeps their order, as our sort does; else the loop
 * is taken only where equal elements can't be told apart. NaN is in no order, and zeros of either sign are equal and
 * yet differ: where an array of real numbers has such elements, the loop is run as it stands. */
#include "frontend/normalise/doubling.h"
#include "frontend/normalise/sorting_loops.h"
#include "ir/ctree_sort.h"
#include <stdlib.h>

enum { LEAST = 32 /* elements that a thread sorts as well by itself */ };

/* Different elements, different keys. */
static bool tells_apart(const struct rg_cnode *key)
{
    while (key->kind == RG_C_CAST) {
        enum rg_scalar to = key->type, from = key->kid[0]->type;
        bool wider = to == from ||
                     (rg__scalar_is_int(to) == rg__scalar_is_int(from) && rg_scalar_bytes(to) >= rg_scalar_bytes(from));
        if (key->text || to == RG_STRUCT || from == RG_STRUCT || !wider) return false;
        key = key->kid[0];
    }
    return key->kind == RG_C_STRING && key->type != RG_STRUCT;
}

static struct rg_cnode *upper(struct rg__sorting *s)
{
    return s->upper ? rg__c_copy(s->t, s->upper) : rg__poly_node(s->r, &s->hi);
}

/* The element at `k`. */
static struct rg_cnode *element(struct rg__sorting *s, int k)
{
    struct rg_cnode *e = rg__c_copy(s->t, s->like);
    struct rg__poly v = rg__poly_var(k), p = rg__poly_add(&s->base, &v, 1);
    e->kid[e->n - 1] = rg__poly_node(s->r, &p);
    return e;
}

static struct rg_cnode *over(struct rg__sorting *s, int k, struct rg_cnode *body)
{
    struct rg_ctree *t = s->t;
    struct rg_cnode *f = rg_cnode_new(t, RG_C_FOR, 4), *d = rg_cnode_new(t, RG_C_DECL, 1),
                    *block = rg_cnode_new(t, RG_C_BLOCK, 1);
    block->kid[0] = body;
    d->var = k;
    d->type = t->vars[k].type;
    d->kid[0] = rg__c_cast(t, rg__poly_node(s->r, &s->lo), d->type);
    f->kid[0] = d;
    f->kid[1] = rg__c_binary(t, RG_COP_LT, rg__c_var(t, k), rg__c_cast(t, upper(s), d->type));
    f->kid[2] = rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, k), rg__c_int(t, 1));
    f->kid[3] = block;
    f->line = block->line = d->line = s->nest->line;
    f->column = s->nest->column;
    return f;
}

/* Every `(*rg_l)` of a key is the element at `k`. */
static struct rg_cnode *key_at(struct rg__sorting *s, const struct rg_cnode *key, int k)
{
    if (key->kind == RG_C_STRING && s->keys >= 0) {
        struct rg_cnode *at = element(s, k);
        return rg__c_index(s->t, s->keys, 1, &at);
    }
    if (key->kind == RG_C_STRING) return element(s, k);
    struct rg_cnode *c = rg__c_shallow(&s->t->arena, key);
    for (int i = 0; i < c->n; i++) c->kid[i] = key_at(s, key->kid[i], k);
    return c;
}

static struct rg_cnode *sort_of(struct rg__sorting *s)
{
    struct rg_ctree *t = s->t;
    const struct rg_carray *a = &t->arrays[s->like->array];
    struct rg_buf text = RG_BUF_INIT;
    const char *type = a->elem == RG_STRUCT ? a->c_elem : rg_scalar_cuda(a->elem);
    struct rg_c_printer plain = {0};
    rg_buf_printf(&text, "[](const %s *rg_l, const %s *rg_r", type, type);
    if (s->keys >= 0) rg_buf_printf(&text, ", const %s *rg_keys", rg_scalar_cuda(t->arrays[s->keys].elem));
    rg_buf_str(&text, ") { return ((");
    for (int i = 0; i < 4; i++) {
        rg_c_print(&text, t, s->key[(i & 1) ^ (i >> 1)], &plain);
        rg_buf_str(&text, i == 3 ? ")); }" : i == 1 ? ")) - ((" : s->descending ? ") < (" : ") > (");
    }
    int k = rg__c_add_var(t, "k", RG_CVAR_LOCAL, RG_LONG);
    struct rg_cnode *order = rg_cnode_new(t, RG_C_STRING, 0), *call = rg_cnode_new(t, RG_C_CALL, s->keys >= 0 ? 3 : 2);
    order->text = rg_arena_strdup(&t->arena, text.data);
    rg_buf_release(&text);
    call->text = RG_C_PLACE;
    call->kid[0] = rg__c_unary(t, RG_COP_ADDRESS, element(s, k));
    call->kid[0]->pointer = true;
    call->kid[1] = order;
    if (s->keys >= 0) {
        int64_t from;
        bool all = rg__poly_is_int(&s->lo, &from) && !from; /* places count from the first key on */
        struct rg_cnode *at = all ? rg__c_var(t, k) : rg__c_int(t, 0);
        call->kid[2] = rg__c_unary(t, RG_COP_ADDRESS, rg__c_index(t, s->keys, 1, &at));
        call->kid[2]->pointer = true;
    }
    struct rg_cnode *stmt = rg__c_stmt(t, call);
    stmt->line = s->nest->line;
    return over(s, k, stmt);
}

static struct rg_cnode *declared(struct rg_ctree *t, int var, struct rg_cnode *value, int line)
{
    struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1);
    d->var = var;
    d->type = t->vars[var].type;
    d->kid[0] = value;
    d->line = line;
    return d;
}

static struct rg_cnode *block_of(struct rg_ctree *t, struct rg_cnode *n)
{
    struct rg_cnode *b = rg_cnode_new(t, RG_C_BLOCK, 1);
    b->kid[0] = n;
    b->line = n->line;
    return b;
}

/* Real numbers, or those that must not be negative: flag = 0; for (k ..) if (element k has no place in an order) flag =
 * 1; if (flag) nest; else sort. */
static void guarded(struct rg__sorting *s, struct rg_cnode *sort, struct rg__kids *out)
{
    struct rg_ctree *t = s->t;
    int flag = rg__c_add_var(t, "unordered", RG_CVAR_LOCAL, RG_I32), k = rg__c_add_var(t, "k", RG_CVAR_LOCAL, RG_LONG);
    enum rg_scalar type = s->key[0]->type;
    struct rg_cnode *c = rg__c_binary(t, RG_COP_NE, key_at(s, s->key[0], k), key_at(s, s->key[0], k));
    if (s->not_negative)
        c = rg__c_binary(t, RG_COP_LT, key_at(s, s->key[0], k), rg__c_cast(t, rg__c_int(t, 0), type));
    else if (!s->stable) {
        struct rg_cnode *zero =
                            rg__c_binary(t, RG_COP_EQ, key_at(s, s->key[0], k), rg__c_cast(t, rg__c_int(t, 0), type)),
                        *inverse =
                            rg__c_binary(t, RG_COP_DIV, rg__c_cast(t, rg__c_int(t, 1), type), key_at(s, s->key[0], k)),
                        *negative = rg__c_binary(t, RG_COP_LT, inverse, rg__c_cast(t, rg__c_int(t, 0), type));
        c = rg__c_binary(t, RG_COP_OR, c, rg__c_binary(t, RG_COP_AND, zero, negative));
    }
    struct rg_cnode *when = rg_cnode_new(t, RG_C_IF, 2), *which = rg_cnode_new(t, RG_C_IF, 3);
    when->kid[0] = c;
    when->kid[1] = block_of(t, rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, flag), rg__c_int(t, 1))));
    when->line = which->line = s->nest->line;
    which->kid[0] = rg__c_binary(t, RG_COP_NE, rg__c_var(t, flag), rg__c_int(t, 0));
    which->kid[1] = block_of(t, s->nest);
    which->kid[2] = block_of(t, sort);
    rg__kids_add(out, declared(t, flag, rg__c_int(t, 0), s->nest->line));
    rg__kids_add(out, over(s, k, when));
    rg__kids_add(out, which);
}

/* Bounds that stay while the nest runs, of scalars alone. */
static bool known(struct rg__sorting *s, const struct rg__poly *p)
{
    struct rg_cnode *e = p->bad ? NULL : rg__poly_node(s->r, p);
    if (!e || !rg__c_pure(s->t, e) || rg__mentions_kind(e, RG_C_INDEX)) return false;
    for (int v = 0; v < s->t->n_vars; v++)
        if (v != s->shrinks && rg__c_mentions_var(e, v) && rg__doubling_writes(s->nest, v)) return false;
    return true;
}

/* Elements at the timed size; -1 unknown: nobody has said a size yet, which leaves it 1. */
static int64_t length(struct rg__sorting *s, const struct rg_problem *p)
{
    struct rg__poly n = s->upper ? rg__poly_of(s->r, s->upper) : s->hi;
    struct rg_problem_env env;
    int64_t v;
    n = rg__poly_add(&n, &s->lo, -1);
    if (rg__poly_is_int(&n, &v)) return v;
    const struct rg_expr *e = rg__c_to_expr(s->t, rg__poly_node(s->r, &n), &s->t->arena);
    if (!e || !p->n_sizes) return -1;
    rg_problem_env_init(&env, p, &p->sizes[0]);
    return rg_expr_eval(e, &env.env, &v, NULL) == RG_OK && v > 1 ? v : -1;
}

bool rg__sorting_may(struct rg__sorting *s, const struct rg_problem *p)
{
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, s->t, NULL);
    s->r = r;
    int64_t n = length(s, p);
    free(r);
    s->r = NULL;
    return (s->stable || (s->keys < 0 && (s->one_to_one || tells_apart(s->key[0])))) && (n <= 0 || n >= LEAST);
}

struct rg_cnode *rg__sorting_part(const struct rg__sorting *s, int array, struct rg__poly lo, struct rg__poly hi)
{
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, s->t, NULL);
    struct rg__sorting part = *s;
    struct rg_cnode *zero = rg__c_int(s->t, 0);
    part.r = r;
    part.like = rg__c_index(s->t, array, 1, &zero);
    part.base = rg__poly_int(0);
    part.lo = lo;
    part.hi = hi;
    struct rg_cnode *sort = sort_of(&part);
    free(r);
    return sort;
}

void rg__sorting_replace(struct rg__sorting *s, int count)
{
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, s->t, NULL);
    s->r = r;
    struct rg__kids with = s->before;
    struct rg_cnode *sort = sort_of(s);
    s->before = (struct rg__kids){0};
    if (s->behind || s->front.n) {
        int line = sort->line;
        rg__kids_add(&s->front, sort);
        if (s->behind) rg__kids_add(&s->front, s->behind);
        sort = rg__kids_node(s->t, RG_C_BLOCK, &s->front);
        sort->line = line;
    }
    if (!rg__scalar_is_int(s->key[0]->type) || s->not_negative)
        guarded(s, sort, &with);
    else
        rg__kids_add(&with, sort);
    rg__block_splice(s->t, s->block, s->at, count, &with);
    free(r);
    s->r = NULL;
}

static bool rewrite(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *block, int at,
                    const struct rg_cnode *around)
{
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, t, NULL);
    struct rg__sorting s = {.t = t, .r = r, .block = block, .at = at, .nest = block->kid[at], .keys = -1};
    bool ok = rg__sorting_form(&s);
    int64_t from;
    if (ok && rg__poly_is_int(&s.lo, &from)) { /* counted from 0 */
        s.base = rg__poly_add(&s.base, &s.lo, 1);
        s.hi = rg__poly_add(&s.hi, &s.lo, -1);
        s.lo = rg__poly_int(0);
    }
    ok = ok && known(&s, &s.base) && known(&s, &s.lo) && known(&s, &s.hi) && !rg__poly_mentions(&s.base, s.shrinks) &&
         !rg__poly_mentions(&s.lo, s.shrinks);
    for (int i = 0; ok && i + 1 < s.like->n; i++)
        for (int v = 0; v < t->n_vars && ok; v++)
            ok = !rg__c_mentions_var(s.like->kid[i], v) || !rg__doubling_writes(s.nest, v);
    ok = ok && (s.stable || tells_apart(s.key[0])) && s.key[0]->type != RG_STRUCT;
    for (int v = 0; v < t->n_vars && ok; v++)
        ok = !rg__c_mentions_var(s.nest, v) || !rg__doubling_writes(s.nest, v) || rg__c_declares(s.nest, v) ||
             !rg__doubling_live(t, v, s.nest);
    if (ok) {
        int64_t n = length(&s, p);
        bool real = !rg__scalar_is_int(s.key[0]->type);
        ok = (n < 0 ? !around : n >= LEAST) && !(around && (real || rg__c_declares_array(around, s.like->array)));
        struct rg__kids with = {0};
        struct rg_cnode *sort = ok ? sort_of(&s) : NULL;
        if (ok && real)
            guarded(&s, sort, &with);
        else if (ok)
            rg__kids_add(&with, sort);
        if (ok) rg__block_splice(t, block, at, 1, &with);
    }
    free(r);
    return ok;
}

static void walk(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *n, const struct rg_cnode *around)
{
    if (!n || rg__c_is_expr(n)) return;
    if (n->kind == RG_C_FOR || n->kind == RG_C_WHILE || n->kind == RG_C_DO) around = around ? around : n;
    for (int i = 0; i < n->n; i++) {
        int was = n->n;
        if (n->kind == RG_C_BLOCK && n->kid[i] && rewrite(t, p, n, i, around))
            i += n->n - was;
        else
            walk(t, p, n->kid[i], around);
    }
}

void rg__canon_sorts(struct rg_ctree *t, const struct rg_problem *p)
{
    if (!rg__mentions_kind(t->root, RG_C_VERBATIM)) walk(t, p, t->root, NULL);
}
