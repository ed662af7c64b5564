#include "poly/reorder/make_nodes.h"
#include <isl/val.h>
#include <string.h>

static isl_stat keep(__isl_take isl_set *where, __isl_take isl_aff *f, void *out)
{
    isl_set_free(where); /* where there is an iteration at all */
    isl_aff_free(*(isl_aff **)out);
    *(isl_aff **)out = f;
    return isl_stat_ok;
}

bool rg__poly_one_piece(__isl_take isl_pw_aff *p, isl_aff **out)
{
    *out = NULL;
    if (p && isl_pw_aff_n_piece(p) == 1) isl_pw_aff_foreach_piece(p, keep, out);
    isl_pw_aff_free(p);
    if (!*out) return false;
    isl_val *d = isl_aff_get_denominator_val(*out);
    bool whole = isl_val_is_one(d) == isl_bool_true && isl_aff_dim(*out, isl_dim_div) == 0;
    isl_val_free(d);
    if (!whole) {
        isl_aff_free(*out);
        *out = NULL;
    }
    return whole;
}

int64_t rg__poly_number(__isl_take isl_val *v)
{
    int64_t k = isl_val_get_num_si(v);
    isl_val_free(v);
    return k;
}

static int param_var(const struct poly_scop *s, const char *name)
{
    for (int v = 0; name && v < s->tree->n_vars; v++)
        if (s->tree->vars[v].kind == RG_CVAR_PARAM && !strcmp(s->tree->vars[v].name, name)) return v;
    return -1;
}

struct rg_cnode *rg__poly_make_int(struct poly_maker *m, int64_t v)
{
    struct rg_cnode *c = rg__c_new(m->a, RG_C_INT, RG_COP_NONE, RG_I32, 0, m->at);
    c->ivalue = v;
    return c;
}

struct rg_cnode *rg__poly_make_var(struct poly_maker *m, int var)
{
    struct rg_cnode *c = rg__c_new(m->a, RG_C_VAR, RG_COP_NONE, m->t->vars[var].type, 0, m->at);
    c->var = var;
    return c;
}

struct rg_cnode *rg__poly_make(struct poly_maker *m, enum rg_c_kind kind, enum rg_c_op op, enum rg_scalar type, int n,
                               struct rg_cnode **kid)
{
    struct rg_cnode *c = rg__c_new(m->a, kind, op, type, n, m->at);
    if (n) memcpy(c->kid, kid, sizeof *c->kid * (size_t)n);
    return c;
}

struct rg_cnode *rg__poly_make_two(struct poly_maker *m, enum rg_c_kind kind, enum rg_c_op op, struct rg_cnode *a,
                                   struct rg_cnode *b)
{
    struct rg_cnode *kid[] = {a, b};
    return rg__poly_make(m, kind, op, a->type, 2, kid);
}

struct rg_cnode *rg__poly_with_var(struct poly_maker *m, const struct rg_cnode *n, int var, int by)
{
    if (!n) return NULL;
    if (n->kind == RG_C_VAR && n->array < 0 && n->var == var) return rg__poly_make_var(m, by);
    struct rg_cnode *c = rg__c_shallow(m->a, n);
    for (int i = 0; i < n->n; i++) c->kid[i] = rg__poly_with_var(m, n->kid[i], var, by);
    return c;
}

bool rg__poly_make_value(struct poly_maker *m, isl_aff *f, int64_t more, struct rg_cnode **out, struct rg_buf *text)
{
    int64_t k = rg__poly_number(isl_aff_get_constant_val(f)) + more;
    struct rg_cnode *sum = NULL;
    for (int i = 0; i < (int)isl_aff_dim(f, isl_dim_param); i++) {
        int64_t c = rg__poly_number(isl_aff_get_coefficient_val(f, isl_dim_param, i));
        if (!c) continue;
        int var = param_var(m->s, isl_aff_get_dim_name(f, isl_dim_param, (unsigned)i));
        if (var < 0 || (out && !rg_scalar_is_signed(m->t->vars[var].type))) return false;
        struct rg_cnode *term = rg__poly_make_var(m, var);
        if (c != 1) term = rg__poly_make_two(m, RG_C_BINARY, RG_COP_MUL, rg__poly_make_int(m, c), term);
        sum = sum ? rg__poly_make_two(m, RG_C_BINARY, RG_COP_ADD, sum, term) : term;
        rg_buf_str(text, text->len ? " + " : "");
        if (c != 1) rg_buf_printf(text, "%lld * ", (long long)c);
        rg_buf_str(text, m->s->problem->params[m->t->vars[var].param].name);
    }
    if (text->len && k)
        rg_buf_printf(text, " %c %lld", k < 0 ? '-' : '+', (long long)(k < 0 ? -k : k));
    else if (!text->len)
        rg_buf_printf(text, "%lld", (long long)k);
    if (k || !sum)
        sum = !sum ? rg__poly_make_int(m, k)
                   : rg__poly_make_two(m, RG_C_BINARY, k < 0 ? RG_COP_SUB : RG_COP_ADD, sum,
                                       rg__poly_make_int(m, k < 0 ? -k : k));
    if (out) *out = sum;
    return true;
}

isl_set *rg__poly_iterations(const struct poly_scop *s, int loop)
{
    const struct poly_loop *l = &s->loops[loop];
    int depth = l->depth + 1;
    isl_set *all = NULL;
    for (int i = l->first_stmt; i < l->first_stmt + l->n_stmts; i++) {
        isl_set *d = isl_set_copy(s->stmts[i].domain);
        d = isl_set_project_out(d, isl_dim_set, (unsigned)depth, (unsigned)(s->stmts[i].depth - depth));
        d = isl_set_reset_tuple_id(d);
        all = all ? isl_set_union(all, d) : d;
    }
    return isl_set_coalesce(all);
}

static const char *new_name(struct poly_maker *m, const char *from, const char *what)
{
    const char *name = from;
    bool taken = true;
    for (int k = 1; taken; k++) {
        name = k == 1 ? rg_arena_printf(m->a, "%s_%s", from, what) : rg_arena_printf(m->a, "%s_%s%d", from, what, k);
        taken = false;
        for (int v = 0; v < m->t->n_vars; v++) taken = taken || !strcmp(m->t->vars[v].name, name);
        for (int v = 0; v < m->t->n_arrays; v++) taken = taken || !strcmp(m->t->arrays[v].name, name);
        for (int v = 0; v < m->t->n_helpers; v++) taken = taken || !strcmp(m->t->helpers[v].name, name);
    }
    return name;
}

int rg__poly_make_array(struct poly_maker *m, const char *from, const char *what, enum rg_scalar type, int n_dims,
                        const struct rg_expr **dims)
{
    const char *name = new_name(m, from, what);
    struct rg_carray *arrays = rg_arena_alloc(m->a, sizeof *arrays * (size_t)(m->t->n_arrays + 1));
    memcpy(arrays, m->t->arrays, sizeof *arrays * (size_t)m->t->n_arrays);
    int to = m->t->n_arrays;
    arrays[to] = (struct rg_carray){.name = name,
                                    .param = -1,
                                    .elem = type,
                                    .struct_index = -1,
                                    .n_dims = n_dims,
                                    .dims = dims,
                                    .c_elem = rg_scalar_c(type)};
    m->t->arrays = arrays;
    m->t->cap_arrays = ++m->t->n_arrays;
    return to;
}

int rg__poly_make_scalar(struct poly_maker *m, int like, const char *what)
{
    struct rg_cvar *vars = rg_arena_alloc(m->a, sizeof *vars * (size_t)(m->t->n_vars + 1));
    memcpy(vars, m->t->vars, sizeof *vars * (size_t)m->t->n_vars);
    int to = m->t->n_vars;
    vars[to] = vars[like];
    vars[to].name = vars[to].wanted = new_name(m, vars[like].name, what);
    m->t->vars = vars;
    m->t->cap_vars = ++m->t->n_vars;
    return to;
}
