/* Breadth-first search visits each vertex that can be reached once, level by level (Moore 1959). What it does with a
 * vertex and with those that are found from it comes out alike in any order within a level, where
 *   - who is found is marked before anybody asks again, so that each is found once,
 *   - what is stored with who is found depends on that vertex and the level alone: marks, levels, no predecessors,
 *   - sums are of integers, and they and extremes are of what does not depend on who found whom,
 *   - nothing of that is read but the marks, by who asks whether a vertex was found, and the level of the vertex
 * itself. Where no levels are stored, the set of those found is the same in any order at all: a stack will do. */
#include "frontend/normalise/scattered_stores_values.h"
#include "frontend/normalise/update_rounds.h"
#include "frontend/normalise/work_lists.h"
#include <stdlib.h>

static bool scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer;
}

static bool sets(const struct rg_cnode *e)
{
    return e->kind == RG_C_ASSIGN || e->kind == RG_C_INCDEC;
}

/* Does the test come out otherwise for every value from `low` to `high` than for what is not marked? */
static bool told_apart(const struct rg__list *l, enum rg_c_op op, double k, double low, double high)
{
    bool clear = rg__relation_holds(op, l->clear, k), a = rg__relation_holds(op, low, k),
         b = rg__relation_holds(op, high, k);
    if (op == RG_COP_EQ || op == RG_COP_NE) { /* one value among others */
        bool inside = low <= k && k <= high, all = low == k && high == k;
        return clear == (op == RG_COP_EQ) ? !inside : all;
    }
    return a == b && a != clear;
}

struct proof {
    struct rg__list *l;
    const struct rg_cnode **is; /* [var] the value of a local of the work that is set once; NULL */
    bool *inner;                /* [var] declared in the work */
    bool *found_here;           /* [var] declared where somebody is found */
    bool *written, *added;      /* [array] in the work; only by sums */
    int *least, *most; /* [var] how often it is named in statements that make it the least, the most of values */
    bool stored[4];    /* levels: here who was found just now has one */
    const struct rg_cnode *who;                    /* that one; NULL */
    double low, high;                              /* what marks are when they are set */
    const struct rg_cnode *guard[RG__LIST_PUSHES]; /* by push: the test that it stands behind */
    const char *why;
};

static bool no(struct proof *p, const char *why)
{
    if (!p->why) p->why = why;
    return false;
}

static void gather(struct proof *p, const struct rg_cnode *n)
{
    int var;
    const struct rg_cnode *value;
    bool most;
    if (!n) return;
    if (rg__list_extreme(n, &var, &value, &most)) {
        (most ? p->most : p->least)[var] += rg__c_count_var(n, var);
        return;
    }
    if (n->kind == RG_C_LOOP) p->inner[n->var] = true;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var >= 0) {
        p->inner[n->var] = true;
        if (n->n) p->is[n->var] = n->kid[0];
    }
    if (sets(n)) {
        const struct rg_cnode *to = n->kid[0];
        while (to->kind == RG_C_MEMBER) to = to->kid[0];
        if (to->kind == RG_C_INDEX) {
            bool sum = n->kind == RG_C_INCDEC || n->op == RG_COP_ADD_SET || n->op == RG_COP_SUB_SET;
            p->added[to->array] = sum && (!p->written[to->array] || p->added[to->array]);
            p->written[to->array] = true;
        }
    }
    for (int i = 0; i < n->n; i++) gather(p, n->kid[i]);
}

static void forget_changed(struct proof *p, const struct rg_cnode *n)
{
    if (!n) return;
    if (sets(n) && scalar(n->kid[0])) p->is[n->kid[0]->var] = NULL;
    if (n->op == RG_COP_ADDRESS && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0) p->is[n->kid[0]->var] = NULL;
    for (int i = 0; i < n->n; i++) forget_changed(p, n->kid[i]);
}

/* The level that who was found just now has got: it is noted for the new loop. */
static bool level_just_stored(struct proof *p, const struct rg_cnode *e)
{
    struct rg__list *l = p->l;
    if (!p->who || e->kind != RG_C_INDEX || e->n != 1 || e->pointer || !rg__list_same(e->kid[0], p->who)) return false;
    for (int i = 0; i < l->n_levels; i++) {
        if (l->level[i].array != e->array || !p->stored[i]) continue;
        if (rg__list_level_read(l, e) >= 0) return true;
        if (l->n_reads == RG__LIST_READS) return false;
        l->read[l->n_reads].element = e;
        l->read[l->n_reads++].level = i;
        return true;
    }
    return false;
}

/* Is the value the same in any order? `of`: the vertex that it may depend on; NULL: on the one that is visited. */
static bool steady(struct proof *p, const struct rg_cnode *e, const struct rg_cnode *of, int depth)
{
    const struct rg__list *l = p->l;
    if (depth > 24 || e->kind == RG_C_ASSIGN || e->kind == RG_C_INCDEC || e->kind == RG_C_VERBATIM ||
        (e->kind == RG_C_CALL && !rg__c_pure(l->t, e)) || e->op == RG_COP_ADDRESS || e->op == RG_COP_DEREF)
        return false;
    if (of && rg__list_same(rg__c_uncast(e, RG__C_INT_CASTS), rg__c_uncast(of, RG__C_INT_CASTS))) return true;
    if (rg__list_level_of(l, e) >= 0 || level_just_stored(p, e)) return true;
    if (e->kind == RG_C_INDEX && (p->written[e->array] || e->array == l->in || e->array == l->out || e->pointer))
        return false;
    if (e->kind == RG_C_VAR && e->array >= 0) return false;
    if (scalar(e)) {
        if (e->var == l->u) return !of;
        if (p->inner[e->var]) return of ? p->is[e->var] && steady(p, p->is[e->var], of, depth + 1) : true;
        return !rg__c_writes_var(l->work, e->var) && e->var != l->tail && e->var != l->head;
    }
    for (int i = 0; i < e->n; i++)
        if (!steady(p, e->kid[i], of, depth + 1)) return false;
    return true;
}

/* ---- what is stored with who is found ---- */

static const struct rg_cnode *resolved(const struct proof *p, const struct rg_cnode *e)
{
    for (int i = 0; i < 8; i++) {
        e = rg__c_uncast(e, RG__C_WIDE_CASTS);
        if (!scalar(e) || !p->inner[e->var] || !p->is[e->var]) break;
        e = p->is[e->var];
    }
    return e;
}

/* D[u] + by, with a number above 0. */
static bool next_level(const struct proof *p, const struct rg_cnode *e, int array, int64_t *by)
{
    e = resolved(p, e);
    if (e->op != RG_COP_ADD) return false;
    for (int side = 0; side < 2; side++) {
        const struct rg_cnode *d = resolved(p, e->kid[side]), *k = resolved(p, e->kid[1 - side]);
        const struct rg_cnode *at = d->kind == RG_C_INDEX && d->n == 1 ? resolved(p, d->kid[0]) : NULL;
        if (!at || d->array != array || !scalar(at) || at->var != p->l->u || k->kind != RG_C_INT) continue;
        *by = k->ivalue;
        return k->ivalue > 0 && k->ivalue < 1 << 20;
    }
    return false;
}

/* var++, whatever a condition on the way says. */
static bool steps_on(const struct rg_cnode *k, int var)
{
    const struct rg_cnode *e = k->kind == RG_C_STMT ? k->kid[0] : NULL;
    if (k->kind == RG_C_BLOCK && k->n == 1) return steps_on(k->kid[0], var);
    if (k->kind == RG_C_IF && k->n == 2) return !rg__c_writes_var(k->kid[0], var) && steps_on(k->kid[1], var);
    return e && sets(e) && scalar(e->kid[0]) && e->kid[0]->var == var &&
           (e->kind == RG_C_INCDEC ? rg_c_increments(e->op)
                                   : e->op == RG_COP_ADD_SET && e->kid[1]->kind == RG_C_INT && e->kid[1]->ivalue == 1);
}

/* The least that a scalar is which each round moves on by 1, or leaves; the statements in front of the loop say where
 * it began. */
static bool least_of(const struct proof *p, int var, double *least)
{
    const struct rg__list *l = p->l;
    bool known = false;
    for (int i = 0; i < l->n_front; i++) {
        const struct rg_cnode *k = l->front[i];
        const struct rg_cnode *e = k->kind == RG_C_STMT ? k->kid[0] : NULL, *v = NULL;
        if (k->kind == RG_C_DECL && k->array < 0 && k->var == var)
            v = k->n ? k->kid[0] : NULL;
        else if (e && e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && scalar(e->kid[0]) && e->kid[0]->var == var)
            v = e->kid[1];
        else if (!rg__c_writes_var(k, var))
            continue;
        known = v && rg__round_number(v, least);
    }
    int n_steps = 0;
    for (int i = 0; i < l->body->n && known; i++) {
        const struct rg_cnode *k = l->body->kid[i];
        if (rg__c_writes_var(k, var)) known = n_steps++ == 0 && steps_on(k, var);
    }
    return known;
}

/* Between what a mark is that is set to the value. */
static bool between(struct proof *p, const struct rg_cnode *value, double *low, double *high)
{
    const struct rg_cnode *e = resolved(p, value);
    double k = 0;
    int64_t by;
    if (rg__round_number(e, low)) return *high = *low, true;
    *high = 2147483646;
    if (next_level(p, e, p->l->mark, &by)) return *low = p->l->source_mark, p->l->bounded = true, true;
    if (e->op == RG_COP_ADD && rg__round_number(e->kid[1], &k) && k >= 0) e = resolved(p, e->kid[0]);
    if (!scalar(e) || !least_of(p, e->var, low)) return false;
    *low += k;
    return p->l->bounded = true;
}

/* ---- the work, statement by statement ---- */

struct place {
    const struct rg_cnode *guard; /* the innermost test of who was found around the place; NULL */
    const struct rg_cnode *who;   /* whom it asks for */
    bool loops;                   /* between it and the place */
};

static bool statement(struct proof *p, const struct rg_cnode *block, int at, struct place in);

/* Where the condition holds, a vertex was not found yet: which; NULL. With `holds` false: where it does not. */
static const struct rg_cnode *not_found(const struct rg__list *l, const struct rg_cnode *c, bool holds)
{
    const struct rg_cnode *place;
    c = rg__c_uncast(c, RG__C_CASTS);
    int is = rg__list_asks(l, c, &place);
    if (is >= 0) return is == holds ? place : NULL;
    if (c->op == RG_COP_NOT) return not_found(l, c->kid[0], !holds);
    if (c->op == (holds ? RG_COP_AND : RG_COP_OR)) {
        const struct rg_cnode *a = not_found(l, c->kid[0], holds);
        return a ? a : not_found(l, c->kid[1], holds);
    }
    return NULL;
}

/* A condition: tests of marks, whose places are steady, and what is steady. */
static bool condition(struct proof *p, const struct rg_cnode *c, bool *asks)
{
    const struct rg_cnode *mark;
    enum rg_c_op op;
    double k;
    c = rg__c_uncast(c, RG__C_CASTS);
    if (rg__list_asked(p->l, c, &mark, &op, &k)) {
        *asks = true;
        const struct rg_cnode *place;
        if (p->l->preset ? rg__list_asks(p->l, c, &place) < 0
                         : !told_apart(p->l, op, k, p->low, p->high) ||
                               !told_apart(p->l, op, k, p->l->source_mark, p->l->source_mark))
            return no(p, "a test does not tell who was found");
        return steady(p, mark->kid[0], NULL, 0) || no(p, "who is asked for depends on the order");
    }
    if (c->op == RG_COP_NOT || rg_c_lazy(c->op)) {
        for (int i = 0; i < c->n; i++)
            if (!condition(p, c->kid[i], asks)) return false;
        return true;
    }
    return steady(p, c, NULL, 0) || no(p, "a condition depends on the order");
}

/* Is it a mark like the first that is set, or one that says as much? */
static bool marks_alike(struct proof *p, const struct rg_cnode *value)
{
    const bool bounded = p->l->bounded;
    double low, high;
    if (p->l->preset) return rg__round_number(value, &low) && rg__list_closed_by(p->l, low);
    const bool alike = between(p, value, &low, &high) && low == p->low && (low == high) == (p->low == p->high);
    p->l->bounded = bounded;
    return alike || (rg__round_number(value, &low) && low >= p->low && low <= p->high);
}

/* A store of the block in which `who` is found. */
static bool stored_with(struct proof *p, const struct rg_cnode *e, const struct rg_cnode *who)
{
    const struct rg_cnode *to = e->kid[0];
    int64_t by;
    if (e->kind != RG_C_ASSIGN || e->op != RG_COP_SET || to->n != 1 || to->pointer || !rg__list_same(to->kid[0], who))
        return no(p, "what is stored depends on who finds a vertex");
    for (int i = 0; i < p->l->n_levels; i++)
        if (p->l->level[i].array == to->array)
            return (next_level(p, e->kid[1], to->array, &by) && by == p->l->level[i].by) || no(p, "levels differ");
    if (to->array == p->l->mark && !marks_alike(p, e->kid[1])) return no(p, "marks differ");
    return steady(p, e->kid[1], who, 0) || no(p, "what is stored depends on who finds a vertex");
}

static bool pushes(const struct rg__list *l, const struct rg_cnode *block)
{
    for (int i = 0; i < block->n; i++)
        if (rg__list_pushed(l, block->kid[i])) return true;
    return false;
}

static bool declared(struct proof *p, const struct rg_cnode *d, struct place in)
{
    if (d->array >= 0) return no(p, "an array is declared");
    if (in.guard) p->found_here[d->var] = true;
    return !d->n || steady(p, d->kid[0], NULL, 0) || no(p, "a local depends on the order");
}

/* A local of the work gets a value. */
static bool local_set(struct proof *p, const struct rg_cnode *e, struct place in)
{
    const struct rg_cnode *value = e->kind == RG_C_ASSIGN ? e->kid[1] : NULL;
    if (in.guard && !p->found_here[e->kid[0]->var]) return no(p, "a local depends on who finds a vertex");
    return !value || steady(p, value, NULL, 0) || no(p, "a local depends on the order");
}

/* The head of a loop from link to link (`e = head[u]; e != -1; e = next[e]`): its locals go the same way in any order.
 */
static bool link(struct proof *p, const struct rg_cnode *e, struct place in)
{
    if (!e) return true;
    if (e->kind == RG_C_COMMA || e->kind == RG_C_BLOCK || e->kind == RG_C_STMT) {
        for (int i = 0; i < e->n; i++)
            if (!link(p, e->kid[i], in)) return false;
        return true;
    }
    if (e->kind == RG_C_DECL) return declared(p, e, in);
    if (sets(e))
        return (scalar(e->kid[0]) && p->inner[e->kid[0]->var] && local_set(p, e, in)) || no(p, "a loop's head");
    return steady(p, e, NULL, 0) || no(p, "a loop's end depends on the order");
}

static bool statements(struct proof *p, const struct rg_cnode *block, struct place in)
{
    if (block->kind != RG_C_BLOCK) return no(p, "a statement of another form");
    for (int i = 0; i < block->n; i++)
        if (!statement(p, block, i, in)) return false;
    return true;
}

static bool expression(struct proof *p, const struct rg_cnode *block, int at, struct place in)
{
    struct rg__list *l = p->l;
    const struct rg_cnode *k = block->kid[at], *e = k->kid[0], *to = e->n ? e->kid[0] : NULL;
    const struct rg_cnode *x = rg__list_pushed(l, k);
    if (x) {
        bool marked = false;
        if (!in.guard || in.loops || !rg__list_same(x, in.who)) return no(p, "a vertex may be found twice");
        if (at + 1 >= block->n || !rg__list_moves_tail(l, block->kid[at + 1]))
            return no(p, "the list is of another form");
        for (int i = 0; i < block->n && !marked; i++) {
            const struct rg_cnode *s = block->kid[i]->kind == RG_C_STMT ? block->kid[i]->kid[0] : NULL;
            marked = s && s->kind == RG_C_ASSIGN && s->op == RG_COP_SET && rg__list_of_mark(l, s->kid[0]) &&
                     rg__list_same(s->kid[0]->kid[0], x);
        }
        if (!marked || l->n_pushes == RG__LIST_PUSHES) return no(p, "who is found is not marked");
        for (int i = 0; i < l->n_pushes; i++)
            if (p->guard[i] == in.guard) return no(p, "a vertex may be put on the list twice");
        p->guard[l->n_pushes] = in.guard;
        l->pushed[l->n_pushes] = k;
        l->found[l->n_pushes++] = block;
        return true;
    }
    if (!sets(e) || to->kind == RG_C_MEMBER) return no(p, "a statement of another form");
    if (rg__list_moves_tail(l, k))
        return (at > 0 && rg__list_pushed(l, block->kid[at - 1])) || no(p, "the list's end moves");
    const struct rg_cnode *value = e->kind == RG_C_ASSIGN ? e->kid[1] : NULL;
    bool sum = e->kind == RG_C_INCDEC || e->op == RG_COP_ADD_SET || e->op == RG_COP_SUB_SET;
    if (scalar(to)) {
        if (to->var == l->u || to->var == l->tail || to->var == l->head) return no(p, "the list is of another form");
        if (p->inner[to->var]) return local_set(p, e, in);
        double number;
        if (in.guard && (in.loops || !pushes(l, block))) return no(p, "who is not found yet depends on the order");
        bool one = e->op == RG_COP_SET && rg__round_number(value, &number);
        if (!one && (!sum || !rg__scalar_is_int(to->type))) return no(p, "a scalar is what came last");
        /* one number for all: whoever sets it */
        return !value || one || steady(p, value, in.who, 0) || no(p, "a sum depends on who finds a vertex");
    }
    if (to->kind != RG_C_INDEX || to->pointer) return no(p, "a statement of another form");
    for (int d = 0; d < to->n; d++)
        if (!steady(p, to->kid[d], NULL, 0)) return no(p, "where is stored depends on the order");
    if (in.guard) {
        if (in.loops || !pushes(l, block)) return no(p, "who is not found yet depends on the order");
        return stored_with(p, e, in.who);
    }
    if (to->array == l->mark) return no(p, "somebody is marked who is not put on the list");
    for (int i = 0; i < l->n_levels; i++)
        if (l->level[i].array == to->array) return no(p, "a level is stored elsewhere");
    if (p->added[to->array])
        return rg__scalar_is_int(to->type) && (!value || steady(p, value, NULL, 0))
                   ? true
                   : no(p, "a sum depends on the order");
    const struct rg_cnode *own = to->n == 1 ? resolved(p, to->kid[0]) : NULL; /* the visited vertex' own element */
    bool mine = own && scalar(own) && own->var == l->u && e->op == RG_COP_SET && steady(p, value, NULL, 0);
    return mine || no(p, "what is stored last counts");
}

/* All of the statement that is such a level. */
static bool levels_noted(struct proof *p, const struct rg_cnode *n)
{
    bool ok = true;
    if (n->kind == RG_C_INDEX && rg__list_level_of(p->l, n) < 0)
        for (int i = 0; i < p->l->n_levels && ok; i++) ok = p->l->level[i].array != n->array || level_just_stored(p, n);
    for (int i = 0; i < n->n && ok; i++) ok = levels_noted(p, n->kid[i]);
    return ok;
}

/* A scalar that is nothing but the least, or the most, of what is the same in any order; false: it is none. */
static bool extreme(struct proof *p, const struct rg_cnode *block, const struct rg_cnode *k, struct place in)
{
    const struct rg__list *l = p->l;
    int var, named = 0;
    const struct rg_cnode *value;
    bool most;
    if (!rg__list_extreme(k, &var, &value, &most) || p->inner[var] || var == l->tail || var == l->head) return false;
    for (int i = l->first; i < l->end; i++) named += rg__c_count_var(l->work->kid[i], var);
    return named == (most ? p->most : p->least)[var] && (!in.guard || (!in.loops && pushes(l, block))) &&
           steady(p, value, in.who, 0) && levels_noted(p, k);
}

/* What is done with who was found: behind the store to its level, that is known. */
static bool who_was_found(struct proof *p, const struct rg_cnode *block, struct place in)
{
    const struct rg__list *l = p->l;
    bool ok = true;
    p->who = in.who;
    for (int s = 0; s < block->n && ok; s++) {
        const struct rg_cnode *e = block->kid[s]->kind == RG_C_STMT ? block->kid[s]->kid[0] : NULL;
        ok = statement(p, block, s, in);
        if (!in.who || !e || !sets(e) || e->kid[0]->kind != RG_C_INDEX) continue;
        for (int i = 0; i < l->n_levels; i++)
            p->stored[i] = p->stored[i] || (e->op == RG_COP_SET && l->level[i].array == e->kid[0]->array);
    }
    p->who = NULL;
    for (int i = 0; i < l->n_levels; i++) p->stored[i] = false;
    return ok;
}

static bool statement(struct proof *p, const struct rg_cnode *block, int at, struct place in)
{
    const struct rg_cnode *k = block->kid[at];
    bool asks = false;
    if (extreme(p, block, k, in)) return true;
    switch (k->kind) {
    case RG_C_BLOCK:
        return statements(p, k, in);
    case RG_C_DECL:
        return declared(p, k, in);
    case RG_C_LOOP:
        for (int i = 0; i < k->n; i++)
            if (i != 2 && !steady(p, k->kid[i], NULL, 0)) return no(p, "a loop's bounds depend on the order");
        in.loops = true;
        return statements(p, k->kid[2], in);
    case RG_C_FOR:
        in.loops = true;
        return link(p, k->kid[0], in) && link(p, k->kid[1], in) && link(p, k->kid[2], in) &&
               statements(p, k->kid[3], in);
    case RG_C_WHILE:
    case RG_C_DO:
        in.loops = true;
        return link(p, k->kid[k->kind == RG_C_DO], in) && statements(p, k->kid[k->kind == RG_C_WHILE], in);
    case RG_C_IF:
        if (!condition(p, k->kid[0], &asks)) return false;
        for (int i = 1; i < k->n; i++) {
            struct place to = in;
            const struct rg_cnode *who = not_found(p->l, k->kid[0], i == 1);
            if (asks) to.guard = k;
            if (asks && !in.guard) to.loops = false;
            if (who && !in.guard) to.who = who;
            if (asks && in.guard) return no(p, "a test within a test of who was found");
            if (!k->kid[i]) continue;
            if (k->kid[i]->kind != RG_C_BLOCK) return no(p, "a statement of another form");
            if (asks && !who && k->kid[i]->n) return no(p, "who was found already depends on the order");
            if (asks && !in.guard) {
                if (!who_was_found(p, k->kid[i], to)) return false;
                continue;
            }
            if (!statements(p, k->kid[i], to)) return false;
        }
        return true;
    case RG_C_STMT:
        return expression(p, block, at, in);
    default:
        return no(p, "a statement of another form");
    }
}

/* ---- the whole of it ---- */

static const struct rg_cnode *first_push(const struct rg__list *l, const struct rg_cnode *n)
{
    if (!n) return NULL;
    if (n->kind == RG_C_STMT && rg__list_pushed(l, n)) return n;
    for (int i = 0; i < n->n; i++) {
        const struct rg_cnode *x = first_push(l, n->kid[i]);
        if (x) return x;
    }
    return NULL;
}

static const struct rg_cnode *parent_of(const struct rg_cnode *n, const struct rg_cnode *x)
{
    for (int i = 0; n && i < n->n; i++) {
        if (n->kid[i] == x) return n;
        const struct rg_cnode *p = parent_of(n->kid[i], x);
        if (p) return p;
    }
    return NULL;
}

/* Wherever a vertex is found, the same is done with it: who comes first depends on the order. */
static bool found_alike(struct proof *p)
{
    const struct rg__list *l = p->l;
    for (int i = 1; i < l->n_pushes; i++)
        if (!rg__list_alike(l->found[0], rg__list_pushed(l, l->pushed[0]), l->found[i],
                            rg__list_pushed(l, l->pushed[i])))
            return no(p, "what is done with who is found differs");
    return true;
}

/* Arrays that are stored to beside the first push, for the vertex that it is of: one is the mark. */
static bool with_mark(struct proof *p, const struct rg_cnode *beside, int k, const struct rg_cnode *who,
                      const struct rg_cnode *source)
{
    struct rg__list *l = p->l;
    const struct rg_cnode *s = beside->kid[k]->kind == RG_C_STMT ? beside->kid[k]->kid[0] : NULL;
    if (!s || s->op != RG_COP_SET || s->kid[0]->kind != RG_C_INDEX || s->kid[0]->n != 1 || s->kid[0]->array == l->out ||
        !rg__list_same(s->kid[0]->kid[0], who))
        return false;
    l->mark = s->kid[0]->array;
    if (!rg__scalar_is_int(l->t->arrays[l->mark].elem)) return false;
    l->preset = false;
    const struct rg_cnode *top = rg__list_begun(l, l->mark, source, &l->clear, &l->source_mark);
    if (!top && !rg__list_preset(l, source, s->kid[1])) return false;
    if (top) l->vertices = rg__c_copy(l->t, top);
    l->n_pushes = l->n_levels = l->n_reads = 0;
    l->bounded = false;
    p->why = NULL;
    for (int i = 0; i < beside->n; i++) { /* levels */
        const struct rg_cnode *d = beside->kid[i]->kind == RG_C_STMT ? beside->kid[i]->kid[0] : NULL;
        double none, first;
        int64_t by;
        if (!d || d->op != RG_COP_SET || d->kid[0]->kind != RG_C_INDEX || l->n_levels == 4 ||
            !next_level(p, d->kid[1], d->kid[0]->array, &by) || rg_scalar_bytes(d->kid[0]->type) < 4 ||
            !rg__scalar_is_int(d->kid[0]->type) || l->stack)
            continue;
        bool known = false;
        if (rg__list_begun(l, d->kid[0]->array, source, &none, &first)) known = true;
        for (int b = 0; b < l->n_front && !known; b++) { /* the first vertex' own, where nobody else has one yet */
            const struct rg_cnode *e = l->front[b]->kind == RG_C_STMT ? l->front[b]->kid[0] : NULL;
            known = e && e->op == RG_COP_SET && e->kid[0]->kind == RG_C_INDEX && e->kid[0]->array == d->kid[0]->array &&
                    e->kid[0]->n == 1 && rg__list_same(e->kid[0]->kid[0], source) &&
                    rg__round_number(e->kid[1], &first);
            for (int later = b + 1; later < l->n_front && known; later++)
                known = !rg__writes_array(l->front[later], d->kid[0]->array);
        }
        if (known && first > -1e6 && first < 1e6)
            l->level[l->n_levels++] = (struct rg__list_level){d->kid[0]->array, (int64_t)first, by};
    }
    if (!between(p, s->kid[1], &p->low, &p->high) || !rg__scatter_keeps(l->t->arrays[l->mark].elem, p->low))
        return false;
    if (p->low != p->high && rg_scalar_bytes(l->t->arrays[l->mark].elem) < 4) return false; /* it may come round */
    if (l->stack && p->low != p->high) return false;
    if (l->bounded) { /* marks grow level by level: no further than there are vertices */
        if (l->clear < p->low && l->source_mark > l->clear)
            l->bounded = false;
        else if (l->clear >= 1 << 29 && p->low <= 1 && l->source_mark <= 1)
            p->high = l->clear - 1;
        else
            return false;
        for (int i = 0; i < l->n_levels; i++)
            if (l->bounded && l->level[i].array == l->mark && l->level[i].by != 1) return false;
    }
    for (int i = l->first; i < l->end; i++)
        if (!statement(p, l->work, i, (struct place){0})) return false;
    return l->n_pushes > 0 && found_alike(p);
}

bool rg__list_proven(struct rg__list *l)
{
    const size_t n_vars = (size_t)l->t->n_vars + 1, n_arrays = (size_t)l->t->n_arrays + 1;
    const struct rg_cnode *source = l->seed->kid[0]->kid[1];
    const struct rg_cnode *push = NULL;
    for (int i = l->first; i < l->end && !push; i++) push = first_push(l, l->work->kid[i]);
    const struct rg_cnode *beside = push ? parent_of(l->work, push) : NULL;
    bool ok = false;
    if (!source || !beside) return false;
    struct proof p = {.l = l,
                      .is = rg_xcalloc(n_vars, sizeof *p.is),
                      .inner = rg_xcalloc(n_vars, 1),
                      .found_here = rg_xcalloc(n_vars, 1),
                      .written = rg_xcalloc(n_arrays, 1),
                      .added = rg_xcalloc(n_arrays, 1),
                      .least = rg_xcalloc(n_vars, sizeof *p.least),
                      .most = rg_xcalloc(n_vars, sizeof *p.most)};
    for (int i = l->first; i < l->end; i++) gather(&p, l->work->kid[i]);
    for (int i = l->first; i < l->end; i++) forget_changed(&p, l->work->kid[i]);
    for (int k = 0; k < beside->n && !ok; k++) ok = with_mark(&p, beside, k, rg__list_pushed(l, push), source);
    free(p.is);
    free(p.inner);
    free(p.found_here);
    free(p.written);
    free(p.added);
    free(p.least);
    free(p.most);
    return ok;
}
