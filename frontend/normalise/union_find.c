/* Components by union and find, where the smaller root wins, and every element is given its root in the end:
 *     for v: label[v] = v;
 *     for e: { a = root(u[e]); b = root(w[e]); if (a != b) if (a < b) label[b] = a; else label[a] = b; }
 *     for v: label[v] = root(v);
 * Elements never lie below a greater one, so whichever unions come first the root is the least of its component, and
 * that is all that is left in the end. Roots that an element of ours joins to a smaller one may all be hung there at
 * once (Shiloach and Vishkin 1982):
 *     do { was = label; for e: a = was[u[e]], b = was[w[e]]: label[max(a, b)] = min(label[max(a, b)], min(a, b));
 *          for v: changed = label[v] != was[v] ? 1 : changed; for v: label[v] = root(v); } while (changed);
 * where roots are found by going twice as far each time (pointer jumping).
 * Each union takes one root away: how many there were says how many are none behind it. */
#include "frontend/infer/infer.h"
#include "frontend/normalise/canon.h"
#include "frontend/normalise/placements.h"
#include "frontend/normalise/pointer_rotation.h"
#include "frontend/normalise/runs.h"

struct unions {
    struct rg_ctree *t;
    struct rg_cnode *begins, *nest, *ends; /* the three loops */
    struct rg_cnode *block;                /* of the nest, which ends with the union */
    int array;                             /* label */
    int end[2];                            /* variables: the roots */
    const struct rg_cnode *from[2];        /* where they are looked for */
    int n_ends;
    int counter; /* of roots: a variable; -1 */
};

static bool is_var(const struct rg_cnode *e, int var)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var == var;
}

static const struct rg_cnode *assignment(const struct rg_cnode *s)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    return e && e->kind == RG_C_ASSIGN && e->op == RG_COP_SET ? e : NULL;
}

/* label[x] */
static bool is_label(const struct unions *u, const struct rg_cnode *e, int x)
{
    return e->kind == RG_C_INDEX && e->array == u->array && e->n == 1 && !e->pointer &&
           is_var(rg__runs_widened(e->kid[0]), x);
}

/* label[label[x]] */
static bool is_next(const struct unions *u, const struct rg_cnode *e, int x)
{
    return e->kind == RG_C_INDEX && e->array == u->array && e->n == 1 && !e->pointer &&
           is_label(u, rg__runs_widened(e->kid[0]), x);
}

/* while (label[x] != x) { label[x] = label[label[x]]; x = label[x]; }, the first or not: x; -1. Sets u->array where it
 * is not known. */
static int climbs(struct unions *u, const struct rg_cnode *s)
{
    const struct rg_cnode *c = s->kind == RG_C_WHILE ? s->kid[0] : NULL, *body = c ? s->kid[1] : NULL;
    if (!c || c->op != RG_COP_NE || body->kind != RG_C_BLOCK || body->n < 1 || body->n > 2) return -1;
    for (int side = 0; side < 2; side++) {
        const struct rg_cnode *v = c->kid[side], *l = c->kid[1 - side];
        if (v->kind != RG_C_VAR || v->array >= 0 || v->pointer || l->kind != RG_C_INDEX) continue;
        if (u->array < 0) u->array = l->array;
        const struct rg_cnode *halves = body->n == 2 ? assignment(body->kid[0]) : NULL,
                              *steps = assignment(body->kid[body->n - 1]);
        if (!is_label(u, l, v->var) || !steps || !is_var(steps->kid[0], v->var) || !is_label(u, steps->kid[1], v->var))
            continue;
        if (body->n == 2 && (!halves || !is_label(u, halves->kid[0], v->var) || !is_next(u, halves->kid[1], v->var)))
            continue;
        return u->t->vars[v->var].type == l->type ? v->var : -1;
    }
    return -1;
}

/* Is it the same however far the unions are: made of what they leave alone? */
static bool fixed(const struct unions *u, const struct rg_cnode *e)
{
    const bool plain = e->kind == RG_C_INT || e->kind == RG_C_REAL || e->kind == RG_C_VAR || e->kind == RG_C_INDEX ||
                       e->kind == RG_C_BINARY || e->kind == RG_C_CAST || e->kind == RG_C_COND ||
                       (e->kind == RG_C_UNARY && e->op != RG_COP_DEREF);
    if (e->kind == RG_C_MEMBER && e->kid[0]->kind == RG_C_INDEX && e->kid[0]->type == RG_STRUCT &&
        !e->kid[0]->pointer && !e->pointer && e->type != RG_STRUCT) { /* of an element of ours, which is of scalars */
        if (u->t->arrays[e->kid[0]->array].view) return false;
        for (int i = 0; i < e->kid[0]->n; i++)
            if (!fixed(u, e->kid[0]->kid[i])) return false;
        for (int i = 1; i < e->n; i++)
            if (!fixed(u, e->kid[i])) return false;
        return true;
    }
    if (!plain || e->op == RG_COP_ADDRESS || e->pointer || e->type == RG_STRUCT) return false;
    if (e->kind == RG_C_VAR && (e->array >= 0 || e->var == u->counter || e->var == u->end[0] || e->var == u->end[1]))
        return false;
    if (e->kind == RG_C_INDEX && (e->array == u->array || u->t->arrays[e->array].view)) return false;
    for (int i = 0; i < e->n; i++)
        if (!fixed(u, e->kid[i])) return false;
    return true;
}

/* if (a < b) label[b] = a; else label[a] = b; */
static bool hangs(const struct unions *u, const struct rg_cnode *s)
{
    if (s->kind != RG_C_IF || s->n != 3 || !s->kid[2]) return false;
    const struct rg_cnode *c = s->kid[0], *arm[2];
    const bool less = c->op == RG_COP_LT || c->op == RG_COP_LE;
    if (!less && c->op != RG_COP_GT && c->op != RG_COP_GE) return false;
    const int a = is_var(c->kid[0], u->end[0]) ? 0 : 1;
    if (!is_var(c->kid[0], u->end[a]) || !is_var(c->kid[1], u->end[1 - a])) return false;
    for (int i = 0; i < 2; i++) {
        const struct rg_cnode *b = s->kid[1 + i];
        if (b->kind == RG_C_BLOCK) b = b->n == 1 ? b->kid[0] : NULL;
        arm[i] = b ? assignment(b) : NULL;
        const int small = u->end[(a + !less + i) % 2], great = u->end[(a + less + i) % 2];
        if (!arm[i] || !is_label(u, arm[i]->kid[0], great) || !is_var(arm[i]->kid[1], small)) return false;
    }
    return true;
}

/* count--: the variable; -1 */
static int counts_down(const struct rg_cnode *s)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    int64_t one;
    if (!e || (e->kind != RG_C_ASSIGN && e->kind != RG_C_INCDEC)) return -1;
    const bool down = e->kind == RG_C_INCDEC ? !rg_c_increments(e->op)
                                             : e->op == RG_COP_SUB_SET && rg__c_number(e->kid[1], &one) && one == 1;
    return down && e->kid[0]->kind == RG_C_VAR && e->kid[0]->array < 0 && !e->kid[0]->pointer ? e->kid[0]->var : -1;
}

/* The statement that makes the union of the two roots. */
static bool unites(struct unions *u, const struct rg_cnode *s)
{
    if (hangs(u, s)) return true;
    if (s->kind != RG_C_IF || (s->n > 2 && s->kid[2]) || s->kid[0]->op != RG_COP_NE) return false;
    const struct rg_cnode *c = s->kid[0], *b = s->kid[1];
    const int a = is_var(c->kid[0], u->end[0]) ? 0 : 1;
    if (!is_var(c->kid[0], u->end[a]) || !is_var(c->kid[1], u->end[1 - a])) return false;
    if (b->kind != RG_C_BLOCK) return hangs(u, b);
    bool hung = false;
    for (int i = 0; i < b->n; i++) {
        if (!hung && hangs(u, b->kid[i]))
            hung = true;
        else if (u->counter < 0 && counts_down(b->kid[i]) >= 0)
            u->counter = counts_down(b->kid[i]);
        else
            return false;
    }
    return hung;
}

/* The block that ends with the union, and what is around it. */
static bool block(struct unions *u, struct rg_cnode *b)
{
    int at = 0;
    if (b->kind != RG_C_BLOCK || b->n < 1) return false;
    while (at < b->n && b->kid[at]->kind == RG_C_DECL && b->kid[at]->array < 0 && b->kid[at]->n == 1) at++;
    if (at == b->n - 1) {
        struct rg_cnode *s = b->kid[at];
        if (s->kind == RG_C_LOOP && s->n == 3) return block(u, s->kid[2]);
        if (s->kind == RG_C_IF && (s->n < 3 || !s->kid[2])) return block(u, s->kid[1]);
        return false;
    }
    u->block = b;
    for (int k = 0; k < b->n - 1; k++) {
        const struct rg_cnode *s = b->kid[k];
        if (s->kind == RG_C_DECL && s->array < 0 && s->n == 1) continue;
        const int x = climbs(u, s);
        const struct rg_cnode *value = NULL;
        for (int d = 0; d < k && x >= 0; d++)
            if (b->kid[d]->kind == RG_C_DECL && b->kid[d]->var == x && b->kid[d]->array < 0) value = b->kid[d]->kid[0];
        if (!value || u->n_ends == 2) return false;
        u->from[u->n_ends] = value;
        u->end[u->n_ends++] = x;
    }
    return u->n_ends == 2 && u->end[0] != u->end[1] && unites(u, b->kid[b->n - 1]);
}

/* Nothing else is done in the nest, or asked of what changes in it. */
static bool nothing_else(const struct unions *u, const struct rg_cnode *n)
{
    if (n == u->block) {
        for (int k = 0; k < n->n; k++)
            if (n->kid[k]->kind == RG_C_DECL && !fixed(u, n->kid[k]->kid[0])) return false;
        return true;
    }
    if (n->kind == RG_C_DECL) return fixed(u, n->kid[0]);
    for (int i = 0; i < n->n; i++) {
        if (n == u->nest && i == 3) continue; /* the flag */
        if (!n->kid[i] || (rg__c_is_expr(n->kid[i]) ? !fixed(u, n->kid[i]) : !nothing_else(u, n->kid[i]))) return false;
    }
    return true;
}

/* for (v = 0; v < n; v++), with n of parameters. */
static bool over_all(const struct unions *u, const struct rg_cnode *l)
{
    int64_t zero;
    return l->kind == RG_C_LOOP && l->n == 3 && l->step == 1 && rg__c_number(l->kid[0], &zero) && !zero &&
           rg__c_of_params(u->t, l->kid[1]) && rg__c_to_expr(u->t, l->kid[1], &u->t->arena) &&
           l->kid[2]->kind == RG_C_BLOCK;
}

static int names(const struct rg_cnode *n, int array)
{
    int count = n->array == array && (n->kind == RG_C_INDEX || n->kind == RG_C_VAR || n->kind == RG_C_DECL);
    for (int i = 0; i < n->n; i++)
        if (n->kid[i]) count += names(n->kid[i], array);
    return count;
}

/* The loop gives each element itself. */
static bool is_begin(const struct unions *u, const struct rg_cnode *l)
{
    if (!over_all(u, l) || names(l, u->array) != 1) return false;
    for (int k = 0; k < l->kid[2]->n; k++) {
        const struct rg_cnode *e = assignment(l->kid[2]->kid[k]);
        if (e && is_label(u, e->kid[0], l->var)) return is_var(rg__c_uncast(e->kid[1], RG__C_WIDE_CASTS), l->var);
    }
    return false;
}

/* x = v; while ..; label[v] = x; at the front of the body: what else names elements reads label[v]. */
static bool is_end(struct unions *u, const struct rg_cnode *l)
{
    if (!over_all(u, l) || l->kid[2]->n < 3 || !rg__c_same(l->kid[1], u->begins->kid[1], RG__C_UNCAST)) return false;
    struct rg_cnode *const *k = l->kid[2]->kid;
    const int x = climbs(u, k[1]);
    if (x < 0 || k[0]->kind != RG_C_DECL || k[0]->var != x || k[0]->array >= 0 || k[0]->n != 1 ||
        !is_var(rg__c_uncast(k[0]->kid[0], RG__C_WIDE_CASTS), l->var))
        return false;
    const struct rg_cnode *e = assignment(k[2]);
    if (!e || !is_label(u, e->kid[0], l->var) || !is_var(e->kid[1], x)) return false;
    for (int i = 3; i < l->kid[2]->n; i++)
        if (rg__writes_array(k[i], u->array) || rg__c_writes_var(k[i], x)) return false;
    return !rg__c_writes_var(l->kid[2], l->var);
}

/* Statements of the loop's body read label[v] alone. */
static bool reads_own(const struct unions *u, const struct rg_cnode *n, int v)
{
    if (is_label(u, n, v)) return true;
    if (n->array == u->array && (n->kind == RG_C_INDEX || n->kind == RG_C_VAR)) return false;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && !reads_own(u, n->kid[i], v)) return false;
    return true;
}

/* Around the nest at block->kid[at]. */
static bool find(struct unions *u, struct rg_cnode *in, int at)
{
    u->nest = in->kid[at];
    u->array = u->counter = u->end[0] = u->end[1] = -1;
    if (u->nest->n != 3) return false; /* edges behind the last that it reads need not be there */
    if (!block(u, u->nest->kid[2]) || !nothing_else(u, u->nest)) return false;
    const struct rg_carray *a = &u->t->arrays[u->array];
    if (a->view || a->n_dims != 1 || !rg__scalar_is_int(a->elem) || rg_scalar_bytes(a->elem) < 4) return false;
    int first = at - 1, last = at + 1;
    while (first >= 0 && !names(in->kid[first], u->array)) first--;
    while (last < in->n && !names(in->kid[last], u->array)) last++;
    if (first < 0 || last >= in->n || !is_begin(u, in->kid[first])) return false;
    u->begins = in->kid[first];
    const struct rg_expr *extent = a->dims ? a->dims[0] : NULL;
    struct rg_cnode *elements = extent ? rg__c_from_expr(u->t, extent) : NULL;
    if (extent && (!elements || !rg__c_same(elements, u->begins->kid[1], RG__C_UNCAST))) return false; /* has others */
    if (!is_end(u, in->kid[last])) return false;
    u->ends = in->kid[last];
    for (int i = 3; i < u->ends->kid[2]->n; i++)
        if (!reads_own(u, u->ends->kid[2]->kid[i], u->ends->var)) return false;
    for (int i = first; i <= last; i++)
        if (in->kid[i]->kind == RG_C_RETURN || rg__leaves_early(in->kid[i])) return false;
    if (u->counter < 0) return true;
    return rg__scalar_is_int(u->t->vars[u->counter].type) && rg_scalar_bytes(u->t->vars[u->counter].type) >= 4 &&
           u->counter != u->end[0] && u->counter != u->end[1] && !rg__c_declares(u->nest, u->counter) &&
           !rg__c_binds(u->nest, u->counter);
}

static struct rg_cnode *label(const struct unions *u, int array, struct rg_cnode *at)
{
    return rg__c_index(u->t, array, 1, &at);
}

static struct rg_cnode *declared(const struct unions *u, int var, struct rg_cnode *value)
{
    struct rg_cnode *d = rg_cnode_new(u->t, RG_C_DECL, 1);
    d->var = var;
    d->type = u->t->vars[var].type;
    d->kid[0] = value;
    d->line = u->nest->line;
    return d;
}

/* for (v ..) statements, over all elements. */
static struct rg_cnode *all(const struct unions *u, int v, struct rg__kids *k)
{
    struct rg_ctree *t = u->t;
    struct rg_cnode *l = rg__c_shallow(&t->arena, u->begins);
    l->var = v;
    l->kid[0] = rg__c_copy(t, l->kid[0]);
    l->kid[1] = rg__c_copy(t, l->kid[1]);
    l->kid[2] = rg__kids_node(t, RG_C_BLOCK, k);
    l->line = l->kid[2]->line = u->nest->line;
    return l;
}

static int element_variable(const struct unions *u)
{
    struct rg_ctree *t = u->t;
    const int v = rg__c_add_var(t, t->vars[u->begins->var].name, RG_CVAR_ITER, t->vars[u->begins->var].type);
    t->vars[v].c_type = t->vars[u->begins->var].c_type;
    return v;
}

/* for (v ..) to[v] = from[v]; */
static struct rg_cnode *copied(const struct unions *u, int to, int from)
{
    struct rg_ctree *t = u->t;
    struct rg__kids k = {0};
    const int v = element_variable(u);
    rg__kids_add(&k, rg__placed_set(t, label(u, to, rg__c_var(t, v)), label(u, from, rg__c_var(t, v)), u->nest));
    return all(u, v, &k);
}

/* for (v ..) var = a[v] != b[v] ? 1 : var; */
static struct rg_cnode *differs(const struct unions *u, int var, int a, int b)
{
    struct rg_ctree *t = u->t;
    struct rg__kids k = {0};
    const int v = element_variable(u);
    struct rg_cnode *c = rg__c_binary(t, RG_COP_NE, label(u, a, rg__c_var(t, v)), label(u, b, rg__c_var(t, v)));
    rg__kids_add(&k,
                 rg__placed_set(t, rg__c_var(t, var), rg__c_choice(t, c, rg__c_int(t, 1), rg__c_var(t, var)), u->nest));
    return all(u, v, &k);
}

static struct rg_cnode *until(const struct unions *u, const char *name, int go, struct rg__kids *body)
{
    struct rg_ctree *t = u->t;
    struct rg_cnode *l = rg_cnode_new(t, RG_C_LOOP, 4);
    l->var = rg__c_add_var(t, name, RG_CVAR_ITER, RG_I32);
    l->step = 1;
    l->line = u->nest->line;
    l->column = u->nest->column;
    l->kid[0] = rg__c_int(t, 0);
    l->kid[1] = rg__c_int(t, INT32_MAX);
    l->kid[2] = rg__kids_node(t, RG_C_BLOCK, body);
    l->kid[2]->line = u->nest->line;
    l->kid[3] = rg__c_var(t, go);
    return l;
}

/* Everyone's root, in as many rounds as the way there doubles in:
 *     do { for v: flat[v] = label[label[v]]; for v: more = flat[v] != label[v] ? 1 : more; label = flat; } while
 * (more); */
static void flatten(const struct unions *u, int flat, struct rg__kids *out)
{
    struct rg_ctree *t = u->t;
    const int v = element_variable(u), go = rg__c_add_var(t, "jumps", RG_CVAR_LOCAL, RG_I32),
              more = rg__c_add_var(t, "moved", RG_CVAR_LOCAL, RG_I32);
    struct rg__kids jump = {0}, body = {0};
    struct rg_cnode *next = label(u, u->array, label(u, u->array, rg__c_var(t, v)));
    rg__kids_add(&jump, rg__placed_set(t, label(u, flat, rg__c_var(t, v)), next, u->nest));
    rg__kids_add(&body, declared(u, more, rg__c_int(t, 0)));
    rg__kids_add(&body, all(u, v, &jump));
    rg__kids_add(&body, differs(u, more, flat, u->array));
    rg__kids_add(&body, copied(u, u->array, flat));
    rg__kids_add(&body, rg__placed_set(t, rg__c_var(t, go), rg__c_var(t, more), u->nest));
    rg__kids_add(out, declared(u, go, rg__c_int(t, 1)));
    rg__kids_add(out, until(u, "jump", go, &body));
}

/* The nest with what hangs the greater of two roots below the lesser in place of the union; `was`: everyone's root. */
static struct rg_cnode *hooks(const struct unions *u, int was)
{
    struct rg_ctree *t = u->t;
    const struct rg_cnode *old = u->block;
    struct rg__kids k = {0};
    for (int i = 0; i < old->n - 1; i++) {
        const struct rg_cnode *d = old->kid[i];
        if (d->kind != RG_C_DECL) continue;
        const bool root = d->var == u->end[0] || d->var == u->end[1];
        rg__kids_add(&k,
                     declared(u, d->var, root ? label(u, was, rg__c_copy(t, d->kid[0])) : rg__c_copy(t, d->kid[0])));
    }
    struct rg_cnode *a = rg__c_var(t, u->end[0]), *b = rg__c_var(t, u->end[1]),
                    *less = rg__c_binary(t, RG_COP_LT, rg__c_copy(t, a), rg__c_copy(t, b));
    const int lo = rg__c_add_var(t, "lesser", RG_CVAR_LOCAL, a->type),
              hi = rg__c_add_var(t, "greater", RG_CVAR_LOCAL, a->type);
    struct rg_cnode *to = label(u, u->array, rg__c_var(t, hi)),
                    *below = rg__c_binary(t, RG_COP_LT, rg__c_var(t, lo), rg__c_copy(t, to));
    rg__kids_add(&k, declared(u, lo, rg__c_choice(t, less, rg__c_copy(t, a), rg__c_copy(t, b))));
    rg__kids_add(&k, declared(u, hi, rg__c_choice(t, rg__c_copy(t, less), rg__c_copy(t, b), rg__c_copy(t, a))));
    rg__kids_add(&k, rg__placed_set(t, to, rg__c_choice(t, below, rg__c_var(t, lo), rg__c_copy(t, to)), u->nest));
    struct rg_cnode kept = *u->block, *made = rg__kids_node(t, RG_C_BLOCK, &k);
    u->block->kid = made->kid;
    u->block->n = made->n;
    struct rg_cnode *copy = rg__c_copy(t, u->nest);
    *u->block = kept;
    copy->n = 3;
    rg__moves_fresh(t, copy, copy);
    return copy;
}

static void rewrite(struct unions *u, struct rg_cnode *in, int at, struct rg__kids *declarations)
{
    struct rg_ctree *t = u->t;
    const enum rg_scalar type = t->arrays[u->array].elem;
    const struct rg_expr *n = rg__c_to_expr(t, u->begins->kid[1], &t->arena);
    const int was = rg__placed_scratch(t, "was", type, n, u->nest, declarations),
              flat = rg__placed_scratch(t, "flat", type, n, u->nest, declarations),
              go = rg__c_add_var(t, "go_on", RG_CVAR_LOCAL, RG_I32),
              changed = rg__c_add_var(t, "changed", RG_CVAR_LOCAL, RG_I32);
    struct rg__kids body = {0}, with = {0}, none = {0};
    rg__kids_add(&body, declared(u, changed, rg__c_int(t, 0)));
    rg__kids_add(&body, copied(u, was, u->array));
    rg__kids_add(&body, hooks(u, was));
    rg__kids_add(&body, differs(u, changed, u->array, was));
    flatten(u, flat, &body);
    rg__kids_add(&body, rg__placed_set(t, rg__c_var(t, go), rg__c_var(t, changed), u->nest));
    rg__kids_add(&with, declared(u, go, rg__c_int(t, 1)));
    rg__kids_add(&with, until(u, "round", go, &body));
    if (u->counter >= 0) { /* for (v ..) count -= label[v] != v ? 1 : 0; */
        const int v = element_variable(u);
        struct rg__kids k = {0};
        struct rg_cnode *other = rg__c_binary(t, RG_COP_NE, label(u, u->array, rg__c_var(t, v)), rg__c_var(t, v)),
                        *one = rg__c_choice(t, other, rg__c_int(t, 1), rg__c_int(t, 0));
        rg__kids_add(
            &k, rg__c_stands(rg__c_stmt(t, rg__c_assign(t, RG_COP_SUB_SET, rg__c_var(t, u->counter), one)), u->nest));
        rg__kids_add(&with, all(u, v, &k));
    }
    struct rg_cnode *rest = u->ends->kid[2], *v = rg__c_var(t, u->ends->var);
    const int x = rest->kid[0]->var;
    rg__block_splice(t, rest, 0, 3, &none);
    rg__c_replace_var(t, rest, x, label(u, u->array, v));
    for (int i = at; i < in->n && !rest->n; i++)
        if (in->kid[i] == u->ends) {
            struct rg__kids gone = {0};
            rg__block_splice(t, in, i, 1, &gone);
        }
    rg__block_splice(t, in, at, 1, &with);
}

/* Labels without a sign come round behind the last of their type, where each would no longer be an element itself. */
static void require_few(const struct unions *u, struct rg_problem *p)
{
    const enum rg_scalar type = u->t->arrays[u->array].elem;
    if (rg_scalar_is_signed(type) || rg_scalar_bytes(type) > 4) return;
    struct rg_cnode *few =
        rg__c_binary(u->t, RG_COP_LE, rg__c_copy(u->t, u->begins->kid[1]), rg__c_int(u->t, (int64_t)1 << 32));
    const struct rg_expr *e = rg__c_to_expr(u->t, rg__c_strip_int_casts(few), &p->arena);
    if (e) rg__add_require(p, e);
}

static void walk(struct rg__load *l, struct rg_cnode *n, struct rg__kids *declarations)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        struct unions u = {.t = l->t};
        if (n->kind == RG_C_BLOCK && n->kid[i]->kind == RG_C_LOOP && find(&u, n, i)) {
            require_few(&u, l->p);
            rewrite(&u, n, i, declarations);
        } else {
            walk(l, n->kid[i], declarations);
        }
    }
}

enum rg_status rg__canon_unions(struct rg__load *l)
{
    struct rg__kids declarations = {0};
    if (l->p->may_alias || rg__mentions_kind(l->t->root, RG_C_VERBATIM)) return RG_OK;
    walk(l, l->t->root, &declarations);
    rg__block_splice(l->t, l->t->root, 0, 0, &declarations);
    return RG_OK;
}
