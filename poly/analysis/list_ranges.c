/* Lists that iterations fill from where each begins (frontend/normalise/filled_lists.c): `int n = first[j][i]; ..
 * col[n] = ..; n++;`. What the front end has shown of such a counter: the elements that it names in an iteration of the
 * loops which its begin depends on are that iteration's alone. So are those of a row that is compressed
 * (frontend/normalise/compressed_rows.c): `for (p = ptr[i]; p < ptr[i + 1]; p++) val[p] = ..`. */
#include "poly/analysis/scop.h"

/* The one scalar that the subscript names: v, v + 1, 3 * v + 2; -1. */
static int counter_in(const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR) return e->array < 0 && !e->pointer ? e->var : -1;
    if (e->kind == RG_C_CAST && !e->pointer && rg_scalar_bytes(e->type) >= 4 && !rg_scalar_is_real(e->type))
        return counter_in(e->kid[0]);
    if (e->kind != RG_C_BINARY || (e->op != RG_COP_ADD && e->op != RG_COP_SUB && e->op != RG_COP_MUL)) return -1;
    int found = -1;
    for (int i = 0; i < e->n; i++) {
        const struct rg_cnode *k = rg__c_uncast(e->kid[i], RG__C_WIDE_CASTS);
        if (k->kind == RG_C_INT) continue;
        if (found >= 0 || (found = counter_in(k)) < 0) return -1;
    }
    return found;
}

/* What all declarations of the scalar give it; false: different things, or nothing. */
static bool begin_of(const struct rg_cnode *n, int var, const struct rg_cnode **value)
{
    if (n->kind == RG_C_DECL && n->array < 0 && n->var == var) {
        if (!n->n || !n->kid[0] || (*value && !rg__c_same(*value, n->kid[0], RG__C_TYPED))) return false;
        *value = n->kid[0];
    }
    if (rg__c_is_expr(n)) return true;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && !begin_of(n->kid[i], var, value)) return false;
    return true;
}

/* The element that the counter of a subscript begins at; NULL: it has none. */
static const struct rg_cnode *begin(const struct poly_scop *s, const struct poly_access *a)
{
    for (int d = 0; a->node && a->node->kind == RG_C_INDEX && !a->node->pointer && d < a->node->n; d++) {
        int v = counter_in(a->node->kid[d]);
        const struct rg_cnode *value = NULL;
        if (v < 0 || s->tree->vars[v].kind != RG_CVAR_LOCAL || s->var_hidden[v] ||
            !begin_of(s->tree->root, v, &value) || !value)
            continue;
        value = rg__c_uncast(value, RG__C_WIDE_CASTS);
        if (value->kind != RG_C_INDEX && s->declared[v]) { /* it holds where the counter was */
            v = counter_in(value);
            value = NULL;
            if (v < 0 || s->tree->vars[v].kind != RG_CVAR_LOCAL || s->var_hidden[v] ||
                !begin_of(s->tree->root, v, &value) || !value)
                continue;
            value = rg__c_uncast(value, RG__C_WIDE_CASTS);
        }
        if (value->kind == RG_C_INDEX && s->tree->arrays[value->array].begins) return value;
    }
    return NULL;
}

static bool any_begins(const struct rg_ctree *t)
{
    bool any = false;
    for (int a = 0; a < t->n_arrays; a++) any = any || t->arrays[a].begins;
    return any;
}

/* Where the loops over the variable begin, all of whose values are apart; false: they are not, or begin at different
 * elements. */
static bool rows_of(const struct rg_cnode *n, int var, const struct rg_cnode **value)
{
    if (n->kind == RG_C_LOOP && n->var == var) {
        const struct rg_cnode *from = rg__c_uncast(n->kid[0], RG__C_WIDE_CASTS);
        if (!n->apart || from->kind != RG_C_INDEX || (*value && !rg__c_same(*value, from, RG__C_UNCAST))) return false;
        *value = from;
    }
    if (rg__c_is_expr(n)) return true;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && !rows_of(n->kid[i], var, value)) return false;
    return true;
}

static bool any_rows(const struct rg_cnode *n)
{
    if (n->kind == RG_C_LOOP && n->apart) return true;
    for (int i = 0; i < n->n && !rg__c_is_expr(n); i++)
        if (n->kid[i] && any_rows(n->kid[i])) return true;
    return false;
}

void rg__poly_rows_analyse(struct poly_scop *s)
{
    const struct rg_ctree *t = s->tree;
    if (!any_rows(t->root)) return;
    s->rows = rg_xcalloc((size_t)t->n_vars + 1, sizeof *s->rows);
    for (int v = 0; v < t->n_vars; v++) {
        const struct rg_cnode *from = NULL;
        if (t->vars[v].kind == RG_CVAR_ITER && rows_of(t->root, v, &from)) s->rows[v] = from;
    }
}

/* The element that a loop over a compressed row begins at, where one of the subscripts is its variable in both; NULL.
 */
static const struct rg_cnode *row_begin(const struct poly_scop *s, const struct poly_access *a,
                                        const struct poly_access *b)
{
    const struct rg_cnode *m = a->node, *n = b->node;
    if (!s->rows || !m || !n || m->kind != RG_C_INDEX || n->kind != RG_C_INDEX || m->pointer || n->pointer ||
        m->n != n->n)
        return NULL;
    for (int d = 0; d < m->n; d++) {
        const struct rg_cnode *x = rg__c_uncast(m->kid[d], RG__C_WIDE_CASTS),
                              *y = rg__c_uncast(n->kid[d], RG__C_WIDE_CASTS);
        if (x->kind != RG_C_VAR || y->kind != RG_C_VAR || x->array >= 0 || y->array >= 0) continue;
        const struct rg_cnode *from = s->rows[x->var], *other = s->rows[y->var];
        if (from && other && rg__c_same(from, other, RG__C_UNCAST)) return from;
    }
    return NULL;
}

isl_map *rg__poly_list_range(const struct poly_scop *s, isl_space *sp, const struct poly_access *a,
                             const struct poly_access *b)
{
    if (a->array != b->array) return NULL;
    const struct rg_cnode *row = row_begin(s, a, b),
                          *x = row                   ? row
                               : any_begins(s->tree) ? begin(s, a)
                                                     : NULL,
                          *y = row ? row
                               : x ? begin(s, b)
                                   : NULL;
    const struct poly_stmt *sa = &s->stmts[a->stmt], *sb = &s->stmts[b->stmt];
    if (!y || x->array != y->array || !rg__c_same(x, y, RG__C_UNCAST)) return NULL;
    int first = -1, named = 0;
    isl_map *any = isl_map_universe(isl_space_copy(sp)), *same = isl_map_copy(any);
    for (int at = 0; at < sa->depth && at < sb->depth && sa->loops[at] == sb->loops[at]; at++) {
        if (!rg__c_mentions_var(x, s->loops[sa->loops[at]].var)) continue;
        if (first < 0) first = at;
        named++;
        same = isl_map_equate(same, isl_dim_in, at, isl_dim_out, at);
    }
    int levels = 0;
    for (int at = 0; at < sa->depth; at++) levels += rg__c_mentions_var(x, s->loops[sa->loops[at]].var);
    for (int out = 0; out < first; out++) { /* in another iteration around the nest: anything */
        same = isl_map_union(same, isl_map_order_lt(isl_map_copy(any), isl_dim_in, out, isl_dim_out, out));
        same = isl_map_union(same, isl_map_order_gt(isl_map_copy(any), isl_dim_in, out, isl_dim_out, out));
    }
    isl_map_free(any);
    if (!named || named != levels) {
        isl_map_free(same);
        return NULL;
    }
    return same;
}
