/* Scalar replacement: elements of an array that stay the same through a loop (counters bins[0]++ .. bins[3]++ by
 * conditions, *at = i beside a maximum, stats->found += x) are scalars in it: read in front of it, stored behind. What
 * one array's elements are to each other no longer matters then. */
#include "frontend/normalise/canon.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

struct element {
    const struct rg_cnode *node; /* INDEX, or the MEMBER of one */
    bool written, read, certain; /* certain: named in every iteration */
};

struct look {
    struct rg_ctree *t;
    const struct rg_cnode *loop;
    int array, n;
    struct element e[MOST];
    bool failed;
    int below;   /* conditions around */
    int nested;  /* loops around, with the one that is looked at */
    bool beside; /* stored along with something else on a condition */
    int n_rows;  /* members that are arrays, whose elements are left where they are */
    const char *row[MOST];
};

static bool numbers(const struct rg_cnode *n)
{
    for (int i = 0; i < n->n; i++)
        if (rg__c_uncast(n->kid[i], RG__C_INT_CASTS)->kind != RG_C_INT) return false;
    return true;
}

static const struct rg_cnode *index_of(const struct rg_cnode *e)
{
    while (e->kind == RG_C_MEMBER && e->n == 1) e = e->kid[0]; /* s[0].box.low */
    return e;
}

/* The same value all through the loop. */
static bool stays(const struct rg_cnode *e, const struct rg_cnode *loop)
{
    if (e->kind == RG_C_INDEX || e->kind == RG_C_MEMBER || e->kind == RG_C_CALL || e->op == RG_COP_DEREF) return false;
    if (e->kind == RG_C_VAR && (e->array >= 0 || e->pointer || rg__c_writes_var(loop, e->var))) return false;
    for (int i = 0; i < e->n; i++)
        if (!stays(e->kid[i], loop)) return false;
    return true;
}

static bool runs_over(const struct rg_cnode *n, const struct rg_cnode *e)
{
    if (!n) return false;
    if ((n->kind == RG_C_LOOP || n->kind == RG_C_DECL) && n->array < 0 && rg__c_mentions_var(e, n->var)) return true;
    for (int i = 0; i < n->n; i++)
        if (runs_over(n->kid[i], e)) return true;
    return false;
}

/* Is it the same element all through the loop? */
static bool same_all_through(const struct rg_cnode *x, const struct rg_cnode *loop)
{
    for (int i = 0; i < x->n; i++)
        if (!stays(x->kid[i], loop) || runs_over(loop, x->kid[i])) return false;
    return true;
}

static void named(struct look *l, const struct rg_cnode *e, bool write, bool read)
{
    const struct rg_cnode *x = index_of(e);
    const struct rg_carray *a = &l->t->arrays[l->array];
    bool whole = x->pointer || e->pointer || x->n != a->n_dims || e->type == RG_STRUCT || !same_all_through(x, l->loop);
    int at = 0;
    while (at < l->n && !rg__c_same(l->e[at].node, e, RG__C_UNCAST)) at++;
    if (whole || at == MOST) {
        l->failed = true;
        return;
    }
    if (at == l->n) l->e[l->n++] = (struct element){.node = e};
    l->e[at].written |= write;
    l->e[at].read |= read;
    l->e[at].certain |= !l->below;
}

/* bins of h[0].bins[k], where h is the array; NULL: no element of an array that is a member. */
static const char *row_of(const struct look *l, const struct rg_cnode *e)
{
    const bool element = e->kind == RG_C_MEMBER && e->n > 1 && !e->pointer && e->type != RG_STRUCT &&
                         e->kid[0]->kind == RG_C_INDEX && e->kid[0]->array == l->array;
    return element && numbers(e->kid[0]) && l->n_rows < MOST ? e->text : NULL;
}

/* The member of the structure that the element is, or is part of. */
static const char *member_of(const struct rg_cnode *e)
{
    for (; e->kind == RG_C_MEMBER; e = e->kid[0])
        if (e->kid[0]->kind == RG_C_INDEX) return e->text;
    return "";
}

static void look(struct look *l, const struct rg_cnode *n)
{
    if (!n || l->failed) return;
    if (row_of(l, n)) {
        l->row[l->n_rows++] = n->text;
        for (int i = 1; i < n->n; i++) look(l, n->kid[i]);
        return;
    }
    bool inside = n->kind == RG_C_DECL && n->array == l->array; /* each iteration has its own */
    if (inside || n->kind == RG_C_VERBATIM || (n->kind == RG_C_VAR && n->array == l->array)) {
        l->failed = true;
        return;
    }
    const struct rg_cnode *to =
        n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS ? n->kid[0] : NULL;
    if (to && index_of(to)->kind == RG_C_INDEX && index_of(to)->array == l->array) {
        if (n->op == RG_COP_ADDRESS) l->failed = true;
        named(l, to, true, n->op != RG_COP_SET);
        for (int i = 1; i < n->n; i++) look(l, n->kid[i]);
        return;
    }
    if (index_of(n)->kind == RG_C_INDEX && index_of(n)->array == l->array) {
        named(l, n, false, true);
        return;
    }
    bool condition = n->kind == RG_C_IF || n->kind == RG_C_COND || rg_c_lazy(n->op),
         loop = n->kind == RG_C_LOOP || n->kind == RG_C_FOR || n->kind == RG_C_WHILE;
    if (n->kind == RG_C_RETURN || (n->kind == RG_C_BREAK && l->nested <= 1)) l->failed = true;
    l->nested += loop;
    for (int i = 0; i < n->n; i++) {
        const struct rg_cnode *arm = n->kid[i];
        l->below += condition ? i > 0 : loop;
        look(l, arm);
        l->below -= condition ? i > 0 : loop;
        if (n->kind != RG_C_IF || i == 0 || !arm || arm->kind != RG_C_BLOCK) continue;
        int sets = 0;
        bool mine = false;
        for (int k = 0; k < arm->n; k++) {
            const struct rg_cnode *s = arm->kid[k]->kind == RG_C_STMT ? arm->kid[k]->kid[0] : NULL;
            if (!s || s->op != RG_COP_SET) continue;
            sets++;
            mine |= index_of(s->kid[0])->kind == RG_C_INDEX && index_of(s->kid[0])->array == l->array;
        }
        l->beside |= mine && sets > 1;
    }
    l->nested -= loop;
}

static void replace(struct rg_ctree *t, struct rg_cnode *n, const struct rg_cnode *element, int var)
{
    for (int i = 0; n && i < n->n; i++) {
        if (n->kid[i] && n->kid[i]->kind == element->kind && rg__c_same(n->kid[i], element, RG__C_UNCAST))
            n->kid[i] = rg__c_var(t, var);
        else
            replace(t, n->kid[i], element, var);
    }
}

/* Are they members, all different, of one element? */
static bool one_structure(const struct look *l)
{
    for (int i = 0; i < l->n; i++)
        if (l->e[i].node->kind != RG_C_MEMBER ||
            !rg__c_same(index_of(l->e[i].node), index_of(l->e[0].node), RG__C_UNCAST))
            return false;
    return l->n > 0 && !l->n_rows;
}

/* Does a statement of the block in front of the loop, whatever data say, name the element, where it is the same one? */
static bool named_before(const struct rg_ctree *t, const struct rg_cnode *block, int at, const struct rg_cnode *x)
{
    for (int i = at - 1; i >= 0; i--) {
        const struct rg_cnode *s = block->kid[i], *a = s->kind == RG_C_STMT ? s->kid[0] : NULL;
        const struct rg_cnode *to = a && a->kind == RG_C_ASSIGN ? index_of(a->kid[0]) : NULL;
        if (to && to->kind == RG_C_INDEX && rg__c_same(to, x, RG__C_UNCAST)) return true;
        for (int v = 0; v < t->n_vars; v++)
            if (rg__c_mentions_var(x, v) && (rg__c_writes_var(s, v) || rg__c_declares(s, v))) return false;
    }
    return false;
}

/* Does it name a scalar from outside that the loop changes? */
static bool names_carried(const struct rg_ctree *t, const struct rg_cnode *loop, const struct rg_cnode *e)
{
    for (int v = 0; v < t->n_vars; v++)
        if (t->vars[v].kind == RG_CVAR_LOCAL && rg__c_mentions_var(e, v) && rg__c_writes_var(loop, v) &&
            !rg__c_declares(loop, v))
            return true;
    return false;
}

/* Is the element given what such a scalar says? `if (++d > *deepest) *deepest = d;`: two scalars, of which each goes
 * its own way (running_values.c). asked: by a condition around n. */
static bool goes_by_carried(const struct look *l, const struct rg_cnode *n, bool asked)
{
    if (!n) return false;
    bool condition = n->kind == RG_C_IF || n->kind == RG_C_COND;
    if (condition) asked = asked || names_carried(l->t, l->loop, n->kid[0]);
    if ((n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && index_of(n->kid[0])->kind == RG_C_INDEX &&
        index_of(n->kid[0])->array == l->array && (asked || (n->n > 1 && names_carried(l->t, l->loop, n->kid[1]))))
        return true;
    for (int i = 0; i < n->n; i++)
        if (goes_by_carried(l, n->kid[i], asked)) return true;
    return false;
}

static bool promote(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *block, int *at, int array,
                    const struct rg_cnode *around)
{
    struct rg_cnode *loop = block->kid[*at];
    const struct rg_carray *a = &t->arrays[array];
    if (a->view || a->is_const || a->constant_table || (a->param >= 0 && p->may_alias) ||
        !rg__writes_array(loop, array))
        return false;
    struct look l = {.t = t, .loop = loop, .array = array};
    look(&l, loop);
    int written = 0;
    bool apart = true, updated = false; /* a member alone: a reduction of it is one of a scalar */
    for (int i = 0; i < l.n && !l.failed; i++) {
        written += l.e[i].written;
        updated |= l.e[i].written && l.e[i].read && l.e[i].node->kind == RG_C_MEMBER;
        apart = apart && numbers(index_of(l.e[i].node));
        for (int k = 0; k < l.n_rows; k++) apart = apart && strcmp(member_of(l.e[i].node), l.row[k]) != 0;
        for (int k = 0; k < i; k++) /* of one structure or of two: numbers tell; a field is another than a field */
            apart = apart && (l.e[i].node->kind == l.e[k].node->kind);
    }
    const bool one = !l.failed && one_structure(&l),
               carried = !l.failed && !around && apart && l.n == 1 && l.e[0].read && goes_by_carried(&l, loop, false);
    if (l.failed || !l.n || (written < 2 && !(written && l.beside) && !updated && !carried) ||
        (l.n + l.n_rows > 1 && !apart && !(one && updated)))
        return false;
    bool there = one && named_before(t, block, *at, index_of(l.e[0].node));
    for (int i = 0; i < l.n && one; i++) there |= l.e[i].certain;
    if (there && around) there = !same_all_through(index_of(l.e[0].node), around); /* that sums it up, too */
    for (int i = 0; i < l.n; i++)
        if (!numbers(index_of(l.e[i].node)) && !l.e[i].certain && !there)
            return false; /* on its condition alone it may be there */
    struct rg__kids front = {0}, behind = {0};
    for (int i = 0; i < l.n; i++) {
        struct rg_cnode *e = rg__c_copy(t, l.e[i].node);
        int v = rg__c_add_var(t, a->name, RG_CVAR_LOCAL, e->type);
        struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1),
                        *back = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_copy(t, e), rg__c_var(t, v)));
        d->var = v;
        d->type = e->type;
        d->kid[0] = e;
        d->line = back->line = loop->line;
        d->column = back->column = loop->column;
        replace(t, loop, e, v);
        rg__kids_add(&front, d);
        if (l.e[i].written) rg__kids_add(&behind, back);
    }
    int added = front.n;
    rg__block_splice(t, block, *at + 1, 0, &behind);
    rg__block_splice(t, block, *at, 0, &front);
    *at += added;
    return true;
}

/* Local arrays inside loops are a thread's own: the device's compiler does it to them. */
static void walk(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *n, const struct rg_cnode *around)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; n->kind == RG_C_BLOCK && i < n->n; i++)
        for (int a = 0; n->kid[i]->kind == RG_C_LOOP && a < t->n_arrays; a++)
            if (t->arrays[a].param >= 0 || !around) promote(t, p, n, &i, a, around);
    for (int i = 0; i < n->n; i++) walk(t, p, n->kid[i], n->kind == RG_C_LOOP ? n : around);
}

void rg__canon_elements(struct rg_ctree *t, const struct rg_problem *p)
{
    walk(t, p, t->root, NULL);
}
