/* Loops by doubling and halving: `for (h = 1; h < n; h *= 2)`. Inside, h is a power of two wherever it starts as one,
 * and other loops go by it. They become loops over the elements, which are as many in each round, with a condition of
 * who acts:
 *   - `for (i = 0; i < n; i += 2*h) for (j = 0; j < h; j++)` with elements i + j and i + j + h (butterflies; the loops
 * in either order, or one alone, whose elements are i + c and i + c + h): a loop over e = i + j, in which e acts that
 * is below its partner e ^ h;
 *   - `for (i = 0; i < h; i++)` with elements i and i + h: a loop up to what h is at most, in which those act that are
 * below h. What runs along a butterfly's inner loop as a product (w *= r) is a power there, and a second counter that
 * it adds to (a place in a table of twiddle factors) a product. */
#include "frontend/load.h"
#include "frontend/normalise/recount.h"
#include <stdlib.h>
#include <string.h>

bool rg__doubling_var(const struct rg_cnode *e, int var)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var == var;
}

static bool power_of_two(int64_t v)
{
    return v > 0 && !(v & (v - 1));
}

static const struct rg_cnode *expression(const struct rg_cnode *s)
{
    return s && s->kind == RG_C_STMT ? s->kid[0] : s;
}

/* v *= 2, v <<= 1, v = v / 4: by which power of two, and the direction. */
bool rg__doubling_factor(const struct rg_cnode *s, int *var, bool *up, int64_t *factor)
{
    const struct rg_cnode *e = expression(s);
    if (!e || e->kind != RG_C_ASSIGN || e->kid[0]->kind != RG_C_VAR || e->kid[0]->array >= 0 || e->kid[0]->pointer)
        return false;
    enum rg_c_op op = rg_c_applied(e->op);
    const struct rg_cnode *by = e->kid[1];
    *var = e->kid[0]->var;
    if (e->op == RG_COP_SET) {
        const struct rg_cnode *v = rg__c_uncast(by, RG__C_INT_CASTS);
        if (v->kind != RG_C_BINARY) return false;
        op = v->op;
        bool other = op == RG_COP_MUL && rg__doubling_var(v->kid[1], *var);
        if (!rg__doubling_var(v->kid[other], *var)) return false;
        by = v->kid[!other];
    }
    by = rg__c_uncast(by, RG__C_INT_CASTS);
    if (by->kind != RG_C_INT) return false;
    bool shift = op == RG_COP_SHL || op == RG_COP_SHR;
    *up = op == RG_COP_MUL || op == RG_COP_SHL;
    if (!shift && op != RG_COP_MUL && op != RG_COP_DIV) return false;
    *factor = shift ? (by->ivalue > 0 && by->ivalue < 16 ? (int64_t)1 << by->ivalue : 0) : by->ivalue;
    return *factor > 1 && power_of_two(*factor);
}

int rg__doubling_writes(const struct rg_cnode *n, int var)
{
    if (!n) return 0;
    int count = 0;
    if (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) {
        const struct rg_cnode *to = n->kid[0];
        while (to->kind == RG_C_MEMBER) to = to->kid[0];
        count += rg__doubling_var(to, var);
    }
    count += n->kind == RG_C_DECL && n->array < 0 && n->var == var && n->n;
    for (int i = 0; i < n->n; i++) count += rg__doubling_writes(n->kid[i], var);
    return count;
}

/* What a statement sets the scalar to; NULL: it does not, or not plainly. */
struct rg_cnode *rg__doubling_set(const struct rg_cnode *s, int var)
{
    if (s->kind == RG_C_DECL && s->array < 0 && s->var == var && s->n) return s->kid[0];
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : s;
    return e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && rg__doubling_var(e->kid[0], var) ? e->kid[1] : NULL;
}

static const struct rg_cnode *only_set(const struct rg_cnode *n, int var)
{
    if (!n || rg__c_is_expr(n)) return NULL;
    const struct rg_cnode *v = n->kind == RG_C_DECL || n->kind == RG_C_STMT ? rg__doubling_set(n, var) : NULL;
    for (int i = 0; i < n->n && !v; i++) v = only_set(n->kid[i], var);
    return v;
}

static bool of_values(const struct rg_ctree *t, const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR && (e->array >= 0 || t->vars[e->var].kind != RG_CVAR_PARAM))
        return e->array < 0 && rg__doubling_value(t, e->var);
    if (!rg__c_pure(t, e) || e->kind == RG_C_CALL || e->kind == RG_C_INDEX || e->kind == RG_C_MEMBER) return false;
    for (int i = 0; i < e->n; i++)
        if (!of_values(t, e->kid[i])) return false;
    return true;
}

const struct rg_cnode *rg__doubling_value(const struct rg_ctree *t, int var)
{
    if (t->vars[var].kind != RG_CVAR_LOCAL || !rg__scalar_is_int(t->vars[var].type) ||
        rg__doubling_writes(t->root, var) != 1)
        return NULL;
    const struct rg_cnode *v = only_set(t->root, var);
    return v && !rg__c_mentions_var(v, var) && of_values(t, v) ? v : NULL;
}

/* Of parameters and numbers: a power of two, given that those parameters are which it marks. */
bool rg__doubling_power(const struct rounds *r, const struct rg_cnode *e, bool mark)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->kind == RG_C_INT) return power_of_two(e->ivalue);
    if (e->kind == RG_C_VAR && e->array < 0 && r->t->vars[e->var].kind == RG_CVAR_PARAM) {
        if (mark) r->powers->must[r->t->vars[e->var].param] = true;
        return r->powers->may[r->t->vars[e->var].param];
    }
    const struct rg_cnode *value = e->kind == RG_C_VAR && e->array < 0 ? rg__doubling_value(r->t, e->var) : NULL;
    if (value) return rg__doubling_power(r, value, mark);
    if (e->kind == RG_C_COND) return rg__doubling_power(r, e->kid[1], mark) && rg__doubling_power(r, e->kid[2], mark);
    if (e->kind != RG_C_BINARY) return false;
    const struct rg_cnode *by = rg__c_uncast(e->kid[1], RG__C_INT_CASTS);
    if (e->op == RG_COP_SHL && rg__c_uncast(e->kid[0], RG__C_INT_CASTS)->kind == RG_C_INT)
        return rg__c_uncast(e->kid[0], RG__C_INT_CASTS)->ivalue == 1;
    if (by->kind != RG_C_INT) return false;
    bool shift = e->op == RG_COP_SHL || e->op == RG_COP_SHR;
    return (shift || ((e->op == RG_COP_MUL || e->op == RG_COP_DIV) && power_of_two(by->ivalue))) &&
           rg__doubling_power(r, e->kid[0], mark);
}

/* v < e, v <= e, e > v ..: what v is at most, or NULL. */
static struct rg_cnode *at_most(struct rounds *r, const struct rg_cnode *c)
{
    bool turned = !rg__doubling_var(c->kid[0], r->var);
    const struct rg_cnode *v = c->kid[turned], *e = c->kid[!turned];
    enum rg_c_op op = c->op;
    if (turned) op = op == RG_COP_GT ? RG_COP_LT : op == RG_COP_GE ? RG_COP_LE : RG_COP_NONE;
    if (!rg__doubling_var(v, r->var) || (op != RG_COP_LT && op != RG_COP_LE) || !rg__c_pure(r->t, e) ||
        rg__c_mentions_var(e, r->var))
        return NULL;
    r->strict = op == RG_COP_LT;
    return rg__c_copy(r->t, e);
}

/* for (l = 0; l < m; l++) { h = s; s *= 2; .. }: a variable that doubles, or halves, beside what counts the rounds. */
static bool beside_counter(const struct rg_cnode *loop, struct rounds *r)
{
    int64_t factor;
    int found = -1;
    for (int i = 0; r->body->kind == RG_C_BLOCK && i < r->body->n; i++) {
        if (!rg__doubling_factor(r->body->kid[i], &r->var, &r->up, &factor) ||
            rg__c_mentions_var(loop->kid[1], r->var) || rg__c_mentions_var(loop->kid[2], r->var) ||
            rg__c_declares(loop, r->var))
            continue;
        if (found >= 0) return false;
        found = i;
        r->step_at = i;
    }
    return found >= 0 && rg__doubling_factor(r->body->kid[found], &r->var, &r->up, &factor) &&
           rg__scalar_is_int(r->t->vars[r->var].type) && !rg__leaves_early(r->body);
}

static bool rounds_of(struct rg__load *l, struct rg_cnode *block, int at, const struct rg__powers *powers,
                      struct rounds *r)
{
    struct rg_ctree *t = l->t;
    struct rg_cnode *n = block->kid[at];
    int64_t factor;
    bool counted = false;
    const struct rg_cnode *cond, *init = NULL;
    *r = (struct rounds){.t = t, .l = l, .powers = powers};
    if (n->kind == RG_C_FOR) {
        if (!n->kid[1] || !n->kid[2]) return false;
        cond = n->kid[1];
        r->body = n->kid[3];
        r->step_at = r->body->n;
        counted = !rg__doubling_factor(n->kid[2], &r->var, &r->up, &factor);
        if (counted && !beside_counter(n, r)) return false;
        init = counted ? NULL : n->kid[0];
        if (init && init->kind == RG_C_BLOCK) {
            const struct rg_cnode *own = NULL;
            for (int i = 0; i < init->n; i++)
                if (rg__doubling_set(init->kid[i], r->var)) own = init->kid[i];
            init = own;
        }
        r->first = init ? rg__doubling_set(init, r->var) : NULL;
    } else if (n->kind == RG_C_WHILE) {
        cond = n->kid[0];
        r->body = n->kid[1];
        r->step_at = -1;
        for (int i = 0; r->body->kind == RG_C_BLOCK && i < r->body->n && r->step_at < 0; i++)
            if (rg__doubling_factor(r->body->kid[i], &r->var, &r->up, &factor) && rg__c_mentions_var(cond, r->var))
                r->step_at = i;
        if (r->step_at < 0) return false;
    } else
        return false;
    if (r->body->kind != RG_C_BLOCK || rg__doubling_writes(r->body, r->var) != (n->kind == RG_C_WHILE || counted))
        return false;
    for (int i = at - 1; i >= 0 && !r->first; i--) {
        r->first = rg__doubling_set(block->kid[i], r->var);
        if (!r->first && rg__c_writes_var(block->kid[i], r->var)) return false;
    }
    if (!r->first || !rg__c_pure(t, r->first)) return false;
    r->power = rg__doubling_power(r, r->first, false);
    r->factor = counted ? 0 : factor;
    if (counted && r->up) return r->power; /* nothing says what it is at most */
    r->most = r->up ? (cond->kind == RG_C_BINARY ? at_most(r, cond) : NULL) : rg__c_copy(t, r->first);
    return r->most != NULL;
}

/* ---- what the body calls its parts of the variable ---- */

/* e at statement `at` of the body as a multiple of the variable at statement `here`. */
bool rg__doubling_scale(const struct rounds *r, const struct rg_cnode *e, int at, int here, int depth,
                        struct scale *out)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (rg__doubling_var(e, r->var)) {
        int64_t factor = 1;
        int var;
        bool up;
        *out = (struct scale){1, 1};
        if (at <= r->step_at && here > r->step_at && rg__doubling_factor(r->body->kid[r->step_at], &var, &up, &factor))
            *out = up ? (struct scale){1, factor} : (struct scale){factor, 1};
        return true;
    }
    if (e->kind == RG_C_VAR && e->array < 0 && !e->pointer && depth < 4 && rg__doubling_writes(r->body, e->var) == 1) {
        for (int i = 0; i < at && i < r->body->n; i++) {
            const struct rg_cnode *v = rg__doubling_set(r->body->kid[i], e->var);
            if (v) return rg__doubling_scale(r, v, i, here, depth + 1, out);
        }
        return false;
    }
    if (e->kind != RG_C_BINARY) return false;
    bool turned = e->op == RG_COP_MUL && rg__c_uncast(e->kid[0], RG__C_INT_CASTS)->kind == RG_C_INT;
    const struct rg_cnode *by = rg__c_uncast(e->kid[!turned], RG__C_INT_CASTS);
    if (e->op == RG_COP_ADD && rg__c_equal(e->kid[0], e->kid[1])) {
        if (!rg__doubling_scale(r, e->kid[0], at, here, depth, out)) return false;
        out->num *= 2;
        return true;
    }
    if (by->kind != RG_C_INT || !rg__doubling_scale(r, e->kid[turned], at, here, depth, out)) return false;
    int64_t f = e->op == RG_COP_SHL || e->op == RG_COP_SHR
                    ? (by->ivalue >= 0 && by->ivalue < 16 ? (int64_t)1 << by->ivalue : 0)
                    : by->ivalue;
    if (!power_of_two(f)) return false;
    if (e->op == RG_COP_MUL || e->op == RG_COP_SHL)
        out->num *= f;
    else if (e->op == RG_COP_DIV || e->op == RG_COP_SHR)
        out->den *= f;
    else
        return false;
    return true;
}

/* ---- a counting loop in its raw form ---- */

bool rg__doubling_header(const struct rg_ctree *t, const struct rg_cnode *n, struct header *h)
{
    const struct rg_cnode *i = n->kind == RG_C_FOR ? n->kid[0] : NULL, *s = i ? expression(n->kid[2]) : NULL;
    if (i && i->kind == RG_C_BLOCK && i->n == 1) i = i->kid[0];
    if (!i || !s || !n->kid[1] || !s->n || s->kid[0]->kind != RG_C_VAR || s->kid[0]->array >= 0 || s->kid[0]->pointer)
        return false;
    *h = (struct header){.var = s->kid[0]->var, .cond = n->kid[1], .body = n->kid[3]};
    h->first = rg__doubling_set(i, h->var);
    const struct rg_cnode *c = h->cond;
    h->exact = c->op == RG_COP_NE;
    if ((c->op == RG_COP_LT || h->exact) && rg__doubling_var(c->kid[0], h->var)) h->upper = c->kid[1];
    if (rg_c_increments(s->op))
        h->step = rg__c_int((struct rg_ctree *)t, 1);
    else if (s->op == RG_COP_ADD_SET)
        h->step = s->kid[1];
    else if (s->op == RG_COP_SET && s->kid[1]->op == RG_COP_ADD && rg__doubling_var(s->kid[1]->kid[0], h->var))
        h->step = s->kid[1]->kid[1];
    return h->first && h->step && h->body->kind == RG_C_BLOCK && rg__doubling_writes(h->body, h->var) == 0 &&
           !rg__leaves_early(h->body);
}

bool rg__doubling_one(const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    return e->kind == RG_C_INT && e->ivalue == 1;
}

struct rg_cnode *rg__doubling_declaration(struct rg_ctree *t, int var, struct rg_cnode *value,
                                          const struct rg_cnode *at)
{
    return rg__c_declaration(t, var, rg__c_cast(t, value, t->vars[var].type), at);
}

struct rg_cnode *rg__doubling_over(struct rg_ctree *t, int e, struct rg_cnode *upper, struct rg_cnode *acts,
                                   struct rg__kids *inner, const struct rg_cnode *at)
{
    struct rg_cnode *f = rg_cnode_new(t, RG_C_FOR, 4), *when = rg_cnode_new(t, RG_C_IF, 2),
                    *block = rg_cnode_new(t, RG_C_BLOCK, 1);
    when->kid[0] = acts;
    when->kid[1] = rg__kids_node(t, RG_C_BLOCK, inner);
    block->kid[0] = when;
    f->kid[0] = rg__doubling_declaration(t, e, rg__c_int(t, 0), at);
    f->kid[1] = rg__c_binary(t, RG_COP_LT, rg__c_var(t, e), rg__c_cast(t, upper, t->vars[e].type));
    f->kid[2] = rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, e), rg__c_cast(t, rg__c_int(t, 1), t->vars[e].type));
    f->kid[3] = block;
    f->line = when->line = block->line = at->line;
    f->column = when->column = at->column;
    return f;
}

/* for (i = ..; i < h; i++): up to what h is at most, those below h act. NULL: it does not go by the variable. */
static struct rg_cnode *bounded(struct rounds *r, int here)
{
    struct rg_ctree *t = r->t;
    struct header a;
    struct scale s;
    struct rg_cnode *nest = r->body->kid[here];
    if (!rg__doubling_header(t, nest, &a) || !a.upper || a.exact || !rg__doubling_one(a.step) ||
        !rg__doubling_scale(r, a.upper, here, here, 0, &s) || s.num != 1 || !rg__c_pure(t, a.first))
        return NULL;
    for (int v = 0; v < t->n_vars; v++)
        if (rg__c_mentions_var(a.first, v) && t->vars[v].kind != RG_CVAR_PARAM) return NULL;
    if (!r->factor) return NULL; /* counted rounds: round_bounds.c */
    if (!r->most || !rg__c_pure(t, r->most) || (r->up && here > r->step_at)) return NULL;
    for (int v = 0; v < t->n_vars; v++)
        if (rg__c_mentions_var(r->most, v) && t->vars[v].kind != RG_CVAR_PARAM) return NULL;
    if (!rg__c_declares(nest, a.var) && rg__doubling_live(t, a.var, nest)) return NULL;
    struct rg__kids inner = {0};
    for (int i = 0; i < a.body->n; i++) rg__kids_add(&inner, a.body->kid[i]);
    struct rg_cnode *most = rg__c_copy(t, r->most);
    if (s.den > 1) most = rg__c_binary(t, RG_COP_DIV, most, rg__c_int(t, s.den));
    struct rg_cnode *f = rg__doubling_over(t, a.var, most, rg__c_copy(t, a.cond), &inner, nest);
    f->kid[0] = nest->kid[0];
    f->kid[2] = nest->kid[2];
    return f;
}

/* ---- a second counter beside the first ---- */

/* v++, v += e: what is added, pure. */
static struct rg_cnode *added(struct rg_ctree *t, const struct rg_cnode *s, int *var)
{
    const struct rg_cnode *e = expression(s);
    if (!e || !e->n || !e->kid[0] || e->kid[0]->kind != RG_C_VAR || e->kid[0]->array >= 0 || e->kid[0]->pointer)
        return NULL;
    *var = e->kid[0]->var;
    if (rg_c_increments(e->op)) return rg__c_int(t, 1);
    return e->op == RG_COP_ADD_SET && rg__c_pure(t, e->kid[1]) && !rg__mentions_kind(e->kid[1], RG_C_INDEX) ? e->kid[1]
                                                                                                            : NULL;
}

/* Does the loop leave the scalars of e alone? */
static bool stays(const struct rg_ctree *t, const struct rg_cnode *e, const struct rg_cnode *loop)
{
    for (int v = 0; v < t->n_vars; v++)
        if (rg__c_mentions_var(e, v) && (rg__c_writes_var(loop, v) || rg__c_declares(loop, v))) return false;
    return true;
}

/* The declaration of the scalar: what the loop at `at` starts with, or right in front of it. NULL: elsewhere. */
static struct rg_cnode **started(struct rg_cnode *block, int at, int var)
{
    struct rg_cnode **init = &block->kid[at]->kid[0];
    if (*init && (*init)->kind == RG_C_DECL && rg__doubling_set(*init, var)) return init;
    for (int i = at - 1; i >= 0 && i >= at - 2; i--) {
        if (block->kid[i]->kind == RG_C_DECL && rg__doubling_set(block->kid[i], var)) return &block->kid[i];
        if (block->kid[i]->kind != RG_C_DECL || rg__c_mentions_var(block->kid[i], var)) break;
    }
    return NULL;
}

/* for (j = a, k = b; ..; j++) { ..; k += s; } at `at` of the block: k is b + (j - a) * s. */
static void one_counter(struct rg_ctree *t, struct rg_cnode *block, int at)
{
    struct rg_cnode *f = block->kid[at], *body = f->kid[3];
    int first = -1, second = -1;
    if (!f->kid[1] || !f->kid[2] || body->kind != RG_C_BLOCK || !body->n || rg__leaves_early(body)) return;
    struct rg_cnode *one = added(t, f->kid[2], &first), *by = added(t, body->kid[body->n - 1], &second);
    if (!one || !by || !rg__doubling_one(one) || first == second || !rg__scalar_is_int(t->vars[second].type)) return;
    struct rg_cnode **own = started(block, at, first), **other = started(block, at, second);
    if (!own || !other || rg__doubling_writes(body, first) || rg__doubling_writes(body, second) != 1 ||
        rg__c_mentions_var(f->kid[1], second) || rg__doubling_live(t, first, f) || rg__doubling_live(t, second, f))
        return;
    struct rg_cnode *a = (*own)->kid[0], *b = (*other)->kid[0], *rest[3] = {a, b, by};
    for (int i = 0; i < 3; i++)
        if (!rg__c_pure(t, rest[i]) || rg__mentions_kind(rest[i], RG_C_INDEX) || !stays(t, rest[i], f)) return;
    struct rg_cnode *away = rg__c_binary(t, RG_COP_SUB, rg__c_var(t, first), rg__c_copy(t, a)),
                    *value = rg__c_binary(t, RG_COP_MUL, away, rg__c_copy(t, by)), *start = *own;
    if (b->kind != RG_C_INT || b->ivalue) value = rg__c_binary(t, RG_COP_ADD, rg__c_copy(t, b), value);
    struct rg__kids front = {0};
    *own = *other = NULL;
    f->kid[0] = start;
    body->n--;
    rg__kids_add(&front, rg__doubling_declaration(t, second, value, f));
    rg__block_splice(t, body, 0, 0, &front);
    int left = 0;
    for (int i = 0; i < block->n; i++)
        if (block->kid[i]) block->kid[left++] = block->kid[i];
    block->n = left;
}

static void one_counter_each(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) one_counter_each(t, n->kid[i]);
    for (int i = n->n - 1; n->kind == RG_C_BLOCK && i >= 0; i--) /* what stands in front of a loop may go */
        if (i < n->n && n->kid[i]->kind == RG_C_FOR) one_counter(t, n, i);
}

/* Butterflies of other counters; *k: of the nest, which may have moved on. */
static bool recounted(struct rounds *r, int *k)
{
    int at = *k;
    struct rg_cnode *was = r->body->kid[at], *plain = rg__recounted_nest(r, &at), *f = NULL;
    if (!plain) return false;
    r->body->kid[at] = plain;
    f = rg__doubling_butterflies(r, at);
    r->body->kid[at] = f ? f : was;
    if (f) {
        *k = at;
    } else if (at > *k) {
        struct rg__kids none = {0};
        rg__block_splice(r->t, r->body, *k, at - *k, &none);
        if (r->step_at >= *k) r->step_at -= at - *k;
    }
    return f != NULL;
}

static void walk(struct rg__load *l, struct rg_cnode *n, const struct rg__powers *powers)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) walk(l, n->kid[i], powers);
    for (int i = 0; n->kind == RG_C_BLOCK && i < n->n; i++) {
        struct rounds r;
        if (n->kid[i]) rg__doubling_named_step(l->t, n->kid[i]);
        if (!rounds_of(l, n, i, powers, &r) || rg__mentions_kind(r.body, RG_C_VERBATIM)) continue;
        one_counter_each(l->t, r.body);
        if (!rounds_of(l, n, i, powers, &r)) continue; /* its statements may be fewer now */
        for (int k = 0; k < r.body->n; k++) {
            struct rg_cnode *was = r.body->kid[k], *f = rg__doubling_for(l->t, r.body, k);
            if (f) r.body->kid[k] = f;
            struct rounds doubles = r;
            struct rg_cnode *strides = rg__doubling_stockham(&doubles, n, i, k);
            if (strides) {
                r.body->kid[k] = strides;
                f = rg__doubling_butterflies(&doubles, k);
                if (!f) f = strides;
                r.body->kid[k] = f;
                continue;
            }
            if (recounted(&r, &k)) continue;
            f = rg__doubling_butterflies(&r, k);
            if (!f) f = bounded(&r, k);
            r.body->kid[k] = f ? f : was;
        }
    }
}

void rg__canon_doubling(struct rg__load *l, const struct rg__powers *powers)
{
    if (!rg__mentions_kind(l->t->root, RG_C_VERBATIM)) walk(l, l->t->root, powers);
}
