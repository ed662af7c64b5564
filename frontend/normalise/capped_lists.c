/* Lists with a cap: what a loop finds goes into a list of limited length, and the loop goes on in vain, or ends, once
 * the list is full. for i: if (hit(i) && m < cap) out[m++] = i; for i: if (hit(i)) { out[m++] = i; if (m == cap) break;
 * } for i: if (hit(i)) { if (m == cap) return -1; out[m++] = i; } for (i = 0; i < n && m < cap; i++) if (hit(i))
 * out[m++] = i; A count of all that is found has no cap, so that a scan finds every place at once: total = m; for i: if
 * (hit(i)) { if (total < cap) out[total] = i; total++; } m = total < cap ? total : cap; Where the loop ends early,
 * nothing else that it does may be seen behind it, and the iterations that the C leaves out must be able to run. */
#include "frontend/infer/infer.h"
#include "frontend/load.h"
#include "frontend/normalise/canon.h"
#include "frontend/normalise/doubling.h"
#include "frontend/normalise/search_loops.h"
#include <stdlib.h>

enum { DEPTH = 12 };

enum full {         /* where the loop asks whether the list is full */
            AROUND, /* what is appended stands in the condition; the loop goes on */
            BEFORE, /* what is found when it is full ends the loop */
            BEHIND, /* what fills it ends the loop */
            TOP     /* no iteration begins when it is full */
};

struct capped {
    struct rg__load *l;
    struct rg_ctree *t;
    struct rg_cnode *block, *loop; /* the loop is block->kid[at] */
    int at;
    struct rg__counted h;
    struct rg_cnode *bound; /* the part of the loop's condition that bounds its counter */
    struct rg_cnode *body;  /* a copy */
    int var, total;         /* the list's length; all that was found */
    enum full full;
    enum rg_c_op op;       /* it is not full while length `op` cap: < or != */
    struct rg_cnode *cap;  /* as it is compared */
    struct rg_cnode *room; /* that comparison */
    int depth;             /* ways to the list: what stands in the body first, the block that appends last */
    struct rg_cnode *way[DEPTH];
    int step_at;           /* of that block's statements, the step */
    struct rg_cnode *exit; /* the IF that leaves; NULL */
    bool returns;
    struct rg_cnode *later; /* what is done for each that finds no room, and can be done behind the loop; NULL */
};

static bool is_length(const struct capped *c, const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var == c->var;
}

/* m++, m += 1, m = m + 1 */
static int stepped(const struct rg_cnode *s)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    bool up = e && e->kind == RG_C_INCDEC && rg_c_increments(e->op);
    if (!up && (rg__counter_step(s) < 0 || e->op == RG_COP_SUB_SET)) return -1;
    const struct rg_cnode *v = e->kid[0], *by = up ? NULL : e->kid[1];
    if (by && e->op == RG_COP_SET) by = by->op == RG_COP_ADD ? by->kid[1] : NULL;
    bool one = up || (by && by->kind == RG_C_INT && by->ivalue == 1);
    return one && v->kind == RG_C_VAR && v->array < 0 && !v->pointer ? v->var : -1;
}

/* ---- what the loop is ---- */

/* The scalars that are stepped somewhere. */
static void steps_of(const struct rg_cnode *n, int *vars, int *count)
{
    if (!n || rg__c_is_expr(n)) return;
    int v = stepped(n);
    if (v >= 0 && *count < DEPTH) vars[(*count)++] = v;
    for (int i = 0; i < n->n; i++) steps_of(n->kid[i], vars, count);
}

static int writes(const struct rg_cnode *n, int var)
{
    if (!n) return 0;
    bool is = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS;
    int k = is && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0 && n->kid[0]->var == var;
    for (int i = 0; i < n->n; i++) k += writes(n->kid[i], var);
    return k;
}

/* The way to the step, through blocks and conditions. */
static bool way_to(struct capped *c, struct rg_cnode *n)
{
    if (!n || c->depth == DEPTH || (n->kind != RG_C_BLOCK && n->kind != RG_C_IF)) return false;
    c->way[c->depth++] = n;
    for (int i = n->kind == RG_C_IF; i < n->n; i++) {
        if (n->kind == RG_C_BLOCK && stepped(n->kid[i]) == c->var) {
            c->step_at = i;
            return true;
        }
        if (way_to(c, n->kid[i])) return true;
    }
    c->depth--;
    return false;
}

/* Does it stay what it is through the loop? */
static bool stays(const struct capped *c, const struct rg_cnode *e)
{
    if (!e) return true;
    if (e->kind == RG_C_INDEX || e->kind == RG_C_MEMBER || e->kind == RG_C_CALL || e->op == RG_COP_DEREF) return false;
    if (e->kind == RG_C_VAR && (e->array >= 0 || e->pointer || e->var == c->var || rg__c_writes_var(c->loop, e->var) ||
                                rg__c_declares(c->loop, e->var)))
        return false;
    for (int i = 0; i < e->n; i++)
        if (!stays(c, e->kid[i])) return false;
    return true;
}

/* Does the comparison say that the list is not full (`not`: that it is)? */
static bool has_room(struct capped *c, const struct rg_cnode *e, bool not )
{
    if (e->kind != RG_C_BINARY || !rg_c_relation(e->op)) return false;
    bool second = is_length(c, e->kid[1]);
    if (!second && !is_length(c, e->kid[0])) return false;
    enum rg_c_op op = second ? rg_c_converse(e->op) : e->op;
    if (not ) op = rg_c_opposite(op);
    struct rg_cnode *cap = e->kid[!second];
    if ((op != RG_COP_LT && op != RG_COP_NE) || !rg__scalar_is_int(cap->type) || !stays(c, cap)) return false;
    c->op = op;
    c->cap = cap;
    c->room = rg__c_binary(c->t, op, rg__c_copy(c->t, e->kid[second]), rg__c_copy(c->t, cap));
    return true;
}

/* The only statement that leaves the loop; false: there are more. */
static bool exits_by(const struct rg_cnode *n, int *count)
{
    if (!n || rg__c_is_expr(n)) return true;
    bool loop = n->kind == RG_C_FOR || n->kind == RG_C_WHILE || n->kind == RG_C_DO;
    if (n->kind == RG_C_CONTINUE || n->kind == RG_C_SWITCH || n->kind == RG_C_GOTO || n->kind == RG_C_LABEL ||
        n->kind == RG_C_VERBATIM)
        return loop;
    if (loop) return !rg__mentions_kind(n, RG_C_RETURN) && !rg__mentions_kind(n, RG_C_GOTO);
    *count += n->kind == RG_C_BREAK || n->kind == RG_C_RETURN;
    for (int i = 0; i < n->n; i++)
        if (!exits_by(n->kid[i], count)) return false;
    return true;
}

static bool leaves(const struct rg_cnode *b)
{
    const struct rg_cnode *x = b && b->kind == RG_C_BLOCK && b->n ? b->kid[b->n - 1] : b;
    return x && (x->kind == RG_C_BREAK || x->kind == RG_C_RETURN);
}

/* Does every iteration have values of its own, whatever the code sets? */
static bool own(const struct capped *c, const struct rg_cnode *n)
{
    if (!n) return true;
    if (n->kind == RG_C_VERBATIM || n->op == RG_COP_ADDRESS || (n->kind == RG_C_CALL && !rg__c_pure(c->t, n)))
        return false;
    if (n->kind == RG_C_DECL && n->array >= 0) return false;
    if (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) {
        const struct rg_cnode *v = n->kid[0];
        if (v->kind != RG_C_VAR || v->array >= 0 || v->pointer) return false;
        bool mine = rg__c_declares(c->body, v->var) ||
                    (rg__search_given_first(c->body, v->var) && !rg__doubling_live(c->t, v->var, c->loop));
        if (!mine) return false;
    }
    for (int i = 0; i < n->n; i++)
        if (!own(c, n->kid[i])) return false;
    return true;
}

/* Everything but the block that appends. */
static bool own_but(const struct capped *c, const struct rg_cnode *n, const struct rg_cnode *but)
{
    if (!n || n == but || n == c->exit) return true;
    if (rg__c_is_expr(n) || !rg__c_contains(n, but)) return own(c, n);
    for (int i = 0; i < n->n; i++)
        if (!own_but(c, n->kid[i], but)) return false;
    return true;
}

/* May what stands on the way, from way[from] on, run where the list is full? */
static bool may_run(const struct capped *c, int from)
{
    const struct rg_ctree *t = c->t;
    for (int d = from; d < c->depth; d++) {
        const struct rg_cnode *x = c->way[d];
        if (x->kind == RG_C_IF && x != c->exit && rg__search_wild(t->n_vars, c->body, x->kid[0])) return false;
        for (int i = 0; d + 1 < c->depth && x->kind == RG_C_BLOCK && i < x->n; i++)
            if (x->kid[i] != c->way[d + 1] && x->kid[i] != c->exit && rg__search_wild(t->n_vars, c->body, x->kid[i]))
                return false;
    }
    return own_but(c, c->way[from], c->full == BEFORE && c->exit->n > 2 ? c->exit : c->way[c->depth - 1]);
}

/* Where the loop asks, and how. */
static bool finds_cap(struct capped *c)
{
    struct rg_cnode *parts[RG__SEARCH_PARTS] = {0}, *list = c->way[c->depth - 1];
    int n = 0, exits = 0, n_bounds = 0;
    rg__search_conjuncts(c->loop->kid[1], parts, &n);
    if (n == RG__SEARCH_PARTS || !exits_by(c->body, &exits) || exits > 1) return false;
    for (int i = 0; i < n; i++) {
        struct rg__counted h;
        if (rg__c_mentions_var(parts[i], c->var)) {
            if (c->cap || exits || !has_room(c, parts[i], false)) return false;
            c->full = TOP;
        } else if (rg__counted(c->t, c->loop, parts[i], &h)) {
            c->bound = n_bounds++ ? rg__c_binary(c->t, RG_COP_AND, c->bound, parts[i]) : parts[i];
        } else {
            return false;
        }
    }
    if (!c->bound || !rg__counted(c->t, c->loop, c->bound, &c->h) || c->h.below) return false;
    if (c->cap) return true;
    if (!exits) { /* the innermost condition that asks */
        c->full = AROUND;
        for (int d = c->depth - 2; d >= 0; d--) {
            struct rg_cnode *x = c->way[d];
            n = 0;
            if (x->kind != RG_C_IF) continue;
            rg__search_conjuncts(x->kid[0], parts, &n);
            if (n == RG__SEARCH_PARTS || x->kid[1] != c->way[d + 1]) continue;
            for (int i = 0; i < n; i++)
                if (has_room(c, parts[i], false)) {
                    struct rg_cnode *rest = NULL;
                    for (int k = 0; k < n; k++) {
                        if (k > i && rg__search_wild(c->t->n_vars, c->body, parts[k])) return false;
                        if (k != i) rest = rest ? rg__c_binary(c->t, RG_COP_AND, rest, parts[k]) : parts[k];
                    }
                    if (x->n > 2 && (rest || d + 2 != c->depth)) return false;
                    if (d + 2 != c->depth && !may_run(c, d + 1)) return false;
                    x->kid[0] = rest ? rest : rg__c_int(c->t, 1);
                    return true;
                }
        }
        return false;
    }
    for (int i = 0; i < list->n && !c->exit; i++) {
        struct rg_cnode *x = list->kid[i];
        if (x->kind != RG_C_IF || x->n > 2 || !leaves(x->kid[1]) || !has_room(c, x->kid[0], true)) continue;
        c->full = i < c->step_at ? BEFORE : BEHIND;
        c->exit = x;
    }
    for (int d = c->depth - 2; d > 0 && !c->exit; d--) { /* if (full) leave; else append */
        struct rg_cnode *x = c->way[d];
        bool then = x->kind == RG_C_IF && x->kid[1] == c->way[d + 1];
        if (x->kind != RG_C_IF || d + 2 != c->depth || x->n < 3 || !leaves(x->kid[then ? 2 : 1]) ||
            !has_room(c, x->kid[0], !then))
            continue;
        c->full = BEFORE;
        c->exit = x;
    }
    if (!c->exit) { /* if (full) break; in front of everything */
        struct rg_cnode *x = c->body->kid[0];
        if (x->kind != RG_C_IF || x->n > 2 || !leaves(x->kid[1]) || !has_room(c, x->kid[0], true) ||
            x->kid[1]->kid[x->kid[1]->n - 1]->kind != RG_C_BREAK || x->kid[1]->n != 1)
            return false;
        c->full = TOP;
        c->exit = x;
    }
    return true;
}

/* What leaves: what it does on its way may name nothing of the iteration. */
static struct rg_cnode *leaving(const struct capped *c)
{
    struct rg_cnode *x = c->exit;
    return x && c->full != TOP ? x->kid[leaves(x->kid[1]) ? 1 : 2] : NULL;
}

static bool names_iteration(const struct capped *c, const struct rg_cnode *n)
{
    if (!n) return false;
    if (n->kind == RG_C_VAR && n->array < 0 && n->var != c->var && rg__c_writes_var(c->loop, n->var)) return true;
    if ((n->kind == RG_C_VAR || n->kind == RG_C_DECL) && n->array < 0 && rg__c_declares(c->loop, n->var)) return true;
    for (int i = 0; i < n->n; i++)
        if (names_iteration(c, n->kid[i])) return true;
    return false;
}

/* Named where it may be full, or is not what the count of all is? */
static bool named_elsewhere(const struct capped *c)
{
    const struct rg_cnode *list = c->way[c->depth - 1], *arm = leaving(c);
    int all = rg__c_count_var(c->body, c->var), here = 0;
    for (int i = 0; i <= c->step_at; i++)
        if (list->kid[i] != c->exit) here += rg__c_count_var(list->kid[i], c->var);
    if (c->exit) here += rg__c_count_var(arm, c->var) + rg__c_count_var(c->exit->kid[0], c->var);
    return all != here;
}

/* What the transformation needs of the cap goes to *need where that is not so anyway. */
static bool fits(struct capped *c, const struct rg_expr **need)
{
    struct rg_ctree *t = c->t;
    bool least = c->full == BEHIND; /* one is always appended */
    int64_t first;
    *need = NULL;
    if (c->op == RG_COP_LT && !least) return true;
    const struct rg_cnode *cap = rg__c_uncast(c->cap, RG__C_INT_CASTS);
    if (!rg__search_number_before(t->root, c->block, c->at, c->var, &first)) return false;
    if (cap->kind == RG_C_INT) return cap->ivalue >= first + least;
    if (!rg__c_of_params(t, cap)) return false;
    struct rg_cnode *e = rg__c_binary(t, RG_COP_GE, rg__c_copy(t, cap), rg__c_int(t, first + least));
    *need = rg__c_to_expr(t, rg__c_strip_int_casts(e), &c->l->p->arena);
    return *need && rg__may_hold(c->l, *need);
}

/* ---- what becomes of it ---- */

static struct rg_cnode *asks(struct capped *c, struct rg_cnode *cond, struct rg_cnode *then, struct rg_cnode *other)
{
    struct rg_cnode *x = rg_cnode_new(c->t, RG_C_IF, other ? 3 : 2);
    x->kid[0] = cond;
    x->kid[1] = then;
    if (other) x->kid[2] = other;
    x->line = c->loop->line;
    x->column = c->loop->column;
    return x;
}

static struct rg_cnode *total(struct capped *c)
{
    return rg__c_var(c->t, c->total);
}

static struct rg_cnode *compared(struct capped *c, struct rg_cnode *with, enum rg_c_op op, const struct rg_cnode *by)
{
    enum rg_scalar type = rg__scalar_common(with->type, by->type);
    return rg__c_binary(c->t, op, rg__c_cast(c->t, with, type), rg__c_cast(c->t, rg__c_copy(c->t, by), type));
}

/* v++; or v = e; of scalars that nothing else in the loop names: what is done where the list is full can be done at
 * once behind the loop. */
static bool comes_later(const struct capped *c, const struct rg_cnode *full)
{
    for (int i = 0; i < full->n; i++) {
        const struct rg_cnode *s = full->kid[i], *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
        int v = stepped(s);
        bool sets = e && e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && e->kid[0]->kind == RG_C_VAR &&
                    e->kid[0]->array < 0 && stays(c, e->kid[1]);
        if (v < 0 && !sets) return false;
        v = e->kid[0]->var;
        int here = e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && !sets ? 2 : 1; /* v = v + 1 */
        if (!rg__scalar_is_int(c->t->vars[v].type) || rg__c_count_var(c->loop->kid[3], v) != here ||
            rg__c_declares(c->loop, v) || rg__c_addressed(c->t->root, v))
            return false;
    }
    return full->n > 0;
}

/* That, behind the loop: of so many that found no room. */
static struct rg_cnode *done_later(struct capped *c, const struct rg_cnode *full)
{
    struct rg_ctree *t = c->t;
    struct rg__kids out = {0};
    for (int i = 0; i < full->n; i++) {
        struct rg_cnode *s = full->kid[i];
        int v = stepped(s);
        if (v >= 0) {
            struct rg_cnode *from = rg_cnode_new(t, RG_C_COND, 3);
            from->kid[0] = compared(c, rg__c_var(t, c->var), RG_COP_LT, c->cap);
            from->kid[1] = rg__c_cast(t, rg__c_copy(t, c->cap), t->vars[c->total].type);
            from->kid[2] = rg__c_cast(t, rg__c_var(t, c->var), t->vars[c->total].type);
            from->type = t->vars[c->total].type;
            struct rg_cnode *more = rg__c_binary(t, RG_COP_SUB, total(c), from);
            int line = s->line;
            s = rg__c_stmt(t, rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, v), rg__c_cast(t, more, t->vars[v].type)));
            s->line = line;
        }
        rg__kids_add(&out, s);
    }
    return rg__kids_node(t, RG_C_BLOCK, &out);
}

/* The block that appends: under the condition that there is room, and then one more was found. */
static void append(struct capped *c)
{
    struct rg_ctree *t = c->t;
    struct rg_cnode *list = c->way[c->depth - 1], *x = c->full == AROUND ? NULL : c->exit;
    struct rg_cnode *outer = c->depth > 1 ? c->way[c->depth - 2] : NULL;
    struct rg__kids in = {0}, out = {0};
    struct rg_cnode *other = NULL;
    if (c->full == AROUND && outer && outer->kind == RG_C_IF && outer->n > 2 && outer->kid[1] == list) {
        bool later = outer->kid[2]->kind == RG_C_BLOCK && comes_later(c, outer->kid[2]);
        *(later ? &c->later : &other) = outer->kid[2];
        outer->n = 2;
    }
    for (int i = 0; i < list->n; i++)
        if (i != c->step_at && list->kid[i] != x) rg__kids_add(&in, list->kid[i]);
    struct rg_cnode *then = rg__kids_node(t, RG_C_BLOCK, &in);
    rg__c_replace_var(t, then, c->var, rg__c_cast(t, total(c), t->vars[c->var].type));
    struct rg_cnode *step = rg__c_stmt(t, rg__c_assign(t, RG_COP_ADD_SET, total(c), rg__c_int(t, 1)));
    step->line = list->kid[c->step_at]->line;
    step->column = list->kid[c->step_at]->column;
    rg__kids_add(&out, asks(c, compared(c, total(c), RG_COP_LT, c->cap), then, other));
    rg__kids_add(&out, step);
    struct rg_cnode *made = rg__kids_node(t, RG_C_BLOCK, &out);
    list->kid = made->kid;
    list->n = made->n;
    if (!x) return;
    if (c->full == TOP) {
        struct rg__kids none = {0};
        rg__block_splice(t, c->body, 0, 1, &none);
    } else if (outer == x) { /* if (full) leave; else append: the list takes its place */
        *x = *list;
    }
}

static bool rewrite(struct rg__load *l, struct rg_cnode *block, int at, int var, struct rg_cnode *body, bool tail,
                    bool *ends)
{
    struct rg_ctree *t = l->t;
    struct capped c = {
        .l = l, .t = t, .block = block, .loop = block->kid[at], .at = at, .body = body, .var = var, .total = -1};
    const struct rg_expr *need;
    if (t->vars[var].kind != RG_CVAR_LOCAL || !rg__scalar_is_int(t->vars[var].type) || writes(c.body, var) != 1 ||
        rg__c_addressed(t->root, var) || rg__c_declares(c.loop, var) || !way_to(&c, c.body) || !finds_cap(&c) ||
        c.h.var == var || named_elsewhere(&c) || !fits(&c, &need))
        return false;
    const struct rg_cnode *list = c.way[c.depth - 1], *arm = leaving(&c);
    c.returns = arm && rg__mentions_kind(arm, RG_C_RETURN);
    if (c.returns && !tail) return false;
    if (names_iteration(&c, arm)) return false;
    if (c.full != AROUND) { /* iterations run that the C leaves out */
        bool seen = !c.h.declared && rg__doubling_live(t, c.h.var, c.loop);
        if (seen || !may_run(&c, 0)) return false;
        for (int i = 0; i < list->n && c.exit != c.way[0]->kid[0]; i++) { /* in front of who leaves; behind it */
            if (list->kid[i] == c.exit && c.full == BEHIND && i + 1 < list->n) return false;
            if (list->kid[i] == c.exit) break;
            if (c.full == BEFORE && rg__c_contains(list, c.exit) && !own(&c, list->kid[i])) return false;
        }
    }
    enum rg_scalar length = t->vars[var].type, counter = t->vars[c.h.var].type, type = length;
    if (rg_scalar_bytes(counter) > rg_scalar_bytes(type) ||
        (rg_scalar_is_signed(type) && !rg_scalar_is_signed(counter)) || rg_scalar_bytes(type) < 4)
        type = rg_scalar_bytes(counter) > 4 || !rg_scalar_is_signed(counter) ? RG_LLONG : RG_I32;
    c.total = rg__c_add_var(t, "total", RG_CVAR_LOCAL, type);
    struct rg_cnode *done = arm ? rg__c_copy(t, arm) : NULL;
    append(&c);
    struct rg__kids with = {0}, rest = {0};
    rg__kids_add(&with, rg__doubling_declaration(t, c.total, rg__c_cast(t, rg__c_var(t, var), type), c.loop));
    c.loop->kid[1] = c.bound;
    c.loop->kid[3] = c.body;
    rg__kids_add(&with, c.loop);
    struct rg_cnode *left = NULL;
    if (c.later) done = done_later(&c, c.later);
    if (done) { /* by what the length was in front of the loop */
        left = rg__c_binary(t, RG_COP_AND, compared(&c, total(&c), RG_COP_GT, rg__c_var(t, var)),
                            compared(&c, total(&c), c.full == BEHIND ? RG_COP_GE : RG_COP_GT, c.cap));
        int v = rg__c_add_var(t, "left", RG_CVAR_LOCAL, RG_I32);
        rg__kids_add(&with, rg__doubling_declaration(t, v, left, c.loop));
        left = rg__c_var(t, v);
    }
    struct rg_cnode *few = rg_cnode_new(t, RG_C_COND, 3);
    few->kid[0] = compared(&c, total(&c), RG_COP_LT, c.cap);
    few->kid[1] = rg__c_cast(t, total(&c), length);
    few->kid[2] = rg__c_cast(t, rg__c_copy(t, c.cap), length);
    few->type = length;
    int64_t first;
    bool none = rg__search_number_before(t->root, block, at, var, &first) && first == 0 &&
                (!rg_scalar_is_signed(c.cap->type) || need);
    struct rg_cnode *set = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, var), few));
    set->line = c.loop->line;
    set->column = c.loop->column;
    if (!none) {
        struct rg__kids one = {0};
        rg__kids_add(&one, set);
        set = asks(&c, compared(&c, rg__c_var(t, var), RG_COP_LT, c.cap), rg__kids_node(t, RG_C_BLOCK, &one), NULL);
    }
    if (c.later) rg__kids_add(&with, asks(&c, left, done, NULL)); /* by the length as it was, too */
    if (c.later) done = NULL;
    rg__kids_add(&with, set);
    if (done && c.returns)
        for (int i = at + 1; i < block->n; i++) rg__kids_add(&rest, block->kid[i]);
    if (done && !c.returns) done->n--; /* the break */
    if (done && (done->n || c.returns))
        rg__kids_add(&with, asks(&c, left, done, rest.n ? rg__kids_node(t, RG_C_BLOCK, &rest) : NULL));
    if (need) rg__add_require(l->p, need);
    *ends = c.returns;
    rg__block_splice(t, block, at, c.returns ? block->n - at : 1, &with);
    return true;
}

static void walk(struct rg__load *l, struct rg_cnode *block, bool tail)
{
    struct rg_ctree *t = l->t;
    for (int i = 0; block && i < block->n; i++) {
        struct rg_cnode *s = block->kid[i];
        bool last = tail && i + 1 == block->n, done = false, ends = false;
        int vars[DEPTH], n = 0, after = block->n - i - 1;
        if (s->kind == RG_C_FOR && s->kid[3] && s->kid[3]->kind == RG_C_BLOCK) {
            for (int tried = 0; !tried || (tried < n && !done); tried++) {
                struct rg_cnode *body = rg__c_copy(t, s->kid[3]);
                rg__flatten_blocks(t, body);
                if (!tried) steps_of(body, vars, &n);
                done = tried < n && rewrite(l, block, i, vars[tried], body, tail, &ends);
            }
            if (done)
                i = ends ? block->n - 2 : block->n - after - 1; /* what follows stands in a branch, or right behind */
            continue;
        }
        if (s->kind == RG_C_BLOCK) walk(l, s, last);
        for (int k = 1; s->kind == RG_C_IF && k < s->n; k++)
            if (s->kid[k] && s->kid[k]->kind == RG_C_BLOCK) walk(l, s->kid[k], last);
    }
}

enum rg_status rg__canon_capped(struct rg__load *l)
{
    walk(l, l->t->root, true);
    return RG_OK;
}
