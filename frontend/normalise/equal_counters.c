/* Induction variables of one loop that step together: in a loop that data end, `k++; t++` with k from a number on means
 * that t is its first value and as much as k is past its own. t stays as it was, and is set behind the loop. */
#include "frontend/normalise/canon.h"
#include "ir/ctree_util.h"

struct counter {
    int var;
    int64_t step;
};

/* `v += 1;`: a step by a number. */
static bool step_of(const struct rg_cnode *e, struct counter *c)
{
    if (e && e->kind == RG_C_STMT) e = e->kid[0];
    if (!e || (e->op != RG_COP_ADD_SET && e->op != RG_COP_SUB_SET)) return false;
    const struct rg_cnode *v = e->kid[0], *by = rg__c_uncast(e->kid[1], RG__C_INT_CASTS);
    if (v->kind != RG_C_VAR || v->array >= 0 || by->kind != RG_C_INT) return false;
    *c = (struct counter){v->var, e->op == RG_COP_SUB_SET ? -by->ivalue : by->ivalue};
    return c->step != 0;
}

static bool as_wide_as_int(enum rg_scalar s)
{
    return rg__scalar_is_int(s) && rg_scalar_bytes(s) >= 4;
}

/* What the scalar is when the loop begins: declared or set in front of it in the block, or in its own first part. NULL:
 * not known. */
static const struct rg_cnode *first_value(const struct rg_ctree *t, const struct rg_cnode *block, int at,
                                          const struct rg_cnode *loop, int var)
{
    for (int i = at; i >= 0; i--) {
        const struct rg_cnode *x = i == at ? (loop->kind == RG_C_FOR ? loop->kid[0] : NULL) : block->kid[i];
        if (!x) continue;
        const struct rg_cnode *e = x->kind == RG_C_STMT ? x->kid[0] : x, *value = NULL;
        if (e->kind == RG_C_DECL && e->array < 0 && e->var == var && e->n && e->kid[0]) value = e->kid[0];
        if (e->op == RG_COP_SET && e->kid[0]->kind == RG_C_VAR && e->kid[0]->array < 0 && e->kid[0]->var == var)
            value = e->kid[1];
        if (value) return rg__c_pure(t, value) ? value : NULL;
        if (rg__c_writes_var(x, var) || (!rg__c_is_expr(x) && x->kind != RG_C_STMT && x->kind != RG_C_DECL))
            return NULL;
    }
    return NULL;
}

/* The last two steps of a round: behind them nothing is done but to ask the condition. */
struct pair {
    struct counter a, b;
    struct rg_cnode *holder; /* a block, whose last two statements they are; or the comma of a for's third part */
};

static bool pair_of(struct rg_cnode *loop, struct pair *p)
{
    if (loop->kind == RG_C_WHILE) {
        struct rg_cnode *body = loop->kid[1];
        p->holder = body;
        return body->kind == RG_C_BLOCK && body->n > 1 && !rg__continues_loop(body) &&
               step_of(body->kid[body->n - 2], &p->a) && step_of(body->kid[body->n - 1], &p->b);
    }
    p->holder = loop->kind == RG_C_FOR ? loop->kid[2] : NULL;
    return p->holder && p->holder->kind == RG_C_COMMA && p->holder->n == 2 && step_of(p->holder->kid[0], &p->a) &&
           step_of(p->holder->kid[1], &p->b);
}

/* Steps of a scalar, and other ways to set it, below the node. */
static int settings(const struct rg_cnode *n, int var)
{
    if (!n) return 0;
    int c = 0;
    if ((n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) && n->kid[0]->kind == RG_C_VAR &&
        n->kid[0]->array < 0 && n->kid[0]->var == var)
        c++;
    for (int i = 0; i < n->n; i++) c += settings(n->kid[i], var);
    return c;
}

static void take_step(struct rg_ctree *t, struct rg_cnode *loop, const struct pair *p, bool first)
{
    if (p->holder->kind == RG_C_COMMA) {
        loop->kid[2] = p->holder->kid[first ? 1 : 0];
        return;
    }
    struct rg__kids none = {0};
    rg__block_splice(t, p->holder, p->holder->n - (first ? 2 : 1), 1, &none);
}

/* `moved` goes by `base`, which begins with a number: how far it has gone. */
static struct rg_cnode *gone(struct rg_ctree *t, struct counter moved, struct counter base, int64_t from)
{
    struct rg_cnode *n = rg__c_var(t, base.var);
    enum rg_scalar type = t->vars[moved.var].type;
    if (from || moved.step != base.step) n = rg__c_cast(t, n, RG_LLONG); /* no product overflows, no difference wraps */
    if (from) n = rg__c_binary(t, RG_COP_SUB, n, rg__c_int(t, from));
    if (moved.step != base.step) n = rg__c_binary(t, RG_COP_MUL, n, rg__c_int(t, moved.step / base.step));
    return rg__c_cast(t, n, type);
}

/* Is all that sets the counter the loop, and statements in front of it in its block? One that a loop around steps as
 * well
 * (`for (i ..) { while (a[i] == a[i + 1]) { m++; i++; } .. }`) is the place that this one goes to, and goes by itself.
 */
static bool set_here(const struct rg_ctree *t, const struct rg_cnode *block, int at, int var)
{
    int n = settings(block->kid[at], var);
    for (int i = 0; i < at; i++)
        if (block->kid[i]->kind == RG_C_STMT) n += settings(block->kid[i], var);
    return n == settings(t->root, var);
}

/* A number that every conversion of integers of 32 bits and more leaves as it is. */
static bool small_number(const struct rg_cnode *e, int64_t *number)
{
    return e && rg__c_number(rg__c_uncast(e, RG__C_WIDE_CASTS), number) && *number >= 0 && *number <= INT32_MAX;
}

static bool by_the_other(struct rg_ctree *t, struct rg_cnode *block, int at, const struct pair *p, bool first)
{
    struct rg_cnode *loop = block->kid[at];
    const struct counter moved = first ? p->a : p->b, base = first ? p->b : p->a;
    const struct rg_cnode *from = first_value(t, block, at, loop, base.var);
    const bool sign = rg_scalar_is_signed(t->vars[base.var].type);
    int64_t number;
    if (!set_here(t, block, at, moved.var) || !small_number(from, &number) || moved.step % base.step ||
        moved.var == base.var || (!sign && base.step < 0) ||
        settings(loop, moved.var) !=
            1 + (loop->kind == RG_C_FOR && loop->kid[0] && settings(loop->kid[0], moved.var)) ||
        settings(loop, base.var) != 1 + (loop->kind == RG_C_FOR && loop->kid[0] && settings(loop->kid[0], base.var)))
        return false;
    const bool head = loop->kind == RG_C_FOR && loop->kid[0],
               own = head && rg__c_declares(loop->kid[0], moved.var); /* then nobody sees it behind the loop */
    if (head && !own && rg__c_declares(loop->kid[0], base.var)) {     /* asked for behind the loop */
        if (loop->kid[0]->kind != RG_C_DECL) return false;
        struct rg__kids front = {0};
        rg__kids_add(&front, loop->kid[0]);
        loop->kid[0] = NULL;
        rg__block_splice(t, block, at++, 0, &front);
    }
    take_step(t, loop, p, first);
    struct rg_cnode *now = rg__c_binary(t, RG_COP_ADD, rg__c_var(t, moved.var), gone(t, moved, base, number));
    for (int i = loop->kind == RG_C_FOR ? 1 : 0; i < loop->n; i++)
        if (loop->kid[i] && !(loop->kind == RG_C_FOR && i == 2))
            loop->kid[i] = rg__c_replace_var(t, loop->kid[i], moved.var, now);
    if (own) return true;
    struct rg__kids behind = {0};
    rg__kids_add(&behind,
                 rg__c_stmt(t, rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, moved.var), gone(t, moved, base, number))));
    rg__block_splice(t, block, at + 1, 0, &behind);
    return true;
}

/* ---- two that are one ---- */

/* The block that declares the scalar with a value, and where. */
static struct rg_cnode *declaring(struct rg_cnode *n, int var, int *at)
{
    struct rg_cnode *found = NULL;
    for (int i = 0; n && !rg__c_is_expr(n) && i < n->n && !found; i++) {
        struct rg_cnode *x = n->kid[i];
        const bool here = x && n->kind == RG_C_BLOCK && x->kind == RG_C_DECL && x->array < 0 && x->var == var;
        if (here && !x->n) return NULL;
        if (here) *at = i;
        found = here ? n : declaring(x, var, at);
    }
    return found;
}

/* Declared with the same value, one behind the other, and only ever stepped together: `ci = ind + at, av = val + at`.
 */
static bool one(struct rg_ctree *t, struct rg_cnode *loop, const struct pair *p)
{
    int a = 0, b = 0;
    struct rg_cnode *block = p->a.step == p->b.step ? declaring(t->root, p->a.var, &a) : NULL;
    if (!block || p->a.var == p->b.var || declaring(t->root, p->b.var, &b) != block ||
        t->vars[p->a.var].type != t->vars[p->b.var].type || settings(t->root, p->a.var) != 1 ||
        settings(t->root, p->b.var) != 1 || !rg__c_pure(t, block->kid[a]->kid[0]) ||
        !rg__c_equal(block->kid[a]->kid[0], block->kid[b]->kid[0]))
        return false;
    for (int i = a < b ? a : b; i < (a < b ? b : a); i++)
        if (block->kid[i]->kind != RG_C_DECL || (block->kid[i]->n && !rg__c_pure(t, block->kid[i]->kid[0])))
            return false;
    const bool first = a > b; /* the one that is declared first stays */
    const int gone = first ? p->a.var : p->b.var, stays = first ? p->b.var : p->a.var;
    struct rg__kids none = {0};
    take_step(t, loop, p, first);
    rg__block_splice(t, block, first ? a : b, 1, &none);
    t->root = rg__c_replace_var(t, t->root, gone, rg__c_var(t, stays));
    return true;
}

/* Does the loop end when its data say so? Where it only counts, passes for counted loops know both. */
static bool ended_by_data(const struct rg_cnode *loop)
{
    const struct rg_cnode *c = loop->kind == RG_C_WHILE ? loop->kid[0] : loop->kind == RG_C_FOR ? loop->kid[1] : NULL;
    return c && rg__mentions_kind(c, RG_C_INDEX);
}

static bool may_go_together(const struct rg_ctree *t, struct rg_cnode *loop, struct pair *p)
{
    return pair_of(loop, p) && as_wide_as_int(t->vars[p->a.var].type) && as_wide_as_int(t->vars[p->b.var].type);
}

/* One pair after the other: a declaration that goes moves what stands behind it. */
static bool unite(struct rg_ctree *t, struct rg_cnode *n)
{
    struct pair p;
    if (!n || rg__c_is_expr(n)) return false;
    if (may_go_together(t, n, &p) && one(t, n, &p)) return true;
    for (int i = 0; i < n->n; i++)
        if (unite(t, n->kid[i])) return true;
    return false;
}

static void walk(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        struct pair p;
        walk(t, n->kid[i]);
        if (n->kind == RG_C_BLOCK && ended_by_data(n->kid[i]) && may_go_together(t, n->kid[i], &p) &&
            !by_the_other(t, n, i, &p, false))
            by_the_other(t, n, i, &p, true);
    }
}

void rg__canon_equal_counters(struct rg_ctree *t)
{
    static const enum rg_c_kind others[] = {RG_C_GOTO, RG_C_LABEL, RG_C_VERBATIM};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (rg__mentions_kind(t->root, others[i])) return;
    while (unite(t, t->root)) {
    }
    walk(t, t->root);
}
