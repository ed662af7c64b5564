/* What the iterations of a loop store, under which conditions, and which elements they ask for. */
#include "frontend/normalise/scattered_stores.h"
#include <string.h>

struct follow {
    struct rg__scatter *s;
    const struct rg_cnode *loop; /* the innermost */
    int n_facts;
    struct rg__holds facts[RG__ROUNDS_FACTS];
};

static void other(struct follow *f, const char *why)
{
    if (!f->s->why) f->s->why = why;
}

static bool scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var >= 0;
}

static bool logic(const struct rg_cnode *e)
{
    return rg_c_logic(e->op) || e->op == RG_COP_NOT;
}

/* Its reads are looked at where it is used: a condition's value, or an element's. */
static bool deferred(const struct rg_cnode *init)
{
    const struct rg_cnode *e = rg__c_uncast(init, RG__C_INT_CASTS);
    return rg_c_logic(e->op) || e->op == RG_COP_NOT || e->kind == RG_C_INDEX;
}

static void element(struct follow *f, const struct rg_cnode *x, const struct rg_cnode *compared,
                    const struct rg_cnode *with, enum rg_c_op op, bool in_fact);

/* Elements read below e, by value. */
static void value(struct follow *f, const struct rg_cnode *e, bool in_fact, int depth)
{
    struct rg__scatter *s = f->s;
    if (!e || s->why) return;
    if (depth > 40 || e->kind == RG_C_VERBATIM || e->kind == RG_C_ASSIGN || e->kind == RG_C_INCDEC ||
        e->op == RG_COP_ADDRESS || e->op == RG_COP_DEREF || (e->kind == RG_C_VAR && e->array >= 0) ||
        (e->kind == RG_C_INDEX && e->pointer)) {
        other(f, "an expression of another form");
        return;
    }
    if (scalar(e) && e->var < s->n_vars && s->set[e->var] && !s->own[e->var]) {
        s->left[e->var] = true;
        return;
    }
    if (scalar(e) && e->var < s->n_vars && s->is[e->var] && deferred(s->is[e->var])) {
        value(f, s->is[e->var], in_fact, depth + 1);
        return;
    }
    if (e->kind == RG_C_BINARY && rg_c_relation(e->op))
        for (int side = 0; side < 2; side++) {
            const struct rg_cnode *x = rg__scatter_resolve(s, e->kid[side]), *k = e->kid[1 - side];
            static const enum rg_c_op mirror[] = {
                [RG_COP_LT] = RG_COP_GT, [RG_COP_GT] = RG_COP_LT, [RG_COP_LE] = RG_COP_GE,
                [RG_COP_GE] = RG_COP_LE, [RG_COP_EQ] = RG_COP_EQ, [RG_COP_NE] = RG_COP_NE};
            if (x->kind != RG_C_INDEX || x->pointer) continue;
            element(f, x, e, k, side ? mirror[e->op] : e->op, in_fact);
            value(f, k, in_fact, depth + 1);
            return;
        }
    if (e->kind == RG_C_INDEX) {
        element(f, e, NULL, NULL, RG_COP_NONE, in_fact);
        return;
    }
    for (int i = 0; i < e->n; i++) {
        const struct rg_cnode *k = rg__scatter_resolve(s, e->kid[i]);
        bool asks = e->op == RG_COP_NOT || rg_c_lazy(e->op) || (e->kind == RG_C_COND && i == 0);
        if (asks && k->kind == RG_C_INDEX && !k->pointer)
            element(f, k, k, NULL, RG_COP_NE, in_fact);
        else
            value(f, e->kid[i], in_fact, depth + 1);
    }
}

static void element(struct follow *f, const struct rg_cnode *x, const struct rg_cnode *compared,
                    const struct rg_cnode *with, enum rg_c_op op, bool in_fact)
{
    struct rg__scatter *s = f->s;
    if (s->n_reads == RG__SCATTERED_READS) {
        other(f, "too many elements are read");
        return;
    }
    s->read[s->n_reads++] = (struct rg__element){x, compared, with, op, in_fact};
    for (int d = 0; d < x->n; d++) value(f, x->kid[d], false, 0);
}

/* The condition holds, or does not: part by part, as long as the parts are known to. */
static void assume(struct follow *f, const struct rg_cnode *c, bool holds)
{
    struct rg__scatter *s = f->s;
    double zero;
    c = rg__scatter_resolve(s, c);
    if ((c->op == RG_COP_NE || c->op == RG_COP_EQ) && rg__round_number(c->kid[1], &zero) && zero == 0 &&
        logic(rg__scatter_resolve(s, c->kid[0]))) {
        assume(f, c->kid[0], holds == (c->op == RG_COP_NE));
    } else if (c->op == RG_COP_NOT) {
        assume(f, c->kid[0], !holds);
    } else if (c->op == (holds ? RG_COP_AND : RG_COP_OR)) {
        assume(f, c->kid[0], holds);
        assume(f, c->kid[1], holds);
    } else if (f->n_facts == RG__ROUNDS_FACTS) {
        other(f, "too many conditions");
    } else {
        int first = s->n_reads;
        if (c->kind == RG_C_INDEX && !c->pointer)
            element(f, c, c, NULL, RG_COP_NE, true);
        else
            value(f, c, true, 0);
        f->facts[f->n_facts++] = (struct rg__holds){c, holds, first, s->n_reads - first};
    }
}

static void effect(struct follow *f, const struct rg_cnode *stmt, const struct rg_cnode *to, const struct rg_cnode *v)
{
    struct rg__scatter *s = f->s;
    if (s->n_effects == RG__SCATTERED_MOST) {
        other(f, "too many stores");
        return;
    }
    struct rg__effect *e = &s->effect[s->n_effects++];
    *e = (struct rg__effect){.stmt = stmt, .loop = f->loop, .to = to, .value = v, .n = f->n_facts};
    memcpy(e->facts, f->facts, sizeof f->facts);
}

static void store(struct follow *f, const struct rg_cnode *stmt, const struct rg_cnode *e, const struct rg_cnode *v)
{
    struct rg__scatter *s = f->s;
    const struct rg_cnode *to = e->kid[0];
    if (to->kind == RG_C_INDEX && !to->pointer && s->t->arrays[to->array].elem != RG_STRUCT) {
        for (int d = 0; d < to->n; d++) value(f, to->kid[d], false, 0);
        if (v) value(f, v, false, 0);
        effect(f, stmt, to, v);
        return;
    }
    if (!scalar(to) || to->var >= s->n_vars) {
        other(f, "a store of another form");
        return;
    }
    if (v) value(f, v, false, 0);
    if (s->part[to->var]) {
        if (stmt->kind == RG_C_STMT && !v)
            effect(f, stmt, s->part[to->var]->kid[0]->kid[0], NULL);
        else
            other(f, "a sum of another form");
        return;
    }
    if (s->own[to->var]) {
        effect(f, stmt, NULL, NULL);
        return;
    }
    double number;
    if (v && !rg__round_number(v, &number)) s->left[to->var] = true;
    effect(f, stmt, to, v);
}

static void expression(struct follow *f, const struct rg_cnode *stmt)
{
    const struct rg_cnode *e = stmt->kid[0], *c = NULL;
    bool holds;
    for (int v = 0; v < f->s->n_vars; v++)
        if (f->s->part[v] == stmt) return;
    if (e->kind != RG_C_ASSIGN && e->kind != RG_C_INCDEC) {
        other(f, "a statement of another form");
        return;
    }
    if (e->kind == RG_C_INCDEC || e->op != RG_COP_SET) {
        bool sum = e->kind == RG_C_INCDEC || e->op == RG_COP_ADD_SET || e->op == RG_COP_SUB_SET;
        bool mine = scalar(e->kid[0]) && e->kid[0]->var < f->s->n_vars && f->s->own[e->kid[0]->var];
        if (!sum && !mine) other(f, "an update of another form");
        if (e->kind == RG_C_ASSIGN) value(f, e->kid[1], false, 0);
        store(f, stmt, e, NULL);
        return;
    }
    const struct rg_cnode *v = rg__round_choice(e, &c, &holds);
    int before = f->n_facts;
    if (v) assume(f, c, holds);
    store(f, stmt, e, v ? v : e->kid[1]);
    f->n_facts = before;
}

/* What the head of a loop from link to link does: locals get values. */
static void link(struct follow *f, const struct rg_cnode *n, const struct rg_cnode *e)
{
    if (!e) return;
    if (e->kind == RG_C_COMMA || e->kind == RG_C_STMT) {
        for (int i = 0; i < e->n; i++) link(f, n, e->kid[i]);
    } else if (e->kind == RG_C_DECL) {
        if (e->n) value(f, e->kid[0], false, 0);
    } else if ((e->kind == RG_C_ASSIGN || e->kind == RG_C_INCDEC) && scalar(e->kid[0]) &&
               e->kid[0]->var < f->s->n_vars && f->s->own[e->kid[0]->var]) {
        if (e->kind == RG_C_ASSIGN) value(f, e->kid[1], false, 0);
        effect(f, n, NULL, NULL);
    } else {
        value(f, e, false, 0);
    }
}

static void statement(struct follow *f, const struct rg_cnode *n)
{
    struct rg__scatter *s = f->s;
    if (!n || s->why) return;
    int before = f->n_facts;
    const struct rg_cnode *around = f->loop;
    switch (n->kind) {
    case RG_C_BLOCK:
    case RG_C_OPAQUE:
        for (int i = 0; i < n->n; i++) statement(f, n->kid[i]);
        return;
    case RG_C_DECL:
        if (n->array >= 0 || n->pointer || n->var < 0) break;
        if (n->n && !(n->var < s->n_vars && s->is[n->var] && deferred(s->is[n->var]))) value(f, n->kid[0], false, 0);
        return;
    case RG_C_STMT:
        expression(f, n);
        return;
    case RG_C_IF:
        assume(f, n->kid[0], true);
        statement(f, n->kid[1]);
        f->n_facts = before;
        if (n->n > 2 && n->kid[2]) {
            assume(f, n->kid[0], false);
            statement(f, n->kid[2]);
            f->n_facts = before;
        }
        return;
    case RG_C_LOOP:
        if (n->n != 3) break;
        value(f, n->kid[0], false, 0);
        value(f, n->kid[1], false, 0);
        f->loop = n;
        statement(f, n->kid[2]);
        f->loop = around;
        return;
    case RG_C_FOR:
    case RG_C_WHILE:
        for (int i = 0; i < n->n - 1; i++) link(f, n, n->kid[i]);
        f->loop = n;
        statement(f, n->kid[n->n - 1]);
        f->loop = around;
        return;
    case RG_C_BREAK:
        effect(f, n, NULL, NULL);
        return;
    default:
        break;
    }
    other(f, "a statement of another form");
}

static void declares(struct rg__scatter *s, const struct rg_cnode *n)
{
    if (!n) return;
    const struct rg_cnode *to = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC ? n->kid[0] : NULL;
    if (n->kind == RG_C_LOOP) s->own[n->var] = true;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var >= 0) {
        s->own[n->var] = true;
        if (n->n && n->kid[0]) s->is[n->var] = n->kid[0];
    }
    if (to && to->kind == RG_C_VAR && to->array < 0) s->set[to->var] = true;
    while (to && to->kind == RG_C_MEMBER) to = to->kid[0];
    if (to && to->kind == RG_C_INDEX) {
        s->written[to->array] = true;
        if (n->op != RG_COP_SET || to != n->kid[0]) s->updated[to->array] = true;
    }
    for (int i = 0; i < n->n; i++) declares(s, n->kid[i]);
}

static int sets_of(const struct rg_cnode *n, int var)
{
    if (!n) return 0;
    bool sets = (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) && scalar(n->kid[0]);
    int k = sets && n->kid[0]->var == var;
    for (int i = 0; i < n->n; i++) k += sets_of(n->kid[i], var);
    return k;
}

/* Locals that nothing but the head of a FOR sets, or the last statement of a WHILE, and that nothing outside of it
 * names. */
static void find_links(struct rg__scatter *s, const struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) find_links(s, n->kid[i]);
    const struct rg_cnode *body = n->kind == RG_C_FOR ? n->kid[3] : n->kind == RG_C_WHILE ? n->kid[1] : NULL;
    if (!body || body->kind != RG_C_BLOCK || rg__mentions_kind(body, RG_C_CONTINUE)) return;
    const struct rg_cnode *last = body->n ? body->kid[body->n - 1] : NULL;
    for (int v = 0; v < s->n_vars; v++) {
        if (!s->own[v] || !s->set[v] || rg__c_count_var(s->loop, v) != rg__c_count_var(n, v)) continue;
        int inside = sets_of(body, v);
        s->link[v] = s->link[v] || (n->kind == RG_C_FOR ? inside == 0
                                                        : inside == 1 && last->kind == RG_C_STMT && last->kid[0]->n &&
                                                              scalar(last->kid[0]->kid[0]) &&
                                                              last->kid[0]->kid[0]->var == v && sets_of(last, v) == 1);
    }
}

/* `sum += part;` with a part that the block declares as 0, and that is added to alone. */
static void find_parts(struct rg__scatter *s, const struct rg_cnode *n)
{
    for (int i = 0; n && i < n->n; i++) {
        const struct rg_cnode *k = n->kid[i], *e = k && k->kind == RG_C_STMT ? k->kid[0] : NULL;
        if (k && !e) find_parts(s, k);
        if (n->kind != RG_C_BLOCK || !e || e->op != RG_COP_ADD_SET || !scalar(e->kid[0]) || s->own[e->kid[0]->var])
            continue;
        const struct rg_cnode *v = rg__c_uncast(e->kid[1], RG__C_CASTS);
        double zero;
        for (int d = 0; d < i && scalar(v); d++) {
            const struct rg_cnode *x = n->kid[d];
            if (x->kind == RG_C_DECL && x->array < 0 && x->var == v->var && x->n &&
                rg__round_number(x->kid[0], &zero) && zero == 0 && rg__round_only_asked(s->t->root, v->var, false, k) &&
                s->t->vars[v->var].type == s->t->vars[e->kid[0]->var].type)
                s->part[v->var] = k;
        }
    }
}

/* What a name stands for, if it does so until its end: an expression of steady locals and of elements. */
static bool lasts(const struct rg__scatter *s, const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR && (e->array >= 0 || (s->set[e->var] && !s->link[e->var]))) return false;
    for (int i = 0; i < e->n; i++)
        if (!lasts(s, e->kid[i])) return false;
    return true;
}

void rg__scatter_follow(struct rg__scatter *s)
{
    struct follow f = {.s = s, .loop = s->loop};
    declares(s, s->loop);
    find_links(s, s->loop->kid[2]);
    for (int v = 0; v < s->n_vars; v++)
        if (s->is[v] && (s->set[v] || !lasts(s, s->is[v]))) {
            s->from_data[v] = !s->set[v] && rg__mentions_kind(s->is[v], RG_C_INDEX);
            s->is[v] = NULL;
        }
    find_parts(s, s->loop->kid[2]);
    statement(&f, s->loop->kid[2]);
    for (int i = 0; i < s->n_effects && !s->why; i++) { /* sums that are only asked whether they are 0 */
        const struct rg__effect *e = &s->effect[i];
        if (!e->to || e->to->kind != RG_C_VAR || e->value) continue;
        const struct rg_cnode *x = e->stmt->kid[0];
        double by = 1;
        bool grows = x->kind == RG_C_INCDEC ? rg_c_increments(x->op)
                                            : x->op == RG_COP_ADD_SET && rg__round_number(x->kid[1], &by) && by > 0;
        s->flag[e->to->var] = grows && rg__round_only_asked(s->t->root, e->to->var, false, NULL);
    }
}
