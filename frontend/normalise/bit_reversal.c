/* Places with their bits in reverse, as Fourier transforms permute by them. Two ways to compute them are known, which
 * loops carry or which cost a loop each; both become rg_mirrored(i, n), the lowest bits of i, as many as n is a power
 * of two, in reverse:
 *   - bit by bit: `r = 0; for (k = 0; k < bits; k++) if (i >> k & 1) r |= 1 << (bits - 1 - k);`, or `r = r << 1 | (x &
 * 1); x >>= 1;`
 *   - by a counter that carries downwards: `m = n / 2; while (m >= 1 && j >= m) { j -= m; m /= 2; } j += m;` once for
 * each i from 0 on. */
#include "frontend/load.h"
#include "frontend/normalise/recount.h"
#include <stdlib.h>
#include <string.h>

static const struct rg_cnode *plain(const struct rg_cnode *e)
{
    return rg__c_uncast(e, RG__C_INT_CASTS);
}

static bool is_var(const struct rg_cnode *e, int var)
{
    e = plain(e);
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var == var;
}

static bool is_int(const struct rg_cnode *e, int64_t v)
{
    e = plain(e);
    return e->kind == RG_C_INT && e->ivalue == v;
}

static const struct rg_cnode *expression(const struct rg_cnode *s)
{
    while (s && s->kind == RG_C_BLOCK && s->n == 1) s = s->kid[0];
    return s && s->kind == RG_C_STMT ? s->kid[0] : s;
}

/* The scalar that a statement sets, and the value it then has, of what it had before. */
static struct rg_cnode *value_set(struct rg_ctree *t, const struct rg_cnode *s, int *var)
{
    if (s && s->kind == RG_C_DECL && s->array < 0 && !s->pointer && s->n) {
        *var = s->var;
        return s->kid[0];
    }
    const struct rg_cnode *e = expression(s);
    if (!e || e->kind != RG_C_ASSIGN || e->kid[0]->kind != RG_C_VAR || e->kid[0]->array >= 0 || e->kid[0]->pointer)
        return NULL;
    *var = e->kid[0]->var;
    return e->op == RG_COP_SET
               ? e->kid[1]
               : rg__c_binary(t, rg_c_applied(e->op), rg__c_copy(t, e->kid[0]), rg__c_copy(t, e->kid[1]));
}

/* x & 1, x % 2: x */
static const struct rg_cnode *lowest_bit_of(const struct rg_cnode *e)
{
    e = plain(e);
    if (e->op == RG_COP_BAND && is_int(e->kid[1], 1)) return plain(e->kid[0]);
    if (e->op == RG_COP_BAND && is_int(e->kid[0], 1)) return plain(e->kid[1]);
    return e->op == RG_COP_REM && is_int(e->kid[1], 2) ? plain(e->kid[0]) : NULL;
}

static bool halves(const struct rg_cnode *e, int var)
{
    e = plain(e);
    return ((e->op == RG_COP_SHR && is_int(e->kid[1], 1)) || (e->op == RG_COP_DIV && is_int(e->kid[1], 2))) &&
           is_var(e->kid[0], var);
}

static bool doubles(const struct rg_cnode *e, int var)
{
    e = plain(e);
    bool times = e->op == RG_COP_MUL &&
                 ((is_int(e->kid[1], 2) && is_var(e->kid[0], var)) || (is_int(e->kid[0], 2) && is_var(e->kid[1], var)));
    return times || (e->op == RG_COP_SHL && is_int(e->kid[1], 1) && is_var(e->kid[0], var));
}

/* for (k = 0; k < bits; k++): the loop's variable; -1. */
static int counts_bits(struct rg_ctree *t, const struct rg_cnode *f, const struct rg_cnode **bits)
{
    int k = -1, stepped = -1;
    const struct rg_cnode *init = f->kid[0], *c = f->kid[1], *s = expression(f->kid[2]);
    while (init && init->kind == RG_C_BLOCK && init->n == 1) init = init->kid[0];
    const struct rg_cnode *from = init ? value_set(t, init, &k) : NULL;
    if (!from || !is_int(from, 0) || !c || c->op != RG_COP_LT || !is_var(c->kid[0], k) || !s ||
        !rg__c_pure(t, c->kid[1]))
        return -1;
    if (rg_c_increments(s->op))
        stepped = is_var(s->kid[0], k) ? k : -1;
    else if (s->op == RG_COP_ADD_SET && is_int(s->kid[1], 1) && is_var(s->kid[0], k))
        stepped = k;
    *bits = c->kid[1];
    return stepped;
}

/* `while (bits-- > 0)`, `for (; bits; bits--)`: as many rounds, whose number nobody counts; the scalar; -1. */
static int counts_down(const struct rg_cnode *f)
{
    const bool loop = f->kind == RG_C_FOR;
    const struct rg_cnode *c = f->kid[loop ? 1 : 0], *s = loop ? expression(f->kid[2]) : NULL;
    if (!c || (loop && f->kid[0])) return -1;
    if ((c->op == RG_COP_GT || c->op == RG_COP_NE) && is_int(c->kid[1], 0)) c = c->kid[0];
    c = plain(c);
    if (c->op == RG_COP_POST_DEC && !s)
        c = plain(c->kid[0]);
    else if (!s ||
             (s->op != RG_COP_POST_DEC && s->op != RG_COP_PRE_DEC &&
              !(s->op == RG_COP_SUB_SET && is_int(s->kid[1], 1))) ||
             !rg__c_equal(c, plain(s->kid[0])))
        return -1;
    const bool scalar = c->kind == RG_C_VAR && c->array < 0 && !c->pointer;
    return scalar && !rg__c_writes_var(f->kid[loop ? 3 : 1], c->var) ? c->var : -1;
}

/* x >> k & 1, x & 1 << k: x */
static const struct rg_cnode *bit_of(const struct rg_cnode *e, int k, bool test)
{
    const struct rg_cnode *low = lowest_bit_of(e);
    if (low && low->op == RG_COP_SHR && is_var(low->kid[1], k)) return plain(low->kid[0]);
    e = plain(e);
    for (int i = 0; i < 2 && test && e->op == RG_COP_BAND; i++) {
        const struct rg_cnode *one = plain(e->kid[i]);
        if (one->op == RG_COP_SHL && is_int(one->kid[0], 1) && is_var(one->kid[1], k)) return plain(e->kid[1 - i]);
    }
    return NULL;
}

/* bits - 1 - k */
static bool from_above(struct rg_ctree *t, const struct rg_cnode *e, const struct rg_cnode *bits, int k)
{
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, t, NULL);
    struct rg__poly have = rg__poly_of(r, e), want = rg__poly_of(r, bits), one = rg__poly_int(1), kk = rg__poly_var(k);
    want = rg__poly_add(&want, &one, -1);
    want = rg__poly_add(&want, &kk, -1);
    bool same = !have.bad && !want.bad && rg__poly_equal(&have, &want);
    free(r);
    return same;
}

/* r |= 1 << (bits - 1 - k) where bit k of x is set: x. */
static const struct rg_cnode *scattered(struct rg_ctree *t, const struct rg_cnode *body, int r, int k,
                                        const struct rg_cnode *bits)
{
    const struct rg_cnode *s = body, *x = NULL;
    while (s->kind == RG_C_BLOCK && s->n == 1) s = s->kid[0];
    if (s->kind == RG_C_IF && (s->n < 3 || !s->kid[2] || !s->kid[2]->n)) {
        const struct rg_cnode *c = s->kid[0];
        if (c->op == RG_COP_NE && is_int(c->kid[1], 0)) c = c->kid[0];
        x = bit_of(c, k, true);
        s = s->kid[1];
        if (!x) return NULL;
    }
    int var;
    const struct rg_cnode *v = value_set(t, s, &var);
    v = v && var == r ? plain(v) : NULL;
    if (!v || (v->op != RG_COP_BOR && v->op != RG_COP_ADD) || !is_var(v->kid[0], r)) return NULL;
    const struct rg_cnode *shifted = plain(v->kid[1]);
    if (shifted->op != RG_COP_SHL || !from_above(t, shifted->kid[1], bits, k)) return NULL;
    if (x) return is_int(shifted->kid[0], 1) ? x : NULL;
    return bit_of(shifted->kid[0], k, false);
}

/* r = r << 1 | (x & 1); x >>= 1; in that order, or with x >> k: x, and whether it is spent. */
static const struct rg_cnode *shifted_in(struct rg_ctree *t, const struct rg_cnode *body, int r, int k, int *spent)
{
    struct rg_cnode *now = rg__c_var(t, r);
    *spent = -1;
    for (int i = 0; i < (body->kind == RG_C_BLOCK ? body->n : 1); i++) {
        int var;
        const struct rg_cnode *s = body->kind == RG_C_BLOCK ? body->kid[i] : body;
        struct rg_cnode *v = value_set(t, s, &var);
        if (!v || *spent >= 0) return NULL;
        if (var == r)
            now = rg__c_replace_var(t, rg__c_copy(t, v), r, now);
        else if (halves(v, var))
            *spent = var;
        else
            return NULL;
    }
    const struct rg_cnode *e = plain(now);
    if (e->op != RG_COP_BOR && e->op != RG_COP_ADD) return NULL;
    for (int i = 0; i < 2; i++) {
        const struct rg_cnode *low = doubles(e->kid[i], r) ? lowest_bit_of(e->kid[1 - i]) : NULL;
        if (!low) continue;
        if (*spent < 0) return low->op == RG_COP_SHR && is_var(low->kid[1], k) ? plain(low->kid[0]) : NULL;
        return is_var(low, *spent) ? low : NULL;
    }
    return NULL;
}

static struct rg_cnode *mirrored(struct rg_ctree *t, const struct rg_cnode *x, struct rg_cnode *n, int var)
{
    struct rg_cnode *c = rg_cnode_new(t, RG_C_CALL, 2);
    const enum rg_scalar as = t->vars[var].type;
    c->text = "rg_mirrored"; /* of all the bits there are; what has no room in the variable goes */
    c->type = rg_scalar_bytes(x->type) > rg_scalar_bytes(as) ? x->type : as;
    c->kid[0] = rg__c_cast(t, rg__c_copy(t, x), c->type);
    c->kid[1] = rg__c_cast(t, n, RG_ULLONG);
    return rg__c_cast(t, c, as);
}

/* Bit by bit: statement `at` of the block is the loop. */
static void bit_by_bit(struct rg_ctree *t, struct rg_cnode *block, int at)
{
    struct rg_cnode *f = block->kid[at];
    const struct rg_cnode *bits = NULL, *x = NULL;
    const bool up = f->kind == RG_C_FOR && f->kid[0] && f->kid[1] && f->kid[2];
    struct rg_cnode *body = f->kid[f->kind == RG_C_FOR ? 3 : 1];
    int zero = -1, k = up ? counts_bits(t, f, &bits) : counts_down(f), spent = -1, r = -1;
    if (k < 0 || rg__leaves_early(body) || (!rg__c_declares(f, k) && rg__doubling_live(t, k, f))) return;
    if (!up) bits = rg__c_var(t, k);
    for (int i = at - 1; i >= 0 && !x; i--) {
        const struct rg_cnode *v = value_set(t, block->kid[i], &r);
        if (!v || !is_int(v, 0)) continue;
        x = up ? scattered(t, body, r, k, bits) : NULL;
        if (!x) x = shifted_in(t, body, r, up ? k : -1, &spent);
        for (int j = i + 1; j < at && x; j++)
            if (rg__c_mentions_var(block->kid[j], r)) x = NULL;
        zero = i;
    }
    if (!x || rg__c_mentions_var(bits, r) || (up && rg__c_mentions_var(x, k)) ||
        (spent >= 0 && rg__c_mentions_var(bits, spent)) || rg__c_mentions_var(x, r))
        return;
    struct rg_cnode *one = rg_cnode_new(t, RG_C_INT, 0), *count = rg__c_cast(t, rg__c_copy(t, bits), RG_I32);
    one->ivalue = 1;
    one->type = RG_ULLONG;
    one->text = "1ull";
    struct rg_cnode *n = rg__c_binary(t, RG_COP_SHL, one, count);
    n->type = RG_ULLONG;
    struct rg_cnode *s = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, r), mirrored(t, x, n, r)));
    s->line = f->line;
    s->column = f->column;
    struct rg__kids with = {0};
    if (block->kid[zero]->kind == RG_C_DECL) s = rg__c_declaration(t, r, s->kid[0]->kid[1], f);
    block->kid[zero] = rg_cnode_new(t, RG_C_BLOCK, 0);
    rg__kids_add(&with, s);
    if (spent >= 0) { /* what is left of it */
        struct rg_cnode *left = rg__c_binary(t, RG_COP_SHR, rg__c_var(t, spent), rg__c_copy(t, count));
        struct rg_cnode *all =
            rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, spent), rg__c_cast(t, left, t->vars[spent].type)));
        all->line = f->line;
        rg__kids_add(&with, all);
    }
    rg__block_splice(t, block, at, 1, &with);
}

/* ---- a counter that carries downwards ---- */

/* j -= m, j ^= m; `up`: j += m, j ^= m, j |= m. */
static bool moves_by(struct rg_ctree *t, const struct rg_cnode *s, int *j, int *m, bool up)
{
    const struct rg_cnode *v = value_set(t, s, j);
    v = v ? plain(v) : NULL;
    bool op = v && (v->op == RG_COP_XOR || (up ? v->op == RG_COP_ADD || v->op == RG_COP_BOR : v->op == RG_COP_SUB));
    if (!op || !is_var(v->kid[0], *j) || plain(v->kid[1])->kind != RG_C_VAR || plain(v->kid[1])->array >= 0)
        return false;
    *m = plain(v->kid[1])->var;
    return true;
}

struct carry {      /* m = half; while (m >= least && j >= m) { j -= m; m /= 2; } j += m; */
    int j, m, took; /* statements of the block */
    const struct rg_cnode *half;
    bool above, bits; /* j > m; j & m */
    int64_t least;    /* 0: nothing asks for m alone */
};

static bool asks(const struct rg_cnode *c, struct carry *y)
{
    const int j = y->j, m = y->m;
    if (c->op == RG_COP_AND) return asks(c->kid[0], y) || asks(c->kid[1], y);
    if (c->op == RG_COP_NE && is_int(c->kid[1], 0)) c = plain(c->kid[0]);
    if (c->op == RG_COP_BAND) {
        y->bits = true;
        return (is_var(c->kid[0], j) && is_var(c->kid[1], m)) || (is_var(c->kid[0], m) && is_var(c->kid[1], j));
    }
    y->above = c->op == RG_COP_GT || c->op == RG_COP_LT;
    return ((c->op == RG_COP_GE || c->op == RG_COP_GT) && is_var(c->kid[0], j) && is_var(c->kid[1], m)) ||
           ((c->op == RG_COP_LE || c->op == RG_COP_LT) && is_var(c->kid[0], m) && is_var(c->kid[1], j));
}

/* Of `asks`, the other operands only say that m is left. */
static bool only_asks(const struct rg_cnode *c, struct carry *y)
{
    struct carry other = *y;
    if (c->op == RG_COP_AND) return only_asks(c->kid[0], y) && only_asks(c->kid[1], y);
    if (asks(c, &other)) return true;
    int64_t least = is_var(c, y->m) ? 1 : -1;
    const struct rg_cnode *v = c->kind == RG_C_BINARY && is_var(c->kid[0], y->m) ? plain(c->kid[1]) : NULL;
    if (v && v->kind == RG_C_INT)
        least = c->op == RG_COP_GE                 ? v->ivalue
                : c->op == RG_COP_GT               ? v->ivalue + 1
                : c->op == RG_COP_NE && !v->ivalue ? 1
                                                   : -1;
    if (least > y->least) y->least = least;
    return least >= 0;
}

/* The three statements from `at` on: m = half; the carry; j += m. The first may be the carry's own. */
static bool carry_at(struct rg_ctree *t, const struct rg_cnode *b, int at, struct carry *y)
{
    int i = at, down = -1, step_m = -1;
    *y = (struct carry){.j = -1, .m = -1};
    y->half = value_set(t, b->kid[i], &y->m);
    const struct rg_cnode *f, *c, *body, *step = NULL, *init;
    if (y->half) i++;
    if (i + 1 >= b->n) return false;
    f = b->kid[i];
    if (f->kind == RG_C_FOR) {
        init = f->kid[0];
        while (init && init->kind == RG_C_BLOCK && init->n == 1) init = init->kid[0];
        if (init && y->half) return false;
        if (init) y->half = value_set(t, init, &y->m);
        c = f->kid[1], step = f->kid[2], body = f->kid[3];
    } else if (f->kind == RG_C_WHILE) {
        c = f->kid[0], body = f->kid[1];
    } else
        return false;
    if (!y->half || !c || body->kind != RG_C_BLOCK || body->n != (step ? 1 : 2)) return false;
    const struct rg_cnode *halved = value_set(t, step ? step : body->kid[1], &step_m);
    int up_j, up_m;
    y->took = i + 2 - at;
    return moves_by(t, body->kid[0], &y->j, &down, false) && down == y->m && halved && step_m == y->m &&
           halves(halved, y->m) && asks(c, y) && only_asks(c, y) && moves_by(t, b->kid[i + 1], &up_j, &up_m, true) &&
           up_j == y->j && up_m == y->m;
}

/* What a local that is set once, of parameters and numbers, is. */
static const struct rg_cnode *known(const struct rg_ctree *t, const struct rg_cnode *e)
{
    e = plain(e);
    for (int depth = 0; depth < 4 && e->kind == RG_C_VAR && e->array < 0 && !e->pointer; depth++) {
        const struct rg_cnode *v = rg__doubling_value(t, e->var);
        if (!v) break;
        e = plain(v);
    }
    return e;
}

/* x / 2, x >> 1, or x * 2, x << 1: x. */
static const struct rg_cnode *scaled(const struct rg_ctree *t, const struct rg_cnode *e, bool up)
{
    e = known(t, e);
    const bool other = up && e->op == RG_COP_MUL && is_int(e->kid[0], 2);
    const bool by_two = (e->op == (up ? RG_COP_MUL : RG_COP_DIV) && is_int(e->kid[!other], 2)) ||
                        (e->op == (up ? RG_COP_SHL : RG_COP_SHR) && is_int(e->kid[1], 1));
    return by_two ? e->kid[other] : NULL;
}

/* The number of places whose bits are reversed, m being half of it, times the counter's step. */
static const struct rg_cnode *places(const struct rg_ctree *t, const struct rg_cnode *half, int64_t u)
{
    const struct rg_cnode *whole = scaled(t, half, false);
    if (u == 1) return whole;
    const struct rg_cnode *part = whole ? scaled(t, whole, true) : NULL;
    return part ? part : whole ? NULL : half;
}

static int writes(const struct rg_cnode *n, int var)
{
    if (!n) return 0;
    int count = rg__c_is_expr(n) && (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && is_var(n->kid[0], var);
    for (int i = 0; i < n->n; i++) count += writes(n->kid[i], var);
    return count;
}

/* What j starts as in front of the loop, and i; false: that is not plain. */
static bool starts(struct rg_ctree *t, const struct rg_cnode *block, int at, int i, int j,
                   const struct rg_cnode **first, const struct rg_cnode **j0)
{
    const struct rg_cnode *f = block->kid[at], *inits = f->kid[0];
    *first = *j0 = NULL;
    for (int k = 0; inits && k < (inits->kind == RG_C_BLOCK ? inits->n : 1); k++) {
        int var;
        const struct rg_cnode *v = value_set(t, inits->kind == RG_C_BLOCK ? inits->kid[k] : inits, &var);
        if (v && var == i) *first = v;
        if (v && var == j) *j0 = v;
    }
    for (int k = at - 1; k >= 0 && (!*first || !*j0); k--) {
        int var;
        const struct rg_cnode *v = value_set(t, block->kid[k], &var);
        if (v && var == i && !*first)
            *first = v;
        else if (v && var == j && !*j0)
            *j0 = v;
        else if ((!*first && rg__c_writes_var(block->kid[k], i)) || (!*j0 && rg__c_writes_var(block->kid[k], j)))
            return false;
    }
    int64_t declared_as = 0;
    if (!*j0 && rg__c_declared_int(t->root, f, j, &declared_as) == 1 && !rg__c_run_again(t->root, f, j))
        *j0 = rg__c_int(t, declared_as);
    return *first && *j0;
}

/* i = from + u * k and j = from + u * (mirrored k), k from `first` on; `behind`: j is carried on at the iteration's
 * end. Is it so? */
static bool same_places(struct rg_ctree *t, const struct carry *y, int64_t u, const struct rg_cnode *first,
                        const struct rg_cnode *j0, bool behind, int64_t *from, int64_t *begins)
{
    first = plain(first), j0 = plain(j0);
    if (first->kind != RG_C_INT || first->ivalue < 0 || first->ivalue > 64) return false;
    *begins = behind && j0->kind == RG_C_INT && j0->ivalue == first->ivalue ? 0 : 1;
    *from = first->ivalue - *begins * u;
    if (*begins && !behind && !is_int(j0, *from)) return false;
    if (*begins && behind) { /* the second place's is the half */
        struct rg__range *r = rg_xmalloc(sizeof *r);
        rg__range_init(r, t, NULL);
        struct rg__poly have = rg__counting_value(r, j0), want = rg__counting_value(r, y->half),
                        more = rg__poly_int(*from);
        want = rg__poly_add(&want, &more, 1);
        const bool same = (!have.bad && !want.bad && rg__poly_equal(&have, &want)) ||
                          (!*from && rg__c_same(j0, plain(y->half), RG__C_UNCAST));
        free(r);
        if (!same) return false;
    }
    if (y->bits) return u == 1 && !*from && y->least <= u;
    return (y->above ? *from >= 1 && *from <= u : *from >= 0 && *from < u) && y->least <= u;
}

/* The loop at `at` of the block, over i, in which j is the mirrored i. */
static void carried(struct rg_ctree *t, struct rg_cnode *block, int at, const struct rg__powers *powers)
{
    struct rg_cnode *f = block->kid[at];
    struct rg__counting c;
    struct carry y;
    int from = -1;
    if (!rg__counting_read(t, f, &c)) return;
    struct rg_cnode *body = c.body;
    bool found = false;
    for (int k = 0; k < body->n && !found; k++) {
        found = carry_at(t, body, k, &y);
        from = k;
    }
    const int64_t u = rg__counting_step(&c);
    const struct rg_cnode *first, *j0, *n = found && (u == 1 || u == 2) ? places(t, y.half, u) : NULL;
    struct rounds of = {.t = t, .powers = powers};
    if (!n || !starts(t, block, at, c.var, y.j, &first, &j0) || writes(body, y.j) != 2) return;
    /* from the first on with the carry behind, or from the second on with it in front */
    const bool behind = from + y.took == body->n;
    int64_t c0, begins;
    if ((!behind && from) || !same_places(t, &y, u, first, j0, behind, &c0, &begins) ||
        !rg__doubling_power(&of, n, false))
        return;
    for (int k = 0; k < body->n; k++)
        if ((k < from || k >= from + y.took) && rg__c_mentions_var(body->kid[k], y.m)) return;
    if (rg__doubling_live(t, y.j, f) || (!rg__c_declares(f, y.m) && rg__doubling_live(t, y.m, f))) return;
    const bool plain_counter = u == 1 && !c0 && !c.upto;
    struct rg_cnode *end = NULL;
    if (!plain_counter && !c.alone) { /* j may begin there as well */
        const struct rg_cnode *init = f->kid[0];
        for (int k = 0, var; init && k < (init->kind == RG_C_BLOCK ? init->n : 1); k++)
            if (!value_set(t, init->kind == RG_C_BLOCK ? init->kid[k] : init, &var) || (var != c.var && var != y.j))
                return;
    }
    if (!plain_counter) {
        struct rg__range *r = rg_xmalloc(sizeof *r);
        rg__range_init(r, t, NULL);
        struct rg__poly past = rg__counting_end(r, &c, c0, u), all = rg__counting_value(r, n),
                        left = rg__poly_add(&all, &past, -1);
        int64_t rest;
        const bool within = !past.bad && !all.bad && rg__poly_is_int(&left, &rest) && rest >= 0;
        if (!past.bad && (within || u == 1)) end = rg__poly_node(r, &past);
        free(r);
        if (!end || (!rg__c_declares(f, c.var) && rg__doubling_live(t, c.var, f))) return;
    }
    rg__doubling_power(&of, n, true);
    const enum rg_scalar type = t->vars[c.var].type;
    int k = plain_counter ? c.var : rg__c_add_var(t, t->vars[c.var].name, RG_CVAR_LOCAL, type);
    int own = rg__c_add_var(t, t->vars[y.j].name, RG_CVAR_LOCAL, t->vars[y.j].type);
    struct rg_cnode *place =
        rg__counting_place(t, c0, u, mirrored(t, rg__c_var(t, k), rg__c_copy(t, n), own), t->vars[y.j].type);
    struct rg__kids all = {0};
    rg__kids_add(&all, rg__c_declaration(t, own, place, f));
    for (int s = 0; s < body->n; s++)
        if (s < from || s >= from + y.took)
            rg__kids_add(&all, rg__c_replace_var(t, body->kid[s], y.j, rg__c_var(t, own)));
    struct rg_cnode *inner = rg__kids_node(t, RG_C_BLOCK, &all);
    if (plain_counter) {
        f->kid[3] = inner;
        return;
    }
    inner = rg__c_replace_var(t, inner, c.var, rg__counting_place(t, c0, u, rg__c_var(t, k), type));
    block->kid[at] = rg__counting_loop(t, k, rg__c_int(t, begins), end, inner, f);
}

/* ---- a function that gives it ---- */

/* The parameter that the node is, by its number; -1. */
static int parameter(const struct rg__helper_tree *h, const struct rg_cnode *e)
{
    e = plain(e);
    for (int i = 0; i < h->n_params; i++)
        if (h->params[i].var >= 0 && is_var(e, h->params[i].var)) return i;
    return -1;
}

/* `r = rg_mirrored(x, 1 << bits); x >>= bits; return r;` once its loop is known: x and bits are parameters *which. */
static const struct rg_cnode *gives_mirrored(const struct rg__helper_tree *h, int which[2])
{
    struct rg_ctree *t = h->t;
    struct rg_cnode *was = t->root, *body = rg__c_copy(t, h->body);
    const struct rg_cnode *found = NULL, *result = NULL;
    int r = -1, n = 0;
    if (body->kind != RG_C_BLOCK || h->prologue->n || rg__mentions_kind(body, RG_C_VERBATIM)) return NULL;
    t->root = body;
    for (int i = 0; i < body->n; i++) {
        if (body->kid[i]->kind == RG_C_FOR) rg__one_step(t, body->kid[i]);
        if (body->kid[i]->kind == RG_C_FOR || body->kid[i]->kind == RG_C_WHILE) bit_by_bit(t, body, i);
    }
    t->root = was;
    for (int i = 0; i < body->n; i++) {
        int var;
        const struct rg_cnode *s = body->kid[i], *v = value_set(t, s, &var);
        if (s->kind == RG_C_BLOCK && !s->n) continue;
        if (s->kind == RG_C_DECL && s->array < 0 && !s->n) continue;
        if (s->kind == RG_C_RETURN && s->n && found && i == body->n - 1) {
            result = is_var(s->kid[0], r) ? s->kid[0] : NULL;
        } else if (v && v->kind == RG_C_CALL && v->text && !strcmp(v->text, "rg_mirrored") && !found) {
            found = v;
            r = var;
        } else if (!v || !found || var == r || n++) { /* what is left of x may be set, once, behind it */
            return NULL;
        }
    }
    if (!result || !found) return NULL;
    const struct rg_cnode *count = plain(found->kid[1]);
    which[0] = parameter(h, found->kid[0]);
    which[1] = count->op == RG_COP_SHL ? parameter(h, count->kid[1]) : -1;
    return which[0] >= 0 && which[1] >= 0 ? found : NULL;
}

/* Calls of such functions, in e, as what they give. */
static void called(struct rg_ctree *t, struct rg_cnode *e, const struct rg__load *l)
{
    if (!e) return;
    for (int i = 0; i < e->n; i++) called(t, e->kid[i], l);
    const struct rg__helper_tree *h = e->kind == RG_C_CALL && e->text ? rg__helper_tree(&l->b, e->text) : NULL;
    int which[2];
    const struct rg_cnode *m = h && h->n_params == e->n && h->result != RG_STRUCT ? gives_mirrored(h, which) : NULL;
    if (!m || !rg__c_pure(t, e->kid[0]) || !rg__c_pure(t, e->kid[1]) || e->n != 2) return;
    const struct rg_cnode *x = e->kid[which[0]], *bits = e->kid[which[1]];
    struct rg_cnode *one = rg_cnode_new(t, RG_C_INT, 0), *c = rg_cnode_new(t, RG_C_CALL, 2);
    one->ivalue = 1;
    one->type = RG_ULLONG;
    one->text = "1ull";
    struct rg_cnode *n = rg__c_binary(t, RG_COP_SHL, one, rg__c_cast(t, rg__c_copy(t, bits), RG_I32));
    n->type = RG_ULLONG;
    c->text = "rg_mirrored";
    c->type = m->type;
    c->kid[0] = rg__c_cast(t, rg__c_copy(t, x), h->t->vars[h->params[which[0]].var].type);
    c->kid[0] = rg__c_cast(t, c->kid[0], m->type);
    c->kid[1] = n;
    struct rg_cnode *v = rg__c_cast(t, c, h->result);
    v->line = e->line;
    *e = *v;
}

static void walk(struct rg_ctree *t, struct rg_cnode *n, const struct rg__powers *powers)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; n->kind == RG_C_BLOCK && i < n->n; i++) {
        if (n->kid[i]->kind != RG_C_FOR) continue;
        bit_by_bit(t, n, i);
        carried(t, n, i, powers);
    }
    for (int i = 0; i < n->n; i++) walk(t, n->kid[i], powers);
}

void rg__canon_mirrors(struct rg_ctree *t, const struct rg__powers *powers, const struct rg__load *l)
{
    if (rg__mentions_kind(t->root, RG_C_VERBATIM)) return;
    called(t, t->root, l);
    walk(t, t->root, powers);
}
