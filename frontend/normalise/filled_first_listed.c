/* Elements that a list names are written, and who is on the list is marked (filled_first.c): the scratch of a search
 * from one vertex, which goes back over the vertices that it found.
 *     for v: mark[v] = -1;                                        all at first
 *     .. { mark[y] = e;  list[n] = y;  n += 1; } ..               who is marked is put on the list
 *     for k < n: a[list[k]] = 0;
 *     .. if (mark[x] > -1) .. a[x] ..                             was written: x is on the list
 * What else is ever put into a mark is above the first value, or some mark and more. */
#include "frontend/normalise/filled_first_parts.h"

static int mentions(const struct rg_cnode *n, int array)
{
    int c = n && (n->kind == RG_C_INDEX || n->kind == RG_C_VAR) && n->array == array;
    for (int i = 0; n && i < n->n; i++) c += mentions(n->kid[i], array);
    return c;
}

static bool is_var(const struct rg_cnode *e, int var)
{
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var == var;
}

/* a[..] = e; of an array of one dimension: the assignment. */
static const struct rg_cnode *store(const struct rg_cnode *s, int array)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    bool is = e && e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && e->kid[0]->kind == RG_C_INDEX &&
              e->kid[0]->n == 1 && !e->kid[0]->pointer && (array < 0 || e->kid[0]->array == array);
    return is ? e : NULL;
}

static bool counts_one(const struct rg_cnode *s, int var)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    int64_t by = 1;
    if (!e || (e->kind != RG_C_INCDEC && e->kind != RG_C_ASSIGN) || !is_var(e->kid[0], var)) return false;
    if (e->kind == RG_C_INCDEC) return rg_c_increments(e->op);
    return e->op == RG_COP_ADD_SET && rg__c_number(rg__c_uncast(e->kid[1], RG__C_INT_CASTS), &by) && by == 1;
}

/* Is the subscript the count there: by name, or as the number that the block has declared it as? */
static bool at_count(const struct rg_cnode *block, int at, const struct rg_cnode *sub, int count)
{
    int64_t number, first;
    if (is_var(sub, count)) return true;
    if (!rg__c_number(sub, &number)) return false;
    while (--at >= 0) {
        const struct rg_cnode *s = block->kid[at];
        if (s->kind == RG_C_DECL && s->array < 0 && s->var == count)
            return s->n && rg__c_number(rg__c_uncast(s->kid[0], RG__C_INT_CASTS), &first) && first == number;
        if (rg__c_writes_var(s, count)) return false;
    }
    return false;
}

/* Does the code between two statements leave what the expression is made of as it is? */
static bool stays(const struct rg_ctree *t, const struct rg_cnode *block, int from, int to, const struct rg_cnode *e)
{
    if (!rg__c_pure(t, e) || rg__mentions_kind(e, RG_C_CALL)) return false;
    for (int i = from; i <= to; i++) {
        for (int v = 0; v < t->n_vars; v++)
            if (rg__c_mentions_var(e, v) && rg__c_writes_var(block->kid[i], v)) return false;
        for (int a = 0; a < t->n_arrays; a++)
            for (int o = 0; o < t->n_arrays && rg__c_mentions_array(e, a); o++) /* parameters may be one memory */
                if ((o == a || (t->arrays[a].param >= 0 && t->arrays[o].param >= 0)) &&
                    rg__writes_array(block->kid[i], o))
                    return false;
    }
    return true;
}

struct marked {
    const struct rg__filled_check *c;
    int marks;
    int64_t none;
    const struct rg_cnode *fill, *block; /* the loop that sets all to none, and where it stands */
    int at;
    int pushes, steps; /* pairs that were seen: stores to the list, steps of the count */
};

/* The store to the list at block->kid[at], and the step behind it: where that is; -1. */
static int push(const struct marked *m, const struct rg_cnode *block, int at, const struct rg_cnode **who)
{
    const struct rg_cnode *e = store(block->kid[at], m->c->listed.list);
    if (!e || !at_count(block, at, e->kid[0]->kid[0], m->c->listed.count)) return -1;
    *who = rg__c_uncast(e->kid[1], RG__C_WIDE_CASTS);
    for (int i = at + 1; i < block->n; i++) {
        if (counts_one(block->kid[i], m->c->listed.count)) return i;
        if (rg__c_writes_var(block->kid[i], m->c->listed.count) ||
            rg__c_mentions_array(block->kid[i], m->c->listed.list))
            return -1;
    }
    return -1;
}

/* mark[y] = e at block->kid[at]: is y put on the list in the same block, and is e above none? */
static bool marks(const struct marked *m, const struct rg_cnode *block, int at)
{
    const struct rg_cnode *e = store(block->kid[at], m->marks), *who = NULL;
    int64_t value;
    if (!e || mentions(e->kid[0]->kid[0], m->marks)) return false;
    const struct rg_cnode *v = e->kid[1], *y = rg__c_uncast(e->kid[0]->kid[0], RG__C_WIDE_CASTS);
    bool above = rg__c_number(v, &value) && value > m->none;
    if (v->op == RG_COP_ADD && v->kid[0]->kind == RG_C_INDEX && v->kid[0]->array == m->marks)
        above = v->type == v->kid[0]->type && rg__c_number(v->kid[1], &value) && value > 0 && value < 4096;
    for (int i = 0; i < block->n && above; i++) {
        const int step = push(m, block, i, &who);
        const int first = i < at ? i : at, last = step > at ? step : at;
        if (step >= 0 && rg__c_equal(who, y) && stays(m->c->t, block, first, last, y)) return true;
    }
    return false;
}

/* All that is written to the marks, the list and its count below n is of that form. */
static bool only_pairs(struct marked *m, const struct rg_cnode *n, bool in_loop)
{
    const struct rg_cnode *who;
    const int list = m->c->listed.list, count = m->c->listed.count;
    if (!n || n == m->fill) return true;
    if (n->kind == RG_C_VERBATIM || n->op == RG_COP_ADDRESS || n->kind == RG_C_BREAK || n->kind == RG_C_CONTINUE ||
        n->kind == RG_C_RETURN || n->kind == RG_C_GOTO || n->kind == RG_C_LABEL || n->kind == RG_C_SWITCH)
        return false;
    if (n->kind == RG_C_VAR && (n->array == list || n->array == m->marks)) return false; /* as a pointer */
    for (int i = 0; i < n->n; i++) {
        const struct rg_cnode *s = n->kid[i];
        if (!s) continue;
        if (s->kind == RG_C_STMT) {
            if (n->kind != RG_C_BLOCK && (rg__writes_array(s, list) || rg__writes_array(s, m->marks))) return false;
            if (rg__writes_array(s, m->marks) && !marks(m, n, i)) return false;
            if (rg__writes_array(s, list)) {
                if (push(m, n, i, &who) < 0) return false;
                m->pushes++;
            }
            if (rg__c_writes_var(s, count)) {
                if (!counts_one(s, count)) return false;
                m->steps++;
            }
        } else if (rg__c_is_expr(s) && n->kind != RG_C_STMT &&
                   (rg__writes_array(s, list) || rg__writes_array(s, m->marks) || rg__c_writes_var(s, count))) {
            return false;
        } else if (s->kind == RG_C_DECL && s->array < 0 && s->var == count && in_loop) {
            return false; /* it counts anew, and marks stay */
        }
        if (!only_pairs(m, s, in_loop || rg__c_is_loop(s))) return false;
    }
    return true;
}

/* for v: mark[v] = none; of all elements, a statement of a block that nothing but conditions lead to. */
static bool find_fill(struct marked *m, const struct rg_cnode *n)
{
    if (!n || (n->kind != RG_C_BLOCK && n->kind != RG_C_IF)) return false;
    for (int i = 0; i < n->n; i++) {
        const struct rg_cnode *l = n->kid[i];
        int64_t zero;
        if (n->kind != RG_C_BLOCK || !l || l->kind != RG_C_LOOP) {
            if (find_fill(m, l)) return true;
            continue;
        }
        if (!rg__writes_array(l, m->marks)) continue;
        const struct rg_expr *all = m->c->t->arrays[m->marks].dims[0];
        const struct rg_cnode *b = l->kid[2], *e = NULL;
        for (int k = 0; k < b->n && !e; k++) e = store(b->kid[k], m->marks);
        m->fill = l;
        m->block = n;
        m->at = i;
        return e && b->kind == RG_C_BLOCK && l->n == 3 && l->step == 1 && rg__c_number(l->kid[0], &zero) && !zero &&
               all && rg__c_same(l->kid[1], rg__c_from_expr(m->c->t, all), RG__C_UNCAST) &&
               !rg__writes_array(l, m->c->listed.list) && !rg__c_writes_var(l, m->c->listed.count) &&
               is_var(e->kid[0]->kid[0], l->var) && rg__c_number(e->kid[1], &m->none) && mentions(l, m->marks) == 1;
    }
    return false;
}

/* Are those and only those on the list whose mark is not none, behind the fill? */
static bool marked_are_listed(struct marked *m)
{
    const struct rg_ctree *t = m->c->t;
    const struct rg_carray *x = &t->arrays[m->marks];
    if (x->param >= 0 || x->constant_table || x->n_dims != 1 || !x->dims || !rg__scalar_is_int(x->elem) ||
        !rg_scalar_is_signed(x->elem) || rg_scalar_bytes(x->elem) < 4 || !find_fill(m, m->c->body))
        return false;
    int inside = 0, on_list = 0, own = 0;
    for (int i = m->at; i < m->block->n; i++) {
        inside += mentions(m->block->kid[i], m->marks);
        on_list += mentions(m->block->kid[i], m->c->listed.list);
        own += mentions(m->block->kid[i], m->c->array);
    }
    return inside == mentions(m->c->body, m->marks) && on_list == mentions(m->c->body, m->c->listed.list) &&
           own == mentions(m->c->body, m->c->array) && only_pairs(m, m->c->body, false) && m->pushes == m->steps;
}

void rg__filled_note_listed(struct rg__filled_check *c, const struct rg_cnode *s)
{
    int64_t zero;
    if (s->kind != RG_C_LOOP || s->n != 3 || s->step != 1 || c->n_dims != 1 || c->of ||
        !rg__c_number(s->kid[0], &zero) || zero || s->kid[2]->kind != RG_C_BLOCK || s->kid[2]->n != 1)
        return;
    const struct rg_cnode *e = store(s->kid[2]->kid[0], c->array), *end = rg__c_uncast(s->kid[1], RG__C_WIDE_CASTS);
    const struct rg_cnode *who = e ? rg__c_uncast(e->kid[0]->kid[0], RG__C_WIDE_CASTS) : NULL;
    if (!e || who->kind != RG_C_INDEX || who->n != 1 || who->pointer || !is_var(who->kid[0], s->var) ||
        end->kind != RG_C_VAR || end->array >= 0 || c->t->vars[end->var].kind != RG_CVAR_LOCAL ||
        c->t->arrays[who->array].param >= 0 || !rg__c_pure(c->t, e->kid[1]) || !rg__c_declares(c->body, end->var))
        return;
    c->listed.set = true;
    c->listed.list = who->array;
    c->listed.count = end->var;
}

bool rg__filled_listed(struct rg__filled_check *c, const struct rg_cnode *index)
{
    struct rg_ctree *t = c->t;
    bool is = false;
    for (int a = 0; a < t->n_arrays && c->listed.set && !is; a++) {
        struct marked m = {.c = c, .marks = a};
        if (a == c->array || a == c->listed.list || !mentions(c->body, a) || !marked_are_listed(&m)) continue;
        const int n_facts = c->r->n_facts;
        struct rg_cnode *sub = rg__c_copy(t, index->kid[0]);
        struct rg__poly mark = rg__poly_of(c->r, rg__c_index(t, a, 1, &sub)), least = rg__poly_int(m.none + 1);
        for (int i = 0; i < c->r->n_atoms && c->r->n_facts < RG__MAX_FACTS; i++) {
            const struct rg_cnode *atom = c->r->atoms[i];
            if (atom->kind != RG_C_INDEX || atom->array != a) continue;
            struct rg__poly at = rg__poly_var(RG__ATOM + i), none = rg__poly_int(m.none);
            c->r->facts[c->r->n_facts++] = rg__poly_add(&at, &none, -1);
        }
        mark = rg__poly_add(&mark, &least, -1);
        is = !mark.bad && rg__prove(c->r, &mark);
        c->r->n_facts = n_facts;
    }
    return is;
}
