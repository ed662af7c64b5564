/* What a loop accumulates: scalars and array elements that its iterations only update, each by one associative
 * operator. */
#include "poly/kernel/kernel.h"
#include <string.h>

bool rg__poly_knode_has(const struct poly_knode *k, int loop)
{
    if (!k) return false;
    if (k->kind == KN_LOOP && k->loop == loop) return true;
    for (int i = 0; i < k->n; i++)
        if (rg__poly_knode_has(k->kid[i], loop)) return true;
    return false;
}

int rg__poly_kernel_of(const struct poly_program *p, int loop)
{
    for (int i = 0; i < p->n_kernels; i++)
        if (rg__poly_knode_has(p->kernels[i].body, loop)) return i;
    return -1;
}

int rg__poly_item_of(const struct poly_kernel *k, int loop)
{
    for (int i = 0; i < k->body->n; i++)
        if (k->body->kid[i]->kind == KN_LOOP && k->body->kid[i]->loop == loop) return i;
    return -1;
}

bool rg__poly_same_source(const struct poly_scop *s, int a, int b)
{
    const struct rg_cnode *x = s->loops[a].node, *y = s->loops[b].node;
    return x->line == y->line && x->column == y->column && x->column > 0;
}

bool rg__poly_reduction_loop(struct poly_scop *s, int loop)
{
    return rg__poly_conflict(s, loop, NULL, 0, POLY_STRICT).found &&
           !rg__poly_conflict(s, loop, NULL, 0, POLY_REDUCTIONS).found;
}

bool rg__poly_long_enough(const struct poly_scop *s, int loop)
{
    int64_t total = s->loops[loop].trip;
    if (!s->loops[loop].constant) return true;
    for (int l = 0; l < s->n_loops; l++) {
        if (l == loop || !rg__poly_loop_inside(s, l, loop)) continue;
        if (!s->loops[l].constant) return true;
        total *= s->loops[l].trip < 4096 ? s->loops[l].trip : 4096;
    }
    return total >= 64;
}

static bool is_dim(const struct poly_kernel *k, int loop)
{
    for (int d = 0; d < k->n_dims; d++)
        if (k->dims[d] == loop) return true;
    for (int a = 0; a < k->n_alias; a++)
        if (k->alias[a].loop == loop) return true;
    return false;
}

/* Of the loops from `outer` on, how many stand around what is directly in `inner`? */
static int loops_between(const struct poly_scop *s, int inner, int outer)
{
    int n = 1;
    for (int l = inner; l >= 0 && l != outer; l = s->loops[l].parent) n++;
    return n;
}

/* Does the loop update members of the array's elements that its iterations may share? Each is an atomic of its own. */
static bool shares_members(struct poly_scop *s, int loop, int array)
{
    bool any = false;
    for (int i = 0; i < s->n_accesses && !any; i++) {
        const struct poly_access *x = &s->accesses[i];
        any = x->array == array && x->write && rg__poly_loop_inside(s, s->stmts[x->stmt].loop, loop) &&
              rg__poly_scattered_member(s, loop, NULL, 0, x);
    }
    return any && rg__poly_needs_atomic(s, loop, NULL, 0, array);
}

int rg__poly_all_accumulators(struct poly_scop *s, const struct poly_kernel *k, int loop, bool any,
                              struct poly_acc *out, int cap)
{
    int n = 0, chosen = 0;
    for (int v = 0; v < s->tree->n_vars; v++) {
        if (s->tree->vars[v].kind == RG_CVAR_ITER || s->var_hidden[v] || rg__poly_scalar_private(s, loop, v)) continue;
        enum poly_op op = rg__poly_reduced(s, loop, -1, v);
        int select = rg__poly_select_of(s, v);
        if (op == POLY_OP_NONE || (op != POLY_OP_WITH && n == cap)) return -1;
        chosen += op == POLY_OP_WITH;
        if (op == POLY_OP_WITH) continue; /* stands behind what it goes with */
        out[n++] = (struct poly_acc){.array = -1, .var = v, .op = op, .type = s->tree->vars[v].type, .loop = loop};
        if (select < 0) continue;
        const struct poly_select *x = &s->selects[select];
        if (n + 1 + x->n_with > cap || loops_between(s, s->stmts[x->test].loop, loop) > 2) return -1;
        out[n - 1].role = POLY_ACC_BEST;
        out[n - 1].select = select;
        out[n++] =
            (struct poly_acc){-1, -1, x->first ? POLY_OP_MIN : POLY_OP_MAX, RG_LLONG, NULL, POLY_ACC_AT, select, loop};
        for (int w = 0; w < x->n_with; w++, chosen--) {
            enum rg_scalar t = s->tree->vars[x->with[w]].type;
            out[n++] = (struct poly_acc){
                -1, x->with[w], rg_scalar_is_real(t) ? POLY_OP_ADD : POLY_OP_OR, t, NULL, POLY_ACC_WITH, select, loop};
        }
    }
    if (chosen) return -1;
    for (int a = 0; a < s->tree->n_arrays; a++) {
        enum poly_op op = rg__poly_reduced(s, loop, a, -1);
        if (op == POLY_OP_NONE && !any && !(k->atomic && k->atomic[a]) && shares_members(s, loop, a)) return -1;
        if (op == POLY_OP_NONE) continue;
        const struct poly_access *first = NULL;
        bool varies = false, same = true;
        for (int i = 0; i < s->n_accesses; i++) {
            const struct poly_access *x = &s->accesses[i];
            if (x->array != a || !x->target || !rg__poly_loop_inside(s, s->stmts[x->stmt].loop, loop)) continue;
            if (!x->affine) same = false;
            for (int d = 0; d < x->n_subs && same; d++) {
                if (!x->sub[d].ok || (first && !rg__poly_linear_equal(&x->sub[d], &first->sub[d]))) same = false;
                for (int t = 0; t < x->sub[d].n && same; t++)
                    for (int q = 0; q < s->n_loops; q++)
                        if (s->loops[q].var == x->sub[d].term[t].var && !is_dim(k, q) &&
                            rg__poly_loop_inside(s, q, loop) && rg__poly_loop_inside(s, s->stmts[x->stmt].loop, q))
                            varies = true;
            }
            first = first ? first : x;
        }
        if (!first) continue;
        if (varies || !same) {
            /* harmless where the elements differ between iterations, or as atomics */
            bool harmless =
                any ? rg__poly_scattered(s, loop, NULL, 0, first) != POLY_OP_NONE : k->atomic && k->atomic[a];
            if (!harmless && rg__poly_conflict(s, loop, NULL, 0, POLY_ONE_ARRAY + a).found) return -1;
            continue;
        }
        if (n == cap) return -1;
        out[n++] = (struct poly_acc){
            .array = a, .var = -1, .op = op, .type = s->tree->arrays[a].elem, .element = first->node, .loop = loop};
    }
    return n;
}

int rg__poly_accumulators(struct poly_scop *s, const struct poly_kernel *k, int loop, struct poly_acc *out, int cap)
{
    return rg__poly_all_accumulators(s, k, loop, false, out, cap);
}

int rg__poly_collisions(struct poly_program *p, const struct poly_kernel *k, int loop, bool *atomic)
{
    struct poly_scop *s = p->scop;
    struct poly_acc acc[16];
    int n = rg__poly_all_accumulators(s, k, loop, true, acc, 16), found = 0;
    for (int a = 0; a < s->tree->n_arrays; a++) {
        bool own = rg__poly_reduced(s, loop, a, -1) == POLY_OP_NONE && !shares_members(s, loop, a);
        for (int i = 0; i < n; i++) own = own || acc[i].array == a;
        if (own || !rg__poly_needs_atomic(s, loop, NULL, 0, a)) continue;
        atomic[a] = true;
        found++;
    }
    return found;
}

enum poly_op rg__poly_private_op(const struct poly_scop *s, const struct poly_kernel *k, int array)
{
    int stmts[256], n = rg__poly_knode_stmts(s, k->body, stmts, 256);
    enum poly_op op = POLY_OP_NONE;
    for (int i = 0; i < n; i++)
        for (int a = 0; a < s->stmts[stmts[i]].n_accesses; a++) {
            const struct poly_access *x = &s->accesses[s->stmts[stmts[i]].first_access + a];
            if (x->array != array) continue;
            if (!x->update || x->update == POLY_OP_SAME || x->member || (op && x->update != op)) return POLY_OP_NONE;
            op = x->update;
        }
    return n == 256 ? POLY_OP_NONE : op;
}
