/* Neighbouring points of one thread: what they read and write of an array is neighbours in it, from a multiple of the
 * vector on. */
#include "poly/kernel/kernel.h"
#include <stdio.h>

enum { MAX_STMTS = 64 };

/* Only statements and conditions: a loop inside would want its loads inside, too. */
static bool plain(const struct poly_knode *k)
{
    if (!k) return true;
    bool row = k->kind == KN_LEAF && k->node->kind == RG_C_DECL && k->node->array >= 0;
    if (k->kind == KN_LOOP || row ||
        (k->kind == KN_LEAF && (k->node->kind == RG_C_OPAQUE || k->node->kind == RG_C_RETURN)))
        return false;
    for (int i = 0; i < k->n; i++)
        if (!plain(k->kid[i])) return false;
    return true;
}

/* Neighbours along x are neighbours in the array, and the first one of every W lies at a multiple of W if the array
 * does. */
static bool unit(const struct poly_scop *s, const struct poly_kernel *k, const struct poly_access *a, int most)
{
    int x = rg__poly_dim_of_axis(k, 0), last = a->n_subs - 1;
    const struct poly_linear *start = &s->loops[k->dims[x]].lower;
    enum rg_scalar t = s->tree->arrays[a->array].elem;
    if (!a->affine || a->whole || a->member || last < 0 || a->n_subs != s->tree->arrays[a->array].n_dims ||
        !(t == RG_F32 || t == RG_I32 || (t == RG_F64 && most == 2)))
        return false;
    for (int d = 0; d <= last; d++) {
        if (!a->sub[d].ok) return false;
        for (int i = 0; i < a->sub[d].n; i++)
            if (rg__poly_dim_at(s, k, a->sub[d].term[i].var) == x && a->sub[d].term[i].c != (d == last)) return false;
    }
    bool along = false;
    int64_t first = a->sub[last].k + (start->ok ? start->k : 0);
    for (int i = 0; i < a->sub[last].n; i++) along = along || rg__poly_dim_at(s, k, a->sub[last].term[i].var) == x;
    return along && first % most == 0;
}

static bool direct(const struct poly_scop *s, const struct poly_kernel *k, int stmt)
{
    for (int i = 0; i < k->body->n; i++)
        if (k->body->kid[i]->node == s->stmts[stmt].node) return true;
    return false;
}

/* What the kernel's statements do to the array, as far as the element is concerned. */
static struct poly_wide uses(const struct poly_scop *s, const struct poly_kernel *k, const struct poly_access *a,
                             const int *stmts, int n)
{
    struct poly_wide w = {.access = a};
    for (int j = 0; j < n; j++)
        for (int v = 0; v < s->stmts[stmts[j]].n_accesses; v++) {
            const struct poly_access *b = &s->accesses[s->stmts[stmts[j]].first_access + v];
            if (b->array != a->array) continue;
            bool same = rg__poly_same_element(a, b), reached = b->certain && direct(s, k, stmts[j]);
            w.other = w.other || !same;
            w.written = w.written || b->write;
            w.read = w.read || (same && b->read);
            w.stored = w.stored || (same && b->write && reached);
            w.exists = w.exists || (same && reached);
        }
    return w;
}

int rg__poly_wide_references(const struct poly_program *p, const struct poly_kernel *k, int most, struct poly_wide *out,
                             int cap)
{
    const struct poly_scop *s = p->scop;
    int stmts[MAX_STMTS], n_stmts = rg__poly_knode_stmts(s, k->body, stmts, MAX_STMTS), n = 0, keep[64], n_keep = 0;
    if (n_stmts == MAX_STMTS) return 0;
    for (int d = 0; d < k->n_dims; d++) keep[n_keep++] = k->dims[d];
    for (int x = 0; x < k->n_alias; x++) keep[n_keep++] = k->alias[x].loop;
    for (int h = 0; h < k->n_host; h++) keep[n_keep++] = k->host[h];
    for (int i = 0; i < n_stmts; i++)
        for (int u = 0; u < s->stmts[stmts[i]].n_accesses; u++) {
            const struct poly_access *a = &s->accesses[s->stmts[stmts[i]].first_access + u];
            const struct rg_carray *c = &s->tree->arrays[a->array];
            bool known = false;
            for (int x = 0; x < n && !known; x++) known = rg__poly_same_element(out[x].access, a);
            if (known || n == cap || !unit(s, k, a, most) || c->constant_table || p->array_parts[a->array] ||
                k->atomic[a->array] || (c->param < 0 && !p->array_scratch[a->array]))
                continue;
            struct poly_wide w = uses(s, k, a, stmts, n_stmts);
            if ((w.written && (w.other || !w.stored)) || !(w.exists || rg__poly_in_bounds(p->scop, a, keep, n_keep)))
                continue;
            out[n++] = w;
        }
    return n;
}

/* Stores one by one of neighbouring points would be W apart from thread to thread. */
static bool stores_wide(const struct poly_scop *s, const struct poly_kernel *k, const struct poly_wide *refs, int n,
                        struct rg_reason *why)
{
    int stmts[MAX_STMTS], n_stmts = rg__poly_knode_stmts(s, k->body, stmts, MAX_STMTS);
    for (int i = 0; i < n_stmts; i++)
        for (int u = 0; u < s->stmts[stmts[i]].n_accesses; u++) {
            const struct poly_access *a = &s->accesses[s->stmts[stmts[i]].first_access + u];
            bool known = !a->write;
            for (int x = 0; x < n && !known; x++) known = rg__poly_same_element(refs[x].access, a);
            if (known) continue;
            rg_refuse(
                why, RG_REFUSE_SHAPE, s->stmts[stmts[i]].line,
                "%s (%s:%d) would not be stored at once: not every point stores it, or not from a multiple of the "
                "vector on",
                s->tree->arrays[a->array].name, s->problem->file, s->stmts[stmts[i]].line);
            return false;
        }
    return true;
}

int rg__poly_wide(const struct poly_program *p, const struct poly_kernel *k, struct rg_reason *why)
{
    const struct poly_scop *s = p->scop;
    int x = rg__poly_dim_of_axis(k, 0);
    struct poly_wide refs[POLY_MAX_WIDE];
    rg_refuse(why, RG_REFUSE_ANALYSIS, 0, "kernel over %s: its threads have loops, or code that is not affine, inside",
              k->n_dims ? s->loops[k->dims[0]].name : "nothing");
    if (k->form != POLY_THREADS || k->partner >= 0 || x < 0 || !plain(k->body)) return 0;
    const struct poly_loop *l = &s->loops[k->dims[x]];
    rg_refuse(
        why, RG_REFUSE_SHAPE, l->node->line,
        "neighbouring threads of no kernel touch neighbouring elements from a multiple of the vector on (loop %s, "
        "%s:%d)",
        l->name, s->problem->file, l->node->line);
    if (l->step != 1 || s->problem->may_alias || !rg_scalar_is_signed(s->tree->vars[l->var].type)) return 0;
    for (int d = 0; d < k->n_dims; d++) { /* the others' conditions hold for all of a thread's points, or for none */
        const struct poly_loop *other = &s->loops[k->dims[d]];
        for (int b = 0; d != x && b < 2; b++)
            if (rg__poly_mentions_loop(s, other->node->kid[b], l->id)) {
                rg_refuse(why, RG_REFUSE_BOUNDS, other->node->line,
                          "the range of loop %s depends on loop %s, along which neighbours lie", other->name, l->name);
                return 0;
            }
    }
    for (int most = 4; most >= 2; most /= 2) {
        int n = rg__poly_wide_references(p, k, most, refs, POLY_MAX_WIDE);
        if (n && stores_wide(s, k, refs, n, why)) return most;
    }
    return 0;
}
