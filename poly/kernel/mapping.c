/* From loops to grids: the outermost parallel band of every nest becomes a kernel's grid, sequential loops around it
 * loops of the plan, what is left one thread. */
#include "poly/kernel/mapping.h"
#include "poly/kernel/mechanisms.h"
#include <stdlib.h>
#include <string.h>

enum {
    MAX_PASSES = 25000
}; /* a plan on the simulated device makes 100,000 launches at most, and a pass may have several */
/* ---- building ---- */

static struct poly_hnode *hnode(struct poly_mapper *m, enum poly_hnode_kind kind)
{
    struct poly_hnode *h = rg_arena_alloc(&m->p->arena, sizeof *h);
    h->kind = kind;
    h->loop = h->kernel = -1;
    return h;
}

static void append(struct poly_mapper *m, struct poly_hnode *seq, struct poly_hnode *item)
{
    if (seq->n == seq->cap) {
        int cap = seq->cap ? seq->cap * 2 : 4;
        struct poly_hnode **kid = rg_arena_alloc(&m->p->arena, sizeof *kid * (size_t)cap);
        if (seq->n) memcpy(kid, seq->kid, sizeof *kid * (size_t)seq->n);
        seq->kid = kid;
        seq->cap = cap;
    }
    seq->kid[seq->n++] = item;
}

/* One that a later definition needs as well moves in front of it: each stands there once. */
void rg__poly_prepend_recomputed(struct poly_program *p, struct poly_kernel *k)
{
    const struct poly_scop *s = p->scop;
    for (int round = 0; round < 4 * s->tree->n_vars; round++) {
        struct poly_effect e = rg__poly_effect_new(s);
        rg__poly_knode_effect(s, k->body, &e);
        int v = 0;
        while (v < s->tree->n_vars && !(e.exposed[v] && p->recompute[v])) v++;
        rg__poly_effect_free(&e);
        if (v == s->tree->n_vars) return;
        struct poly_knode *body = k->body;
        bool list = body->kind == KN_SEQ;
        struct poly_knode *seq = rg__poly_knode_new(p, KN_SEQ, NULL, 1 + (list ? body->n : 1));
        seq->n = 0;
        seq->kid[seq->n++] = rg__poly_knode_of(p, p->recompute[v]);
        for (int i = 0; i < (list ? body->n : 1); i++) {
            struct poly_knode *x = list ? body->kid[i] : body;
            if (x->node != p->recompute[v]) seq->kid[seq->n++] = x;
        }
        k->body = seq;
    }
}

static void add_kernel(struct poly_mapper *m, struct poly_hnode *seq, const int *dims, int n_dims,
                       struct poly_knode *body)
{
    if (m->p->n_kernels == POLY_MAX_KERNELS) {
        m->too_many = true;
        return;
    }
    struct poly_kernel *k = &m->p->kernels[m->p->n_kernels];
    memset(k, 0, sizeof *k);
    k->form = n_dims ? POLY_THREADS : POLY_SINGLE;
    k->n_dims = n_dims;
    k->reduce_loop = k->partner = k->otherwise = -1;
    for (int d = 0; d < n_dims; d++) {
        k->dims[d] = dims[d];
        k->axis[d] = d; /* as written, until coalesce looks at the accesses */
    }
    k->n_host = m->n_host;
    memcpy(k->host, m->host, sizeof k->host);
    k->body = body->kind == KN_SEQ ? body : rg__poly_knode_seq(m->p, &body, 1);
    if (m->sorts && k->body->n == 1 && k->body->kid[0]->kind == KN_LEAF &&
        rg__poly_sorts_over(m->s, k->body->kid[0]->node, dims, n_dims))
        k->form = POLY_SORT;
    k->atomic = rg_arena_alloc(&m->p->arena, (size_t)m->s->tree->n_arrays + 1);
    for (int a = 0; a < m->s->tree->n_arrays; a++)
        for (int d = 0; d < n_dims; d++)
            k->atomic[a] = k->atomic[a] || rg__poly_needs_atomic(m->s, dims[d], m->host, m->n_host, a);
    rg__poly_prepend_recomputed(m->p, k);
    struct poly_hnode *h = hnode(m, HN_KERNEL);
    h->kernel = m->p->n_kernels++;
    append(m, seq, h);
}

static void flush(struct poly_mapper *m, struct poly_hnode *seq, struct poly_items *pending)
{
    bool work = false;
    for (int i = 0; i < pending->n; i++) work = work || !rg__poly_plain_decl(pending->at[i]);
    if (work) {
        struct poly_knode *b = rg__poly_knode_new(m->p, KN_SEQ, NULL, pending->n);
        for (int i = 0; i < pending->n; i++) b->kid[i] = rg__poly_knode_of(m->p, pending->at[i]);
        add_kernel(m, seq, NULL, 0, b);
    }
    pending->n = 0;
}

static void band_kernels(struct poly_mapper *m, struct poly_hnode *seq, const int *dims, int n_dims,
                         const struct rg_cnode *body);

static void wrap_kernel(struct poly_mapper *m, struct poly_hnode *seq, const int *dims, int n_dims,
                        const struct poly_band *b)
{
    int all[3], n = 0;
    for (int i = 0; i < n_dims; i++) all[n++] = dims[i];
    bool sequential = false;
    for (int i = 0; i < b->n_chain; i++)
        if (b->par[i])
            all[n++] = b->chain[i];
        else
            sequential = true;
    if (!sequential) {
        band_kernels(m, seq, all, n, b->inner);
        return;
    }
    struct poly_knode *k = rg__poly_knode_body(m->p, b->inner);
    for (int i = b->n_chain - 1; i >= 0; i--)
        if (!b->par[i]) {
            struct poly_knode *l = rg__poly_knode_new(m->p, KN_LOOP, m->s->loops[b->chain[i]].node, 1);
            l->kid[0] = k;
            k = rg__poly_knode_seq(m->p, &l, 1);
        }
    add_kernel(m, seq, all, n, k);
}

/* Which items hang together: by a scalar or a local array that one writes and another reads. Groups are intervals. */
static void group_items(struct poly_mapper *m, const struct poly_items *l, int *group)
{
    struct poly_scop *s = m->s;
    struct poly_effect *e = rg_xcalloc((size_t)l->n + 1, sizeof *e);
    for (int i = 0; i < l->n; i++) {
        e[i] = rg__poly_effect_new(s);
        rg__poly_effect_add(s, &e[i], l->at[i]);
        group[i] = i;
    }
    for (int i = 0; i < l->n; i++)
        for (int j = i + 1; j < l->n; j++) {
            bool linked = false;
            for (int v = 0; v < s->tree->n_vars && !linked; v++) linked = e[i].written[v] && e[j].exposed[v];
            for (int a = 0; a < s->tree->n_arrays && !linked; a++)
                if (s->array_decl_loop[a] >= 0 && s->tree->arrays[a].param < 0) {
                    struct poly_knode *x = rg__poly_knode_of(m->p, l->at[i]), *y = rg__poly_knode_of(m->p, l->at[j]);
                    linked = rg__poly_knode_uses_array(s, x, a, NULL) && rg__poly_knode_uses_array(s, y, a, NULL);
                }
            for (int k = i + 1; linked && k <= j; k++) group[k] = group[k] < group[i] ? group[k] : group[i];
        }
    for (int i = 0; i < l->n; i++) rg__poly_effect_free(&e[i]);
    free(e);
    for (int i = 1; i < l->n; i++) /* intervals: an item inside one belongs to it */
        for (int j = i; j < l->n; j++)
            if (group[j] < group[i] && group[j] <= group[i - 1]) group[i] = group[i - 1];
}

/* A kernel over dims; several where splitting its body (legal: the dimensions carry nothing) uncovers more of them. */
static void band_kernels(struct poly_mapper *m, struct poly_hnode *seq, const int *dims, int n_dims,
                         const struct rg_cnode *body)
{
    struct poly_items l = {0};
    rg__poly_flatten(&l, body);
    bool split = false;
    int *group = rg_xcalloc((size_t)l.n + 1, sizeof *group);
    struct poly_band b;
    if (l.n > 1) {
        group_items(m, &l, group);
        for (int i = 0; i < l.n && !split; i++) {
            bool alone = (i == 0 || group[i - 1] != group[i]) && (i + 1 == l.n || group[i + 1] != group[i]);
            bool deeper = n_dims < 3 && l.at[i]->kind == RG_C_LOOP &&
                          rg__poly_find_band(m, rg__poly_loop_of(m->s, l.at[i]), 3 - n_dims, &b);
            split = alone && (deeper || (m->sorts && rg__poly_sorts_over(m->s, l.at[i], dims, n_dims)));
        }
    }
    if (!split) {
        add_kernel(m, seq, dims, n_dims, rg__poly_knode_of(m->p, body));
        free(group);
        free(l.at);
        return;
    }
    struct poly_items rest = {0};
    for (int i = 0; i <= l.n; i++) {
        bool alone = i < l.n && (i == 0 || group[i - 1] != group[i]) && (i + 1 == l.n || group[i + 1] != group[i]);
        bool deeper = alone && n_dims < 3 && l.at[i]->kind == RG_C_LOOP &&
                      rg__poly_find_band(m, rg__poly_loop_of(m->s, l.at[i]), 3 - n_dims, &b);
        bool sorts = alone && m->sorts && rg__poly_sorts_over(m->s, l.at[i], dims, n_dims);
        if (deeper || sorts || i == l.n) {
            bool work = false;
            for (int j = 0; j < rest.n; j++) work = work || !rg__poly_plain_decl(rest.at[j]);
            if (work) {
                struct poly_knode *k = rg__poly_knode_new(m->p, KN_SEQ, NULL, rest.n);
                for (int j = 0; j < rest.n; j++) k->kid[j] = rg__poly_knode_of(m->p, rest.at[j]);
                add_kernel(m, seq, dims, n_dims, k);
            }
            rest.n = 0;
            if (deeper) wrap_kernel(m, seq, dims, n_dims, &b);
            if (sorts) add_kernel(m, seq, dims, n_dims, rg__poly_knode_of(m->p, l.at[i]));
        } else {
            RG_GROW(rest.at, rest.n, rest.cap);
            rest.at[rest.n++] = l.at[i];
        }
    }
    free(rest.at);
    free(group);
    free(l.at);
}

/* A scalar with one definition, over parameters and other such scalars. */
static bool recomputable(struct poly_mapper *m, const struct rg_cnode *e)
{
    if (!e) return true;
    switch (e->kind) {
    case RG_C_INT:
    case RG_C_REAL:
        return true;
    case RG_C_VAR:
        if (e->array >= 0 || e->var < 0) return false;
        if (m->s->tree->vars[e->var].kind == RG_CVAR_PARAM) return !m->s->tree->vars[e->var].assigned;
        return m->p->recompute[e->var] != NULL;
    case RG_C_CALL:
        if (e->callee >= 0 && !m->s->tree->helpers[e->callee].pure) return false;
        break;
    case RG_C_UNARY:
        if (e->op == RG_COP_DEREF || e->op == RG_COP_ADDRESS) return false;
        break;
    case RG_C_BINARY:
    case RG_C_COND:
    case RG_C_CAST:
        break;
    default:
        return false;
    }
    for (int i = 0; i < e->n; i++)
        if (!recomputable(m, e->kid[i])) return false;
    return !e->pointer;
}

static bool take_recomputed(struct poly_mapper *m, const struct rg_cnode *n)
{
    int var = -1;
    const struct rg_cnode *value = NULL;
    if (n->kind == RG_C_DECL && n->array < 0 && n->n && n->kid[0]) {
        var = n->var;
        value = n->kid[0];
    } else if (n->kind == RG_C_STMT && n->n && n->kid[0]->op == RG_COP_SET && n->kid[0]->kid[0]->kind == RG_C_VAR &&
               n->kid[0]->kid[0]->array < 0) {
        var = n->kid[0]->kid[0]->var;
        value = n->kid[0]->kid[1];
    }
    if (var < 0 || m->s->tree->vars[var].kind != RG_CVAR_LOCAL || m->s->tree->vars[var].type == RG_STRUCT ||
        m->writes[var] != 1 || m->n_host || !recomputable(m, value) || rg__c_decides(m->s->tree->root, var))
        return false;
    m->p->recompute[var] = n;
    return true;
}

static void map_list(struct poly_mapper *m, const struct rg_cnode *body, struct poly_hnode *seq)
{
    struct poly_items l = {0}, pending = {0};
    rg__poly_flatten(&l, body);
    for (int i = 0; i < l.n; i++) {
        const struct rg_cnode *n = l.at[i];
        if (rg__poly_grid_sorts(m->s, n)) {
            flush(m, seq, &pending);
            add_kernel(m, seq, NULL, 0, rg__poly_knode_of(m->p, n));
            continue;
        }
        bool parallel = (n->kind == RG_C_LOOP || n->kind == RG_C_IF) && rg__poly_has_parallel(m, n);
        if (!parallel) {
            if (!take_recomputed(m, n)) {
                RG_GROW(pending.at, pending.n, pending.cap);
                pending.at[pending.n++] = n;
            }
            continue;
        }
        flush(m, seq, &pending);
        struct poly_band b;
        if (n->kind == RG_C_IF) {
            struct poly_hnode *h = hnode(m, HN_IF);
            h->node = n;
            for (int a = 1; a < 3; a++) {
                struct poly_hnode *arm = hnode(m, HN_SEQ);
                if (a < n->n && n->kid[a]) map_list(m, n->kid[a], arm);
                append(m, h, arm);
            }
            append(m, seq, h);
        } else if (rg__poly_find_band(m, rg__poly_loop_of(m->s, n), 3, &b)) {
            wrap_kernel(m, seq, NULL, 0, &b);
        } else {
            struct poly_hnode *h = hnode(m, HN_FOR);
            h->node = n;
            h->loop = rg__poly_loop_of(m->s, n);
            m->host[m->n_host++] = h->loop;
            map_list(m, n->kid[2], h);
            m->n_host--;
            append(m, seq, h);
        }
    }
    flush(m, seq, &pending);
    free(pending.at);
    free(l.at);
}

static void count_writes(struct poly_mapper *m, const struct rg_cnode *n)
{
    if (!n) return;
    if (n->kind == RG_C_BLOCK || n->kind == RG_C_LOOP || n->kind == RG_C_IF) {
        for (int i = 0; i < n->n; i++) count_writes(m, n->kid[i]);
        return;
    }
    struct poly_effect e = rg__poly_effect_new(m->s);
    rg__poly_effect_add(m->s, &e, n);
    for (int v = 0; v < m->s->tree->n_vars; v++) m->writes[v] += e.written[v];
    rg__poly_effect_free(&e);
}

static struct poly_program *map_program(struct poly_scop *s, bool any_atomics, struct rg_error *err)
{
    struct poly_program *p = rg_xcalloc(1, sizeof *p);
    struct poly_mapper m = {.p = p, .s = s, .any_atomics = any_atomics, .sorts = true};
    p->scop = s;
    m.writes = rg_xcalloc((size_t)s->tree->n_vars + 1, sizeof *m.writes);
    p->recompute = rg_arena_alloc(&p->arena, sizeof *p->recompute * ((size_t)s->tree->n_vars + 1));
    count_writes(&m, s->tree->root);
    p->root = hnode(&m, HN_SEQ);
    map_list(&m, s->tree->root, p->root);
    free(m.writes);
    if (m.too_many) {
        rg_error_at(err, RG_INPUT, s->problem->file, s->problem->line, 0,
                    "function %s falls apart into more than %d kernels", s->problem->function, POLY_MAX_KERNELS);
        rg__poly_program_free(p);
        return NULL;
    }
    rg__poly_fuse(p);
    rg__poly_assign_homes(p);
    rg__poly_limit_launches(p, MAX_PASSES);
    return p;
}

/* Updates with affine subscripts (force[i] += f; force[j] -= f) become atomics only where else nothing, or single rows
 * of a nest, would be parallel. */
struct poly_program *rg__poly_map(struct poly_scop *s, struct rg_error *err)
{
    struct poly_program *plain = map_program(s, false, err);
    bool affine = false;
    for (int i = 0; i < s->n_accesses && !affine; i++)
        affine = s->accesses[i].update != POLY_OP_NONE && s->accesses[i].write && s->accesses[i].affine;
    if (!plain || !affine) return plain;
    struct poly_program *more = map_program(s, true, NULL);
    bool better = more && rg__poly_program_cost(more) < rg__poly_program_cost(plain);
    rg__poly_program_free(better ? plain : more);
    return better ? more : plain;
}

struct poly_program *rg__poly_map_sequential(struct poly_scop *s)
{
    struct poly_program *p = rg_xcalloc(1, sizeof *p);
    struct poly_mapper m = {.p = p, .s = s};
    p->scop = s;
    p->recompute = rg_arena_alloc(&p->arena, sizeof *p->recompute * ((size_t)s->tree->n_vars + 1));
    p->root = hnode(&m, HN_SEQ);
    add_kernel(&m, p->root, NULL, 0, rg__poly_knode_of(p, s->tree->root));
    rg__poly_assign_homes(p);
    return p;
}

void rg__poly_program_free(struct poly_program *p)
{
    if (!p) return;
    free(p->scalar_scratch);
    free(p->array_scratch);
    free(p->array_parts);
    free(p->array_interleaved);
    rg_arena_release(&p->arena);
    free(p);
}

bool rg__poly_program_parallel(const struct poly_program *p)
{
    for (int i = 0; i < p->n_kernels; i++)
        if (p->kernels[i].form != POLY_SINGLE) return true;
    return false;
}
