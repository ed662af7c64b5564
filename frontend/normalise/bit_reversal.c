/* Places with their bits in reverse, as Fourier transforms permute by them. Two ways to compute them are known, which
 * loops carry or which cost a loop each; both become rg_mirrored(i, n), the lowest bits of i, as many as n is a power
 * of two, in reverse:
 *   - bit by bit: `r = 0; for (k = 0; k < bits; k++) if (i >> k & 1) r |= 1 << (bits - 1 - k);`,
 *     or `r = r << 1 | (x & 1); x >>= 1;`
 *   - by a counter that carries downwards (carried_reversal.c). */
#include "frontend/load.h"
#include "frontend/normalise/bit_reversal.h"
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

/* One loop as it is looked at. */
struct bits {
    struct rg_ctree *t;
    const struct rg__mirror_scope *in;
    struct rg__mirror_asks *asks;
    int r, k; /* what is made; what counts the rounds, -1: nobody asks for it */
};

/* Below conversions that keep as many bits as the scalar has. */
static const struct rg_cnode *kept(const struct rg_ctree *t, const struct rg_cnode *e, int var)
{
    while (e->kind == RG_C_CAST && !e->pointer && rg__scalar_is_int(e->type) && e->type != RG_BOOL &&
           rg__scalar_is_int(e->kid[0]->type) && rg_scalar_bytes(e->type) >= rg_scalar_bytes(t->vars[var].type))
        e = e->kid[0];
    return e;
}

static bool is_kept(const struct rg_ctree *t, const struct rg_cnode *e, int var)
{
    e = kept(t, e, var);
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var == var;
}

/* x & 1, and x % 2 where x is not negative: x */
static const struct rg_cnode *lowest_bit_of(const struct bits *b, const struct rg_cnode *e)
{
    e = plain(e);
    if (e->op == RG_COP_REM && rg__mirror_int(e->kid[1], 2))
        return rg__mirror_never_negative(b->t, b->in, e->kid[0], b->asks) ? rg__mirror_valued(e->kid[0]) : NULL;
    if (e->op != RG_COP_BAND || (!rg__mirror_int(e->kid[0], 1) && !rg__mirror_int(e->kid[1], 1))) return NULL;
    const struct rg_cnode *x = e->kid[rg__mirror_int(e->kid[0], 1)];
    while (x->kind == RG_C_CAST && x->type != RG_BOOL && rg__scalar_is_int(x->type) &&
           rg__scalar_is_int(x->kid[0]->type)) /* all have it */
        x = x->kid[0];
    return x;
}

/* var >> 1, and var / 2 where it is not negative, of its own sign and width. */
static bool halves_exactly(const struct bits *b, const struct rg_cnode *e, int var)
{
    if (!rg__mirror_halves(e, var)) return false;
    e = kept(b->t, e, var);
    if (e->kind == RG_C_CAST || !is_kept(b->t, e->kid[0], var)) return false;
    const enum rg_scalar own = b->t->vars[var].type;
    const bool same = rg_scalar_is_signed(e->type) == rg_scalar_is_signed(own) ||
                      (!rg_scalar_is_signed(own) && rg_scalar_bytes(e->type) > rg_scalar_bytes(own));
    if (own == RG_BOOL || !same) return false;
    return e->op == RG_COP_SHR || rg__mirror_never_negative(b->t, b->in, rg__c_var(b->t, var), b->asks);
}

static bool doubles(const struct bits *b, const struct rg_cnode *e)
{
    e = kept(b->t, e, b->r);
    const bool times = e->op == RG_COP_MUL && ((rg__mirror_int(e->kid[1], 2) && is_kept(b->t, e->kid[0], b->r)) ||
                                               (rg__mirror_int(e->kid[0], 2) && is_kept(b->t, e->kid[1], b->r)));
    return times || (e->op == RG_COP_SHL && rg__mirror_int(e->kid[1], 1) && is_kept(b->t, e->kid[0], b->r));
}

/* for (k = 0; k < bits; k++): the loop's variable; -1. */
static int counts_bits(struct rg_ctree *t, const struct rg_cnode *f, const struct rg_cnode **bits)
{
    int k = -1, stepped = -1;
    const struct rg_cnode *init = f->kid[0], *c = f->kid[1], *s = rg__mirror_expression(f->kid[2]);
    while (init && init->kind == RG_C_BLOCK && init->n == 1) init = init->kid[0];
    const struct rg_cnode *from = init ? rg__mirror_set(t, init, &k) : NULL;
    if (!from || !rg__mirror_int(from, 0) || !c || c->op != RG_COP_LT || !is_var(c->kid[0], k) || !s ||
        !rg__c_pure(t, c->kid[1]))
        return -1;
    if (rg_c_increments(s->op))
        stepped = is_var(s->kid[0], k) ? k : -1;
    else if (s->op == RG_COP_ADD_SET && rg__mirror_int(s->kid[1], 1) && is_var(s->kid[0], k))
        stepped = k;
    *bits = c->kid[1];
    return stepped;
}

/* `while (bits-- > 0)`, `for (; bits; bits--)`: as many rounds, whose number nobody counts; the scalar; -1. */
static int counts_down(const struct rg_cnode *f)
{
    const bool loop = f->kind == RG_C_FOR;
    const struct rg_cnode *c = f->kid[loop ? 1 : 0], *s = loop ? rg__mirror_expression(f->kid[2]) : NULL;
    if (!c || (loop && f->kid[0])) return -1;
    if ((c->op == RG_COP_GT || c->op == RG_COP_NE) && rg__mirror_int(c->kid[1], 0)) c = c->kid[0];
    c = plain(c);
    if (c->op == RG_COP_POST_DEC && !s)
        c = plain(c->kid[0]);
    else if (!s ||
             (s->op != RG_COP_POST_DEC && s->op != RG_COP_PRE_DEC &&
              !(s->op == RG_COP_SUB_SET && rg__mirror_int(s->kid[1], 1))) ||
             !rg__c_equal(c, plain(s->kid[0])))
        return -1;
    const bool scalar = c->kind == RG_C_VAR && c->array < 0 && !c->pointer;
    return scalar && !rg__c_writes_var(f->kid[loop ? 3 : 1], c->var) ? c->var : -1;
}

/* x >> k & 1, x & 1 << k: x */
static const struct rg_cnode *bit_of(const struct bits *b, const struct rg_cnode *e, bool test)
{
    const struct rg_cnode *low = lowest_bit_of(b, e);
    if (low && low->op == RG_COP_SHR && is_var(low->kid[1], b->k)) return rg__mirror_valued(low->kid[0]);
    e = plain(e);
    for (int i = 0; i < 2 && test && e->op == RG_COP_BAND; i++) {
        const struct rg_cnode *one = rg__mirror_valued(e->kid[i]);
        if (one->op == RG_COP_SHL && rg__mirror_int(one->kid[0], 1) && is_var(one->kid[1], b->k))
            return rg__mirror_valued(e->kid[1 - i]);
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
static const struct rg_cnode *scattered(const struct bits *b, const struct rg_cnode *body, const struct rg_cnode *bits)
{
    struct rg_ctree *t = b->t;
    const struct rg_cnode *s = body, *x = NULL;
    while (s->kind == RG_C_BLOCK && s->n == 1) s = s->kid[0];
    if (s->kind == RG_C_IF && (s->n < 3 || !s->kid[2] || !s->kid[2]->n)) {
        const struct rg_cnode *c = s->kid[0];
        if (c->op == RG_COP_NE && rg__mirror_int(c->kid[1], 0)) c = c->kid[0];
        x = bit_of(b, c, true);
        s = s->kid[1];
        if (!x) return NULL;
    }
    int var;
    const struct rg_cnode *v = rg__mirror_set(t, s, &var);
    v = v && var == b->r ? kept(t, v, b->r) : NULL;
    if (!v || (v->op != RG_COP_BOR && v->op != RG_COP_ADD) || !is_kept(t, v->kid[0], b->r)) return NULL;
    const struct rg_cnode *shift = kept(t, v->kid[1], b->r);
    if (shift->op != RG_COP_SHL) shift = rg__mirror_valued(shift);
    if (shift->op != RG_COP_SHL || !from_above(t, shift->kid[1], bits, b->k)) return NULL;
    if (x) return rg__mirror_int(shift->kid[0], 1) ? x : NULL;
    return bit_of(b, shift->kid[0], false);
}

/* r = r << 1 | (x & 1); x >>= 1; in that order, or with x >> k: x, and whether it is spent. */
static const struct rg_cnode *shifted_in(const struct bits *b, const struct rg_cnode *body, int *spent)
{
    struct rg_cnode *now = rg__c_var(b->t, b->r);
    *spent = -1;
    for (int i = 0; i < (body->kind == RG_C_BLOCK ? body->n : 1); i++) {
        int var;
        const struct rg_cnode *s = body->kind == RG_C_BLOCK ? body->kid[i] : body;
        struct rg_cnode *v = rg__mirror_set(b->t, s, &var);
        if (!v || *spent >= 0) return NULL;
        if (var == b->r)
            now = rg__c_replace_var(b->t, rg__c_copy(b->t, v), b->r, now);
        else if (halves_exactly(b, v, var))
            *spent = var;
        else
            return NULL;
    }
    const struct rg_cnode *e = kept(b->t, now, b->r);
    if (e->op != RG_COP_BOR && e->op != RG_COP_ADD) return NULL;
    for (int i = 0; i < 2; i++) {
        const struct rg_cnode *low = doubles(b, e->kid[i]) ? lowest_bit_of(b, e->kid[1 - i]) : NULL;
        if (!low) continue;
        if (*spent < 0)
            return low->op == RG_COP_SHR && is_var(low->kid[1], b->k) ? rg__mirror_valued(low->kid[0]) : NULL;
        return is_var(low, *spent) ? low : NULL;
    }
    return NULL;
}

/* The type in which x is reversed, for r: what is above its own bits is as C has it, too. RG_STRUCT: that is not known.
 * `gone`: x is shifted round by round, so that there may be more rounds than it has bits. */
static enum rg_scalar reversed_in(const struct bits *b, const struct rg_cnode *x, const struct rg_cnode *bits,
                                  bool gone)
{
    const enum rg_scalar own = x->type, as = b->t->vars[b->r].type;
    const size_t of_x = rg_scalar_bytes(own), of_r = rg_scalar_bytes(as);
    if (!rg__scalar_is_int(own) || own == RG_BOOL || as == RG_BOOL || x->pointer) return RG_STRUCT;
    const struct rg_cnode *number = plain(bits);
    const bool inside = number->kind == RG_C_INT && number->ivalue <= (int64_t)(8 * of_x);
    if (number->kind == RG_C_INT && (number->ivalue < 0 || number->ivalue > 63)) return RG_STRUCT;
    const bool small = !gone && of_x <= 4 && of_r <= 4; /* x >> k is defined in every round: at most 32 */
    struct rg__mirror_asks known = {0};
    if (!small && !rg__mirror_few(b->t, b->in, bits, &known)) {
        b->asks->clamp = of_x <= 4 && of_r <= 4 && rg__mirror_never_negative(b->t, b->in, x, b->asks); /* 0 then */
        if (!b->asks->clamp && !rg__mirror_few(b->t, b->in, bits, b->asks)) return RG_STRUCT;
    }
    if (of_x != of_r) return of_x > of_r ? own : as;
    return inside ? as : own;
}

/* 1 << bits, `clamp`: 0 where that is no number of 64 bits. */
static struct rg_cnode *power_of(struct rg_ctree *t, const struct rg_cnode *bits, bool clamp)
{
    struct rg_cnode *one = rg_cnode_new(t, RG_C_INT, 0), *count = rg__c_cast(t, rg__c_copy(t, bits), RG_I32);
    one->ivalue = 1;
    one->type = RG_ULLONG;
    one->text = "1ull";
    struct rg_cnode *n = rg__c_binary(t, RG_COP_SHL, one, count);
    n->type = RG_ULLONG;
    if (!clamp) return n;
    struct rg_cnode *c = rg_cnode_new(t, RG_C_COND, 3);
    c->kid[0] = rg__c_binary(t, RG_COP_LT, rg__c_cast(t, rg__c_copy(t, count), RG_U32),
                             rg__c_cast(t, rg__c_int(t, 64), RG_U32));
    c->kid[1] = n;
    c->kid[2] = rg__c_cast(t, rg__c_int(t, 0), RG_ULLONG);
    c->type = RG_ULLONG;
    return c;
}

/* Bit by bit: statement `at` of the block, which scope->node is, is the loop. */
static void bit_by_bit(struct rg_ctree *t, struct rg_cnode *block, const struct rg__mirror_scope *scope,
                       struct rg__mirror_asks *asks)
{
    const int at = scope->at;
    struct rg_cnode *f = block->kid[at];
    struct bits b = {.t = t, .in = scope, .asks = asks, .r = -1, .k = -1};
    const struct rg_cnode *bits = NULL, *x = NULL;
    const bool up = f->kind == RG_C_FOR && f->kid[0] && f->kid[1] && f->kid[2];
    struct rg_cnode *body = f->kid[f->kind == RG_C_FOR ? 3 : 1];
    int zero = -1, k = up ? counts_bits(t, f, &bits) : counts_down(f), spent = -1;
    if (k < 0 || rg__leaves_early(body) || (!rg__c_declares(f, k) && rg__doubling_live(t, k, f))) return;
    if (!up) bits = rg__c_var(t, k);
    if (up) b.k = k;
    for (int i = at - 1; i >= 0 && !x; i--) {
        const struct rg_cnode *v = rg__mirror_set(t, block->kid[i], &b.r);
        if (!v || !rg__mirror_int(v, 0)) continue;
        x = up ? scattered(&b, body, bits) : NULL;
        if (!x) x = shifted_in(&b, body, &spent);
        for (int j = i + 1; j < at && x; j++)
            if (rg__c_mentions_var(block->kid[j], b.r)) x = NULL;
        zero = i;
    }
    const int r = b.r;
    if (!x || rg__c_mentions_var(bits, r) || (up && rg__c_mentions_var(x, k)) ||
        (spent >= 0 && rg__c_mentions_var(bits, spent)) || rg__c_mentions_var(x, r) || !rg__c_pure(t, x))
        return;
    const bool left_asked = spent >= 0 && rg__doubling_live(t, spent, f);
    const enum rg_scalar in = reversed_in(&b, x, bits, spent >= 0);
    if (in == RG_STRUCT || (left_asked && !rg__mirror_few(t, scope, bits, asks))) return;
    struct rg_cnode *count = rg__c_cast(t, rg__c_copy(t, bits), RG_I32),
                    *n = power_of(t, bits, !rg__mirror_rounds(t, scope, bits, asks) || (asks->clamp && !asks->helper));
    struct rg_cnode *call = rg__mirror_call(t, x, n, in, t->vars[r].type),
                    *s = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, r), call));
    s->line = f->line;
    s->column = f->column;
    struct rg__kids with = {0};
    if (block->kid[zero]->kind == RG_C_DECL) s = rg__c_declaration(t, r, s->kid[0]->kid[1], f);
    block->kid[zero] = rg_cnode_new(t, RG_C_BLOCK, 0);
    rg__kids_add(&with, s);
    if (left_asked) { /* what is left of it, which may be nothing: by a shift of 64 bits */
        const enum rg_scalar own = t->vars[spent].type, wide = rg_scalar_is_signed(own) ? RG_LLONG : RG_ULLONG;
        struct rg_cnode *places = rg__c_copy(t, count), *whole = rg__c_cast(t, rg__c_var(t, spent), wide),
                        *left = rg__c_binary(t, RG_COP_SHR, whole, places);
        left->type = wide;
        if (plain(bits)->kind != RG_C_INT) { /* no rounds where the number is negative */
            struct rg_cnode *c = rg_cnode_new(t, RG_C_COND, 3);
            c->kid[0] = rg__c_binary(t, RG_COP_GT, rg__c_copy(t, count), rg__c_int(t, 0));
            c->kid[1] = left;
            c->kid[2] = rg__c_copy(t, whole);
            c->type = wide;
            left = c;
        }
        struct rg_cnode *all =
            rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, spent), rg__c_cast(t, left, own)));
        all->line = f->line;
        rg__kids_add(&with, all);
    }
    rg__block_splice(t, block, at, 1, &with);
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
static const struct rg_cnode *gives_mirrored(const struct rg__helper_tree *h, int which[2], enum rg_scalar *made,
                                             struct rg__mirror_asks *asks)
{
    struct rg_ctree *t = h->t;
    struct rg_cnode *was = t->root, *body = rg__c_copy(t, h->body);
    const struct rg_cnode *found = NULL, *result = NULL;
    int r = -1, n = 0;
    if (body->kind != RG_C_BLOCK || h->prologue->n || rg__mentions_kind(body, RG_C_VERBATIM)) return NULL;
    t->root = body;
    for (int i = 0; i < body->n; i++) {
        if (body->kid[i]->kind == RG_C_FOR) rg__one_step(t, body->kid[i]);
        const struct rg__mirror_scope scope = {body, i, NULL};
        if (body->kid[i]->kind == RG_C_FOR || body->kid[i]->kind == RG_C_WHILE) bit_by_bit(t, body, &scope, asks);
    }
    t->root = was;
    for (int i = 0; i < body->n; i++) {
        int var;
        const struct rg_cnode *s = body->kid[i], *v = rg__mirror_set(t, s, &var);
        if (s->kind == RG_C_BLOCK && !s->n) continue;
        if (s->kind == RG_C_DECL && s->array < 0 && !s->n) continue;
        if (s->kind == RG_C_RETURN && s->n && found && i == body->n - 1) {
            result = is_var(s->kid[0], r) ? s->kid[0] : NULL;
        } else if (v && v->kind == RG_C_CALL && v->text && !strcmp(v->text, "rg_mirrored") && !found) {
            found = v;
            r = var;
            *made = t->vars[r].type;
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

/* The scope of the node's i-th part. */
static struct rg__mirror_scope scope_of(const struct rg_cnode *n, int i, const struct rg__mirror_scope *in)
{
    const bool scope = n->kind == RG_C_BLOCK || n->kind == RG_C_FOR || n->kind == RG_C_WHILE || n->kind == RG_C_LOOP;
    if (!scope && in) return *in;
    return (struct rg__mirror_scope){n, i, in};
}

/* Calls of such functions, in e, as what they give. */
static void called(struct rg_ctree *t, struct rg_cnode *e, const struct rg__load *l, const struct rg__mirror_scope *in)
{
    if (!e) return;
    for (int i = 0; i < e->n; i++) {
        const struct rg__mirror_scope inner = scope_of(e, i, in);
        called(t, e->kid[i], l, &inner);
    }
    const struct rg__helper_tree *h = e->kind == RG_C_CALL && e->text ? rg__helper_tree(&l->b, e->text) : NULL;
    int which[2];
    enum rg_scalar made = RG_STRUCT;
    struct rg__mirror_asks asks = {.helper = h}, none = {0};
    const struct rg_cnode *m =
        h && h->n_params == e->n && h->result != RG_STRUCT ? gives_mirrored(h, which, &made, &asks) : NULL;
    if (!m || !rg__c_pure(t, e->kid[0]) || !rg__c_pure(t, e->kid[1]) || e->n != 2) return;
    const struct rg_cnode *x = e->kid[which[0]], *bits = e->kid[which[1]];
    const enum rg_scalar given = h->t->vars[h->params[which[0]].var].type;
    if ((asks.few && !rg__mirror_few(t, in, bits, &none)) ||
        (asks.sign && !rg__mirror_never_negative(t, in, rg__c_cast(t, rg__c_copy(t, x), given), &none)))
        return;
    if (rg_scalar_bytes(h->t->vars[h->params[which[1]].var].type) < 4) return;
    const bool many = asks.clamp && !rg__mirror_few(t, in, bits, &none),
               below = asks.rounds && !rg__mirror_rounds(t, in, bits, &none);
    struct rg_cnode *n = power_of(t, bits, many || below);
    struct rg_cnode *v =
        rg__c_cast(t, rg__mirror_call(t, rg__c_cast(t, rg__c_copy(t, x), given), n, m->type, made), h->result);
    v->line = e->line;
    *e = *v;
}

static void walk(struct rg_ctree *t, struct rg_cnode *n, const struct rg__powers *powers,
                 const struct rg__mirror_scope *in)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; n->kind == RG_C_BLOCK && i < n->n; i++) {
        if (n->kid[i]->kind != RG_C_FOR) continue;
        const struct rg__mirror_scope here = {n, i, in};
        struct rg__mirror_asks none = {0};
        bit_by_bit(t, n, &here, &none);
        rg__mirror_carried(t, n, i, powers);
    }
    for (int i = 0; i < n->n; i++) {
        const struct rg__mirror_scope inner = scope_of(n, i, in);
        walk(t, n->kid[i], powers, &inner);
    }
}

void rg__canon_mirrors(struct rg_ctree *t, const struct rg__powers *powers, const struct rg__load *l)
{
    if (rg__mentions_kind(t->root, RG_C_VERBATIM)) return;
    called(t, t->root, l, NULL);
    walk(t, t->root, powers, NULL);
}
