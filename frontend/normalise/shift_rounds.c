/* Rounds that count the power of two instead of naming it, as Fourier transforms are often written:
 *   - `for (s = 1; s <= bits; s++) { m = 1 << s; .. }` goes by the power itself: `for (p = 2; p <= 1 << bits; p *= 2)
 * { m = p; .. }`, with s beside it where more than shifts ask for it;
 *   - `for (bits = 0; (1 << bits) < n; bits++);` and `for (m = n; m > 1; m /= 2) bits++;` are logarithms of n. */
#include "frontend/normalise/doubling.h"
#include <stdlib.h>
#include <string.h>

static const struct rg_cnode *plain(const struct rg_cnode *e)
{
    return rg__c_uncast(e, RG__C_INT_CASTS);
}

static bool is_int(const struct rg_cnode *e, int64_t v)
{
    e = plain(e);
    return e->kind == RG_C_INT && e->ivalue == v;
}

/* The value that the loop starts its variable at; the statement with it in *own: its init, or right in front of it. */
static const struct rg_cnode *start_of(const struct rg_cnode *block, int at, int var, const struct rg_cnode **own)
{
    const struct rg_cnode *init = block->kid[at]->kind == RG_C_FOR ? block->kid[at]->kid[0] : NULL;
    while (init && init->kind == RG_C_BLOCK && init->n == 1) init = init->kid[0];
    *own = init;
    if (init) return rg__doubling_set(init, var);
    for (int i = at - 1; i >= 0; i--) {
        *own = block->kid[i];
        const struct rg_cnode *v = rg__doubling_set(block->kid[i], var);
        if (v || rg__c_writes_var(block->kid[i], var)) return v;
    }
    return NULL;
}

/* ---- logarithms ---- */

static bool empty(const struct rg_cnode *n)
{
    return !n || (n->kind == RG_C_BLOCK && (!n->n || (n->n == 1 && empty(n->kid[0]))));
}

/* A parameter of 32 bits, whose logarithm as a real number is as exact as it must be; below 0 it is so as that type,
 * too. */
static bool short_param(const struct rg_ctree *t, const struct rg_cnode *e, enum rg_scalar as)
{
    e = plain(e);
    if (e->kind == RG_C_VAR && e->array < 0 && rg_scalar_is_signed(t->vars[e->var].type) != rg_scalar_is_signed(as))
        return false;
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && t->vars[e->var].kind == RG_CVAR_PARAM &&
           !t->vars[e->var].assigned && rg__scalar_is_int(t->vars[e->var].type) &&
           rg_scalar_bytes(t->vars[e->var].type) == 4;
}

/* v++, ++v, v += 1 */
static int counted_up(const struct rg_cnode *e)
{
    while (e && e->kind == RG_C_BLOCK && e->n == 1) e = e->kid[0];
    if (e && e->kind == RG_C_STMT) e = e->kid[0];
    bool by_one = e && (rg_c_increments(e->op) || (e->op == RG_COP_ADD_SET && is_int(e->kid[1], 1)));
    return by_one && e->kid[0]->kind == RG_C_VAR && e->kid[0]->array < 0 && !e->kid[0]->pointer ? e->kid[0]->var : -1;
}

/* (int)log2(x) where n is more than 1, else 0. */
static struct rg_cnode *logarithm(struct rg_ctree *t, const struct rg_cnode *n, struct rg_cnode *x, int var)
{
    struct rg_cnode *log = rg_cnode_new(t, RG_C_CALL, 1), *c = rg_cnode_new(t, RG_C_COND, 3);
    log->text = "log2";
    log->type = RG_F64;
    log->kid[0] = x;
    c->kid[0] = rg__c_binary(t, RG_COP_GT, rg__c_copy(t, n), rg__c_int(t, 1));
    c->kid[1] = rg__c_cast(t, log, RG_I32);
    c->kid[2] = rg__c_int(t, 0);
    c->type = RG_I32;
    return rg__c_cast(t, c, t->vars[var].type);
}

/* The number that the bits counted up to: (1 << v) < n, 1 << v <= n - 1 or n > 1 << v; of that parameter. */
static const struct rg_cnode *power_below(const struct rg_cnode *c, int v)
{
    for (int turned = 0; turned < 2 && c->kind == RG_C_BINARY; turned++) {
        const struct rg_cnode *p = plain(c->kid[turned]);
        bool less = c->op == (turned ? RG_COP_GT : RG_COP_LT) &&
                    rg_scalar_is_signed(c->kid[0]->type) == rg_scalar_is_signed(c->kid[1]->type);
        if (less && p->op == RG_COP_SHL && is_int(p->kid[0], 1) && rg__doubling_var(p->kid[1], v))
            return c->kid[!turned];
    }
    return NULL;
}

/* for (v = 0; (1 << v) < n; v++); is v = the logarithm of n, rounded up: that of 2 n - 1, rounded down. */
static bool counts_bits(struct rg_ctree *t, struct rg_cnode *block, int at)
{
    struct rg_cnode *f = block->kid[at];
    if (f->kind != RG_C_FOR && f->kind != RG_C_WHILE) return false;
    bool is_for = f->kind == RG_C_FOR;
    const struct rg_cnode *own, *c = f->kid[is_for], *body = f->kid[is_for ? 3 : 1];
    int v = is_for && empty(body) && f->kid[2] ? counted_up(f->kid[2]) : -1;
    if (!is_for) v = counted_up(body);
    const struct rg_cnode *n = v >= 0 && c ? power_below(c, v) : NULL, *first = n ? start_of(block, at, v, &own) : NULL;
    if (!first || !is_int(first, 0) || !short_param(t, n, n->type) || !rg__scalar_is_int(t->vars[v].type)) return false;
    if (rg__c_declares(f, v)) return false; /* nobody sees it */
    struct rg_cnode *two = rg_cnode_new(t, RG_C_REAL, 0);
    two->text = "2.0";
    two->rvalue = 2;
    two->type = RG_F64;
    struct rg_cnode *one = rg__c_cast(t, rg__c_int(t, 1), RG_F64),
                    *x = rg__c_binary(t, RG_COP_MUL, two, rg__c_cast(t, rg__c_copy(t, n), RG_F64)),
                    *s = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, v),
                                                    logarithm(t, n, rg__c_binary(t, RG_COP_SUB, x, one), v)));
    s->line = f->line;
    s->column = f->column;
    if (own->kind == RG_C_DECL && at && own == block->kid[at - 1]) { /* its declaration */
        struct rg_cnode *d = rg__doubling_declaration(t, v, s->kid[0]->kid[1], f);
        block->kid[at - 1] = d;
        s = rg_cnode_new(t, RG_C_BLOCK, 0);
        s->line = f->line;
    }
    block->kid[at] = s;
    return true;
}

/* for (m = n; m > 1; m >>= 1) v++; is v = the logarithm of n, rounded down. */
static bool counts_halves(struct rg_ctree *t, struct rg_cnode *block, int at)
{
    struct rg_cnode *f = block->kid[at];
    if (f->kind != RG_C_FOR || !f->kid[1] || !f->kid[2]) return false;
    const struct rg_cnode *c = f->kid[1], *e = f->kid[2], *own;
    if (e->kind == RG_C_STMT) e = e->kid[0];
    bool halves = e->kind == RG_C_ASSIGN && ((e->op == RG_COP_SHR_SET && is_int(e->kid[1], 1)) ||
                                             (e->op == RG_COP_DIV_SET && is_int(e->kid[1], 2)));
    if (!halves || e->kid[0]->kind != RG_C_VAR || e->kid[0]->array >= 0 || e->kid[0]->pointer) return false;
    int m = e->kid[0]->var, v = counted_up(f->kid[3]);
    const struct rg_cnode *first = v >= 0 && v != m ? start_of(block, at, m, &own) : NULL;
    const struct rg_cnode *zero = NULL;
    for (int i = at - 1; i >= 0 && !zero && first; i--) {
        zero = rg__doubling_set(block->kid[i], v);
        if (!zero && rg__c_mentions_var(block->kid[i], v)) return false;
    }
    bool more = c->op == RG_COP_GT && rg__doubling_var(c->kid[0], m) && is_int(c->kid[1], 1);
    if (!first || !zero || !more || !is_int(zero, 0) || !short_param(t, first, t->vars[m].type) ||
        !rg__c_declares(f, m) || !rg__scalar_is_int(t->vars[v].type) || rg_scalar_bytes(t->vars[m].type) < 4)
        return false;
    struct rg_cnode *x = rg__c_cast(t, rg__c_copy(t, first), RG_F64),
                    *s = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, v), logarithm(t, first, x, v)));
    s->line = f->line;
    s->column = f->column;
    block->kid[at] = s;
    return true;
}

/* ---- rounds ---- */

/* c << s, c << (s + k), c << (s - k), of a power of two c: as num / den of 1 << s. */
static bool is_power(const struct rg_cnode *e, int s, int64_t *num, int64_t *den)
{
    const struct rg_cnode *one = e->op == RG_COP_SHL ? plain(e->kid[0]) : NULL;
    if (!one || one->kind != RG_C_INT || one->ivalue < 1 || one->ivalue > 1024 || (one->ivalue & (one->ivalue - 1)))
        return false;
    const struct rg_cnode *by = plain(e->kid[1]), *k = NULL;
    *num = one->ivalue;
    *den = 1;
    if (rg__doubling_var(by, s)) return true;
    if (by->op != RG_COP_ADD && by->op != RG_COP_SUB) return false;
    k = plain(by->kid[1]);
    if (!rg__doubling_var(by->kid[0], s) || k->kind != RG_C_INT || k->ivalue < 0 || k->ivalue > 10) return false;
    *(by->op == RG_COP_ADD ? num : den) <<= k->ivalue;
    return true;
}

/* Every power in e by p; *left: something else asks for s. */
static struct rg_cnode *by_power(struct rg_ctree *t, struct rg_cnode *e, int s, int p, int *count, bool *left)
{
    if (!e) return NULL;
    int64_t num, den;
    if (is_power(e, s, &num, &den)) {
        struct rg_cnode *x = rg__c_var(t, p);
        if (num > den) x = rg__c_binary(t, RG_COP_MUL, x, rg__c_int(t, num / den));
        if (den > num) x = rg__c_binary(t, RG_COP_DIV, x, rg__c_int(t, den / num));
        (*count)++;
        return rg__c_cast(t, x, e->type);
    }
    if (e->kind == RG_C_VAR && e->array < 0 && e->var == s) *left = true;
    struct rg_cnode *c = rg__c_shallow(&t->arena, e);
    for (int i = 0; i < c->n; i++) c->kid[i] = by_power(t, e->kid[i], s, p, count, left);
    return c;
}

/* Is a power asked for whatever happens? Then no round is past those that have one: of 32 bits there are 32, of 64 so
 * many that their last two are taken not to come. */
static bool asks_always(const struct rg_cnode *e, int s)
{
    int64_t num, den;
    if (!e) return false;
    if (is_power(e, s, &num, &den)) return true;
    if (e->kind == RG_C_FOR) return asks_always(e->kid[0], s) || asks_always(e->kid[1], s);
    const bool first = e->kind == RG_C_IF || e->kind == RG_C_WHILE || e->kind == RG_C_COND || rg_c_lazy(e->op);
    for (int i = 0; i < (first ? 1 : e->n); i++)
        if (asks_always(e->kid[i], s)) return true;
    return false;
}

static bool stays(const struct rg_ctree *t, const struct rg_cnode *e, const struct rg_cnode *loop)
{
    if (!rg__c_pure(t, e) || rg__mentions_kind(e, RG_C_INDEX)) return false;
    for (int v = 0; v < t->n_vars; v++)
        if (rg__c_mentions_var(e, v) && rg__doubling_writes(loop, v)) return false;
    return true;
}

/* All that the rounds do is in one loop of as many iterations in each, and these ask: else nothing is done at all. */
static bool asks_in_all(const struct rg_ctree *t, const struct rg_cnode *body, const struct rg_cnode *rounds, int s)
{
    struct header h;
    const struct rg_cnode *only = NULL;
    for (int i = 0; i < body->n; i++) {
        if (body->kid[i]->kind == RG_C_DECL) continue;
        if (only) return false;
        only = body->kid[i];
    }
    if (!only || !rg__doubling_header(t, only, &h) || !h.upper || !rg__c_pure(t, h.step) ||
        !stays(t, h.upper, rounds) || !stays(t, h.first, rounds) || !rg__c_declares(only, h.var))
        return false;
    return asks_always(h.body, s);
}

/* e >= 0 ? 1 << e : 0, as a long. */
static struct rg_cnode *power_of(struct rg_ctree *t, const struct rg_cnode *e)
{
    int64_t v = plain(e)->kind == RG_C_INT ? plain(e)->ivalue : -1;
    if (v >= 0 && v < 62) return rg__c_cast(t, rg__c_int(t, (int64_t)1 << v), RG_LONG);
    struct rg_cnode *c = rg_cnode_new(t, RG_C_COND, 3), *one = rg__c_cast(t, rg__c_int(t, 1), RG_LONG),
                    *shift = rg__c_binary(t, RG_COP_SHL, one, rg__c_copy(t, e));
    shift->type = RG_LONG;
    c->kid[0] = rg__c_binary(t, RG_COP_GE, rg__c_copy(t, e), rg__c_int(t, 0));
    c->kid[1] = shift;
    c->kid[2] = rg__c_cast(t, rg__c_int(t, 0), RG_LONG);
    c->type = RG_LONG;
    return c;
}

/* n = c; for (i = a; i < m; i++) n *= 2: n is c << m - a, a number; the loop goes. */
static bool counts_doublings(struct rg_ctree *t, struct rg_cnode *block, int at)
{
    struct rg_cnode *f = block->kid[at];
    struct header h;
    int n = -1;
    bool up;
    int64_t factor;
    if (f->kind != RG_C_FOR || !rg__doubling_header(t, f, &h) || h.exact || !rg__doubling_one(h.step) ||
        h.body->n != 1 || !rg__doubling_factor(h.body->kid[0], &n, &up, &factor) || !up || factor != 2 || n == h.var)
        return false;
    const struct rg_cnode *c = h.cond, *first = plain(h.first), *from = NULL;
    const bool upto = c->op == RG_COP_LE;
    for (int i = at - 1; i >= 0 && !from; i--) {
        from = rg__doubling_set(block->kid[i], n);
        if (!from && rg__c_mentions_var(block->kid[i], n)) return false;
    }
    if (!from || (c->op != RG_COP_LT && !upto) || !rg__doubling_var(c->kid[0], h.var) || !stays(t, c->kid[1], f) ||
        first->kind != RG_C_INT || plain(from)->kind != RG_C_INT || plain(from)->ivalue < 1 ||
        !rg_scalar_is_signed(t->vars[n].type) || rg_scalar_bytes(t->vars[n].type) < 4 ||
        !rg_scalar_is_signed(c->kid[1]->type) || !rg__scalar_is_int(c->kid[1]->type) ||
        (!rg__c_declares(f, h.var) && rg__doubling_live(t, h.var, f)))
        return false;
    const int64_t less = first->ivalue - upto;
    struct rg_cnode *rounds = rg__c_copy(t, c->kid[1]);
    if (less) rounds = rg__c_binary(t, RG_COP_SUB, rounds, rg__c_int(t, less));
    struct rg_cnode *shift = rg__c_binary(t, RG_COP_SHL, rg__c_cast(t, rg__c_copy(t, from), t->vars[n].type),
                                          rg__c_copy(t, rounds)),
                    *value = rg_cnode_new(t, RG_C_COND, 3);
    shift->type = value->type = t->vars[n].type;
    value->kid[0] = rg__c_binary(t, RG_COP_GT, rounds, rg__c_int(t, 0));
    value->kid[1] = shift;
    value->kid[2] = rg__c_cast(t, rg__c_copy(t, from), t->vars[n].type);
    struct rg_cnode *s = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, n), value));
    s->line = f->line;
    s->column = f->column;
    for (int i = at - 1; i >= 0; i--) { /* its declaration, or what set it, goes */
        if (!rg__doubling_set(block->kid[i], n)) continue;
        struct rg_cnode *none = rg_cnode_new(t, RG_C_BLOCK, 0);
        none->line = block->kid[i]->line;
        if (block->kid[i]->kind == RG_C_DECL) s = rg__doubling_declaration(t, n, value, f);
        block->kid[i] = none;
        break;
    }
    block->kid[at] = s;
    return true;
}

/* Do loops within go by a power? */
static bool headers_go_by(const struct rg_cnode *body, const struct rg_cnode *n, int power)
{
    if (!n || rg__c_is_expr(n)) return false;
    for (int i = 0; i < 3 && n->kind == RG_C_FOR; i++) {
        if (n->kid[i] && rg__c_mentions_var(n->kid[i], power)) return true;
        for (int k = 0; k < body->n && n->kid[i]; k++) { /* a local of the body that is one */
            const struct rg_cnode *d = body->kid[k];
            int v = d->kind == RG_C_DECL && d->array < 0 && d->n ? d->var : -1;
            if (d->kind == RG_C_STMT && d->kid[0]->op == RG_COP_SET && d->kid[0]->kid[0]->kind == RG_C_VAR)
                v = d->kid[0]->kid[0]->var;
            if (v >= 0 && rg__c_mentions_var(d, power) && rg__c_mentions_var(n->kid[i], v)) return true;
        }
    }
    for (int i = 0; i < n->n; i++)
        if (headers_go_by(body, n->kid[i], power)) return true;
    return false;
}

static bool of_params(const struct rg_ctree *t, const struct rg_cnode *e)
{
    if (e->kind == RG_C_CALL || e->kind == RG_C_COND) return false;
    if (e->kind == RG_C_VAR && (e->array >= 0 || t->vars[e->var].kind != RG_CVAR_PARAM)) return false;
    for (int i = 0; i < e->n; i++)
        if (!of_params(t, e->kid[i])) return false;
    return true;
}

/* for (s = a; s <= b; s++) whose body shifts by s. */
static void goes_by_power(struct rg_ctree *t, struct rg_cnode *block, int at)
{
    struct rg_cnode *f = block->kid[at];
    struct header h;
    if (!rg__doubling_header(t, f, &h) || h.exact || !rg__doubling_one(h.step) ||
        !rg__scalar_is_int(t->vars[h.var].type) || !rg_scalar_is_signed(t->vars[h.var].type))
        return;
    const struct rg_cnode *c = h.cond, *first = plain(h.first);
    bool below = c->op == RG_COP_LT || c->op == RG_COP_LE;
    if (!below || !rg__doubling_var(c->kid[0], h.var) || !stays(t, c->kid[1], f) || first->kind != RG_C_INT ||
        first->ivalue < 0 || first->ivalue > 30 || !rg__scalar_is_int(c->kid[1]->type) ||
        !rg_scalar_is_signed(c->kid[1]->type))
        return;
    int p = rg__c_add_var(t, "power", RG_CVAR_LOCAL, RG_LONG), count = 0;
    bool left = false, own = rg__c_declares(f, h.var);
    struct rg_cnode *body = by_power(t, h.body, h.var, p, &count, &left);
    if (!count) return;
    const struct rg_cnode *last = plain(c->kid[1]);
    if (last->kind == RG_C_INT ? last->ivalue > 61 : !asks_always(h.body, h.var) && !asks_in_all(t, h.body, f, h.var))
        return;
    if (!headers_go_by(body, body, p)) { /* only bits are asked for */
        if (of_params(t, c->kid[1])) return;
        body = rg__c_copy(t, h.body);
        left = true;
    }
    left = left || (!own && rg__doubling_live(t, h.var, f));
    struct rg_cnode *g = rg_cnode_new(t, RG_C_FOR, 4);
    struct rg__kids front = {0}, all = {0};
    for (int i = 0; i < body->n; i++) rg__kids_add(&all, body->kid[i]);
    if (left) { /* s counts beside it */
        struct rg_cnode *init = f->kid[0];
        while (init->kind == RG_C_BLOCK && init->n == 1) init = init->kid[0];
        if (init->kind == RG_C_ASSIGN) init = rg__c_stmt(t, init);
        init->line = f->line;
        rg__kids_add(&front, init);
        struct rg_cnode *step = rg__c_stmt(t, rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, h.var),
                                                           rg__c_cast(t, rg__c_int(t, 1), t->vars[h.var].type)));
        step->line = f->line;
        rg__kids_add(&all, step);
    }
    g->kid[0] = rg__doubling_declaration(t, p, power_of(t, first), f);
    g->kid[1] = rg__c_binary(t, c->op, rg__c_var(t, p), power_of(t, c->kid[1]));
    g->kid[2] = rg__c_assign(t, RG_COP_MUL_SET, rg__c_var(t, p), rg__c_cast(t, rg__c_int(t, 2), RG_LONG));
    g->kid[3] = rg__kids_node(t, RG_C_BLOCK, &all);
    g->kid[3]->line = f->line;
    g->line = f->line;
    g->column = f->column;
    rg__kids_add(&front, g);
    rg__block_splice(t, block, at, 1, &front);
}

static void walk(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) walk(t, n->kid[i]);
    for (int i = 0; n->kind == RG_C_BLOCK && i < n->n; i++) {
        if (!n->kid[i] || counts_bits(t, n, i) || counts_halves(t, n, i) || counts_doublings(t, n, i)) continue;
        if (n->kid[i]->kind == RG_C_FOR) {
            int was = n->n;
            goes_by_power(t, n, i);
            i += n->n - was;
        }
    }
}

void rg__canon_shifts(struct rg_ctree *t)
{
    if (!rg__mentions_kind(t->root, RG_C_VERBATIM)) walk(t, t->root);
}
