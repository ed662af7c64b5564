/* What a loop writes of an array whose extent nobody knows yet, kept place by place: in a nest like the loop's own,
 * from which all is gone but its stores to the array. They must lie where the counters say, not where the loop
 * computes. */
#include "frontend/normalise/error_exits.h"
#include "frontend/normalise/search_loops.h"
#include <stdlib.h>

enum { MOST_NAMES = 24 };

struct copying {
    struct rg_ctree *t;
    const struct rg_cnode *loop;
    int array, to, from;
    int n, was[MOST_NAMES], now[MOST_NAMES]; /* scalars that are known where the copy stands, and its own */
    int n_kept;
    const struct rg_cnode *kept[MOST_NAMES]; /* places that are copied in front of what is looked at */
    bool bad;
};

static int writes(const struct rg_cnode *n, int var)
{
    if (!n) return 0;
    bool is = (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && n->kid[0]->kind == RG_C_VAR &&
              n->kid[0]->array < 0 && n->kid[0]->var == var;
    int count = is;
    for (int i = 0; i < n->n; i++) count += writes(n->kid[i], var);
    return count;
}

/* Does it have, where the copy stands, the value that it has in the loop? */
static bool fixed(const struct copying *c, const struct rg_cnode *e)
{
    if (e->op == RG_COP_DEREF || e->op == RG_COP_ADDRESS || e->kind == RG_C_ASSIGN || e->kind == RG_C_INCDEC)
        return false;
    if (e->kind == RG_C_INDEX && rg__writes_array(c->loop, e->array)) return false;
    if (e->kind == RG_C_VAR) {
        bool own = false;
        if (e->array >= 0 || e->pointer) return false;
        for (int i = 0; i < c->n; i++) own = own || c->was[i] == e->var;
        if (!own && (rg__c_writes_var(c->loop, e->var) || rg__c_declares(c->loop, e->var))) return false;
    }
    for (int i = 0; i < e->n; i++)
        if (!fixed(c, e->kid[i])) return false;
    return rg__c_pure(c->t, e);
}

static struct rg_cnode *renamed(const struct copying *c, const struct rg_cnode *e)
{
    struct rg_cnode *x = rg__c_copy(c->t, e);
    for (int i = c->n - 1; i >= 0; i--) x = rg__c_replace_var(c->t, x, c->was[i], rg__c_var(c->t, c->now[i]));
    return x;
}

/* Another scalar of that value, known from here on. */
static struct rg_cnode *name(struct copying *c, int var, const struct rg_cnode *value, const struct rg_cnode *at)
{
    struct rg_ctree *t = c->t;
    const struct rg_cvar old = t->vars[var];
    if (c->n == MOST_NAMES || !rg__scalar_is_int(old.type) || !fixed(c, value)) return c->bad = true, NULL;
    int v = rg__c_add_var(t, old.name, RG_CVAR_LOCAL, old.type);
    struct rg_cnode *d = rg__c_declaration(t, v, rg__c_cast(t, renamed(c, value), old.type), at);
    t->vars[v].c_type = old.c_type;
    c->was[c->n] = var;
    c->now[c->n++] = v;
    return d;
}

/* The element that an assignment or an increment writes, itself or a member of it; NULL. */
static const struct rg_cnode *written(const struct rg_cnode *a)
{
    const struct rg_cnode *to = a->kind == RG_C_ASSIGN || a->kind == RG_C_INCDEC ? a->kid[0] : NULL;
    while (to && to->kind == RG_C_MEMBER) to = to->kid[0];
    return to && to->kind == RG_C_INDEX && !to->pointer ? to : NULL;
}

/* Does n write nothing of the array but places that are copied already? */
static bool covered(const struct copying *c, const struct rg_cnode *n)
{
    if (!n || !rg__writes_array(n, c->array)) return true;
    const struct rg_cnode *to = written(n);
    bool is = to && to->array == c->array;
    if (is) {
        bool found = false;
        for (int i = 0; i < to->n; i++)
            if (!fixed(c, to->kid[i])) return false;
        for (int i = 0; i < c->n_kept; i++) found = found || rg__c_equal(c->kept[i], to);
        if (!found) return false;
    } else if (rg__c_is_expr(n) && !n->n) {
        return false;
    }
    bool inside = is;
    for (int i = 0; i < n->n; i++) {
        if (is && i == 0) continue;
        inside = inside || rg__writes_array(n->kid[i], c->array);
        if (!covered(c, n->kid[i])) return false;
    }
    return inside;
}

static struct rg_cnode *copied_element(struct copying *c, const struct rg_cnode *element, const struct rg_cnode *at)
{
    struct rg_cnode *side[2] = {renamed(c, element), renamed(c, element)};
    side[0]->array = c->to;
    side[1]->array = c->from;
    if (c->n_kept < MOST_NAMES) c->kept[c->n_kept++] = element;
    return rg__c_stands(rg__c_stmt(c->t, rg__c_assign(c->t, RG_COP_SET, side[0], side[1])), at);
}

static struct rg_cnode *copied(struct copying *c, const struct rg_cnode *n);

static struct rg_cnode *block(struct copying *c, const struct rg_cnode *n)
{
    struct rg__kids out = {0};
    const int known = c->n, kept = c->n_kept;
    bool any = false;
    for (int i = 0; i < n->n && !c->bad; i++) {
        const struct rg_cnode *s = n->kid[i], *value = NULL;
        int v = -1;
        if (s->kind == RG_C_DECL && s->array < 0 && s->n && !writes(c->loop, s->var)) {
            v = s->var;
            value = s->kid[0];
        } else if (s->kind == RG_C_STMT && s->kid[0]->op == RG_COP_SET && rg__search_sets(s) >= 0 &&
                   writes(c->loop, rg__search_sets(s)) == 1) {
            v = rg__search_sets(s);
            value = s->kid[0]->kid[1];
        }
        bool known_value = v >= 0 && rg__scalar_is_int(c->t->vars[v].type) && fixed(c, value);
        struct rg_cnode *x = known_value ? name(c, v, value, s) : copied(c, s);
        any = any || (x && !known_value);
        if (x) rg__kids_add(&out, x);
    }
    c->n = known;
    c->n_kept = kept;
    if (!any || c->bad) {
        free(out.items);
        return NULL;
    }
    for (int i = out.n - 2; i >= 0; i--) { /* names that nobody asks for */
        bool asked = out.items[i]->kind != RG_C_DECL;
        for (int k = i + 1; k < out.n; k++) asked = asked || rg__c_mentions_var(out.items[k], out.items[i]->var);
        if (asked) continue;
        for (int k = i + 1; k < out.n; k++) out.items[k - 1] = out.items[k];
        out.n--;
    }
    return rg__c_stands(rg__kids_node(c->t, RG_C_BLOCK, &out), n);
}

static struct rg_cnode *nest(struct copying *c, const struct rg_cnode *n)
{
    struct rg_ctree *t = c->t;
    struct rg_cnode *f = rg__c_copy(t, n), *at = f->kid[0];
    struct rg__counted h;
    for (int i = 0; i < 3; i++) c->bad = c->bad || !n->kid[i] || rg__writes_array(n->kid[i], c->array);
    if (c->bad || f->kid[3]->kind != RG_C_BLOCK || !rg__counted(t, f, f->kid[1], &h) || h.var < 0 ||
        writes(n->kid[3], h.var))
        return c->bad = true, NULL;
    if (at->kind == RG_C_STMT) at = at->kid[0];
    const int known = c->n;
    struct rg_cnode *d = name(c, h.var, at->kind == RG_C_DECL ? at->kid[0] : at->kid[1], n);
    if (!d || !fixed(c, n->kid[1])) return c->bad = true, NULL;
    struct rg_cnode *x = rg_cnode_new(t, RG_C_FOR, 4);
    x->kid[0] = d;
    x->kid[1] = renamed(c, n->kid[1]);
    x->kid[2] = renamed(c, n->kid[2]);
    x->kid[3] = block(c, n->kid[3]);
    c->n = known;
    if (!x->kid[3]) return NULL;
    if (!rg__c_mentions_var(x->kid[3], d->var)) { /* every iteration writes the same places */
        struct rg_cnode *once = rg_cnode_new(t, RG_C_IF, 2);
        once->kid[0] = rg__c_replace_var(t, x->kid[1], d->var, d->kid[0]);
        once->kid[1] = x->kid[3];
        x = once;
    }
    return rg__c_stands(x, n);
}

static struct rg_cnode *copied(struct copying *c, const struct rg_cnode *n)
{
    struct rg_ctree *t = c->t;
    if (covered(c, n)) return NULL;
    if (n->kind == RG_C_BLOCK) return block(c, n);
    if (n->kind == RG_C_FOR) return nest(c, n);
    if (n->kind == RG_C_IF && fixed(c, n->kid[0])) {
        struct rg_cnode *x = rg_cnode_new(t, RG_C_IF, n->n);
        x->kid[0] = renamed(c, n->kid[0]);
        for (int k = 1; k < n->n && !c->bad; k++) {
            x->kid[k] = n->kid[k] ? copied(c, n->kid[k]) : NULL;
            if (!x->kid[k]) x->kid[k] = rg_cnode_new(t, RG_C_BLOCK, 0);
        }
        return rg__c_stands(x, n);
    }
    const struct rg_cnode *a = n->kind == RG_C_STMT ? n->kid[0] : NULL, *to = a ? written(a) : NULL;
    if (!to || to->array != c->array || (a->kind == RG_C_ASSIGN && rg__writes_array(a->kid[1], c->array)))
        return c->bad = true, NULL;
    for (int i = 0; i < to->n; i++) c->bad = c->bad || !fixed(c, to->kid[i]);
    return c->bad ? NULL : copied_element(c, to, n);
}

/* Elements with a number, *deepest or info[2]: they are there, whether the loop comes by or not. */
static void numbered(struct copying *c, const struct rg_cnode *n, struct rg__kids *out)
{
    if (!n || !rg__writes_array(n, c->array)) return;
    const struct rg_cnode *to = written(n);
    bool is = to && to->array == c->array, known = false;
    for (int i = 0; is && i < to->n; i++) is = to->kid[i]->kind == RG_C_INT;
    for (int i = 0; is && i < c->n_kept; i++) known = known || rg__c_equal(c->kept[i], to);
    struct rg_cnode *x = is && !known && c->n_kept < MOST_NAMES ? copied_element(c, to, c->loop) : NULL;
    if (x) rg__kids_add(out, x);
    for (int i = 0; i < n->n; i++) numbered(c, n->kid[i], out);
}

struct rg_cnode *rg__errors_copied(struct rg_ctree *t, const struct rg_cnode *loop, int array, int to, int from)
{
    struct copying c = {.t = t, .loop = loop, .array = array, .to = to, .from = from};
    struct rg__kids out = {0};
    numbered(&c, loop, &out);
    struct rg_cnode *x = copied(&c, loop);
    if (x) rg__kids_add(&out, x);
    if (!c.bad && out.n) return rg__c_stands(rg__kids_node(t, RG_C_BLOCK, &out), loop);
    free(out.items);
    return NULL;
}
