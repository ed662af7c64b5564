/* Local pointers to one element, or to what lies from there on, of one array: `float *p = a + i; p->x = p[1].x` is code
 * over a[i], a[i + 1]. The reader sees to those of arrays whose names mean one array all along; here are the others,
 * now that each name does. What is asked of two pointers into one row, how far they are apart, is asked of the places.
 */
#include "frontend/normalise/canon.h"
#include <string.h>

struct place { /* &array[at] */
    int array;
    struct rg_cnode *at; /* NULL: 0 */
};

/* The place that a pointer expression over arrays of one dimension means; .array -1: it is something else. No casts in
 * it: what is added counts elements of the array. */
static struct place place_of(struct rg_ctree *t, struct rg_cnode *e)
{
    const struct place none = {-1, NULL};
    if (!e->pointer || e->n > 2) return none;
    if (e->kind == RG_C_VAR && e->array >= 0)
        return t->arrays[e->array].n_dims == 1 && !t->arrays[e->array].view ? (struct place){e->array, NULL} : none;
    if (e->kind == RG_C_INDEX && e->array >= 0)
        return t->arrays[e->array].n_dims == 1 && e->n == 1 && !t->arrays[e->array].view
                   ? (struct place){e->array, e->kid[0]}
                   : none;
    if (e->kind == RG_C_UNARY && e->op == RG_COP_ADDRESS && e->kid[0]->kind == RG_C_INDEX && e->kid[0]->n == 1 &&
        !e->kid[0]->pointer)
        return t->arrays[e->kid[0]->array].n_dims == 1 && !t->arrays[e->kid[0]->array].view
                   ? (struct place){e->kid[0]->array, e->kid[0]->kid[0]}
                   : none;
    if (e->kind != RG_C_BINARY || (e->op != RG_COP_ADD && e->op != RG_COP_SUB) || e->kid[1]->pointer) return none;
    struct place p = place_of(t, e->kid[0]);
    if (p.array < 0) return none;
    if (p.at)
        p.at = rg__c_binary(t, e->op, p.at, e->kid[1]);
    else
        p.at = e->op == RG_COP_ADD ? e->kid[1] : rg__c_unary(t, RG_COP_NEG, e->kid[1]);
    return p;
}

/* Is every use of the variable that of an element, of the array's type, from it on? */
static bool only_elements(const struct rg_carray *a, const struct rg_cnode *n, int var, bool below_deref)
{
    if (!n) return true;
    if (n->kind == RG_C_VAR && n->array < 0 && n->var == var) return below_deref;
    bool deref = n->kind == RG_C_UNARY && n->op == RG_COP_DEREF && !n->pointer && n->type == a->elem;
    for (int i = 0; i < n->n; i++) {
        bool sum = n->kind == RG_C_BINARY && (n->op == RG_COP_ADD || n->op == RG_COP_SUB) && i == 0 && n->pointer;
        if (!only_elements(a, n->kid[i], var, deref || (below_deref && sum))) return false;
    }
    return true;
}

/* Does the code change what the place is computed from? */
static bool changes(const struct rg_ctree *t, const struct rg_cnode *code, const struct rg_cnode *e)
{
    if (e->kind == RG_C_CALL || e->kind == RG_C_ASSIGN || e->kind == RG_C_INCDEC || e->kind == RG_C_VERBATIM)
        return true;
    if (e->kind == RG_C_VAR && e->array < 0 && rg__c_writes_var(code, e->var)) return true;
    if (e->array >= 0 && rg__writes_array(code, e->array)) return true;
    for (int i = 0; i < e->n; i++)
        if (changes(t, code, e->kid[i])) return true;
    return false;
}

static struct rg_cnode *over_array(struct rg_ctree *t, struct rg_cnode *n, int var, const struct place *p)
{
    if (!n) return NULL;
    if (n->kind == RG_C_UNARY && n->op == RG_COP_DEREF && rg__c_mentions_var(n->kid[0], var)) {
        struct rg_cnode *sum = NULL, *e = n->kid[0];
        for (; e->kind != RG_C_VAR; e = e->kid[0]) {
            if (e->kind != RG_C_BINARY) continue;
            struct rg_cnode *k = over_array(t, e->kid[1], var, p);
            if (e->op == RG_COP_SUB) k = rg__c_unary(t, RG_COP_NEG, k);
            sum = sum ? rg__c_binary(t, RG_COP_ADD, k, sum) : k;
        }
        struct rg_cnode *at = p->at ? rg__c_copy(t, p->at) : rg__c_int(t, 0);
        if (sum && p->at)
            at = rg__c_binary(t, RG_COP_ADD, at, sum);
        else if (sum)
            at = sum;
        struct rg_cnode *x = rg__c_index(t, p->array, 1, &at);
        x->type = n->type;
        x->struct_index = t->arrays[p->array].struct_index;
        x->line = n->line;
        x->column = n->column;
        return x;
    }
    for (int i = 0; i < n->n; i++) n->kid[i] = over_array(t, n->kid[i], var, p);
    return n;
}

/* Is the variable's type that of a pointer to elements of the array? */
static bool of_type(const struct rg_cvar *v, const struct rg_carray *a)
{
    const char *type = v->c_type, *elem = a->c_elem;
    if (!type || !elem) return false;
    if (!strncmp(type, "const ", 6)) type += 6;
    if (!strncmp(elem, "const ", 6)) elem += 6;
    size_t n = strlen(elem);
    return !strncmp(type, elem, n) && (!strcmp(type + n, " *") || !strcmp(type + n, " *const"));
}

static void look(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; n->kind == RG_C_BLOCK && i < n->n; i++) {
        struct rg_cnode *d = n->kid[i];
        if (d->kind != RG_C_DECL || !d->pointer || d->array >= 0 || d->n != 1) continue;
        const struct place p = place_of(t, d->kid[0]);
        bool ok = p.array >= 0 && of_type(&t->vars[d->var], &t->arrays[p.array]);
        for (int k = i + 1; k < n->n && ok; k++)
            ok = only_elements(&t->arrays[p.array], n->kid[k], d->var, false) && !rg__c_writes_var(n->kid[k], d->var) &&
                 (!p.at || !changes(t, n->kid[k], p.at));
        if (!ok) continue;
        struct rg__kids none = {0};
        for (int k = i + 1; k < n->n; k++) n->kid[k] = over_array(t, n->kid[k], d->var, &p);
        rg__block_splice(t, n, i--, 1, &none);
    }
    for (int i = 0; i < n->n; i++) look(t, n->kid[i]);
}

/* ---- places that are held ---- */

/* Does the scalar stand in subscripts alone? */
static bool only_places(const struct rg_cnode *n, int var, bool in_subscript)
{
    if (!n) return true;
    if (n->kind == RG_C_VAR && n->array < 0 && n->var == var) return in_subscript;
    for (int i = 0; i < n->n; i++)
        if (!only_places(n->kid[i], var, in_subscript || (n->kind == RG_C_INDEX && rg__c_is_expr(n->kid[i]))))
            return false;
    return true;
}

/* long at = n; a[at] = ..; a[at].x += ..; n++;  where at is n, which nothing moves until it is asked for no more:
 * elements are at n. */
static void held_places(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; n->kind == RG_C_BLOCK && i < n->n; i++) {
        struct rg_cnode *d = n->kid[i];
        if (d->kind != RG_C_DECL || d->pointer || d->array >= 0 || d->n != 1 || !rg__scalar_is_int(d->type) ||
            rg_scalar_bytes(d->type) < 4)
            continue;
        const struct rg_cnode *of = d->kid[0];
        while (of->kind == RG_C_CAST && of->n == 1 && rg__scalar_is_int(of->type) &&
               rg_scalar_bytes(of->type) > rg_scalar_bytes(of->kid[0]->type))
            of = of->kid[0];
        if (of->kind != RG_C_VAR || of->array >= 0 || of->pointer || t->vars[of->var].kind != RG_CVAR_LOCAL ||
            !rg__scalar_is_int(of->type))
            continue;
        int last = i;
        for (int k = i + 1; k < n->n; k++)
            if (rg__c_mentions_var(n->kid[k], d->var)) last = k;
        bool ok = last > i;
        for (int k = i + 1; k <= last && ok; k++)
            ok = only_places(n->kid[k], d->var, false) && !rg__c_writes_var(n->kid[k], d->var) &&
                 !rg__c_writes_var(n->kid[k], of->var) && !rg__mentions_kind(n->kid[k], RG_C_VERBATIM);
        if (!ok) continue;
        struct rg__kids none = {0};
        struct rg_cnode *value = rg__c_cast(t, d->kid[0], d->type);
        for (int k = i + 1; k <= last; k++) n->kid[k] = rg__c_replace_var(t, n->kid[k], d->var, value);
        rg__block_splice(t, n, i--, 1, &none);
    }
    for (int i = 0; i < n->n; i++) held_places(t, n->kid[i]);
}

/* ---- pointers into one row ---- */

enum { MOST_TERMS = 8 };

struct sum {              /* what is added to a row */
    struct rg_cnode *row; /* whose elements are numbers or structures */
    int n;
    struct rg_cnode *term[MOST_TERMS];
    bool minus[MOST_TERMS];
};

static bool sum_of(const struct rg_ctree *t, struct rg_cnode *e, struct sum *s)
{
    if (!e->pointer || !rg__c_pure(t, e)) return false;
    if ((e->kind == RG_C_VAR || e->kind == RG_C_INDEX) && e->array >= 0) {
        s->row = e;
        return e->n == t->arrays[e->array].n_dims - 1 && !t->arrays[e->array].view;
    }
    if (e->kind != RG_C_BINARY || (e->op != RG_COP_ADD && e->op != RG_COP_SUB) || e->kid[1]->pointer) return false;
    if (!sum_of(t, e->kid[0], s) || s->n == MOST_TERMS) return false;
    s->term[s->n] = e->kid[1];
    s->minus[s->n++] = e->op == RG_COP_SUB;
    return true;
}

static struct rg_cnode *added(struct rg_ctree *t, const struct sum *s)
{
    struct rg_cnode *all = NULL;
    for (int i = 0; i < s->n; i++) {
        struct rg_cnode *k = rg__c_cast(t, rg__c_copy(t, s->term[i]), RG_LONG);
        if (!all && s->minus[i]) k = rg__c_unary(t, RG_COP_NEG, k);
        all = all ? rg__c_binary(t, s->minus[i] ? RG_COP_SUB : RG_COP_ADD, all, k) : k;
    }
    return all ? all : rg__c_cast(t, rg__c_int(t, 0), RG_LONG);
}

/* a[r] + i - a[r] is i, wherever the row begins; so it is of comparisons. */
static struct rg_cnode *in_rows(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n) return NULL;
    for (int i = 0; i < n->n; i++) n->kid[i] = in_rows(t, n->kid[i]);
    struct sum l = {.n = 0}, r = {.n = 0};
    if (n->kind != RG_C_BINARY || n->pointer || (n->op != RG_COP_SUB && !rg_c_relation(n->op)) ||
        !sum_of(t, n->kid[0], &l) || !sum_of(t, n->kid[1], &r) || !rg__c_same(l.row, r.row, 0))
        return n;
    struct rg_cnode *a = added(t, &l), *b = added(t, &r);
    struct rg_cnode *by = n->op == RG_COP_SUB && !r.n ? a : rg__c_binary(t, n->op, a, b);
    by = rg__c_cast(t, by, n->type);
    by->line = n->line;
    by->column = n->column;
    return by;
}

void rg__canon_element_pointers(struct rg_ctree *t)
{
    look(t, t->root);
    held_places(t, t->root);
    t->root = in_rows(t, t->root);
}
