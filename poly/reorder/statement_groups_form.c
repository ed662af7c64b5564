/* Pieces of a nest told apart, or taken together, where that leaves an order more to choose from. */
#include "poly/reorder/scheduler.h"
#include <string.h>

/* ---- splitting ---- */

static isl_set *related(__isl_take isl_set *d, int a, int b, int sign)
{
    isl_local_space *ls = isl_local_space_from_space(isl_set_get_space(d));
    isl_pw_aff *x = isl_pw_aff_from_aff(isl_aff_var_on_domain(isl_local_space_copy(ls), isl_dim_set, (unsigned)a));
    isl_pw_aff *y = isl_pw_aff_from_aff(isl_aff_var_on_domain(ls, isl_dim_set, (unsigned)b));
    return isl_set_intersect(d, sign < 0   ? isl_pw_aff_lt_set(x, y)
                                : sign > 0 ? isl_pw_aff_gt_set(x, y)
                                           : isl_pw_aff_eq_set(x, y));
}

static int place_of(const struct poly_scop *s, const struct poly_unit *u, const struct poly_linear *l)
{
    if (!l->ok || l->n != 1 || l->term[0].c != 1 || l->k) return -1;
    for (int d = 0; d < u->depth; d++)
        if (s->loops[u->loops[d]].var == l->term[0].var) return d;
    return -1;
}

/* Iterations a < b, a == b and a > b become pieces of their own. */
static void split_at(struct poly_nest *nest, int a, int b)
{
    int n = nest->n_units;
    if (3 * n > POLY_MAX_UNITS) return;
    for (int i = 0; i < n; i++)
        for (int sign = 0; sign < 2; sign++) {
            struct poly_unit *u = &nest->units[nest->n_units];
            *u = nest->units[i];
            u->id = u->as = nest->n_units++;
            u->domain = related(isl_set_copy(nest->units[i].domain), a, b, sign);
            u->order = NULL;
        }
    for (int i = 0; i < n; i++) nest->units[i].domain = related(nest->units[i].domain, a, b, -1);
}

/* A nest of one piece that writes x[a] and reads x[b], a and b iterators: what it reads changes in mid-sweep, where the
 * two meet, and on either side of that it may be free of dependences. */
bool rg__poly_units_split(struct poly_nest *nest)
{
    struct poly_scop *s = nest->scop;
    struct poly_unit *u = &nest->units[0];
    bool done[POLY_MAX_DEPTH][POLY_MAX_DEPTH] = {{false}};
    if (nest->n_units != 1 || u->n_stmts != 1) return false;
    const struct poly_stmt *st = &s->stmts[u->first_stmt];
    const struct poly_access *first = &s->accesses[st->first_access];
    for (int i = 0; i < st->n_accesses; i++)
        for (int j = 0; j < st->n_accesses; j++)
            for (int d = 0; first[i].write && first[j].read && first[i].array == first[j].array &&
                            d < first[i].n_subs && d < first[j].n_subs;
                 d++) {
                int a = place_of(s, u, &first[i].sub[d]), b = place_of(s, u, &first[j].sub[d]);
                if (a < 0 || b < 0 || a == b || done[a][b]) continue;
                done[a][b] = done[b][a] = true;
                split_at(nest, a, b);
                u = &nest->units[0];
            }
    return nest->n_units > 1;
}

/* ---- joining ---- */

struct pairing {
    int n, a[2 * POLY_MAX_DEPTH], b[2 * POLY_MAX_DEPTH]; /* variables that stand for each other */
};

static bool same_var(const struct pairing *p, int a, int b)
{
    for (int i = p->n - 1; i >= 0; i--)
        if (p->a[i] == a || p->b[i] == b) return p->a[i] == a && p->b[i] == b;
    return a == b;
}

static bool same_code(struct pairing *p, const struct rg_cnode *x, const struct rg_cnode *y)
{
    if (!x || !y) return x == y;
    if (x->kind != y->kind || x->op != y->op || x->n != y->n || x->type != y->type || x->pointer != y->pointer ||
        x->array != y->array || x->callee != y->callee || x->step != y->step || x->ivalue != y->ivalue ||
        x->rvalue != y->rvalue || !x->text != !y->text ||
        (x->text && x->kind != RG_C_INT && strcmp(x->text, y->text) != 0) || x->kind == RG_C_DECL)
        return false;
    int before = p->n;
    if (x->kind == RG_C_LOOP) {
        if (p->n == 2 * POLY_MAX_DEPTH) return false;
        p->a[p->n] = x->var;
        p->b[p->n++] = y->var;
    } else if (x->array < 0 && !same_var(p, x->var, y->var)) {
        return false;
    }
    bool same = true;
    for (int i = 0; i < x->n && same; i++) same = same_code(p, x->kid[i], y->kid[i]);
    p->n = before;
    return same;
}

static bool joins(const struct poly_nest *nest, const struct poly_unit *a, const struct poly_unit *b)
{
    const struct poly_loop *loops = nest->scop->loops;
    struct pairing p = {.n = a->depth};
    if (a->depth != b->depth || a->n_items != b->n_items || a->depth == 0) return false;
    for (int d = 0; d < a->depth; d++) {
        p.a[d] = loops[a->loops[d]].var;
        p.b[d] = loops[b->loops[d]].var;
    }
    for (int i = 0; i < a->n_items; i++)
        if (!same_code(&p, a->item[i], b->item[i])) return false;
    isl_set *other = isl_set_set_tuple_name(isl_set_copy(b->domain), isl_set_get_tuple_name(a->domain));
    isl_bool apart = isl_set_is_disjoint(a->domain, other);
    isl_set_free(other);
    return apart == isl_bool_true;
}

bool rg__poly_units_join(struct poly_nest *nest)
{
    bool any = false;
    for (int i = 0; i < nest->n_units; i++)
        for (int j = i + 1; j < nest->n_units; j++)
            if (nest->units[i].as == i && nest->units[j].as == j && joins(nest, &nest->units[i], &nest->units[j])) {
                nest->units[j].as = i;
                any = true;
            }
    return any;
}
