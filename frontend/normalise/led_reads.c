/* Reads that data lead, of rows that the same loop fills: `for s: { fill p[4 * s .. 4 * s + 3]; loss -= log(p[4 * s +
 * label[s]]); }`. Nobody knows that the place is in the iteration's own row. Wherever it is, what is found there is
 * known once all rows are filled: for all i: before[i] = p[i]; for s: fill row s of p; for s: loss -= log((at = 4 * s +
 * label[s]) < 4 * (s + 1) ? p[at] : before[s]); as rows up to the own one were filled by then, and later ones were
 * not. So the first loop carries nothing. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/update_rounds.h"
#include "ir/access_walk.h"
#include <stdlib.h>

struct touch { /* an access of the loop's body */
    struct rg_cnode *node;
    int child;              /* which of the body's statements it stands in */
    bool write, own, known; /* own: in the iteration's own row; known: it is one element */
    int before;             /* array: what each iteration would have found there before the loop; -1 */
};

struct led {
    struct rg_ctree *t;
    const struct rg__given *given;
    struct rg__kids declarations;
    /* of one loop: */
    struct rg_cnode *loop, *body;
    struct touch *touch;
    int n_touches, cap_touches;
    bool *rows;             /* [array] its writes are of own rows */
    bool *mixed;            /* [array] ... not all of them, or of other widths */
    struct rg__poly *width; /* [array] of rows of a flat array */
    struct rg_cnode **wide; /* [array] the same as a node; NULL: the first subscript says which row */
    bool *moved, *copied;   /* [statement of the body] it goes to the second loop; its value is needed there as well */
};

static int child_of(const struct led *l, const struct rg_cnode *n)
{
    int i = 0;
    while (i < l->body->n && !rg__c_contains(l->body->kid[i], n)) i++;
    return i;
}

/* Is the element in a row that no other iteration has? *width: of a flat array. */
static bool own_row(struct led *l, const struct rg__visit *v, struct rg__poly *width)
{
    struct rg__poly p = rg__poly_of(v->range, v->node->kid[0]), rest, one = rg__poly_int(1);
    if (p.bad || !rg__poly_split(&p, l->loop->var, width, &rest) || rg__poly_mentions(width, l->loop->var))
        return false;
    int64_t k;
    if (v->node->n > 1) return rg__poly_is_int(width, &k) && k == 1 && rg__poly_is_int(&rest, &k) && k == 0;
    struct rg__poly left = rg__poly_add(width, &rest, -1);
    left = rg__poly_add(&left, &one, -1);
    return !left.bad && rg__prove(v->range, &rest) && rg__prove(v->range, &left);
}

static void note(void *arg, const struct rg__visit *v)
{
    struct led *l = arg;
    const int array = v->node->array, child = child_of(l, v->node);
    struct rg__poly width;
    if (array < 0 || child == l->body->n || l->t->arrays[array].constant_table) return;
    struct touch t = {v->node, child, v->write, false, v->node->kind == RG_C_INDEX && !v->pointer && !v->from, -1};
    if (t.known && v->node->n == l->t->arrays[array].n_dims) t.own = own_row(l, v, &width);
    if (t.own && v->write && !l->rows[array]) {
        l->rows[array] = true;
        l->width[array] = width;
        if (v->node->n == 1) l->wide[array] = rg__poly_node(v->range, &width);
    } else if (t.own && v->write) {
        t.own = rg__poly_equal(&width, &l->width[array]);
    }
    if (v->write && !t.own) l->mixed[array] = true;
    RG_GROW(l->touch, l->n_touches, l->cap_touches);
    l->touch[l->n_touches++] = t;
}

/* Reads of own rows are of the same rows as writes. */
static void same_width(struct led *l, const struct rg__visit *v, struct touch *t)
{
    struct rg__poly width;
    if (t->own && !t->write) t->own = own_row(l, v, &width) && rg__poly_equal(&width, &l->width[t->node->array]);
}

static void again(void *arg, const struct rg__visit *v)
{
    struct led *l = arg;
    for (int i = 0; i < l->n_touches; i++)
        if (l->touch[i].node == v->node) same_width(l, v, &l->touch[i]);
}

/* A read of which nobody knows the row. */
static bool led(const struct led *l, const struct touch *t)
{
    const int a = t->node->array;
    bool data = false; /* dependence tests know better of others */
    for (int d = 0; d < t->node->n; d++) data = data || !rg_c_affine(l->t, t->node->kid[d]);
    return data && !t->write && t->known && !t->own && l->rows[a] && !l->mixed[a] && !rg__c_declares_array(l->body, a);
}

/* ---- what goes to the second loop ---- */

static bool sets(const struct rg_cnode *n, int var)
{
    return rg__c_writes_var(n, var) || rg__c_declares(n, var);
}

/* The statement that gives the iteration's own scalar its one value; -1. */
static int only_declared(const struct led *l, int var)
{
    int at = -1;
    for (int i = 0; i < l->body->n; i++) {
        const struct rg_cnode *k = l->body->kid[i];
        if (!sets(k, var)) continue;
        bool plain = k->kind == RG_C_DECL && k->array < 0 && k->var == var && k->n && rg__c_pure(l->t, k->kid[0]);
        if (at >= 0 || !plain) return -1;
        at = i;
    }
    return at;
}

/* What reads what a moved statement sets is moved, too. */
static bool close_over(struct led *l)
{
    for (bool more = true; more;) {
        more = false;
        for (int v = 0; v < l->t->n_vars; v++)
            for (int i = 0; i < l->body->n; i++) {
                if (!l->moved[i] || !sets(l->body->kid[i], v)) continue;
                for (int j = 0; j < l->body->n; j++) {
                    if (l->moved[j] || !(rg__c_mentions_var(l->body->kid[j], v) || sets(l->body->kid[j], v))) continue;
                    if (j < i) return false; /* it was asked for, or set, in front of that */
                    l->moved[j] = more = true;
                }
            }
    }
    for (bool more = true; more;) { /* values that both need */
        more = false;
        for (int v = 0; v < l->t->n_vars; v++)
            for (int i = 0; i < l->body->n; i++) {
                if (!(l->moved[i] || l->copied[i]) || !rg__c_mentions_var(l->body->kid[i], v)) continue;
                for (int j = 0; j < l->body->n; j++) {
                    if (l->moved[j] || l->copied[j] || !sets(l->body->kid[j], v)) continue;
                    if (only_declared(l, v) != j) return false;
                    l->copied[j] = more = true;
                }
            }
    }
    return true;
}

/* May the elements be touched in the second loop? */
static bool elements_stay(const struct led *l)
{
    for (int i = 0; i < l->n_touches; i++) {
        const struct touch *x = &l->touch[i];
        const bool second = l->moved[x->child] || l->copied[x->child];
        for (int k = 0; k < l->n_touches && second; k++) {
            const struct touch *y = &l->touch[k];
            if (y->node->array != x->node->array || !(x->write || y->write)) continue;
            if (y->write && l->moved[y->child] && led(l, x)) return false;
            if (l->moved[y->child]) continue;
            if (x->write || !x->known || l->mixed[y->node->array] || y->child >= x->child) return false;
            if (!x->own && l->copied[x->child]) return false;
        }
    }
    for (int a = 0; a < l->t->n_arrays; a++)
        for (int i = 0; i < l->body->n; i++)
            for (int k = 0; k < l->body->n && l->body->kid[i]->kind == RG_C_DECL && l->body->kid[i]->array == a; k++)
                if ((l->moved[k] || l->copied[k]) && rg__c_mentions_array(l->body->kid[k], a)) return false;
    for (int i = 0; i < l->n_touches; i++) /* else the first loop goes in order all the same */
        if (led(l, &l->touch[i]) && !l->moved[l->touch[i].child]) return false;
    return true;
}

static bool plain(const struct led *l, const struct rg_cnode *n)
{
    if (!n) return true;
    if (n->kind == RG_C_VERBATIM || n->kind == RG_C_BREAK || n->kind == RG_C_CONTINUE || n->kind == RG_C_RETURN ||
        (n->kind == RG_C_CALL && !rg__c_pure(l->t, n)))
        return false;
    for (int i = 0; i < n->n; i++)
        if (!plain(l, n->kid[i])) return false;
    return true;
}

static bool extents_known(const struct led *l, int array)
{
    const struct rg_carray *a = &l->t->arrays[array];
    if (!a->dims || a->elem == RG_STRUCT) return false;
    for (int d = 0; d < a->n_dims; d++)
        if (!rg__round_extent(l->t, array, d)) return false;
    return true;
}

static bool splits(struct led *l)
{
    bool any = false, loops = false;
    for (int i = 0; i < l->n_touches; i++) {
        if (!led(l, &l->touch[i])) continue;
        if (!extents_known(l, l->touch[i].node->array)) return false;
        l->moved[l->touch[i].child] = any = true;
    }
    if (!any || !plain(l, l->body) || !close_over(l) || !elements_stay(l)) return false;
    for (int i = 0; i < l->body->n; i++) loops = loops || (!l->moved[i] && rg__c_has_loop(l->body->kid[i]));
    return loops;
}

/* ---- what was there before ---- */

/* Does the expression, of a statement, run whenever that does? */
static bool certain(const struct rg_cnode *n, const struct rg_cnode *x)
{
    if (n == x) return true;
    if (n->kind != RG_C_DECL && n->kind != RG_C_STMT && !rg__c_is_expr(n)) return false;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && rg__c_contains(n->kid[i], x))
            return !(i > 0 && (n->kind == RG_C_COND || rg_c_lazy(n->op))) && certain(n->kid[i], x);
    return false;
}

/* The expression in front of the loop, with what locals stand for; NULL: it is not known there. */
static struct rg_cnode *ahead(const struct led *l, const struct rg_cnode *e, int depth)
{
    if (depth > 24 || e->pointer || e->kind == RG_C_ASSIGN || e->kind == RG_C_INCDEC || e->op == RG_COP_DEREF ||
        e->op == RG_COP_ADDRESS || (e->kind == RG_C_INDEX && rg__writes_array(l->body, e->array)))
        return NULL;
    if (e->kind == RG_C_VAR) {
        const int at = e->array < 0 ? only_declared(l, e->var) : -1;
        if (at >= 0) {
            struct rg_cnode *v = ahead(l, l->body->kid[at]->kid[0], depth + 1);
            return v ? rg__c_cast(l->t, v, l->t->vars[e->var].type) : NULL;
        }
        if (e->array >= 0 || sets(l->body, e->var) || rg__c_binds(l->body, e->var)) return NULL;
    }
    struct rg_cnode *c = rg__c_copy(l->t, e);
    for (int i = 0; i < e->n; i++)
        if (!(c->kid[i] = ahead(l, e->kid[i], depth + 1))) return NULL;
    return c;
}

/* for s: before[s] = p[..]; NULL: it takes all of p. */
static struct rg_cnode *kept(struct led *l, struct touch *x)
{
    struct rg_ctree *t = l->t;
    const struct rg_cnode *low = l->loop->kid[0];
    struct rg_cnode *read = rg__c_copy(t, x->node);
    const struct rg_expr *n = rg__c_to_expr(t, l->loop->kid[1], &t->arena);
    if (!n || low->kind != RG_C_INT || low->ivalue < 0 || !certain(l->body->kid[x->child], x->node)) return NULL;
    for (int d = 0; d < read->n; d++)
        if (!(read->kid[d] = ahead(l, x->node->kid[d], 0))) return NULL;
    const int a = rg__round_another(t, x->node->array, "before", l->loop, &l->declarations);
    t->arrays[a].n_dims = 1;
    t->arrays[a].dims = rg_arena_alloc(&t->arena, sizeof *t->arrays[a].dims);
    t->arrays[a].dims[0] = n;
    x->before = a;
    struct rg_cnode *loop = rg_cnode_new(t, RG_C_LOOP, 3), *body = rg_cnode_new(t, RG_C_BLOCK, 1);
    loop->step = 1;
    loop->line = l->loop->line;
    loop->column = l->loop->column;
    loop->var = rg__c_add_var(t, t->vars[l->loop->var].name, RG_CVAR_ITER, t->vars[l->loop->var].type);
    for (int d = 0; d < 2; d++) loop->kid[d] = rg__c_copy(t, l->loop->kid[d]);
    struct rg_cnode *s = rg__c_var(t, loop->var), *to = rg__c_index(t, a, 1, &s);
    read = rg__c_replace_var(t, read, l->loop->var, rg__c_var(t, loop->var));
    body->kid[0] = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, to, read));
    body->line = body->kid[0]->line = l->loop->line;
    loop->kid[2] = body;
    return loop;
}

/* ---- the two loops ---- */

/* x of the own row or one in front of it ? a[x] : before[s], or before[x] */
static struct rg_cnode *found_there(const struct led *l, const struct touch *x, const int *copy)
{
    struct rg_ctree *t = l->t;
    struct rg_cnode *read = x->node;
    struct rg_cnode *own = rg__c_copy(t, read), *was = rg__c_copy(t, read), *row = rg__c_copy(t, read->kid[0]),
                    *s = rg__c_var(t, l->loop->var);
    const struct rg_cnode *wide = l->wide[read->array];
    if (x->before >= 0)
        was = rg__c_index(t, x->before, 1, &(struct rg_cnode *){rg__c_copy(t, s)});
    else
        was->array = copy[read->array];
    if (!wide) return rg__round_either(t, rg__c_binary(t, RG_COP_LE, row, s), own, was);
    struct rg_cnode *end = rg__c_cast(t, rg__c_binary(t, RG_COP_ADD, s, rg__c_int(t, 1)), RG_LLONG);
    end = rg__c_binary(t, RG_COP_MUL, rg__c_cast(t, rg__c_copy(t, wide), RG_LLONG), end);
    return rg__round_either(t, rg__c_binary(t, RG_COP_LT, row, end), own, was);
}

static void replace(const struct led *l, struct rg_cnode *n, const int *before)
{
    for (int i = 0; n && i < n->n; i++) {
        struct rg_cnode *k = n->kid[i];
        replace(l, k, before);
        for (int x = 0; x < l->n_touches && k; x++)
            if (l->touch[x].node == k && led(l, &l->touch[x])) {
                n->kid[i] = found_there(l, &l->touch[x], before);
                break;
            }
    }
}

static void split(struct led *l, struct rg_cnode *block, int at)
{
    struct rg_ctree *t = l->t;
    struct rg_cnode *second = rg_cnode_new(t, RG_C_LOOP, 3);
    struct rg__kids with = {0}, first = {0}, rest = {0};
    int *before = rg_xcalloc((size_t)t->n_arrays + 1, sizeof *before);
    const int n_arrays = t->n_arrays;
    for (int i = 0; i < l->n_touches; i++) {
        struct rg_cnode *all = led(l, &l->touch[i]) ? kept(l, &l->touch[i]) : NULL;
        if (all) rg__kids_add(&with, all);
    }
    for (int a = 0; a < n_arrays; a++) {
        bool asked = false;
        for (int i = 0; i < l->n_touches; i++)
            asked = asked || (l->touch[i].node->array == a && l->touch[i].before < 0 && led(l, &l->touch[i]));
        if (!asked) continue;
        before[a] = rg__round_another(t, a, "before", l->loop, &l->declarations);
        rg__kids_add(&with, rg__round_copy_all(t, before[a], a, l->loop));
    }
    for (int i = 0; i < l->body->n; i++) {
        struct rg_cnode *k = l->body->kid[i];
        if (l->moved[i]) replace(l, k, before);
        if (!l->moved[i]) rg__kids_add(&first, k);
        if (l->moved[i] || l->copied[i]) rg__kids_add(&rest, l->moved[i] ? k : rg__c_copy(t, k));
    }
    second->step = l->loop->step;
    second->line = l->loop->line;
    second->column = l->loop->column;
    second->var = rg__c_add_var(t, t->vars[l->loop->var].name, RG_CVAR_ITER, t->vars[l->loop->var].type);
    for (int d = 0; d < 2; d++) second->kid[d] = rg__c_copy(t, l->loop->kid[d]);
    second->kid[2] = rg__kids_node(t, RG_C_BLOCK, &rest);
    struct rg_cnode *s = rg__c_var(t, second->var);
    second->kid[2] = rg__c_replace_var(t, second->kid[2], l->loop->var, s);
    for (int i = 0, n = second->kid[2]->n; i < n; i++) { /* what both need has a name of its own here */
        struct rg_cnode *k = second->kid[2]->kid[i];
        bool own = k->kind == RG_C_DECL && k->array < 0;
        for (int b = 0; b < l->body->n && own; b++) own = l->body->kid[b] != k;
        if (!own) continue;
        int v = rg__c_add_var(t, t->vars[k->var].name, RG_CVAR_LOCAL, t->vars[k->var].type), was = k->var;
        t->vars[v].struct_index = t->vars[was].struct_index;
        t->vars[v].c_type = t->vars[was].c_type;
        k->var = v;
        second->kid[2] = rg__c_replace_var(t, second->kid[2], was, rg__c_var(t, v));
    }
    l->loop->kid[2] = rg__kids_node(t, RG_C_BLOCK, &first);
    rg__kids_add(&with, l->loop);
    rg__kids_add(&with, second);
    rg__block_splice(t, block, at, 1, &with);
    free(before);
}

static bool take(struct led *l, struct rg_cnode *block, int at)
{
    const size_t n = (size_t)l->t->n_arrays + 1;
    l->loop = block->kid[at];
    l->body = l->loop->kid[2];
    if (l->loop->n != 3 || l->loop->step != 1 || l->body->kind != RG_C_BLOCK) return false;
    const size_t k = (size_t)l->body->n + 1;
    l->n_touches = 0;
    l->rows = rg_xcalloc(n, sizeof *l->rows);
    l->mixed = rg_xcalloc(n, sizeof *l->mixed);
    l->width = rg_xcalloc(n, sizeof *l->width);
    l->wide = rg_xcalloc(n, sizeof *l->wide);
    l->moved = rg_xcalloc(k, sizeof *l->moved);
    l->copied = rg_xcalloc(k, sizeof *l->copied);
    rg__each_access(l->t, l->loop, l->given, note, l);
    rg__each_access(l->t, l->loop, l->given, again, l);
    bool ok = splits(l);
    if (ok) split(l, block, at);
    free(l->rows);
    free(l->mixed);
    free(l->width);
    free(l->wide);
    free(l->moved);
    free(l->copied);
    return ok;
}

static void walk(struct led *l, struct rg_cnode *n)
{
    if (!n || (n->kind != RG_C_BLOCK && n->kind != RG_C_LOOP && n->kind != RG_C_IF)) return;
    for (int i = 0; i < n->n; i++) {
        int was = n->n;
        if (n->kind == RG_C_BLOCK && n->kid[i]->kind == RG_C_LOOP && take(l, n, i))
            i += n->n - was;
        else
            walk(l, n->kid[i]);
    }
}

void rg__canon_led_reads(struct rg_ctree *t, const struct rg_problem *p)
{
    if (p->may_alias) return;
    struct led l = {.t = t, .given = rg__given_of(t, p)};
    walk(&l, t->root);
    rg__block_splice(t, t->root, 0, 0, &l.declarations);
    free(l.touch);
    rg__given_free((struct rg__given *)l.given);
}
