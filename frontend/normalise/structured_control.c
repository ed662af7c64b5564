/* Structured control flow: continue and early return become else-branches; counted whiles become FOR. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/doubling.h"
#include <stdlib.h>
#include <string.h>

static bool ends_with(const struct rg_cnode *block, enum rg_c_kind kind)
{
    return block && block->kind == RG_C_BLOCK && block->n && block->kid[block->n - 1]->kind == kind;
}

/* The rest of the block goes where control goes: into the branch that does not end with `kind`. */
static void absorb(struct rg_ctree *t, struct rg_cnode *block, enum rg_c_kind kind)
{
    for (int i = 0; i < block->n; i++) {
        struct rg_cnode *s = block->kid[i];
        if (s->kind == RG_C_BLOCK && i + 1 == block->n) absorb(t, s, kind);
        if (s->kind == kind && kind == RG_C_CONTINUE) { /* nothing behind it runs */
            block->n = i;
            return;
        }
        if (s->kind != RG_C_IF) continue;
        struct rg_cnode *then = s->kid[1], *other = s->n > 2 ? s->kid[2] : NULL;
        bool a = ends_with(then, kind), b = ends_with(other, kind);
        /* a return with a value must stay the last statement of its branch */
        if (kind == RG_C_RETURN && ((a && then->kid[then->n - 1]->n) || (b && other->kid[other->n - 1]->n))) {
            if (i + 1 == block->n || !a || other) continue;
        } else if (!a && !b) {
            if (i + 1 == block->n && rg__mentions_kind(s, kind)) { /* nothing behind it that a deeper jump would skip */
                absorb(t, then, kind);
                if (other) absorb(t, other, kind);
            }
            continue;
        }
        bool keeps_value = kind == RG_C_RETURN && a && then->kid[then->n - 1]->n;
        if (a && !keeps_value) then->n--;
        if (b) other->n--;
        struct rg__kids rest = {0};
        struct rg_cnode *into = a ? other : then;
        if (!(a && b)) {
            if (into)
                for (int k = 0; k < into->n; k++) rg__kids_add(&rest, into->kid[k]);
            for (int k = i + 1; k < block->n; k++) rg__kids_add(&rest, block->kid[k]);
        }
        struct rg_cnode *cond = s->kid[0];
        int line = s->line, column = s->column;
        struct rg_cnode *merged = a && b ? other : rg__kids_node(t, RG_C_BLOCK, &rest);
        struct rg_cnode *x;
        if (a && then->n == 0 && !b) {
            x = rg_cnode_new(t, RG_C_IF, 2);
            x->kid[0] = rg__negated(t, cond);
            x->kid[1] = merged;
        } else {
            x = rg_cnode_new(t, RG_C_IF, 3);
            x->kid[0] = cond;
            x->kid[1] = a ? then : merged;
            x->kid[2] = a ? merged : other;
        }
        x->line = line;
        x->column = column;
        block->kid[i] = x;
        block->n = i + 1;
        absorb(t, merged, kind);
        return;
    }
}

/* v += c; or v = v + c; as the last statement: the variable, else -1. */
int rg__counter_step(const struct rg_cnode *s)
{
    if (s->kind != RG_C_STMT || s->kid[0]->kind != RG_C_ASSIGN) return -1;
    const struct rg_cnode *a = s->kid[0], *l = a->kid[0], *r = a->kid[1];
    if (l->kind != RG_C_VAR || l->array >= 0) return -1;
    if ((a->op == RG_COP_ADD_SET || a->op == RG_COP_SUB_SET) && r->kind == RG_C_INT) return l->var;
    if (a->op == RG_COP_SET && (r->op == RG_COP_ADD || r->op == RG_COP_SUB) && r->kid[0]->kind == RG_C_VAR &&
        r->kid[0]->var == l->var && r->kid[1]->kind == RG_C_INT)
        return l->var;
    return -1;
}

int64_t rg__counter_amount(const struct rg_cnode *s)
{
    const struct rg_cnode *a = s->kid[0], *r = a->kid[1];
    bool minus = a->op == RG_COP_SUB_SET || (a->op == RG_COP_SET && r->op == RG_COP_SUB);
    int64_t by = a->op == RG_COP_SET ? r->kid[1]->ivalue : r->ivalue;
    return minus ? -by : by;
}

/* *p++ = *q++ + *r++: several pointers step, the bound is on one, and its step stands anywhere, or several do. What
 * follows one sees it so far on; behind the body they can stand as well, as one. Where a break leaves the loop behind a
 * step, nobody may ask how far it went. */
static void step_last(struct rg_ctree *t, const struct rg_cnode *loop, struct rg_cnode *body,
                      const struct rg_cnode *condition)
{
    int v = -1, n_steps = 0;
    for (int k = 0; k < body->n; k++) {
        int steps = rg__counter_step(body->kid[k]);
        if (steps < 0 || !rg__c_mentions_var(condition, steps)) continue;
        if (v >= 0 && v != steps) return;
        v = steps;
        n_steps++;
    }
    if (v < 0 || (n_steps == 1 && rg__counter_step(body->kid[body->n - 1]) == v)) return;
    int64_t by = 0;
    for (int k = 0; k < body->n; k++) {
        const struct rg_cnode *s = body->kid[k];
        bool step = rg__counter_step(s) == v;
        if (step && __builtin_add_overflow(by, rg__counter_amount(s), &by)) return;
        if (!step && rg__c_writes_var(s, v)) return;
        bool leaves = (rg__mentions_kind(s, RG_C_BREAK) && rg__doubling_live(t, v, loop)) ||
                      rg__mentions_kind(s, RG_C_RETURN) || rg__mentions_kind(s, RG_C_GOTO) ||
                      rg__mentions_kind(s, RG_C_LABEL);
        if (leaves || rg__mentions_kind(s, RG_C_CONTINUE) || rg__mentions_kind(s, RG_C_VERBATIM)) return;
    }
    if (n_steps > 1 && !by) return;
    struct rg_cnode *step = NULL;
    int n = 0;
    by = 0;
    for (int k = 0; k < body->n; k++) {
        struct rg_cnode *s = body->kid[k];
        if (rg__counter_step(s) == v) {
            by += rg__counter_amount(s);
            step = s;
            continue;
        }
        struct rg_cnode *on =
            by ? rg__c_binary(t, by < 0 ? RG_COP_SUB : RG_COP_ADD, rg__c_var(t, v), rg__c_int(t, by < 0 ? -by : by))
               : NULL;
        body->kid[n++] = on ? rg__c_replace_var(t, s, v, on) : s;
    }
    if (n_steps > 1)
        step->kid[0] =
            rg__c_assign(t, by < 0 ? RG_COP_SUB_SET : RG_COP_ADD_SET, rg__c_var(t, v), rg__c_int(t, by < 0 ? -by : by));
    body->kid[n++] = step;
    body->n = n;
}

/* at++; as at += 1; */
static void as_sum(struct rg_ctree *t, struct rg_cnode *s)
{
    struct rg_cnode *x = s->kid[0];
    if (x->kind != RG_C_INCDEC || x->kid[0]->kind != RG_C_VAR || x->kid[0]->array >= 0) return;
    s->kid[0] = rg__c_assign(t, rg_c_increments(x->op) ? RG_COP_ADD_SET : RG_COP_SUB_SET, x->kid[0], rg__c_int(t, 1));
}

static bool steps_any(const struct rg_cnode *e)
{
    return rg__mentions_kind(e, RG_C_INCDEC) || rg__mentions_kind(e, RG_C_ASSIGN);
}

/* Is a variable that `e` steps or sets named by the place? Then C does not say in which order. */
static bool names_stepped(const struct rg_cnode *e, const struct rg_cnode *place)
{
    const struct rg_cnode *to = e->kind == RG_C_INCDEC || e->kind == RG_C_ASSIGN ? e->kid[0] : NULL;
    bool any = to && (to->kind != RG_C_VAR || to->array >= 0 || rg__c_mentions_var(place, to->var));
    for (int i = 0; i < e->n && !any; i++) any = names_stepped(e->kid[i], place);
    return any;
}

/* `place op= arm;`, of one of the choice's values, with its steps in front. */
static struct rg_cnode *arm_block(struct rg_ctree *t, const struct rg_cnode *a, int arm)
{
    struct rg_cnode *set = rg__c_copy(t, a), **value = &set->kid[1];
    struct rg__kids in = {0};
    while ((*value)->kind == RG_C_CAST) value = &(*value)->kid[0];
    struct rg_cnode *one = (*value)->kid[arm];
    *value = one->type == (*value)->type ? one : rg__c_cast(t, one, (*value)->type);
    rg__c_lift_assignments(t, set->kid[1], &in);
    for (int k = 0; k < in.n; k++) as_sum(t, in.items[k]);
    rg__kids_add(&in, rg__c_stmt(t, set));
    for (int k = 0; k < in.n; k++)
        if (!in.items[k]->line) in.items[k]->line = a->line, in.items[k]->column = a->column;
    return rg__kids_node(t, RG_C_BLOCK, &in);
}

/* pos = have < k ? have++ : have - 1; int at = c ? n++ : -1: what an arm steps is stepped where the arm is taken. */
static bool split_choice(struct rg_ctree *t, struct rg_cnode *block, int i)
{
    struct rg_cnode *s = block->kid[i], *a = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    bool value = s->kind == RG_C_DECL && s->n && s->array < 0 && t->vars[s->var].type != RG_STRUCT;
    if (value) a = rg__c_assign(t, RG_COP_SET, rg__c_var(t, s->var), s->kid[0]);
    if (!a || a->kind != RG_C_ASSIGN || a->kid[0]->pointer || a->kid[0]->type == RG_STRUCT) return false;
    const struct rg_cnode *c = rg__c_uncast(a->kid[1], RG__C_CASTS);
    if (c->kind != RG_C_COND || c->pointer || !(steps_any(c->kid[1]) || steps_any(c->kid[2])) ||
        !rg__c_pure(t, a->kid[0]) || names_stepped(c, a->kid[0]))
        return false;
    if (!a->line) a->line = s->line, a->column = s->column;
    struct rg_cnode *x = rg_cnode_new(t, RG_C_IF, 3);
    x->line = s->line;
    x->column = s->column;
    x->kid[0] = rg__c_copy(t, c->kid[0]);
    for (int arm = 1; arm <= 2; arm++) x->kid[arm] = arm_block(t, a, arm);
    struct rg__kids with = {0};
    if (value) {
        s->n = 0;
        rg__kids_add(&with, s);
    }
    rg__kids_add(&with, x);
    rg__block_splice(t, block, i, 1, &with);
    return true;
}

bool rg__lift_steps(void *arg, struct rg_cnode *n)
{
    struct rg_ctree *t = arg;
    for (int i = 0; i < n->n && n->kind == RG_C_BLOCK; i++) {
        if (rg__step_behind(t, n, i)) continue;
        split_choice(t, n, i);
        struct rg_cnode *s = n->kid[i];
        if (s->kind == RG_C_STMT) as_sum(t, s);
        bool value = s->kind == RG_C_DECL && s->n && s->array < 0 && t->vars[s->var].type != RG_STRUCT;
        const struct rg_cnode *a = s->kind == RG_C_STMT && s->kid[0]->kind == RG_C_ASSIGN ? s->kid[0] : NULL;
        const bool chain = a && a->op == RG_COP_SET && a->kid[0]->kind == RG_C_VAR && a->kid[0]->array < 0 &&
                           a->kid[1]->kind == RG_C_ASSIGN; /* a = b = e */
        if (!chain && ((!value && s->kind != RG_C_IF) || !rg__mentions_kind(s->kid[0], RG_C_INCDEC))) continue;
        struct rg__kids with = {0};
        rg__c_lift_assignments(t, chain ? a->kid[1] : s->kid[0], &with);
        for (int k = 0; k < with.n; k++) {
            as_sum(t, with.items[k]);
            if (!with.items[k]->line) with.items[k]->line = s->line, with.items[k]->column = s->column;
        }
        int added = with.n;
        rg__kids_add(&with, s);
        rg__block_splice(t, n, i, 1, &with);
        i += added;
    }
    return !rg__c_is_expr(n);
}

static bool steps_inside(const struct rg_cnode *e, const struct rg_cnode *condition)
{
    bool its = e->kind == RG_C_INCDEC && e->kid[0]->kind == RG_C_VAR && e->kid[0]->array < 0 &&
               rg__c_mentions_var(condition, e->kid[0]->var);
    for (int i = 0; i < e->n && !its; i++) its = e->kid[i] && steps_inside(e->kid[i], condition);
    return its;
}

/* Does all that changes the variable step it that way, and not in a branch? */
static bool steps_alike(const struct rg_cnode *n, int var, bool up)
{
    bool changes = (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) &&
                   rg__c_writes_var(n, var) && n->kid[0]->kind == RG_C_VAR && n->kid[0]->var == var;
    if (changes && n->kind == RG_C_ASSIGN) return n->op == (up ? RG_COP_ADD_SET : RG_COP_SUB_SET);
    if (changes) return n->kind == RG_C_INCDEC && rg_c_increments(n->op) == up;
    bool branch = n->kind != RG_C_STMT && n->kind != RG_C_DECL && !rg__c_is_expr(n);
    if (branch || n->kind == RG_C_VERBATIM) return !rg__c_writes_var(n, var);
    for (int i = 0; i < n->n; i++)
        if (!steps_alike(n->kid[i], var, up)) return false;
    return true;
}

/* Does the statement change a variable of the condition that e steps, in another way? */
static bool steps_too(const struct rg_cnode *s, const struct rg_cnode *e, const struct rg_cnode *condition)
{
    bool its = e->kind == RG_C_INCDEC && e->kid[0]->kind == RG_C_VAR && e->kid[0]->array < 0 &&
               rg__c_mentions_var(condition, e->kid[0]->var) && !steps_alike(s, e->kid[0]->var, rg_c_increments(e->op));
    for (int i = 0; i < e->n && !its; i++) its = e->kid[i] && steps_too(s, e->kid[i], condition);
    return its;
}

/* while (p < end) { c = *p++; if (!c) continue; ..: the step gets a statement of its own, and as it has been made
 * wherever the body goes on, what is left of the body goes into branches. */
static void step_alone(struct rg_ctree *t, struct rg_cnode *body, const struct rg_cnode *condition)
{
    bool any = false;
    for (int k = 0; k < body->n && !any; k++) {
        const struct rg_cnode *s = body->kid[k];
        any = s->kind == RG_C_DECL && s->n && steps_inside(s->kid[0], condition);
        for (int i = 0; i < body->n && any; i++) /* a stack is stepped up and down */
            if (i != k && steps_too(body->kid[i], s->kid[0], condition)) return;
        if (rg__mentions_kind(s, RG_C_CONTINUE)) break;
    }
    if (any) rg__lift_steps(t, body);
    for (int k = 0; k < body->n; k++) {
        if (rg__mentions_kind(body->kid[k], RG_C_CONTINUE)) return;
        int v = rg__counter_step(body->kid[k]);
        if (v < 0 || !rg__c_mentions_var(condition, v)) continue;
        absorb(t, body, RG_C_CONTINUE);
        return;
    }
}

/* a < b, of two variables that the body changes. */
static bool both_move(const struct rg_cnode *c, const struct rg_cnode *body)
{
    if (c->kind != RG_C_BINARY || !rg_c_relation(c->op)) return false;
    for (int i = 0; i < 2; i++) {
        const struct rg_cnode *e = rg__c_uncast(c->kid[i], RG__C_INT_CASTS);
        if (e->kind != RG_C_VAR || e->array >= 0 || e->pointer || !rg__c_writes_var(body, e->var)) return false;
    }
    return true;
}

/* while (n--) of a body that does not ask for n: up from 0, as often. positive: while (n-- > 0), which leaves what is
 * below 0 one less. */
static void as_often(struct rg_ctree *t, struct rg_cnode *block, int i, int n, bool positive)
{
    struct rg_cnode *f = block->kid[i], *d = rg_cnode_new(t, RG_C_DECL, 1),
                    *step = rg__c_operation(t, RG_C_INCDEC, RG_COP_POST_INC);
    const enum rg_scalar type = t->vars[n].type;
    d->var = rg__c_add_var(t, "i", RG_CVAR_LOCAL, type);
    d->type = step->type = type;
    d->line = f->line;
    d->column = f->column;
    d->kid[0] = rg__c_cast(t, rg__c_int(t, 0), type);
    step->kid[0] = rg__c_var(t, d->var);
    f->kid[0] = d;
    f->kid[1] = rg__c_binary(t, RG_COP_LT, rg__c_var(t, d->var), rg__c_var(t, n));
    f->kid[2] = step;
    struct rg__kids with = {0};
    struct rg_cnode *none = rg__c_cast(t, rg__c_unary(t, RG_COP_NEG, rg__c_int(t, 1)), type);
    if (positive && rg_scalar_is_signed(type)) {
        struct rg_cnode *c = rg_cnode_new(t, RG_C_COND, 3);
        c->type = type;
        c->kid[0] = rg__c_binary(t, RG_COP_GT, rg__c_var(t, n), rg__c_int(t, 0));
        c->kid[1] = none;
        c->kid[2] = rg__c_binary(t, RG_COP_SUB, rg__c_var(t, n), rg__c_int(t, 1));
        none = c;
    }
    rg__kids_add(&with, rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, n), none)));
    rg__block_splice(t, block, i + 1, 0, &with);
}

/* The counter that a condition takes down as it tests it: `n--`, `n-- > 0`, `n-- != 0`; -1: it is none of these. */
static int taken_down(const struct rg_cnode *c)
{
    if (c && (c->op == RG_COP_GT || c->op == RG_COP_NE) && c->kid[1]->kind == RG_C_INT && !c->kid[1]->ivalue)
        c = c->kid[0];
    return c && c->op == RG_COP_POST_DEC && c->kid[0]->kind == RG_C_VAR && c->kid[0]->array < 0 ? c->kid[0]->var : -1;
}

static void counted_while(struct rg_ctree *t, struct rg_cnode *block, int i)
{
    struct rg_cnode *w = block->kid[i], *body = w->kid[1], *c = w->kid[0];
    const int n = taken_down(c);
    if (n >= 0 && !rg__c_writes_var(body, n)) {
        struct rg_cnode *f = rg_cnode_new(t, RG_C_FOR, 4); /* while (n--) */
        f->line = w->line;
        f->column = w->column;
        f->kid[1] = c;
        f->kid[3] = body;
        block->kid[i] = f;
        if (!rg__c_mentions_var(body, n) && !rg__leaves_early(body)) as_often(t, block, i, n, c->op == RG_COP_GT);
        return;
    }
    if (both_move(c, body)) { /* a list that grows on the way has no fixed end */
        if (body->kind == RG_C_BLOCK) absorb(t, body, RG_C_CONTINUE);
        return;
    }
    if (c->kind == RG_C_VAR && body->n &&
        rg__counter_step(body->kid[body->n - 1]) == c->var) /* while (n) { ..; n--; } */
        c = rg__c_binary(t, RG_COP_NE, c, rg__c_cast(t, rg__c_int(t, 0), c->type));
    if (c->kind == RG_C_BINARY && body->kind == RG_C_BLOCK) step_alone(t, body, c);
    if (!body->n || c->kind != RG_C_BINARY || rg__mentions_kind(body, RG_C_CONTINUE)) return;
    step_last(t, w, body, c);
    int v = rg__counter_step(body->kid[body->n - 1]);
    if (v < 0 || !rg__c_mentions_var(c, v)) return;
    for (int k = 0; k + 1 < body->n; k++)
        if (rg__c_writes_var(body->kid[k], v)) return;
    struct rg_cnode *f = rg_cnode_new(t, RG_C_FOR, 4);
    f->line = w->line;
    f->column = w->column;
    f->kid[1] = c;
    f->kid[2] = body->kid[body->n - 1]->kid[0];
    body->n--;
    f->kid[3] = body;
    block->kid[i] = f;
}

/* for (; p < end;) is a while by another name. */
static void bare_for(struct rg_ctree *t, struct rg_cnode *block, int i)
{
    struct rg_cnode *f = block->kid[i], *w;
    if (f->kid[0] || f->kid[2] || !f->kid[1] ||
        (rg__mentions_kind(f->kid[1], RG_C_INCDEC) && taken_down(f->kid[1]) < 0) || rg__leaves_early(f->kid[3]))
        return;
    w = rg_cnode_new(t, RG_C_WHILE, 2);
    w->line = f->line;
    w->column = f->column;
    w->kid[0] = f->kid[1];
    w->kid[1] = f->kid[3];
    block->kid[i] = w;
    counted_while(t, block, i);
    if (block->kid[i] == w) block->kid[i] = f;
}

/* The variable that a step changes; -1: it is none of one variable. */
static int stepped(const struct rg_cnode *e)
{
    bool steps = e->kind == RG_C_ASSIGN || e->kind == RG_C_INCDEC;
    return steps && e->kid[0]->kind == RG_C_VAR && e->kid[0]->array < 0 ? e->kid[0]->var : -1;
}

/* Where step `s` stands behind the counter's, as it reads in front of it: the counter one further on. NULL: not known.
 */
static struct rg_cnode *before_counter(struct rg_ctree *t, struct rg_cnode *s, struct rg_cnode *counter)
{
    int v = stepped(counter);
    if (!rg__c_mentions_var(s, v)) return s;
    const struct rg_cnode *as_statement = rg__c_stmt(t, counter);
    if (rg__counter_step(as_statement) != v || rg__c_writes_var(s, v)) return NULL;
    int64_t by = rg__counter_amount(as_statement);
    return rg__c_replace_var(t, s, v, rg__c_binary(t, RG_COP_ADD, rg__c_var(t, v), rg__c_int(t, by)));
}

/* for (y = 1; y < h; y++, row += w), for (j = n - 1; i < n; j = i++): what else is stepped ends the body. */
void rg__one_step(struct rg_ctree *t, struct rg_cnode *f)
{
    struct rg_cnode *steps = f->kid[2], *counter = NULL;
    if (!steps || steps->kind != RG_C_COMMA || !f->kid[1] || f->kid[3]->kind != RG_C_BLOCK ||
        rg__continues_loop(f->kid[3]))
        return;
    for (int i = 0; i < steps->n; i++) {
        int v = stepped(steps->kid[i]);
        if (v < 0 || !rg__c_mentions_var(f->kid[1], v)) continue;
        if (counter) return;
        counter = steps->kid[i];
    }
    if (!counter) return;
    struct rg__kids rest = {0};
    bool behind = false;
    for (int i = 0; i < steps->n; i++) {
        struct rg_cnode *s = steps->kid[i];
        int v = stepped(s);
        if (s == counter) {
            behind = true;
            continue;
        }
        if ((v >= 0 && rg__c_mentions_var(counter, v)) || rg__c_writes_var(s, stepped(counter)) ||
            (behind && !(s = before_counter(t, s, counter)))) {
            free(rest.items);
            return;
        }
        if (s->kind == RG_C_INCDEC)
            s = rg__c_assign(t, rg_c_increments(s->op) ? RG_COP_ADD_SET : RG_COP_SUB_SET, s->kid[0], rg__c_int(t, 1));
        if (!s->line) s->line = f->line, s->column = f->column;
        rg__kids_add(&rest, rg__c_stmt(t, s));
    }
    rg__block_splice(t, f->kid[3], f->kid[3]->n, 0, &rest);
    f->kid[2] = counter;
}

/* for (; n--; p++, q++): the test counts, so that the steps are statements that end the body. */
static void steps_of_tested(struct rg_ctree *t, struct rg_cnode *f)
{
    const int n = taken_down(f->kid[1]);
    if (n < 0 || !f->kid[2] || f->kid[3]->kind != RG_C_BLOCK || rg__continues_loop(f->kid[3]) ||
        rg__c_mentions_var(f->kid[2], n))
        return;
    struct rg_cnode *one[] = {f->kid[2]};
    const bool many = f->kid[2]->kind == RG_C_COMMA;
    struct rg_cnode **steps = many ? f->kid[2]->kid : one;
    struct rg__kids rest = {0};
    for (int i = 0; i < (many ? f->kid[2]->n : 1); i++) {
        if (!steps[i]->line) steps[i]->line = f->line, steps[i]->column = f->column;
        rg__kids_add(&rest, rg__c_stmt(t, steps[i]));
    }
    rg__block_splice(t, f->kid[3], f->kid[3]->n, 0, &rest);
    f->kid[2] = NULL;
}

/* while (left > 0) { ..; if (!found) { level++; continue; } for (..) ..; }: rounds that one after the other may end so,
 * with loops that could be parallel; inside another loop, iterations of that one would be. */
static void rounds_without_continue(struct rg_ctree *t, struct rg_cnode *body)
{
    if (body->kind != RG_C_BLOCK || !rg__continues_loop(body) || !rg__c_has_loop(body)) return;
    absorb(t, body, RG_C_CONTINUE);
    rg__deep_continues(t, body);
}

static void walk(struct rg_ctree *t, struct rg_cnode *n, bool inside)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; n->kind == RG_C_BLOCK && i < n->n; i++) {
        if (n->kid[i]->kind == RG_C_WHILE) counted_while(t, n, i);
        if (n->kid[i]->kind == RG_C_WHILE && !inside) rounds_without_continue(t, n->kid[i]->kid[1]);
        if (n->kid[i]->kind != RG_C_FOR) continue;
        absorb(t, n->kid[i]->kid[3], RG_C_CONTINUE);
        rg__deep_continues(t, n->kid[i]->kid[3]);
        rg__one_step(t, n->kid[i]);
        steps_of_tested(t, n->kid[i]);
        bare_for(t, n, i);
    }
    for (int i = 0; i < n->n; i++) walk(t, n->kid[i], inside || rg__c_is_loop(n));
}

void rg__canon_control(struct rg_ctree *t)
{
    struct rg_cnode *root = t->root;
    /* a final `return;` says nothing */
    while (root->n && root->kid[root->n - 1]->kind == RG_C_RETURN && !root->kid[root->n - 1]->n) root->n--;
    rg__lift_checks(t);
    absorb(t, root, RG_C_RETURN);
    walk(t, root, false);
}

/* unsigned b = *at++; if (*at++ > limit): the step goes in front. What an arm of a choice steps goes into that arm. */
void rg__canon_steps(struct rg_ctree *t)
{
    rg__c_walk(t->root, rg__lift_steps, t);
}
