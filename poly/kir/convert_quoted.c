/* Kernel IR: the user's code that has no other form than the file's, with the kernel's words for what it refers to. */
#include "ir/ctree_util.h"
#include "poly/kir/convert.h"
#include <stdlib.h>
#include <string.h>

/* ---- what is quoted ---- */

struct collecting {
    struct kir_names *x;
    const struct rg_cnode *whole;
    int n, cap;
    struct kir_node **kid; /* malloc'd, as is the next */
    const struct rg_cnode **at;
    bool ok;
};

/* Is it over what the quoted code itself declares, so that it has no value here? */
static bool over_own(const struct collecting *c, const struct rg_cnode *n)
{
    if (n->kind == RG_C_VAR && n->array < 0 && rg__c_binds(c->whole, n->var)) return true;
    for (int i = 0; i < n->n; i++)
        if (over_own(c, n->kid[i])) return true;
    return false;
}

/* Does it step or set anything on its way, so that it is no place that can be named in front? */
static bool steps_inside(const struct collecting *c, const struct rg_cnode *n)
{
    for (int i = 0; n->kind == RG_C_INDEX && i < n->n; i++)
        if (!rg__c_pure(c->x->t, n->kid[i])) return true;
    return false;
}

/* Is an element of the array what C says, whoever builds the kernel: memory of the thread's own, or what no other
 * thread writes, as C has it: in rows where it is declared so, and flat where it is the caller's or of the heap? */
static bool stays(struct kir_names *x, int array)
{
    const struct rg_carray *a = &x->t->arrays[array];
    int b = rg__kir_buffer_of(x, array);
    if (b < 0) return false;
    const struct kir_symbol *s = &x->k->symbols[b];
    bool own = s->space == KIR_LOCAL || s->space == KIR_TABLE, flat = a->param >= 0 || a->mallocd || a->n_dims == 1;
    if (!own && (s->space != KIR_GLOBAL || s->apart || !flat)) return false;
    return own || s->inside || x->alone || !x->assign || a->is_const || !rg__writes_array(x->t->root, array);
}

static bool collect(void *arg, struct rg_cnode *n)
{
    struct collecting *c = arg;
    const struct rg_ctree *t = c->x->t;
    struct kir_node *is = NULL;
    bool index = n->kind == RG_C_INDEX && n->n == t->arrays[n->array].n_dims,
         scalar = n->kind == RG_C_VAR && n->array < 0 && n->var >= 0;
    if (!c->ok || (!index && !scalar)) return c->ok;
    if (over_own(c, n) || steps_inside(c, n)) { /* its subscripts are asked for */
        c->ok = !index || stays(c->x, n->array) ||
                rg__kir_no_form(c->x, "%s is used in code that has no other form than the file's",
                                t->arrays[n->array].name);
        return c->ok;
    }
    is = index ? rg__kir_place_of(c->x, n) : rg__kir_variable(c->x, n->var);
    c->ok = is != NULL;
    if (c->n == c->cap) {
        c->cap = c->cap ? 2 * c->cap : 8;
        c->kid = rg_xrealloc(c->kid, (size_t)c->cap * sizeof *c->kid);
        c->at = rg_xrealloc(c->at, (size_t)c->cap * sizeof *c->at);
    }
    c->kid[c->n] = is;
    c->at[c->n++] = n;
    return false;
}

/* A node of that kind for the tree, whose references are its kids. */
struct kir_node *rg__kir_quotation(struct kir_names *x, enum kir_kind kind, const struct rg_cnode *e)
{
    struct collecting c = {.x = x, .whole = e, .ok = true};
    rg__c_walk((struct rg_cnode *)e, collect, &c);
    struct kir_node *n = c.ok ? rg__kir_node(x->k, kind, c.n) : NULL;
    if (n) {
        n->tree = e;
        n->type = e->type;
        n->quoted = rg_arena_alloc(x->k->arena, (size_t)(c.n + 1) * sizeof *n->quoted);
        for (int i = 0; i < c.n; i++) {
            n->kid[i] = c.kid[i];
            n->quoted[i] = c.at[i];
        }
    }
    free(c.kid);
    free(c.at);
    return n;
}

struct meeting {
    struct kir_names *names;
    bool ok;
};

/* Text without a tree may name any parameter, under its own name. False: why. */
static bool all_names(struct kir_names *x)
{
    for (int v = 0; v < x->t->n_vars; v++) {
        const struct rg_cvar *c = &x->t->vars[v];
        struct kir_node *is = c->kind == RG_CVAR_PARAM ? rg__kir_variable(x, v) : NULL;
        while (is && is->kind == KIR_CAST) is = is->kid[0];
        if (c->kind != RG_CVAR_PARAM) continue;
        if (!is || is->kind != KIR_NAME || strcmp(x->k->symbols[is->symbol].name, c->name) != 0)
            return rg__kir_no_form(x, "%s is something else in code that nobody reads", c->name) != NULL;
    }
    for (int a = 0; a < x->t->n_arrays; a++)
        if (x->t->arrays[a].param >= 0 && !x->t->arrays[a].constant_table && rg__kir_buffer_of(x, a) < 0) return false;
    return true;
}

static bool meet(void *arg, struct rg_cnode *n)
{
    struct meeting *m = arg;
    bool assigns = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC;
    if (n->kind == RG_C_RETURN && !m->names->returns)
        m->ok = m->ok && rg__kir_no_form(m->names, "the function is left where other threads go on%s", "");
    if (n->kind == RG_C_VERBATIM) m->ok = m->ok && all_names(m->names);
    if (assigns && m->names->assign && (m->names->assign(m->names->arg, m->names, n) || *m->names->why))
        m->ok =
            m->ok && rg__kir_no_form(m->names, "an update that must be atomic stands in code left from inside%s", "");
    if ((n->kind == RG_C_INDEX || n->kind == RG_C_VAR) && n->array >= 0)
        m->ok = m->ok && rg__kir_buffer_of(m->names, n->array) >= 0;
    return true;
}

/* `return v;` as two statements, so that what is returned is stored where the kernel has it. */
static void store_returned(struct rg_ctree *t, struct rg_cnode *n)
{
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *r = n->kid[i];
        if (!r || rg__c_is_expr(r)) continue;
        if (r->kind != RG_C_RETURN || !r->n || !r->kid[0]) {
            store_returned(t, r);
            continue;
        }
        struct rg_cnode *both = rg_cnode_new(t, RG_C_BLOCK, 2), *zero = rg__c_int(t, 0);
        both->kid[0] = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_index(t, t->result_array, 1, &zero), r->kid[0]));
        both->kid[1] = rg_cnode_new(t, RG_C_RETURN, 0);
        both->line = both->kid[0]->line = both->kid[1]->line = r->line;
        n->kid[i] = both;
    }
}

/* The user's code as it is: for its names to be known to the kernel, they are asked for. */
struct kir_node *rg__kir_opaque(struct kir_names *x, const struct rg_cnode *n)
{
    struct meeting m = {x, true};
    *x->why = 0;
    if (x->returns && x->t->result_array >= 0 && rg__mentions_kind(n, RG_C_RETURN)) {
        struct rg_ctree *t = (struct rg_ctree *)x->t; /* its arena alone */
        struct rg_cnode *whole = rg_cnode_new(t, RG_C_BLOCK, 1);
        whole->kid[0] = rg__c_copy(t, n);
        whole->line = n->line;
        store_returned(t, whole);
        n = whole;
    }
    rg__c_walk((struct rg_cnode *)n, meet, &m);
    struct kir_node *o = m.ok ? rg__kir_quotation(x, KIR_OPAQUE, n) : NULL;
    if (!o) return NULL;
    struct kir_names *as = rg_arena_alloc(x->k->arena, sizeof *as);
    *as = *x;
    as->var = rg_arena_alloc(x->k->arena, (size_t)(x->t->n_vars + 1) * sizeof(struct kir_node *));
    memcpy(as->var, x->var, (size_t)x->t->n_vars * sizeof(struct kir_node *));
    for (int v = 0; v < x->t->n_vars; v++)
        if (rg__c_binds(n, v)) as->var[v] = NULL;
    o->names = as;
    return o;
}

struct kir_node *rg__kir_sort(struct kir_names *names, enum kir_sort what, int shared, int width,
                              struct kir_node *const *kids, const struct rg_cnode *call)
{
    struct kir_node *order = rg__kir_opaque(names, call), *x;
    if (!order) return NULL;
    int n = rg__kir_sort_operands(what);
    x = rg__kir_node(names->k, KIR_SORT, n + order->n);
    x->sort = what;
    x->symbol = shared;
    x->width = width;
    x->tree = call;
    x->names = order->names;
    x->quoted = order->quoted;
    for (int i = 0; i < x->n; i++) x->kid[i] = i < n ? kids[i] : order->kid[i - n];
    return x;
}
